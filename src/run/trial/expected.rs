//! How many points a database must hold when nothing that it acknowledged was lost.
//!
//! It must not know what it holds. Invariant: never more than must be there: a trial is failed for lost points only when
//! points are lost.

use crate::workload::stream::Totals;

/// What a load acknowledged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Acknowledged {
    /// Points of the measured part.
    pub measured: u64,
    /// Points of the warm-up; they lie before the measured ones.
    pub warmup: u64,
    /// Whether every write of the measured part was acknowledged once.
    pub whole: bool,
}

/// The distinct points that must be there after a load into an empty database.
///
/// A workload can write a point twice (disorder that falls on a time already written). Where it was written whole, the
/// totals know how many are distinct; where only a part was, at most all its duplicates were in that part.
pub fn distinct(totals: &Totals, acknowledged: Acknowledged) -> u64 {
    let duplicates = totals.points.saturating_sub(totals.distinct_points);
    let measured = if acknowledged.whole && acknowledged.measured == totals.points {
        totals.distinct_points
    } else {
        acknowledged.measured.saturating_sub(duplicates)
    };
    measured + acknowledged.warmup
}

/// The points that must be there after a load onto `before` points of the same shape, which it may write again.
pub fn onto(before: u64, load: u64) -> u64 {
    before.max(load)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn totals(points: u64, distinct_points: u64) -> Totals {
        Totals { points, distinct_points, ..Totals::default() }
    }

    #[test]
    fn a_whole_load_must_hold_what_is_distinct() {
        let all = Acknowledged { measured: 1000, warmup: 50, whole: true };
        assert_eq!(distinct(&totals(1000, 1000), all), 1050);
        assert_eq!(distinct(&totals(1000, 990), all), 1040);
    }

    #[test]
    fn a_load_that_time_cut_must_hold_what_was_acknowledged() {
        let part = Acknowledged { measured: 400, warmup: 0, whole: false };
        assert_eq!(distinct(&totals(1000, 1000), part), 400);
        // With ten duplicates in all, up to ten may have come among those 400.
        assert_eq!(distinct(&totals(1000, 990), part), 390);
    }

    #[test]
    fn a_load_onto_data_may_write_the_same_points_again() {
        assert_eq!(onto(500, 300), 500);
        assert_eq!(onto(500, 800), 800);
    }
}
