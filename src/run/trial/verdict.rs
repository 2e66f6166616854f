//! The status of a trial, from everything that is known when it has ended.
//!
//! It must not measure. Invariant: the order of the questions is the order of causes: a dead server explains refused
//! operations, never the other way round.

use std::time::Duration;

use crate::driver::error::{DriverError, ErrorClass};
use crate::engine::types::{Ending, Outcome};
use crate::run::journal::trial::{FailureReason, Status, StoredRecord};
use crate::run::words::{duration, thousands};

/// What made the runner end a trial before its load ended by itself.
#[derive(Clone, Debug, PartialEq)]
pub enum Cause {
    /// A signal.
    Signal,
    /// The trial's own limit.
    TrialLimit(Duration),
    /// The suite's limit.
    SuiteLimit(Duration),
    /// No operation began or ended for this long.
    Stalled(Duration),
    /// The disk is nearly full; says how full.
    DiskFull(String),
    /// The server ended.
    Died {
        /// Its exit code.
        exit_code: Option<i64>,
        /// Whether the kernel killed it for want of memory.
        out_of_memory: bool,
    },
}

/// A status, and what to say about it where it is a failure.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The status.
    pub status: Status,
    /// What happened, in a sentence; none: all is well.
    pub what: Option<String>,
}

impl Verdict {
    /// All is well.
    fn good(status: Status) -> Self {
        Verdict { status, what: None }
    }

    /// Not so well.
    fn of(status: Status, what: impl Into<String>) -> Self {
        Verdict { status, what: Some(what.into()) }
    }

    fn failed(reason: FailureReason, what: impl Into<String>) -> Self {
        Verdict::of(Status::Failed(reason), what)
    }
}

/// The verdict where the runner ended the trial.
pub fn of_cause(cause: &Cause) -> Verdict {
    match cause {
        Cause::Signal => Verdict::of(Status::Interrupted, "a signal ended the run"),
        Cause::TrialLimit(limit) => Verdict::of(
            Status::DidNotFinish,
            format!("policy.timeout of {} was reached", duration(limit.as_secs_f64())),
        ),
        Cause::SuiteLimit(limit) => Verdict::of(
            Status::DidNotFinish,
            format!("the suite's limit of {} was reached", duration(limit.as_secs_f64())),
        ),
        Cause::Stalled(time) => Verdict::failed(
            FailureReason::Timeout,
            format!("no operation began or ended for {}", duration(time.as_secs_f64())),
        ),
        Cause::DiskFull(how) => Verdict::of(Status::DidNotFinish, how.clone()),
        Cause::Died { exit_code, out_of_memory } => died(*exit_code, *out_of_memory),
    }
}

fn died(exit_code: Option<i64>, out_of_memory: bool) -> Verdict {
    let code = exit_code.map_or_else(String::new, |code| format!(" with exit code {code}"));
    if out_of_memory {
        Verdict::failed(FailureReason::OutOfMemory, format!("the kernel killed the server for want of memory{code}"))
    } else {
        Verdict::failed(FailureReason::ServerDied, format!("the server ended{code}"))
    }
}

/// The verdict on what the engine gives back when nothing ended it from outside. `threshold` is the share of failed
/// operations that is borne.
pub fn of_outcome(outcome: &Outcome, threshold: f64) -> Verdict {
    let ok: u64 = outcome.operations.iter().map(|operation| operation.ok_operations).sum();
    let failed: u64 = outcome.operations.iter().map(|operation| operation.failed_operations).sum();
    match &outcome.ending {
        Ending::NoConnection(error) => Verdict::failed(no_connection(error), error.to_string()),
        Ending::Stopped => of_cause(&Cause::Signal),
        Ending::Errors => too_many(outcome, ok, failed),
        Ending::Finished | Ending::TimeLimit if failed > 0 && failed as f64 > threshold * (ok + failed) as f64 => {
            too_many(outcome, ok, failed)
        }
        Ending::Finished | Ending::TimeLimit if ok == 0 => {
            Verdict::failed(FailureReason::NoData, "no operation was measured")
        }
        Ending::Finished => Verdict::good(Status::Valid),
        Ending::TimeLimit => Verdict::good(Status::TimeLimit),
    }
}

/// Why a database that can't be connected to fails a trial.
pub fn no_connection(error: &DriverError) -> FailureReason {
    match error.class {
        ErrorClass::Timeout => FailureReason::Timeout,
        _ => FailureReason::Refused,
    }
}

/// The class with the most failures gives the reason; its first message is quoted once, with its count.
fn too_many(outcome: &Outcome, ok: u64, failed: u64) -> Verdict {
    let of = |class: ErrorClass| outcome.errors.iter().filter(|e| e.class == class).map(|e| e.count).sum::<u64>();
    let worst = outcome.errors.iter().max_by_key(|error| (of(error.class), error.count));
    let reason = match worst.map(|error| error.class) {
        Some(ErrorClass::Timeout) => FailureReason::Timeout,
        _ => FailureReason::Refused,
    };
    let quoted = worst.map_or_else(String::new, |error| {
        format!("; {} × {}: {}", thousands(error.count), error.class.name(), error.message)
    });
    let all = thousands(ok + failed);
    Verdict::failed(reason, format!("{} of {all} operations failed{quoted}", thousands(failed)))
}

