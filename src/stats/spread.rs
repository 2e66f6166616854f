//! How far the rounds of one thing lie apart.
//!
//! It must not know what was measured. Invariant: a single value has no spread.

/// Rounds are noisy when their span exceeds this share of their median.
pub const NOISY: f64 = 0.2;

/// The span of some values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The least.
    pub min: f64,
    /// The greatest.
    pub max: f64,
    /// Their difference as a share of the median; none where the median is 0.
    pub relative: Option<f64>,
}

/// The span of at least two finite values.
pub fn spread(values: &[f64]) -> Option<Spread> {
    if values.len() < 2 || values.iter().any(|value| !value.is_finite()) {
        return None;
    }
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (min, max) = (sorted[0], sorted[sorted.len() - 1]);
    let median = 0.5 * (sorted[(sorted.len() - 1) / 2] + sorted[sorted.len() / 2]);
    Some(Spread { min, max, relative: (median != 0.0).then(|| (max - min) / median.abs()) })
}

/// Whether the rounds differ widely: their span exceeds [`NOISY`] of their median.
pub fn noisy(values: &[f64]) -> bool {
    spread(values).and_then(|spread| spread.relative).is_some_and(|relative| relative > NOISY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_span_is_told_against_the_median() {
        let span = spread(&[90.0, 100.0, 120.0]).unwrap();
        assert_eq!((span.min, span.max), (90.0, 120.0));
        assert!((span.relative.unwrap() - 0.3).abs() < 1e-12);
        assert!(noisy(&[90.0, 100.0, 120.0]));
        assert!(!noisy(&[95.0, 100.0, 105.0]));
    }

    #[test]
    fn one_value_or_zeros_have_no_relative_span() {
        assert_eq!(spread(&[1.0]), None);
        assert!(!noisy(&[1.0]));
        assert_eq!(spread(&[0.0, 0.0]).unwrap().relative, None);
        assert!(!noisy(&[0.0, 0.0]));
    }
}
