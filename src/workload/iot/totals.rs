//! What the measured part does in all, counted before it runs.
//!
//! It must not make a row. Invariant: a run that ends by itself does exactly this.

use std::collections::BTreeMap;
use std::ops::Range;

use super::disorder::{Disorder, PATTERNS};
use super::draws::Draws;
use super::parameters::{DisorderMode, IotParameters};
use super::shape;
use crate::workload::model::DataType;
use crate::workload::operation::OperationKind;
use crate::workload::stream::{Part, Totals};

const INGESTION: usize = OperationKind::Ingestion as usize;

/// How many write loops each client does.
fn write_loops(p: &IotParameters) -> Vec<u64> {
    (0..p.clients()).map(|client| Draws::new(p, client, Part::Measured).count(p.loops)[INGESTION]).collect()
}

/// Operations a kind.
fn operations(p: &IotParameters) -> [u64; 13] {
    let mut kinds = p.kinds();
    if let (Some(only), None) = (kinds.next(), kinds.next()) {
        // The common case, and the one that sweeps have by the million: no draw is needed.
        let each = if only == OperationKind::Ingestion && p.bind {
            p.written_before(p.devices)
        } else {
            u64::from(p.clients())
        };
        let mut operations = [0; 13];
        operations[only.index()] = p.loops.saturating_mul(each);
        return operations;
    }
    let mut operations = [0u64; 13];
    for client in 0..p.clients() {
        let mut counts = Draws::new(p, client, Part::Measured).count(p.loops);
        if p.bind {
            let written = shape::written_of(p, client);
            counts[INGESTION] = counts[INGESTION].saturating_mul(written.end - written.start);
        }
        operations.iter_mut().zip(counts).for_each(|(sum, count)| *sum = sum.saturating_add(count));
    }
    operations
}

/// Rows that differ in device or time.
fn distinct_rows(p: &IotParameters, rows: u64) -> u64 {
    if !p.out_of_order || p.disorder != DisorderMode::Poisson || !p.writes() {
        return rows;
    }
    // Devices that are disordered alike and have as many batches count alike.
    let mut alike: BTreeMap<(u64, u64), u64> = BTreeMap::new();
    if p.bind {
        for (client, loops) in (0..).zip(write_loops(p)) {
            let written = shape::written_of(p, client);
            for pattern in 0..PATTERNS {
                *alike.entry((pattern, loops)).or_default() += devices_alike(&written, pattern);
            }
        }
    } else {
        // Such a workload only writes, and its turns go round the devices.
        let devices = p.written_before(p.devices).max(1);
        let turns = p.loops.saturating_mul(u64::from(p.clients()));
        let (each, over) = (turns / devices, turns % devices);
        for pattern in 0..PATTERNS {
            *alike.entry((pattern, each + 1)).or_default() += devices_alike(&(0..over), pattern);
            *alike.entry((pattern, each)).or_default() += devices_alike(&(over..devices), pattern);
        }
    }
    let disorder = Disorder::new(p, 0);
    let distinct = |pattern, batches: u64| disorder.distinct(pattern, batches.saturating_mul(u64::from(p.batch)));
    let counted = alike.into_iter().filter(|(_, devices)| *devices > 0);
    counted
        .map(|((pattern, batches), devices)| distinct(pattern, batches).saturating_mul(devices))
        .fold(0, u64::saturating_add)
}

/// How many devices of a range have this number modulo [`PATTERNS`].
fn devices_alike(devices: &Range<u64>, pattern: u64) -> u64 {
    let below = |end: u64| (end + PATTERNS - 1 - pattern) / PATTERNS;
    below(devices.end) - below(devices.start)
}

/// The bytes of a row's values, each at its own width.
fn row_bytes(p: &IotParameters) -> u64 {
    let width = |data_type| match data_type {
        DataType::Boolean => 1,
        DataType::Int32 | DataType::Float => 4,
        DataType::Int64 | DataType::Double => 8,
        DataType::Text => u64::from(p.string_length),
    };
    shape::type_counts(p).into_iter().map(|(data_type, count)| width(data_type) * u64::from(count)).sum()
}

/// The totals.
pub(super) fn totals(p: &IotParameters) -> Totals {
    let operations = operations(p);
    let rows = operations[INGESTION].saturating_mul(u64::from(p.batch));
    Totals {
        operations,
        points: rows.saturating_mul(u64::from(p.sensors)),
        rows,
        distinct_points: distinct_rows(p, rows).saturating_mul(u64::from(p.sensors)),
        raw_bytes: rows.saturating_mul(8 + row_bytes(p)),
    }
}
