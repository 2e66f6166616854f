//! Which row a write's row is in the order of times: as they come, moved back by a Poisson number of steps, or begun in the
//! middle.
//!
//! It must not know a clock or a thread. Invariant: a row's place is a pure function of (seed, device, row); no row lies before
//! the first.

use super::parameters::{DisorderMode, IotParameters};
use crate::workload::model::mix;

/// Devices with the same number modulo this are disordered alike, so that distinct rows can be counted before the run.
pub(super) const PATTERNS: u64 = 16;

/// After so many rows a device's moves come again, so that any number of rows is counted exactly in a short time.
const PERIOD: u64 = 1 << 16;

/// How a workload's rows are disordered.
#[derive(Clone, Debug)]
pub(super) enum Disorder {
    /// Not at all.
    None,
    /// Rows begin `shift` rows on, of `rows`, and come round.
    Rotated { shift: u64, rows: u64 },
    /// Rows are moved back.
    Poisson(Poisson),
}

/// Rows moved back by a Poisson-distributed number of steps.
#[derive(Clone, Debug)]
pub(super) struct Poisson {
    seed: u64,
    /// The greatest hash of a row that is moved.
    moved: u64,
    /// The least number of steps in the table.
    first: u64,
    /// For `first`, `first + 1`, … the greatest hash that means so many steps.
    limits: Vec<u64>,
    /// The most steps (MAX_K).
    most: u64,
}

/// 2^64.
const ALL: f64 = 18_446_744_073_709_551_616.0;

impl Poisson {
    fn new(p: &IotParameters) -> Self {
        let lambda = p.lambda;
        let middle = lambda.floor();
        // Eight standard deviations hold all but 10^-14. Only arithmetic is used that every machine does alike.
        let reach = 8.0 * lambda.sqrt() + 10.0;
        let first = (middle - reach).max(0.0) as u64;
        let last = (middle + reach) as u64;
        let mut weights = vec![0.0f64; (last - first + 1) as usize];
        let peak = middle as u64;
        weights[(peak - first) as usize] = 1.0;
        for k in peak + 1..=last {
            weights[(k - first) as usize] = weights[(k - 1 - first) as usize] * lambda / k as f64;
        }
        for k in (first..peak).rev() {
            weights[(k - first) as usize] = weights[(k + 1 - first) as usize] * (k + 1) as f64 / lambda;
        }
        let total: f64 = weights.iter().sum();
        let mut reached = 0.0;
        let mut limits: Vec<u64> = weights
            .iter()
            .map(|weight| {
                reached += weight;
                (reached / total * ALL) as u64
            })
            .collect();
        if let Some(limit) = limits.last_mut() {
            *limit = u64::MAX;
        }
        Poisson {
            seed: mix(p.data_seed() ^ 0x6469_736f_7264_6572),
            moved: (p.disorder_ratio * ALL) as u64,
            first,
            limits,
            most: u64::from(p.max_k),
        }
    }

    /// How far back a row is moved at most.
    fn reach(&self) -> u64 {
        (self.first + self.limits.len() as u64 - 1).min(self.most)
    }

    /// The place that row `row` of a device takes.
    #[inline]
    pub(super) fn place(&self, device: u64, row: u64) -> u64 {
        let hash = mix(self.seed ^ mix(row % PERIOD * PATTERNS + device % PATTERNS));
        if hash > self.moved || self.moved == 0 {
            return row;
        }
        let draw = mix(hash);
        let steps = (self.first + self.limits.partition_point(|limit| *limit < draw) as u64).min(self.most);
        // A row that would lie before the first stays where it is: earlier times belong to the warm-up.
        row.checked_sub(steps).unwrap_or(row)
    }
}

impl Disorder {
    /// The disorder of a client whose devices have `rows` rows each.
    pub(super) fn new(p: &IotParameters, rows: u64) -> Self {
        match (p.out_of_order, p.disorder) {
            (false, _) => Disorder::None,
            (true, DisorderMode::Batch) => {
                Disorder::Rotated { shift: (rows as f64 * p.disorder_ratio) as u64 % rows.max(1), rows: rows.max(1) }
            }
            (true, DisorderMode::Poisson) => Disorder::Poisson(Poisson::new(p)),
        }
    }

    /// The place in the order of times that the `row`-th row written of a device takes.
    #[inline]
    pub(super) fn place(&self, device: u64, row: u64) -> u64 {
        match self {
            Disorder::None => row,
            Disorder::Rotated { shift, rows } => {
                let at = row + shift;
                if at >= *rows { at - rows } else { at }
            }
            Disorder::Poisson(poisson) => poisson.place(device, row),
        }
    }

