//! From a journal's lines to one run's facts: who ran what, when, and what became of each trial.
//!
//! It must not judge a number. Invariant: of a trial that was run twice (after a resume) the last ending stands.

use std::collections::BTreeMap;

use crate::run::journal::events::{Event, Line, RunStarted};
use crate::run::journal::trial::TrialRecord;

/// One trial's ending, and when it began and ended by the wall clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TrialView<'a> {
    pub(crate) record: &'a TrialRecord,
    pub(crate) started_at: Option<&'a str>,
    pub(crate) ended_at: &'a str,
}

/// How a run ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ending<'a> {
    pub(crate) at: &'a str,
    pub(crate) exit_code: u8,
    pub(crate) interrupted: bool,
}

/// One run, read from its journal.
#[derive(Debug)]
pub(crate) struct RunView<'a> {
    pub(crate) started: &'a RunStarted,
    pub(crate) started_at: &'a str,
    /// None: it is running, or was killed.
    pub(crate) ended: Option<Ending<'a>>,
    /// When the last line was written.
    pub(crate) last_at: &'a str,
    /// Severity and text.
    pub(crate) messages: Vec<(&'a str, &'a str)>,
    /// By case id and round.
    pub(crate) trials: BTreeMap<(&'a str, u32), TrialView<'a>>,
}

/// Reads the lines of one journal; none where the run's first line is missing.
pub(crate) fn gather(lines: &[Line]) -> Option<RunView<'_>> {
    let mut view: Option<RunView<'_>> = None;
    let mut begun: BTreeMap<(&str, u32), &str> = BTreeMap::new();
    for line in lines {
        if let Event::RunStarted(started) = &line.event {
            view.get_or_insert(RunView {
                started,
                started_at: &line.at,
                ended: None,
                last_at: &line.at,
                messages: Vec::new(),
                trials: BTreeMap::new(),
            });
        }
        let Some(run) = view.as_mut() else { continue };
        run.last_at = &line.at;
        match &line.event {
            Event::RunStarted(_) => {}
            Event::RunResumed { .. } => run.ended = None,
            Event::TrialStarted { case, round } => {
                begun.insert((case, *round), &line.at);
            }
            Event::TrialEnded(record) => {
                let key = (record.case.as_str(), record.round);
                let started_at = begun.remove(&key);
                run.trials.insert(key, TrialView { record, started_at, ended_at: &line.at });
            }
            Event::Message { severity, text } => run.messages.push((severity, text)),
            Event::RunEnded { exit_code, interrupted } => {
                run.ended = Some(Ending { at: &line.at, exit_code: *exit_code, interrupted: *interrupted });
            }
        }
    }
    view
}
