//! `velodrome status`.
//!
//! It must not hold logic of its own. Invariant: it only reads.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use jiff::Timestamp;

use super::output::out;
use crate::run::eta::{Eta, Size};
use crate::run::folder::{Folder, FolderError};
use crate::run::journal::events::CaseInfo;
use crate::run::journal::reader;
use crate::run::journal::state::RunState;
use crate::run::words::duration;

/// How many messages are shown.
const MESSAGES: usize = 5;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The run: its id, or its folder.
    #[arg(value_name = "RUN")]
    run: String,
    /// The folder that runs are written in.
    #[arg(long, value_name = "DIR", default_value = super::REPORTS)]
    reports: PathBuf,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let folder = Folder::find(&args.reports, &args.run)?;
    let state = RunState::of(&reader::read(&folder.journal())?);
    // Who can take the lock knows that nobody runs it.
    let alive = matches!(folder.lock(), Err(FolderError::Held(_)));
    out(&text(&folder.id, &state, alive, Timestamp::now()));
    Ok(ExitCode::SUCCESS)
}

fn text(id: &str, state: &RunState, alive: bool, now: Timestamp) -> String {
    let mut text = String::new();
    let suite = state.started.as_ref().map_or("", |started| started.suite.as_str());
    let total = state.started.as_ref().map_or(0, |started| started.trials.len());
    let _ = writeln!(text, "run {id} of {suite}: {}", condition(state, alive));
    let _ = writeln!(text, "{} of {total} trials ended", state.ended.len());
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for record in state.ended.values() {
        *counts.entry(record.status.words()).or_default() += 1;
    }
    for (words, count) in counts {
        let _ = writeln!(text, "  {count:>5} {words}");
    }
    if let Some(((case, round), since)) = state.current.as_ref().filter(|_| alive) {
        let passed = seconds_since(since, now).map_or_else(String::new, |passed| format!(", for {}", duration(passed)));
        let _ = writeln!(text, "running {case} round {round}{passed}");
    }
    if alive {
        let _ = writeln!(text, "ETA {}", eta(state, now).map_or_else(|| "not known yet".to_owned(), duration));
    }
    for (severity, message) in state.messages.iter().rev().take(MESSAGES).rev() {
        let _ = writeln!(text, "{severity}: {message}");
    }
    text
}

fn condition(state: &RunState, alive: bool) -> String {
    match state.end {
        _ if alive => "running".to_owned(),
        Some((code, true)) => format!("interrupted, exit {code}; `velodrome resume` goes on with it"),
        Some((code, false)) => format!("ended, exit {code}"),
        None => "stopped without an end; `velodrome resume` goes on with it".to_owned(),
    }
}

fn seconds_since(at: &str, now: Timestamp) -> Option<f64> {
    at.parse::<Timestamp>().ok().map(|at| now.duration_since(at).as_secs_f64())
}

/// Seconds until the end, from what the trials so far took.
fn eta(state: &RunState, now: Timestamp) -> Option<f64> {
    let started = state.started.as_ref()?;
    let size = |case: &CaseInfo| Size {
        target: case.target.clone(),
        scenario: case.scenario.clone(),
        operations: case.operations,
    };
    let mut eta = Eta::new(started.cases.iter().map(|case| (case.id.clone(), size(case))));
    for record in state.ended.values().filter(|record| record.reused_from.is_none() && !record.phases.is_empty()) {
        let seconds = record.phases.iter().map(|(_, seconds)| seconds).sum();
        eta.ended(&record.case, seconds, record.elapsed_s.unwrap_or(0.0));
    }
    let to_do = started.trials.iter().filter_map(|(case, round)| {
        let case = &started.cases.get(*case as usize)?.id;
        (!state.ended.contains_key(&(case.clone(), *round))).then(|| case.clone())
    });
    let passed = state.current.as_ref().and_then(|(_, since)| seconds_since(since, now)).unwrap_or(0.0);
    eta.left(&to_do.collect::<Vec<_>>()).map(|left| (left - passed).max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::journal::status::Status;
    use crate::run::journal::trial::TrialRecord;

    #[test]
    fn it_says_what_is_done_and_what_runs() {
        let mut state = RunState::default();
        let record = TrialRecord { status: Status::Valid, ..TrialRecord::new("a", "h", 1) };
        state.ended.insert(("a".into(), 1), record);
        state.current = Some((("b".into(), 1), "2026-12-01T12:00:00Z".into()));
        state.messages.push(("warning".into(), "look".into()));
        let now = "2026-12-01T12:00:05Z".parse().unwrap();
        assert_eq!(
            text("r1", &state, true, now),
            "run r1 of : running\n1 of 0 trials ended\n      1 valid\nrunning b round 1, for 5.0 s\nETA not known yet\n\
             warning: look\n"
        );
        assert!(text("r1", &state, false, now).contains("stopped without an end; `velodrome resume`"));
    }
}
