//! All parameters of workload `iot` as typed values, with their defaults.
//!
//! They must not know where a value came from. Invariant: a clone copies a few hundred bytes and no list, so that a sweep can
//! make a million of them.

use std::sync::Arc;

use jiff::Timestamp;

use crate::workload::kind::Surroundings;
use crate::workload::model::Precision;
use crate::workload::operation::{Aggregate, OperationKind};

/// How rows come out of order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DisorderMode {
    /// Some rows take the time of an earlier row.
    Poisson,
    /// Writing starts in the middle of the rows and comes round to their beginning.
    Batch,
}

/// What names are made of.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Names {
    pub(super) group: String,
    pub(super) device: String,
    pub(super) sensor: String,
    pub(super) tag_key: String,
    pub(super) tag_value: String,
    pub(super) cardinalities: Vec<u32>,
}

/// Proportions.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mix {
    /// Of operations, at a kind's index.
    pub(super) operations: [f64; 13],
    /// Of data types, in the order of `DataType::ALL`.
    pub(super) types: [f64; 6],
    /// Of value functions: constant, line, random, sine, square.
    pub(super) functions: [f64; 5],
}

/// All parameters.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct IotParameters {
    pub(super) devices: u64,
    pub(super) insert_rate: f64,
    pub(super) sensors: u32,
    pub(super) groups: u32,
    pub(super) tags: u32,
    pub(super) names: Arc<Names>,
    pub(super) step: i64,
    pub(super) precision: Precision,
    pub(super) start: Timestamp,
    pub(super) string_length: u32,
    pub(super) double_length: u8,
    pub(super) mix: Arc<Mix>,
    pub(super) data_seed: Option<u64>,
    pub(super) batch: u32,
    pub(super) out_of_order: bool,
    pub(super) disorder: DisorderMode,
    pub(super) disorder_ratio: f64,
    pub(super) lambda: f64,
    pub(super) max_k: u32,
    pub(super) regular: bool,
    pub(super) loops: u64,
    pub(super) bind: bool,
    pub(super) step_size: i64,
    pub(super) query_sensors: u32,
    pub(super) query_devices: u32,
    pub(super) aggregate: Aggregate,
    pub(super) query_interval: i64,
    pub(super) lower_value: f64,
    pub(super) group_by: i64,
    pub(super) query_seed: Option<u64>,
    pub(super) row_limit: Option<u64>,
    pub(super) fixed_query: bool,
    pub(super) around: Surroundings,
}

impl IotParameters {
    /// The defaults: a small load, so that a suite that says nothing runs in seconds.
    pub(super) fn new(around: Surroundings) -> Self {
        let mut operations = [0.0; 13];
        operations[OperationKind::Ingestion.index()] = 1.0;
        IotParameters {
            devices: 100,
            insert_rate: 1.0,
            sensors: 10,
            groups: 1,
            tags: 0,
            names: Arc::new(Names {
                group: "g_".into(),
                device: "d_".into(),
                sensor: "s_".into(),
                tag_key: "tag_".into(),
                tag_value: "value_".into(),
                cardinalities: Vec::new(),
            }),
            step: 5000,
            precision: Precision::Ms,
            // 2022-01-01T00:00:00+08:00, the original's default.
            start: Timestamp::constant(1_640_966_400, 0),
            string_length: 2,
            double_length: 2,
            mix: Arc::new(Mix { operations, types: [1.0; 6], functions: [1.0; 5] }),
            data_seed: None,
            batch: 100,
            out_of_order: false,
            disorder: DisorderMode::Poisson,
            disorder_ratio: 0.5,
            lambda: 2200.0,
            max_k: 170_000,
            regular: true,
            loops: 100,
            bind: true,
            step_size: 1,
            query_sensors: 1,
            query_devices: 1,
            aggregate: Aggregate::Count,
            query_interval: 250_000,
            lower_value: -5.0,
            group_by: 20_000,
            query_seed: None,
            row_limit: None,
            fixed_query: false,
            around,
        }
    }

    /// How many clients there are: as the load says, else ten, but no more than devices.
    pub(super) fn clients(&self) -> u32 {
        self.around.clients.unwrap_or_else(|| u32::try_from(self.devices.min(10)).unwrap_or(10)).max(1)
    }

    /// The seed of the data.
    pub(super) fn data_seed(&self) -> u64 {
        self.data_seed.unwrap_or(self.around.seed)
    }

    /// The seed of the queries.
    pub(super) fn query_seed(&self) -> u64 {
        self.query_seed.unwrap_or(self.around.seed)
    }

    /// START_TIME in the time stamps' unit. Whether it fits was checked.
    pub(super) fn origin(&self) -> i64 {
        let nanos_per_unit = i128::from(1_000_000_000 / self.precision.per_second());
        let units = self.start.as_nanosecond().div_euclid(nanos_per_unit);
        units.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64
    }

    /// The share of an operation.
    pub(super) fn share(&self, kind: OperationKind) -> f64 {
        self.mix.operations[kind.index()]
    }

    /// The kinds of operation that can come.
    pub(super) fn kinds(&self) -> impl Iterator<Item = OperationKind> + '_ {
        OperationKind::ALL.into_iter().filter(|kind| self.share(*kind) > 0.0)
    }

    /// Whether it writes.
    pub(super) fn writes(&self) -> bool {
        self.share(OperationKind::Ingestion) > 0.0
    }

    /// Whether it asks.
    pub(super) fn asks(&self) -> bool {
        self.mix.operations[1..].iter().any(|share| *share > 0.0)
    }

    /// How many of the first `device` devices are written: REAL_INSERT_RATE of them, to the nearest.
    pub(super) fn written_before(&self, device: u64) -> u64 {
        if self.insert_rate >= 1.0 {
            return device;
        }
        // Cumulative rounding: the devices of any number of clients add up to the whole.
        (device as f64 * self.insert_rate).round() as u64
    }
}
