//! The two traits that every workload has: the description of the whole, and one client's stream of operations.
//!
//! They must not know a database, a clock or a thread. Invariant: a client's stream depends on the workload's parameters, its
//! seeds and the client's number alone, so that the same suite sends the same bytes everywhere.

use std::sync::Arc;

use super::batch::Batch;
use super::model::Schema;
use super::operation::{OperationKind, Query};

/// Which part of a trial a stream is for. Warm-up rows lie before the measured ones and its queries draw from their own seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Warm-up: endless, ended by the engine.
    Warmup,
    /// The measured part: ends by itself, where LOOP says so.
    Measured,
}

/// What a workload will do in all, known before it runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Totals {
    /// Operations a kind, at the kind's index. Kinds drawn by proportion are exact too: the draw is a pure function of the seed.
    pub operations: [u64; 13],
    /// Points that ingestion will write.
    pub points: u64,
    /// Rows that ingestion will write.
    pub rows: u64,
    /// Distinct points (device, time, sensor) that must be stored when every write was acknowledged once.
    pub distinct_points: u64,
    /// About how many bytes the points are, raw: 8 a time stamp a row, and each value's own width.
    pub raw_bytes: u64,
}

impl Totals {
    /// All operations.
    pub fn all_operations(&self) -> u64 {
        self.operations.iter().sum()
    }
}

/// One step of a client's stream.
#[derive(Debug)]
pub enum Step {
    /// The batch was filled: write it.
    Write,
    /// Ask this.
    Query(Query),
}

/// A seeded description of data and operations.
pub trait Workload: Send + Sync {
    /// The shape of the data.
    fn schema(&self) -> Arc<Schema>;
    /// What the measured part does in all with `clients` clients, if it ends by itself.
    fn totals(&self) -> Totals;
    /// How many clients it was made for.
    fn clients(&self) -> u32;
    /// Client `client`'s stream, 0 ≤ client < clients.
    fn stream(&self, client: u32, part: Part) -> Box<dyn ClientStream>;
    /// The kinds of operation that can come, in order.
    fn kinds(&self) -> Vec<OperationKind>;
}

/// One client's operations, in order.
pub trait ClientStream: Send {
    /// The next step, or none at the end. For a write the batch is refilled in place: `batch` is then the data.
    fn next(&mut self, batch: &mut Batch) -> Option<Step>;
    /// How many steps come in all, where that is known.
    fn steps(&self) -> Option<u64>;
}