/// The verdict with what the database holds: a good one may turn bad.
pub fn with_stored(verdict: Verdict, stored: &StoredRecord) -> Verdict {
    let acknowledged = stored.acknowledged + stored.warmup;
    if !verdict.status.counts() || stored.stored >= stored.expected {
        verdict
    } else if stored.stored == 0 {
        let what = format!("{} points were acknowledged and the database holds none", thousands(acknowledged));
        Verdict::failed(FailureReason::NoData, what)
    } else {
        let what = format!(
            "the database holds {} of {} points that must be there: {} are lost",
            thousands(stored.stored),
            thousands(stored.expected),
            thousands(stored.expected - stored.stored)
        );
        Verdict::failed(FailureReason::LostPoints, what)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::types::{ErrorCount, OperationResult};
    use crate::stats::histogram::Latencies;
    use crate::workload::operation::OperationKind;

    fn outcome(ending: Ending, ok: u64, errors: &[(ErrorClass, u64)]) -> Outcome {
        let failed = errors.iter().map(|(_, count)| count).sum();
        let kind = OperationKind::Ingestion;
        let error = |(class, count): &(ErrorClass, u64)| ErrorCount {
            kind,
            class: *class,
            message: "the server's words".into(),
            count: *count,
        };
        Outcome {
            ending,
            started: None,
            elapsed: Duration::from_secs(1),
            operations: vec![OperationResult {
                kind,
                ok_operations: ok,
                ok_points: ok,
                ok_rows: ok,
                failed_operations: failed,
                failed_points: failed,
                service: Latencies::new(),
                response: None,
                slowest_client: Duration::ZERO,
            }],
            series: Vec::new(),
            errors: errors.iter().map(error).collect(),
            retries: 0,
            samples: Vec::new(),
            warmup_points: 0,
            warmup_elapsed: Duration::ZERO,
            bytes: 0,
            client_cpu: 0.0,
            late: 0,
            dropped: 0,
            checksum: None,
        }
    }

    #[test]
    fn s11_one_percent_of_errors_is_borne_and_all_refused_is_a_failure() {
        let few = outcome(Ending::Finished, 990, &[(ErrorClass::Rejected, 10)]);
        assert_eq!(of_outcome(&few, 0.05), Verdict::good(Status::Valid));
        let all = outcome(Ending::Errors, 0, &[(ErrorClass::Refused, 200)]);
        let verdict = of_outcome(&all, 0.05);
        assert_eq!(verdict.status, Status::Failed(FailureReason::Refused));
        assert_eq!(verdict.what.as_deref(), Some("200 of 200 operations failed; 200 × refused: the server's words"));
    }

    #[test]
    fn a_short_trial_with_too_many_failures_fails_at_its_end() {
        let half = outcome(Ending::Finished, 2, &[(ErrorClass::Rejected, 2)]);
        assert_eq!(of_outcome(&half, 0.05).status, Status::Failed(FailureReason::Refused));
        let none = outcome(Ending::Finished, 0, &[]);
        assert_eq!(of_outcome(&none, 0.05).status, Status::Failed(FailureReason::NoData));
    }

    #[test]
    fn the_dominating_class_gives_the_reason() {
        let slow = outcome(Ending::Errors, 5, &[(ErrorClass::Refused, 3), (ErrorClass::Timeout, 9)]);
        assert_eq!(of_outcome(&slow, 0.05).status, Status::Failed(FailureReason::Timeout));
    }

    #[test]
    fn what_the_database_holds_can_turn_a_good_verdict() {
        let stored = |expected, stored| StoredRecord { acknowledged: expected, warmup: 0, expected, stored };
        let good = || Verdict::good(Status::Valid);
        assert_eq!(with_stored(good(), &stored(100, 100)).status, Status::Valid);
        assert_eq!(with_stored(good(), &stored(1000, 998)).status, Status::Failed(FailureReason::LostPoints));
        assert_eq!(with_stored(good(), &stored(100, 0)).status, Status::Failed(FailureReason::NoData));
        let interrupted = of_cause(&Cause::Signal);
        assert_eq!(with_stored(interrupted.clone(), &stored(100, 50)), interrupted);
    }

    #[test]
    fn a_dead_server_is_told_with_its_exit_code() {
        let verdict = of_cause(&Cause::Died { exit_code: Some(137), out_of_memory: true });
        assert_eq!(verdict.status, Status::Failed(FailureReason::OutOfMemory));
        assert!(verdict.what.unwrap().contains("137"));
    }
}
