//! Which operation each loop of a client is.
//!
//! It must not know what an operation holds. Invariant: the draw is a pure function of (seed, client, part, loop) and repeats
//! after [`PERIOD`] loops, so that any number of loops is counted exactly in a short time.

use super::parameters::IotParameters;
use crate::workload::model::mix;
use crate::workload::operation::OperationKind;
use crate::workload::stream::Part;

/// After so many loops a client's draws come again.
pub(super) const PERIOD: u64 = 1 << 16;

/// The draws of one client in one part.
#[derive(Clone, Debug)]
pub(super) struct Draws {
    key: u64,
    /// For each kind that can come, the greatest hash that means it.
    limits: Vec<(u64, OperationKind)>,
}

impl Draws {
    pub(super) fn new(p: &IotParameters, client: u32, part: Part) -> Self {
        let total: f64 = p.mix.operations.iter().sum();
        let mut reached = 0.0;
        let mut limits: Vec<(u64, OperationKind)> = Vec::new();
        for kind in p.kinds() {
            reached += p.share(kind);
            // 2^64 as a float saturates to the greatest hash.
            limits.push(((reached / total * 18_446_744_073_709_551_616.0) as u64, kind));
        }
        if let Some(last) = limits.last_mut() {
            last.0 = u64::MAX;
        }
        let part = match part {
            Part::Measured => 0,
            Part::Warmup => 1,
        };
        Draws { key: mix(mix(p.query_seed() ^ 0x6f70_6572_6174_696f) ^ (u64::from(client) << 1 | part)), limits }
    }

    /// What loop `index` is.
    #[inline]
    pub(super) fn kind(&self, index: u64) -> OperationKind {
        if let [(_, only)] = self.limits[..] {
            return only;
        }
        let hash = mix(self.key ^ (index % PERIOD));
        let at = self.limits.iter().position(|(limit, _)| hash <= *limit);
        self.limits[at.unwrap_or(self.limits.len() - 1)].1
    }

    /// How many of the first `loops` loops are of each kind.
    pub(super) fn count(&self, loops: u64) -> [u64; 13] {
        let mut counts = [0u64; 13];
        if let [(_, only)] = self.limits[..] {
            counts[only.index()] = loops;
            return counts;
        }
        let (periods, rest) = (loops / PERIOD, loops % PERIOD);
        let mut add = |from: u64, to: u64, times: u64| {
            for index in from..to {
                counts[self.kind(index).index()] += times;
            }
        };
        add(0, rest, periods + 1);
        if periods > 0 {
            add(rest, PERIOD, periods);
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::kind::Surroundings;

    fn mixed() -> IotParameters {
        let mut p = IotParameters::new(Surroundings { clients: Some(4), seed: 1 });
        super::super::read::set(&mut p, super::super::key::Key::OperationProportion, "1:0:2:0:1").unwrap();
        p
    }

    #[test]
    fn counts_are_those_of_the_draws() {
        let p = mixed();
        for loops in [1, 5, 1000, PERIOD, PERIOD + 7, 3 * PERIOD + 1] {
            let draws = Draws::new(&p, 3, Part::Measured);
            let mut counts = [0u64; 13];
            (0..loops).for_each(|index| counts[draws.kind(index).index()] += 1);
            assert_eq!(draws.count(loops), counts, "{loops}");
        }
    }

    #[test]
    fn shares_are_kept() {
        let counts = Draws::new(&mixed(), 0, Part::Measured).count(PERIOD);
        let share = |kind: OperationKind| counts[kind.index()] as f64 / PERIOD as f64;
        assert!((share(OperationKind::Ingestion) - 0.25).abs() < 0.01);
        assert!((share(OperationKind::TimeRange) - 0.5).abs() < 0.01);
        assert!((share(OperationKind::AggRange) - 0.25).abs() < 0.01);
        assert_eq!(counts.iter().sum::<u64>(), PERIOD);
    }

    #[test]
    fn clients_and_parts_draw_for_themselves() {
        let p = mixed();
        let sequence = |client, part| {
            let draws = Draws::new(&p, client, part);
            (0..64).map(|index| draws.kind(index).index()).collect::<Vec<_>>()
        };
        assert_eq!(sequence(1, Part::Measured), sequence(1, Part::Measured));
        assert_ne!(sequence(1, Part::Measured), sequence(2, Part::Measured));
        assert_ne!(sequence(1, Part::Measured), sequence(1, Part::Warmup));
    }
}
