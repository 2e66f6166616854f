//! The closed lists: a trial's statuses, marks and phases.
//!
//! They must not know how they are shown, only their words. Invariant: each has one name, in the journal and for people.

use serde::{Deserialize, Serialize};

/// Why a trial failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureReason {
    /// The server ended by itself or was killed.
    ServerDied,
    /// The kernel killed the server for want of memory.
    OutOfMemory,
    /// Single operations timed out beyond the threshold.
    Timeout,
    /// Nobody listened, the login was refused, or too many operations were refused.
    Refused,
    /// Answers were wrong.
    WrongAnswers,
    /// Acknowledged points are not stored.
    LostPoints,
    /// Nothing was measured, or a server stored nothing.
    NoData,
    /// A tuning value was refused or did not take.
    TuningRefused,
}

impl FailureReason {
    /// The words in reports.
    pub fn words(self) -> &'static str {
        match self {
            FailureReason::ServerDied => "server died",
            FailureReason::OutOfMemory => "out of memory",
            FailureReason::Timeout => "timeout",
            FailureReason::Refused => "refused",
            FailureReason::WrongAnswers => "wrong answers",
            FailureReason::LostPoints => "lost points",
            FailureReason::NoData => "no data",
            FailureReason::TuningRefused => "tuning refused",
        }
    }
}

/// A trial's status: a closed list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Measured to its end.
    Valid,
    /// load.duration or TEST_MAX_TIME ended it, as asked.
    TimeLimit,
    /// The target can't do it.
    NotSupported,
    /// It failed.
    Failed(FailureReason),
    /// policy.timeout or the suite's limit was reached.
    DidNotFinish,
    /// A signal ended it.
    Interrupted,
}

impl Status {
    /// Whether its numbers may be shown.
    pub fn counts(self) -> bool {
        matches!(self, Status::Valid | Status::TimeLimit)
    }

    /// The words in reports.
    pub fn words(self) -> String {
        match self {
            Status::Valid => "valid".to_owned(),
            Status::TimeLimit => "time limit".to_owned(),
            Status::NotSupported => "not supported".to_owned(),
            Status::Failed(reason) => format!("failed: {}", reason.words()),
            Status::DidNotFinish => "did not finish".to_owned(),
            Status::Interrupted => "interrupted".to_owned(),
        }
    }
}

/// A mark beside a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// The client set the pace.
    ClientBound,
    /// The offered rate was not reached.
    Saturated,
    /// The rounds differ widely.
    Noisy,
    /// Too few samples for the percentile.
    FewSamples,
    /// Stored points or answers were not checked.
    NotChecked,
    /// Client and server shared cores.
    CoresShared,
    /// Some operations failed, below the threshold.
    Errors,
}

impl Mark {
    /// The words in reports.
    pub fn words(self) -> &'static str {
        match self {
            Mark::ClientBound => "client-bound",
            Mark::Saturated => "saturated",
            Mark::Noisy => "noisy",
            Mark::FewSamples => "few samples",
            Mark::NotChecked => "not checked",
            Mark::CoresShared => "cores shared",
            Mark::Errors => "errors",
        }
    }
}

/// A phase of a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// The server is brought up.
    Provision,
    /// Until it answers.
    Ready,
    /// Database and tables are made.
    Schema,
    /// Extra load before the measured part.
    Warmup,
    /// The measured part.
    Measure,
    /// Flush, and until the server is at rest.
    Settle,
    /// Stored points are counted.
    Verify,
    /// Everything made is removed.
    TearDown,
}

impl Phase {
    /// The words in reports.
    pub fn words(self) -> &'static str {
        match self {
            Phase::Provision => "provision",
            Phase::Ready => "ready",
            Phase::Schema => "schema",
            Phase::Warmup => "warm-up",
            Phase::Measure => "measure",
            Phase::Settle => "settle",
            Phase::Verify => "verify",
            Phase::TearDown => "tear down",
        }
    }
}
