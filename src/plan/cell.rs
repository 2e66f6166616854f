//! What is kept of each case of an expansion: enough to order, cost and hash it; all else is found again from its row.
//!
//! It must not hold texts. Invariant: a cell stays below 150 bytes, so that a million of them are no burden.

use std::time::Duration;

use super::evaluate::Evaluated;
use super::hash::Hash;
use super::support::bits;
use crate::workload::load::{Pacing, Warmup};
use crate::workload::operation::OperationKind;

/// No cell, or no reason.
pub(super) const NONE: u32 = u32::MAX;

/// One case.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    /// Its block.
    pub(super) block: u32,
    /// Its row in the block.
    pub(super) row: u32,
    /// The loading case whose data it stands on, or [`NONE`].
    pub(super) head: u32,
    /// The last case before it that wrote to those data, or [`NONE`].
    pub(super) on: u32,
    /// Why it is not supported: a position among the reasons, or [`NONE`].
    pub(super) reason: u32,
    /// Its hash.
    pub(super) hash: Hash,
    /// The same for the cells of two targets that agree on all axes that both have.
    pub(super) ordinal: u64,
    /// Write operations.
    pub(super) writes: u64,
    /// Queries.
    pub(super) queries: u64,
    /// Points that its writes hold.
    pub(super) points: u64,
    /// Rows that its writes hold.
    pub(super) rows: u64,
    /// Raw bytes of those points.
    pub(super) bytes: u64,
    /// About how much memory the client needs.
    pub(super) memory: u64,
    /// Seconds that its pace takes at least.
    pub(super) least: f32,
    /// Seconds after which it ends, if not before by itself; infinite where nothing says so.
    pub(super) most: f32,
    /// Seconds of its warm-up.
    pub(super) warmup: f32,
    /// Operations of its warm-up; 0 where a time ends it, or there is none.
    pub(super) warmup_operations: u32,
    /// The kinds of operation that can come, as bits.
    pub(super) kinds: u16,
    /// Whether it can write.
    pub(super) can_write: bool,
}

impl Cell {
    /// The cell of an evaluated row; `content` is all that its hash is over.
    pub(super) fn of(
        place: (u32, u32),
        ordinal: u64,
        evaluated: &Evaluated,
        kinds: &[OperationKind],
        hash: Hash,
    ) -> Self {
        let totals = evaluated.configured.totals();
        let writes = totals.operations[OperationKind::Ingestion.index()];
        let operations = totals.operations.iter().fold(0_u64, |sum, count| sum.saturating_add(*count));
        let load = evaluated.load();
        let least = match load.pacing {
            Pacing::Closed => 0.0,
            Pacing::MinInterval(interval) => {
                operations as f64 / f64::from(evaluated.clients.max(1)) * interval.as_secs_f64()
            }
            Pacing::Open { rate, .. } => operations as f64 / rate,
        };
        let (warmup, warmup_operations) = match load.warmup {
            Some(Warmup::Time(time)) => (time.as_secs_f64(), 0),
            // Its time is not known before it runs; a short one is meant.
            Some(Warmup::Operations(count)) => (1.0, u32::try_from(count).unwrap_or(u32::MAX)),
            None => (0.0, 0),
        };
        Cell {
            block: place.0,
            row: place.1,
            head: NONE,
            on: NONE,
            reason: NONE,
            hash,
            ordinal,
            writes,
            queries: operations.saturating_sub(writes),
            points: totals.points,
            rows: totals.rows,
            bytes: totals.raw_bytes,
            memory: evaluated.configured.memory_bytes(),
            least: least as f32,
            most: load.duration.as_ref().map_or(f32::INFINITY, Duration::as_secs_f32),
            warmup: warmup as f32,
            warmup_operations,
            kinds: bits(kinds),
            can_write: evaluated.configured.writes(),
        }
    }

    /// All operations.
    pub(super) fn operations(&self) -> u64 {
        self.writes.saturating_add(self.queries)
    }
}

#[cfg(test)]
mod tests {
    use super::Cell;

    #[test]
    fn a_million_cells_are_no_burden() {
        assert!(size_of::<Cell>() < 150);
    }
}
