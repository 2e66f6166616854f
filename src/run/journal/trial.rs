//! What became of one trial.
//!
//! It must not know how it is shown. Invariant: what could not be measured is absent, never zero.

use serde::{Deserialize, Serialize};

pub use super::status::{FailureReason, Mark, Phase, Status};
pub use crate::observe::reading::Reading;
use crate::stats::histogram::HistogramRecord;

/// One kind of operation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OperationRecord {
    /// Its name, such as INGESTION.
    pub operation: String,
    /// Successful operations.
    pub ok_operations: u64,
    /// Points acknowledged or answered.
    pub ok_points: u64,
    /// Rows acknowledged or answered.
    pub ok_rows: u64,
    /// Failed operations.
    pub failed_operations: u64,
    /// Points of failed operations, or refused parts of them.
    pub failed_points: u64,
    /// Service times of successful operations.
    pub service: HistogramRecord,
    /// Response times, in an open loop.
    pub response: Option<HistogramRecord>,
    /// The greatest sum of service times of one client, seconds.
    pub slowest_client_s: f64,
}

/// One second of the series.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IntervalRecord {
    /// Seconds since the first measured operation (negative: warm-up).
    pub second: i64,
    /// Successful operations that ended in it.
    pub operations: u64,
    /// Their points.
    pub points: u64,
    /// Failed operations.
    pub errors: u64,
    /// Mean service time, milliseconds.
    pub mean_ms: Option<f64>,
    /// Greatest service time, milliseconds.
    pub max_ms: Option<f64>,
}

/// One kind of failure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ErrorRecord {
    /// The operation's name.
    pub operation: String,
    /// The error's class, in words.
    pub class: String,
    /// The first message.
    pub message: String,
    /// How often.
    pub count: u64,
}

/// A tuning value asked for and read back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TuningRecord {
    /// The parameter.
    pub name: String,
    /// What was asked.
    pub asked: String,
    /// What the server says; none: can't be read back.
    pub read_back: Option<String>,
    /// Whether the two agree; none: can't be told.
    pub agrees: Option<bool>,
}

/// Stored against acknowledged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredRecord {
    /// Points acknowledged in the measured part.
    pub acknowledged: u64,
    /// Points acknowledged in the warm-up.
    pub warmup: u64,
    /// Distinct points that must be there if nothing was lost.
    pub expected: u64,
    /// Points that the database holds.
    pub stored: u64,
}

/// Bytes on disk.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DiskRecord {
    /// After the flush.
    pub flushed_bytes: Option<u64>,
    /// When two readings in a row were within 1 %.
    pub settled_bytes: Option<u64>,
    /// Seconds from the last acknowledgement until then.
    pub settle_s: Option<f64>,
}

/// One statement and its first answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SampleRecord {
    /// The operation's name.
    pub operation: String,
    /// As it was sent (writes: its beginning).
    pub statement: String,
    /// The answer's columns.
    pub columns: Vec<String>,
    /// Its first rows, as text.
    pub rows: Vec<Vec<String>>,
    /// How many rows it had.
    pub row_count: u64,
}

/// Why and how it failed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FailureRecord {
    /// What, in a sentence.
    pub what: String,
    /// The phase it happened in, in words.
    pub phase: Option<String>,
    /// Milliseconds since the trial began.
    pub after_ms: u64,
    /// The server's exit code.
    pub exit_code: Option<i64>,
    /// Whether the server was killed for want of memory.
    pub out_of_memory: Option<bool>,
    /// The last lines of the server's log.
    pub log: Vec<String>,
    /// The command that runs this cell alone.
    pub command: Option<String>,
}

/// Which cores were used.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CoresRecord {
    /// The client's cores, as `0-1`.
    pub client: Option<String>,
    /// The server's.
    pub server: Option<String>,
    /// Whether any is in both.
    pub shared: Option<bool>,
}

/// What is running, as it said itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ServerRecord {
    /// The image as named.
    pub image: Option<String>,
    /// Its digest or id.
    pub digest: Option<String>,
    /// The version that the server says.
    pub version: Option<String>,
    /// The container's id.
    pub container: Option<String>,
}

/// What became of one trial.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrialRecord {
    /// The case's id.
    pub case: String,
    /// The case's hash.
    pub hash: String,
    /// The round, from 1.
    pub round: u32,
    /// What became of it.
    pub status: Status,
    /// Marks beside its numbers.
    pub marks: Vec<Mark>,
    /// The run that it was taken over from.
    pub reused_from: Option<String>,
    /// Each phase's seconds, in order.
    pub phases: Vec<(Phase, f64)>,
    /// What was running.
    pub server: ServerRecord,
    /// Tuning values.
    pub tuning: Vec<TuningRecord>,
    /// First measured operation's start to the last one's end, seconds; none when nothing was measured.
    pub elapsed_s: Option<f64>,
    /// Seconds of the warm-up.
    pub warmup_s: Option<f64>,
    /// Each kind of operation.
    pub operations: Vec<OperationRecord>,
    /// A second each.
    pub series: Vec<IntervalRecord>,
    /// The kinds of failure.
    pub errors: Vec<ErrorRecord>,
    /// Retries of transient failures.
    pub retries: u64,
    /// Open loop: operations begun late.
    pub late: u64,
    /// Open loop: operations dropped.
    pub dropped: u64,
    /// Stored against acknowledged; none: not counted.
    pub stored: Option<StoredRecord>,
    /// Answers checked and wrong; none: not checked.
    pub answers: Option<(u64, u64)>,
    /// Bytes on disk; none: not measured.
    pub disk: Option<DiskRecord>,
    /// Bytes encoded in the measured part.
    pub bytes: u64,
    /// The blackhole's checksum over all bytes, hex.
    pub checksum: Option<String>,
    /// The client's CPU seconds during the measured part.
    pub client_cpu_s: f64,
    /// Which cores were used.
    pub cores: CoresRecord,
    /// The server's readings, thinned to at most 1000.
    pub server_readings: Vec<Reading>,
    /// The client's readings, thinned alike.
    pub client_readings: Vec<Reading>,
    /// Facts read from the database after the load, by name (such as chunks).
    pub facts: Vec<(String, String)>,
    /// One statement a kind.
    pub samples: Vec<SampleRecord>,
    /// Why it failed.
    pub failure: Option<FailureRecord>,
}

impl TrialRecord {
    /// A record with nothing measured yet, of a trial that did not finish.
    pub fn new(case: &str, hash: &str, round: u32) -> Self {
        TrialRecord {
            case: case.to_owned(),
            hash: hash.to_owned(),
            round,
            status: Status::DidNotFinish,
            marks: Vec::new(),
            reused_from: None,
            phases: Vec::new(),
            server: ServerRecord::default(),
            tuning: Vec::new(),
            elapsed_s: None,
            warmup_s: None,
            operations: Vec::new(),
            series: Vec::new(),
            errors: Vec::new(),
            retries: 0,
            late: 0,
            dropped: 0,
            stored: None,
            answers: None,
            disk: None,
            bytes: 0,
            checksum: None,
            client_cpu_s: 0.0,
            cores: CoresRecord::default(),
            server_readings: Vec::new(),
            client_readings: Vec::new(),
            facts: Vec::new(),
            samples: Vec::new(),
            failure: None,
        }
    }
}