    /// How many different places the first `rows` rows of a device take.
    pub(super) fn distinct(&self, device: u64, rows: u64) -> u64 {
        match self {
            Disorder::None | Disorder::Rotated { .. } => rows,
            Disorder::Poisson(poisson) => poisson.distinct(device, rows),
        }
    }
}

impl Poisson {
    /// Once no row stays in its place for want of earlier ones, every period takes as many new places as the one before.
    fn distinct(&self, device: u64, rows: u64) -> u64 {
        let steady = 2 * self.reach() + 1;
        let over = rows.saturating_sub(steady + PERIOD) / PERIOD;
        let counted = rows - over * PERIOD;
        // A ring over the places that a later row can still take.
        let ring = self.reach() + 1;
        let mut taken = vec![u64::MAX; ring as usize];
        let (mut distinct, mut a_period_before) = (0, 0);
        for row in 0..counted {
            if counted - row == PERIOD {
                a_period_before = distinct;
            }
            let place = self.place(device, row);
            let slot = &mut taken[(place % ring) as usize];
            if *slot != place {
                *slot = place;
                distinct += 1;
            }
        }
        distinct + over * (distinct - a_period_before)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::workload::kind::Surroundings;

    fn parameters(mode: DisorderMode, lambda: f64) -> IotParameters {
        let mut p = IotParameters::new(Surroundings { clients: Some(1), seed: 7 });
        (p.out_of_order, p.disorder, p.lambda) = (true, mode, lambda);
        p
    }

    #[test]
    fn batch_disorder_writes_every_row_once() {
        let mut p = parameters(DisorderMode::Batch, 0.0);
        for (ratio, first) in [(0.0, 0), (0.5, 10), (0.25, 5), (1.0, 0)] {
            p.disorder_ratio = ratio;
            let disorder = Disorder::new(&p, 20);
            let places: Vec<u64> = (0..20).map(|row| disorder.place(3, row)).collect();
            assert_eq!(places[0], first);
            assert_eq!(places.iter().copied().collect::<BTreeSet<_>>(), (0..20).collect());
        }
    }

    #[test]
    fn poisson_rows_are_counted_as_they_fall() {
        for lambda in [0.0, 0.5, 3.0, 40.0, 600.0] {
            let p = parameters(DisorderMode::Poisson, lambda);
            let disorder = Disorder::new(&p, 5000);
            for device in [0, 5, 21] {
                let places: BTreeSet<u64> = (0..5000).map(|row| disorder.place(device, row)).collect();
                assert_eq!(disorder.distinct(device, 5000), places.len() as u64, "λ {lambda}");
            }
        }
    }

    #[test]
    fn poisson_moves_the_right_share_by_the_right_number_of_steps() {
        let p = parameters(DisorderMode::Poisson, 100.0);
        let disorder = Disorder::new(&p, 0);
        let moves: Vec<u64> = (1000..21_000).map(|row| row - disorder.place(2, row)).collect();
        let moved: Vec<f64> = moves.iter().filter(|steps| **steps > 0).map(|steps| *steps as f64).collect();
        let share = moved.len() as f64 / moves.len() as f64;
        let mean = moved.iter().sum::<f64>() / moved.len() as f64;
        let variance = moved.iter().map(|steps| (steps - mean).powi(2)).sum::<f64>() / moved.len() as f64;
        assert!((share - 0.5).abs() < 0.02, "{share}");
        assert!((mean - 100.0).abs() < 1.0 && (variance - 100.0).abs() < 8.0, "{mean} {variance}");
    }

    #[test]
    fn many_rows_are_counted_without_going_through_them() {
        for (lambda, most) in [(3.0, 2), (600.0, 170_000), (40_000.0, 170_000)] {
            let mut p = parameters(DisorderMode::Poisson, lambda);
            p.max_k = most;
            let disorder = Disorder::new(&p, 0);
            let mut taken = BTreeSet::new();
            let mut counted = 0;
            for rows in [10_000, 150_000, 216_001] {
                taken.extend((counted..rows).map(|row| disorder.place(9, row)));
                counted = rows;
                assert_eq!(disorder.distinct(9, rows), taken.len() as u64, "λ {lambda}, {rows} rows");
            }
        }
        let p = parameters(DisorderMode::Poisson, 2200.0);
        assert!(Disorder::new(&p, 0).distinct(0, u64::MAX / 2) < u64::MAX / 2);
    }
}
