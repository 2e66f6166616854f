//! Runs a plan's trials in their order, each with its record in the journal before the next begins.
//!
//! It must not know how a trial is run, or how progress is shown. Invariant: every planned trial ends once; whatever was
//! brought up is removed, on success, failure and signal.

use std::collections::BTreeMap;
use std::io;
use std::panic::{AssertUnwindSafe, resume_unwind};
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use jiff::Timestamp;

use super::data::Cases;
use super::disk::Guard;
use super::journal::events::Event;
use super::journal::state::is_final;
use super::journal::trial::{FailureRecord, Status, TrialRecord};
use super::journal::writer::JournalWriter;
use super::progress::Tracker;
use super::signals::{INTERRUPTED, Stops};
use super::stage::Stage;
use super::teardown;
use super::trial::verdict::{Cause, of_cause};
use super::trial::watch::{Deadline, Limits};
use super::turn::{Turn, Turns};
use super::world::World;
use crate::plan::types::{Case, Plan};

/// What a run is given.
pub struct Run<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// Everything outside it.
    pub world: &'a World,
    /// The journal, open; its first line is written.
    pub journal: JournalWriter,
    /// Records that need not be made again: of this run before it was stopped, or of another that is reused.
    pub done: BTreeMap<(String, u32), TrialRecord>,
    /// Who is told how far it is.
    pub tracker: &'a Tracker,
    /// Signals.
    pub stops: &'a Stops,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunEnd {
    /// The exit code, assertions apart.
    pub exit_code: u8,
    /// Whether a signal ended it.
    pub interrupted: bool,
}

/// Runs all trials that are still to do.
///
/// # Errors
/// When the journal can't be written; everything brought up is removed all the same.
pub async fn run(mut run: Run<'_>) -> io::Result<RunEnd> {
    let cases = Cases::of(run.plan);
    let mut stage = Stage::new(run.world);
    let tick = run.tracker.tick();
    let guard = Guard::new(run.world.disks.clone());
    let work = trials(&mut run, &cases, &mut stage, &guard);
    let result = tokio::select! {
        result = AssertUnwindSafe(work).catch_unwind() => result,
        // Ticks for ever.
        () = tick => Ok(Ok(())),
    };
    teardown::all(run.world, &mut stage, run.tracker, run.stops).await;
    run.tracker.end();
    // A panic goes on only when nothing is left.
    result.unwrap_or_else(|panic| resume_unwind(panic))?;
    tell(&mut run)?;
    let interrupted = run.stops.stopping();
    Ok(RunEnd { exit_code: if interrupted { INTERRUPTED } else { exit_code(run.done.values()) }, interrupted })
}

/// 0 where every trial is good, else 1.
fn exit_code<'r>(records: impl Iterator<Item = &'r TrialRecord>) -> u8 {
    let good = |status: Status| status.counts() || status == Status::NotSupported;
    u8::from(!records.map(|record| record.status).all(good))
}

async fn trials(run: &mut Run<'_>, cases: &Cases<'_>, stage: &mut Stage<'_>, guard: &Guard) -> io::Result<()> {
    let began = Instant::now();
    let turns = Turns::of(run.plan, cases, run.world);
    for (index, planned) in run.plan.trials.iter().enumerate() {
        let Some(case) = cases.get(&planned.case) else { continue };
        if run.done.get(&(case.id.clone(), planned.round)).is_some_and(is_final) {
            continue;
        }
        if run.stops.stopping() {
            return Ok(());
        }
        let suite =
            case.policy.suite_timeout.map(|limit| Deadline { at: began + limit, cause: Cause::SuiteLimit(limit) });
        let record = if let Some(reason) = &case.not_supported {
            not_supported(case, planned.round, reason)
        } else if let Some(cause) = kept_from_beginning(suite.as_ref(), guard) {
            not_begun(case, planned.round, &cause)
        } else {
            write(run, Event::TrialStarted { case: case.id.clone(), round: planned.round })?;
            let limits = limits(run.stops, case, suite, guard);
            let to_do = |later: usize| to_do(run, later);
            let coming = coming(run.plan, index, &to_do);
            run.tracker.began(index + 1, &case.id, planned.round, coming);
            let turn = Turn { index, case, round: planned.round, limits, done: &run.done, to_do: &to_do };
            let record = turns.take(turn, stage, run.tracker).await;
            run.tracker.ended(&record);
            record
        };
        write(run, Event::TrialEnded(Box::new(record.clone())))?;
        tell(run)?;
        run.done.insert((case.id.clone(), planned.round), record);
    }
    Ok(())
}

/// Whether the trial at a place of the plan is still to come.
fn to_do(run: &Run<'_>, index: usize) -> bool {
    let trial = &run.plan.trials[index];
    !run.done.get(&(trial.case.clone(), trial.round)).is_some_and(is_final)
}

fn coming(plan: &Plan, index: usize, to_do: &dyn Fn(usize) -> bool) -> Vec<String> {
    (index + 1..plan.trials.len()).filter(|later| to_do(*later)).map(|later| plan.trials[later].case.clone()).collect()
}

/// Tells the journal what the tracker was told meanwhile.
fn tell(run: &mut Run<'_>) -> io::Result<()> {
    for (severity, text) in run.tracker.messages() {
        write(run, Event::Message { severity: severity.to_owned(), text })?;
    }
    Ok(())
}

fn write(run: &mut Run<'_>, event: Event) -> io::Result<()> {
    run.journal.write(Timestamp::now(), event)
}

fn limits<'a>(stops: &'a Stops, case: &Case, suite: Option<Deadline>, guard: &'a Guard) -> Limits<'a> {
    let own = case.policy.timeout.map(|limit| Deadline { at: Instant::now() + limit, cause: Cause::TrialLimit(limit) });
    let deadlines = own.into_iter().chain(suite).collect();
    Limits { stops, deadlines, stall: case.policy.stall_timeout.max(Duration::from_secs(1)), guard }
}

/// What keeps a trial from beginning at all.
fn kept_from_beginning(suite: Option<&Deadline>, guard: &Guard) -> Option<Cause> {
    let over = suite.filter(|deadline| deadline.at <= Instant::now()).map(|deadline| deadline.cause.clone());
    over.or_else(|| guard.nearly_full().map(Cause::DiskFull))
}

fn not_begun(case: &Case, round: u32, cause: &Cause) -> TrialRecord {
    let verdict = of_cause(cause);
    TrialRecord {
        status: verdict.status,
        failure: verdict.what.map(|what| FailureRecord { what, ..FailureRecord::default() }),
        ..TrialRecord::new(&case.id, &case.hash, round)
    }
}

fn not_supported(case: &Case, round: u32, reason: &str) -> TrialRecord {
    TrialRecord {
        status: Status::NotSupported,
        failure: Some(FailureRecord { what: reason.to_owned(), ..FailureRecord::default() }),
        ..TrialRecord::new(&case.id, &case.hash, round)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::journal::trial::FailureReason;

    #[test]
    fn s07_a_failed_trial_is_exit_1_and_a_limit_that_the_suite_set_is_not() {
        let of = |statuses: &[Status]| {
            let records: Vec<TrialRecord> = statuses
                .iter()
                .map(|status| TrialRecord { status: *status, ..TrialRecord::new("c", "h", 1) })
                .collect();
            exit_code(records.iter())
        };
        assert_eq!(of(&[Status::Valid, Status::TimeLimit, Status::NotSupported]), 0);
        assert_eq!(of(&[Status::Valid, Status::Failed(FailureReason::Refused)]), 1);
        assert_eq!(of(&[Status::DidNotFinish]), 1);
    }
}
