//! What happens along a swept axis: where a curve stops growing, and where two curves cross.
//!
//! It must not know what the axis is. Invariant: a crossing is told only between points that were decided, never from a tie.

/// Below this elasticity (relative growth of y for relative growth of x) a curve is flat.
const FLAT: f64 = 0.2;
/// From this elasticity on a curve grows.
const GROWING: f64 = 0.4;

/// Where two curves cross.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// The last point at which the one that led still led.
    pub before: f64,
    /// The first point at which the other leads.
    pub after: f64,
    /// Where the straight line between them, on logarithms, meets equality.
    pub at: f64,
    /// Whether the first curve leads beyond.
    pub first_leads: bool,
}

/// Crossings of two curves, from points (x, ln(first ÷ second), whether the difference is decided), x positive and ascending.
pub fn crossings(points: &[(f64, f64, bool)]) -> Vec<Crossing> {
    let decided: Vec<(f64, f64)> = points
        .iter()
        .filter(|(_, difference, decided)| *decided && *difference != 0.0)
        .map(|(x, d, _)| (*x, *d))
        .collect();
    decided
        .windows(2)
        .filter(|pair| (pair[0].1 > 0.0) != (pair[1].1 > 0.0))
        .map(|pair| {
            let ((x0, d0), (x1, d1)) = (pair[0], pair[1]);
            let share = d0 / (d0 - d1);
            let at = (x0.ln() + share * (x1.ln() - x0.ln())).exp();
            Crossing { before: x0, after: x1, at, first_leads: d1 > 0.0 }
        })
        .collect()
}

/// Where a curve that grew stops growing: the first x from which on every step is flat or falls, after steps that grew.
/// Points are (x, y), both positive, x ascending; none where it never grew or still grows.
pub fn knee(points: &[(f64, f64)]) -> Option<f64> {
    if points.len() < 3 || points.iter().any(|(x, y)| *x <= 0.0 || *y <= 0.0) {
        return None;
    }
    let steps: Vec<f64> =
        points.windows(2).map(|pair| (pair[1].1 / pair[0].1).ln() / (pair[1].0 / pair[0].0).ln()).collect();
    let growing = steps.iter().rposition(|step| *step >= FLAT)?;
    let whole = (points[growing + 1].1 / points[0].1).ln() / (points[growing + 1].0 / points[0].0).ln();
    (growing + 1 < steps.len() && whole >= GROWING).then(|| points[growing + 1].0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crossing_lies_between_the_points_that_changed_sides() {
        let found = crossings(&[(100.0, 0.5, true), (1_000.0, 0.1, true), (10_000.0, -0.1, true), (1e5, -0.4, true)]);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].before, found[0].after, found[0].first_leads), (1_000.0, 10_000.0, false));
        assert!((found[0].at - 3_162.277_660).abs() < 1e-3, "{}", found[0].at);
    }

    #[test]
    fn a_tie_is_no_side() {
        assert!(crossings(&[(1.0, 0.5, true), (2.0, -0.01, false), (4.0, 0.5, true)]).is_empty());
        assert_eq!(crossings(&[(1.0, 0.5, true), (2.0, -0.01, false), (4.0, -0.5, true)])[0].before, 1.0);
        assert!(crossings(&[]).is_empty());
    }

    #[test]
    fn a_knee_is_where_growth_ends() {
        let curve = [(1.0, 100.0), (2.0, 195.0), (4.0, 380.0), (8.0, 400.0), (16.0, 390.0)];
        assert_eq!(knee(&curve), Some(4.0));
    }

    #[test]
    fn a_curve_that_still_grows_or_never_grew_has_no_knee() {
        assert_eq!(knee(&[(1.0, 100.0), (2.0, 200.0), (4.0, 400.0)]), None);
        assert_eq!(knee(&[(1.0, 100.0), (2.0, 101.0), (4.0, 99.0)]), None);
        assert_eq!(knee(&[(1.0, 100.0), (2.0, 50.0), (4.0, 25.0)]), None);
        assert_eq!(knee(&[(1.0, 0.0), (2.0, 1.0), (3.0, 1.0)]), None);
    }
}
