//! What a cell says in place of a number, or beside it.
//!
//! It must not hold a number that is shown. Invariant: a cell counts only with a trial that is valid or ended by its suite's own limit.

use schemars::JsonSchema;
use serde::Serialize;

use super::grid::CellView;
use crate::run::journal::trial::{FailureReason, Status, TrialRecord};

/// A cell's state over all its rounds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct State {
    /// The status: valid, time limit, not supported, failed, did not finish, interrupted, or not run.
    pub status: String,
    /// What the cell says in place of a number, or of the rounds that have none; empty where every round counts.
    pub says: String,
    /// More of the same, for whoever points at it.
    pub detail: Option<String>,
    /// Whether its numbers are shown.
    pub counts: bool,
    /// Whether it may lead: every round that ran counts.
    pub ranks: bool,
    /// Rounds that count.
    pub rounds: u32,
    /// Rounds planned.
    pub planned: u32,
}

/// The state of a cell.
pub(crate) fn state(cell: &CellView<'_>) -> State {
    let rounds = cell.counted().count() as u32;
    let bad = cell.trials.iter().find(|trial| !trial.record.status.counts());
    let mut state = State {
        status: "not run".to_owned(),
        says: String::new(),
        detail: None,
        counts: rounds > 0,
        ranks: rounds > 0 && bad.is_none(),
        rounds,
        planned: cell.planned.max(cell.trials.len() as u32),
    };
    if let Some(good) = cell.counted().next() {
        state.status = good.record.status.words();
    }
    match bad {
        Some(trial) => {
            let failed = cell.trials.len() as u32 - rounds;
            state.detail = detail(trial.record, cell);
            state.says = says(trial.record);
            if rounds > 0 {
                state.says = format!("{failed} of {} rounds: {}", cell.trials.len(), state.says);
            } else {
                state.status = status_word(trial.record.status).to_owned();
            }
        }
        None if rounds == 0 => match &cell.case.not_supported {
            Some(reason) => {
                state.status = "not supported".to_owned();
                state.says = "not supported".to_owned();
                state.detail = Some(reason.clone());
            }
            None => state.says = "not run".to_owned(),
        },
        None => {}
    }
    state
}

fn status_word(status: Status) -> &'static str {
    match status {
        Status::Valid => "valid",
        Status::TimeLimit => "time limit",
        Status::NotSupported => "not supported",
        Status::Failed(_) => "failed",
        Status::DidNotFinish => "did not finish",
        Status::Interrupted => "interrupted",
    }
}

/// `failed: server died at 41 s`, `wrong answers: 3 of 500`, `lost 0.2 %`, `did not finish` …
fn says(record: &TrialRecord) -> String {
    let Status::Failed(reason) = record.status else { return record.status.words() };
    match reason {
        FailureReason::WrongAnswers => {
            if let Some((checked, wrong)) = record.answers {
                return format!("wrong answers: {wrong} of {checked}");
            }
        }
        FailureReason::LostPoints => {
            if let Some(stored) = record.stored.as_ref().filter(|stored| stored.expected > stored.stored) {
                let share = (stored.expected - stored.stored) as f64 / stored.expected as f64;
                return format!("lost {} %", lost_percent(share));
            }
        }
        _ => {}
    }
    let at = record.failure.as_ref().filter(|failure| failure.after_ms > 0).map(|failure| failure.after_ms);
    let words = match reason {
        FailureReason::OutOfMemory => "server out of memory",
        reason => reason.words(),
    };
    match at {
        Some(ms) if ms >= 10_000 => format!("failed: {words} at {:.0} s", ms as f64 / 1e3),
        Some(ms) => format!("failed: {words} at {:.1} s", ms as f64 / 1e3),
        None => format!("failed: {words}"),
    }
}

/// A lost share in percent, never shown as nothing.
fn lost_percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent >= 0.1 { format!("{percent:.1}") } else { format!("{percent:.1e}") }
}

fn detail(record: &TrialRecord, cell: &CellView<'_>) -> Option<String> {
    let not_supported =
        matches!(record.status, Status::NotSupported).then(|| cell.case.not_supported.clone()).flatten();
    not_supported.or_else(|| record.failure.as_ref().map(|failure| failure.what.clone()))
}
