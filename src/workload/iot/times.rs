//! Times of rows.
//!
//! It must not know which rows are written. Invariant: a row's time is a pure function of (seed, device, place).

use super::parameters::IotParameters;
use super::values::{draw, scaled};
use crate::workload::model::mix;

/// The warm-up's rows lie within about a year before START_TIME, unless it is very long.
const WARMUP_SECONDS: i64 = 365 * 24 * 3600;

/// After so many batches a device's warm-up goes on further back.
const WARMUP_BATCHES: i64 = 1 << 16;

/// Places to times.
#[derive(Clone, Copy, Debug)]
pub(super) struct Times {
    origin: i64,
    step: i64,
    /// The seed of the delays of irregular rows; none where rows are regular.
    irregular: Option<u64>,
}

impl Times {
    /// Times of the measured part: place 0 lies at START_TIME.
    pub(super) fn measured(p: &IotParameters) -> Self {
        let irregular = (!p.regular).then(|| mix(p.data_seed() ^ 0x0064_656c_6179));
        Times { origin: p.origin(), step: p.step, irregular }
    }

    /// Times of the warm-up: place 0 lies so far before START_TIME that a usual warm-up ends before it.
    pub(super) fn warmup(p: &IotParameters) -> Self {
        let mut times = Times::measured(p);
        times.origin = times.regular_from(-(Warmup::new(p).rows_per_block));
        times
    }

    fn regular_from(&self, place: i64) -> i64 {
        self.origin.saturating_add(place.saturating_mul(self.step))
    }

    /// The time of a place where rows are regular; else the earliest that it can have.
    pub(super) fn regular(&self, place: u64) -> i64 {
        self.regular_from(i64::try_from(place).unwrap_or(i64::MAX))
    }

    /// The time of a device's row at a place; `place` may be negative, as two's complement.
    #[inline]
    pub(super) fn at(&self, device: u64, place: u64) -> i64 {
        let time = self.origin.wrapping_add((place as i64).wrapping_mul(self.step));
        match self.irregular {
            None => time,
            Some(seed) => time.wrapping_add(scaled(draw(mix(seed ^ device), place), self.step as u64) as i64),
        }
    }
}

/// Where the warm-up's batches lie: in blocks before START_TIME, forwards in a block, each block before the last.
#[derive(Clone, Copy, Debug)]
pub(super) struct Warmup {
    rows_per_block: i64,
    batch: i64,
}

impl Warmup {
    pub(super) fn new(p: &IotParameters) -> Self {
        let batch = i64::from(p.batch);
        let a_year = WARMUP_SECONDS.saturating_mul(p.precision.per_second());
        let batches = (a_year / p.step.saturating_mul(batch)).clamp(1, WARMUP_BATCHES);
        Warmup { rows_per_block: batches * batch, batch }
    }

    /// The place, before START_TIME, of the first row of a device's `index`-th warm-up batch, as two's complement.
    pub(super) fn first_place(&self, index: u64) -> u64 {
        let batches = (self.rows_per_block / self.batch) as u64;
        let (block, within) = (index / batches, index % batches);
        let place = (within as i64 * self.batch).wrapping_sub((block as i64 + 1).wrapping_mul(self.rows_per_block));
        place as u64
    }
}
