//! What the engine is given and what it gives back.
//!
//! They must not know where a result is kept. Invariant: counts of failed and successful operations add up to those attempted.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64};
use std::time::{Duration, Instant};

use crate::driver::error::{DriverError, ErrorClass};
use crate::driver::protocol::Driver;
use crate::driver::types::{Answer, Endpoint, SessionOptions};
use crate::stats::histogram::Latencies;
use crate::workload::load::Load;
use crate::workload::operation::{OperationKind, Query};
use crate::workload::stream::Workload;

/// Writes a query as the database wants it. Made from an adapter's templates by whoever starts the engine.
pub trait Statements: Send + Sync {
    /// The statement.
    ///
    /// # Errors
    /// When the template can't be evaluated; the message names it.
    fn statement(&self, query: &Query) -> Result<String, DriverError>;
}

/// What to do about failed operations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErrorPolicy {
    /// Stop at the first failure (`on_error: abort`).
    pub abort: bool,
    /// Stop when more than this share of operations has failed …
    pub threshold: f64,
    /// … and at least this many have been attempted.
    pub after: u64,
    /// How often a transient failure is tried again.
    pub retries: u32,
}

/// One trial's load.
pub struct Job {
    /// What to send.
    pub workload: Arc<dyn Workload>,
    /// How.
    pub driver: Arc<dyn Driver>,
    /// Where to.
    pub endpoint: Endpoint,
    /// How each session is to behave.
    pub options: SessionOptions,
    /// Queries in the database's language.
    pub statements: Arc<dyn Statements>,
    /// The load shape.
    pub load: Load,
    /// Limits on failures.
    pub errors: ErrorPolicy,
    /// The seed of arrivals in an open loop.
    pub seed: u64,
}

/// How the engine is told to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum StopKind {
    /// Go on.
    None = 0,
    /// Start no new operation; running ones get five seconds.
    Graceful = 1,
    /// Leave at once.
    Now = 2,
}

/// What others may see and set while the engine runs. All relaxed; nothing else is shared.
#[derive(Debug, Default)]
pub struct Control {
    /// A [`StopKind`].
    pub stop: AtomicU8,
    /// Whether the measured part has begun.
    pub measuring: AtomicBool,
    /// Measured operations ended, of all clients; updated at least four times a second.
    pub operations: AtomicU64,
    /// Measured points acknowledged or answered.
    pub points: AtomicU64,
    /// Failed operations.
    pub errors: AtomicU64,
    /// Operations begun so far with warm-up, for the watchdog.
    pub heartbeat: AtomicU64,
}

/// Why the measured part ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// Every client came to its end.
    Finished,
    /// `load.duration` ended it, as asked.
    TimeLimit,
    /// Too many failures, or the first under `abort`.
    Errors,
    /// It was told to stop.
    Stopped,
    /// No client could connect, or a client could not.
    NoConnection(DriverError),
}

/// What one kind of operation did.
#[derive(Clone, Debug)]
pub struct OperationResult {
    /// Which kind.
    pub kind: OperationKind,
    /// Operations that succeeded.
    pub ok_operations: u64,
    /// Points acknowledged or answered.
    pub ok_points: u64,
    /// Rows acknowledged or answered.
    pub ok_rows: u64,
    /// Operations that failed.
    pub failed_operations: u64,
    /// Points of failed writes, or refused parts of writes.
    pub failed_points: u64,
    /// Service time of successful operations: from the start of encoding to the end of the answer.
    pub service: Latencies,
    /// Response time, from the intended start: only in an open loop.
    pub response: Option<Latencies>,
    /// The greatest sum of service times of one client.
    pub slowest_client: Duration,
}

/// One interval of the series.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Interval {
    /// Seconds since the first measured operation began (warm-up: negative).
    pub second: i64,
    /// Operations that ended in it, ok.
    pub operations: u64,
    /// Points in it, ok.
    pub points: u64,
    /// Operations that failed in it.
    pub errors: u64,
    /// Mean service time in it, nanoseconds; none without operations.
    pub mean_ns: Option<u64>,
    /// The greatest service time in it, nanoseconds.
    pub max_ns: Option<u64>,
}

/// A statement as it was sent, with its first answer.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Of which kind.
    pub kind: OperationKind,
    /// The statement, or the start of an encoded batch as text.
    pub statement: String,
    /// The answer's columns and first rows; none for writes.
    pub answer: Option<Answer>,
    /// How many rows the answer had in all.
    pub row_count: u64,
}

/// One kind of failure and how often it came.
#[derive(Clone, Debug, PartialEq)]
pub struct ErrorCount {
    /// Of which kind of operation.
    pub kind: OperationKind,
    /// Its class.
    pub class: ErrorClass,
    /// The first message of its kind.
    pub message: String,
    /// How often.
    pub count: u64,
}

/// What a trial's load did.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Why it ended.
    pub ending: Ending,
    /// The instant that the first measured operation began; none when none did.
    pub started: Option<Instant>,
    /// From the first measured operation's start to the last one's end.
    pub elapsed: Duration,
    /// Each kind that the workload has, in order.
    pub operations: Vec<OperationResult>,
    /// A second each.
    pub series: Vec<Interval>,
    /// The kinds of failure.
    pub errors: Vec<ErrorCount>,
    /// How often a transient failure was tried again.
    pub retries: u64,
    /// One a kind.
    pub samples: Vec<Sample>,
    /// Points acknowledged in the warm-up.
    pub warmup_points: u64,
    /// From the start of the warm-up to the start of the measured part.
    pub warmup_elapsed: Duration,
    /// Bytes encoded in the measured part.
    pub bytes: u64,
    /// CPU seconds of the whole process during the measured part.
    pub client_cpu: f64,
    /// Open loop: operations begun later than intended by more than the pacing's own error, and operations dropped.
    pub late: u64,
    /// Open loop: operations not begun because too many were waiting.
    pub dropped: u64,
    /// Sum of the sessions' checksums, where the driver keeps one.
    pub checksum: Option<u64>,
}
