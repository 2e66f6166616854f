//! Which percentiles are told, and from how many samples on one can be believed.
//!
//! It must not know what was timed. Invariant: a percentile that rests on too few samples is marked, never left out, never NaN.

/// The percentiles that every table shows, in order.
pub const SHOWN: [f64; 5] = [50.0, 90.0, 95.0, 99.0, 99.9];

/// Whether so many samples can tell this percentile from the greatest value: 100 for P99, 1000 for P99.9.
pub fn enough(percentile: f64, samples: u64) -> bool {
    let above = (100.0 - percentile) / 100.0;
    // A little slack: 100 - 99.9 is not exactly a tenth.
    samples as f64 * above >= 1.0 - 1e-9
}

/// The percentiles of a curve with a log tail, as far as so many samples reach; it ends at 100, the greatest value.
pub fn curve(samples: u64) -> Vec<f64> {
    const BODY: [f64; 9] = [0.0, 10.0, 25.0, 50.0, 60.0, 70.0, 75.0, 80.0, 85.0];
    const TAIL: [f64; 13] = [90.0, 92.5, 95.0, 97.5, 99.0, 99.5, 99.75, 99.9, 99.95, 99.99, 99.995, 99.999, 99.9999];
    let mut all: Vec<f64> = BODY.to_vec();
    all.extend(TAIL.iter().filter(|percentile| enough(**percentile, samples)));
    all.push(100.0);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_samples_are_under_a_hundred_for_p99_and_under_a_thousand_for_p999() {
        assert!(!enough(99.0, 99) && enough(99.0, 100));
        assert!(!enough(99.9, 999) && enough(99.9, 1_000));
        assert!(enough(50.0, 2) && !enough(90.0, 8));
    }

    #[test]
    fn a_curve_reaches_no_further_than_its_samples() {
        assert!(!curve(50).contains(&99.0));
        assert!(curve(100).contains(&99.0) && !curve(100).contains(&99.9));
        assert_eq!(curve(1).last(), Some(&100.0));
        assert!(curve(1_000_000).windows(2).all(|pair| pair[0] < pair[1]));
    }
}
