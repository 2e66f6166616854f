//! The shape of the data: sensors with their types, tables, the span of times, which client has which devices.
//!
//! It must not know values or operations. Invariant: everything follows from the parameters by arithmetic.

use std::ops::Range;

use super::parameters::IotParameters;
use crate::workload::model::{DataType, Schema, Sensor, Table, Tag};

/// Where each type's block of sensors ends: the types lie side by side, each as long as its proportion.
fn type_ends(p: &IotParameters) -> [u32; 6] {
    let total: f64 = p.mix.types.iter().sum();
    let mut reached = 0.0;
    let mut ends = [0; 6];
    for (end, ratio) in ends.iter_mut().zip(p.mix.types) {
        reached += ratio;
        // A hair's breadth of room for what adding fractions loses.
        *end = ((reached / total * f64::from(p.sensors) + 1e-6) as u32).min(p.sensors);
    }
    ends
}

/// How many sensors have each type.
pub(super) fn type_counts(p: &IotParameters) -> [(DataType, u32); 6] {
    let ends = type_ends(p);
    std::array::from_fn(|at| (DataType::ALL[at], ends[at] - if at == 0 { 0 } else { ends[at - 1] }))
}

/// The type of a sensor, by its position.
pub(super) fn sensor_type(p: &IotParameters, sensor: u32) -> DataType {
    let at = type_ends(p).iter().position(|end| sensor < *end);
    DataType::ALL[at.unwrap_or(DataType::ALL.len() - 1)]
}

/// First and last time that a measured row can have; none where that exceeds 64 bits.
pub(super) fn span(p: &IotParameters) -> Option<(i64, i64)> {
    let nanos_per_unit = i128::from(1_000_000_000 / p.precision.per_second());
    let first = i64::try_from(p.start.as_nanosecond().div_euclid(nanos_per_unit)).ok()?;
    let last = i128::from(rows_per_device(p) - 1) * i128::from(p.step) + i128::from(first);
    // An irregular row comes up to a step later.
    let last = if p.regular { last } else { last + i128::from(p.step) - 1 };
    i64::try_from(last + i128::from(p.query_interval)).ok()?;
    Some((first, i64::try_from(last).ok()?))
}

/// The most rows that a device can have in the measured part.
pub(super) fn rows_per_device(p: &IotParameters) -> u64 {
    let batches = if p.bind {
        p.loops
    } else {
        let slots = u128::from(p.loops) * u128::from(p.clients());
        u64::try_from(slots.div_ceil(u128::from(p.written_before(p.devices).max(1)))).unwrap_or(u64::MAX)
    };
    batches.saturating_mul(u64::from(p.batch)).max(1)
}

/// The devices of a client: `devices / clients` each, and the first clients one more where that leaves some over.
pub(super) fn devices_of(p: &IotParameters, client: u32) -> Range<u64> {
    let clients = u64::from(p.clients());
    let (each, over) = (p.devices / clients, p.devices % clients);
    let start = |client: u64| client * each + client.min(over);
    start(u64::from(client))..start(u64::from(client) + 1)
}

/// The devices that a client writes: the first of its own, so many that all clients' together are REAL_INSERT_RATE of all.
pub(super) fn written_of(p: &IotParameters, client: u32) -> Range<u64> {
    let devices = devices_of(p, client);
    let count = p.written_before(devices.end) - p.written_before(devices.start);
    devices.start..devices.start + count
}

/// The table of a device.
pub(super) fn table_of(p: &IotParameters, device: u64) -> u32 {
    (device % u64::from(p.groups)) as u32
}

/// The schema.
pub(super) fn schema(p: &IotParameters) -> Schema {
    let sensors: Vec<Sensor> = (0..p.sensors)
        .map(|sensor| Sensor { name: format!("{}{sensor}", p.names.sensor), data_type: sensor_type(p, sensor) })
        .collect();
    let tag = |(at, cardinality): (usize, &u32)| Tag {
        name: format!("{}{at}", p.names.tag_key),
        value_prefix: p.names.tag_value.clone(),
        cardinality: *cardinality,
    };
    let tags: Vec<Tag> = p.names.cardinalities.iter().enumerate().map(tag).collect();
    let table =
        |group| Table { name: format!("{}{group}", p.names.group), sensors: sensors.clone(), tags: tags.clone() };
    Schema {
        tables: (0..p.groups).map(table).collect(),
        devices: p.devices,
        device_prefix: p.names.device.clone(),
        precision: p.precision,
        span: span(p).unwrap_or((p.origin(), i64::MAX)),
    }
}
