//! Queries: which devices, sensors and window the next one asks for.
//!
//! It must not know a query language. Invariant: a client's queries are a pure function of the query seed and its number.

use std::collections::BTreeSet;

use super::check::needs_numbers;
use super::disorder::Disorder;
use super::times::Times;
use super::values::scaled;
use super::workload::Shared;
use crate::workload::model::mix;
use crate::workload::operation::{OperationKind, Query};
use crate::workload::stream::Part;

/// A small generator that can start anew.
#[derive(Clone, Copy, Debug)]
struct Random(u64);

impl Random {
    fn below(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        scaled(mix(self.0), below)
    }

    /// `count` different numbers below `below`, in order (Floyd's method).
    fn different(&mut self, count: u64, below: u64) -> BTreeSet<u64> {
        let mut chosen = BTreeSet::new();
        for most in below - count..below {
            let drawn = self.below(most + 1);
            if !chosen.insert(drawn) {
                chosen.insert(most);
            }
        }
        chosen
    }
}

/// Makes one client's queries.
#[derive(Clone, Debug)]
pub(super) struct Queries {
    seed: u64,
    random: Random,
    /// How many windows of each kind there were.
    counters: [u64; 13],
    /// Where the first window starts.
    times: Times,
    disorder: Disorder,
}

/// The kind whose windows a kind goes on with: descending queries share those of their ascending twins.
fn window_of(kind: OperationKind) -> OperationKind {
    match kind {
        OperationKind::RangeQueryDesc => OperationKind::TimeRange,
        OperationKind::ValueRangeQueryDesc => OperationKind::ValueRange,
        OperationKind::GroupByDesc => OperationKind::GroupBy,
        kind => kind,
    }
}

impl Queries {
    pub(super) fn new(shared: &Shared, client: u32, part: Part, times: Times) -> Self {
        let part = match part {
            Part::Measured => 0,
            Part::Warmup => 1,
        };
        let seed = mix(mix(shared.parameters.query_seed() ^ 0x0071_7565_7269_6573) ^ (u64::from(client) << 1 | part));
        let disorder = Disorder::new(&shared.parameters, u64::MAX);
        Queries { seed, random: Random(seed), counters: [0; 13], times, disorder }
    }

    /// The next query of a kind.
    pub(super) fn next(&mut self, shared: &Shared, kind: OperationKind) -> Query {
        let p = &shared.parameters;
        let window = if p.fixed_query {
            self.random = Random(self.seed);
            0
        } else {
            let counter = &mut self.counters[window_of(kind).index()];
            *counter += 1;
            *counter - 1
        };
        let (table, devices) = self.devices(shared);
        let sensors = self.sensors(shared, kind);
        let row = window.saturating_mul(p.step_size as u64);
        let (start, end) = self.window(kind, devices[0], row, p.query_interval);
        Query {
            kind,
            table,
            devices,
            sensors,
            start,
            end,
            lower_value: p.lower_value,
            aggregate: p.aggregate,
            group_by: p.group_by,
            row_limit: p.row_limit,
        }
    }

    fn window(&self, kind: OperationKind, device: u64, row: u64, interval: i64) -> (i64, i64) {
        if kind != OperationKind::PrecisePoint {
            let start = self.times.regular(row);
            return (start, start.saturating_add(interval));
        }
        // A point in time is that of a row which its device has.
        let place = match &self.disorder {
            Disorder::Poisson(poisson) => poisson.place(device, row),
            _ => row,
        };
        let at = self.times.at(device, place);
        (at, at)
    }

    /// A device chosen evenly says which table; then different devices of that table.
    fn devices(&mut self, shared: &Shared) -> (u32, Vec<u64>) {
        let p = &shared.parameters;
        let groups = u64::from(p.groups);
        let table = self.random.below(p.devices) % groups;
        let in_table = (p.devices - table).div_ceil(groups);
        let count = u64::from(p.query_devices).min(in_table);
        let devices = self.random.different(count, in_table).into_iter().map(|index| table + index * groups).collect();
        (table as u32, devices)
    }

    fn sensors(&mut self, shared: &Shared, kind: OperationKind) -> Vec<u32> {
        let p = &shared.parameters;
        if needs_numbers(kind, p.aggregate) {
            let numeric = &shared.numeric;
            let count = u64::from(p.query_sensors).min(numeric.len() as u64);
            let chosen = self.random.different(count, numeric.len() as u64);
            return chosen.into_iter().map(|index| numeric[index as usize]).collect();
        }
        let count = u64::from(p.query_sensors.min(p.sensors));
        self.random.different(count, u64::from(p.sensors)).into_iter().map(|sensor| sensor as u32).collect()
    }
}
