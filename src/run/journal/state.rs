//! What a journal's lines say about the run as a whole.
//!
//! It must not know how a trial is run. Invariant: of two records of one trial the later counts.

use std::collections::BTreeMap;

use super::events::{Event, Line, RunStarted};
use super::trial::{Status, TrialRecord};

/// A trial by its case's id and its round.
pub type TrialKey = (String, u32);

/// A run, as far as its journal tells.
#[derive(Clone, Debug, Default)]
pub struct RunState {
    /// Everything known before the first trial; none where not even that was written.
    pub started: Option<RunStarted>,
    /// When the first line was written, RFC 3339.
    pub began: Option<String>,
    /// When the last line was written.
    pub last: Option<String>,
    /// The last record of each trial that ended.
    pub ended: BTreeMap<TrialKey, TrialRecord>,
    /// The trial that began and has not ended, and when it began.
    pub current: Option<(TrialKey, String)>,
    /// The messages: severity and text.
    pub messages: Vec<(String, String)>,
    /// Exit code and whether a signal ended it; none: it goes on, or died.
    pub end: Option<(u8, bool)>,
}

impl RunState {
    /// Reads the lines.
    pub fn of(lines: &[Line]) -> Self {
        let mut state = RunState::default();
        for line in lines {
            state.began.get_or_insert_with(|| line.at.clone());
            state.last = Some(line.at.clone());
            state.apply(&line.event, &line.at);
        }
        state
    }

    fn apply(&mut self, event: &Event, at: &str) {
        match event {
            Event::RunStarted(started) => self.started = Some((**started).clone()),
            Event::RunResumed { .. } => {
                self.end = None;
                self.current = None;
            }
            Event::TrialStarted { case, round } => self.current = Some(((case.clone(), *round), at.to_owned())),
            Event::TrialEnded(record) => {
                let key = (record.case.clone(), record.round);
                self.current.take_if(|(current, _)| *current == key);
                self.ended.insert(key, (**record).clone());
            }
            Event::Message { severity, text } => self.messages.push((severity.clone(), text.clone())),
            Event::RunEnded { exit_code, interrupted } => {
                self.end = Some((*exit_code, *interrupted));
                self.current = None;
            }
        }
    }

    /// The record of a trial that need not be run again.
    pub fn done(&self, case: &str, round: u32) -> Option<&TrialRecord> {
        self.ended.get(&(case.to_owned(), round)).filter(|record| is_final(record))
    }
}

/// Whether a trial has had its turn: not when a signal cut it short, nor when it never began.
pub fn is_final(record: &TrialRecord) -> bool {
    match record.status {
        Status::Interrupted => false,
        Status::DidNotFinish => !record.phases.is_empty(),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(case: &str, status: Status) -> TrialRecord {
        TrialRecord { status, ..TrialRecord::new(case, "h", 1) }
    }

    fn lines(events: Vec<Event>) -> Vec<Line> {
        events.into_iter().map(|event| Line { v: 1, at: "2026-12-01T12:00:00Z".into(), event }).collect()
    }

    #[test]
    fn an_interrupted_trial_is_done_again_and_its_later_record_counts() {
        let mut events = vec![
            Event::TrialStarted { case: "a".into(), round: 1 },
            Event::TrialEnded(Box::new(record("a", Status::Interrupted))),
            Event::RunEnded { exit_code: 130, interrupted: true },
        ];
        let state = RunState::of(&lines(events.clone()));
        assert!(state.done("a", 1).is_none());
        assert_eq!(state.end, Some((130, true)));
        events.push(Event::RunResumed { velodrome: "0".into(), remaining: 1 });
        events.push(Event::TrialEnded(Box::new(record("a", Status::Valid))));
        let state = RunState::of(&lines(events));
        assert_eq!(state.done("a", 1).map(|r| r.status), Some(Status::Valid));
        assert_eq!(state.end, None);
    }

    #[test]
    fn a_trial_that_the_suites_limit_kept_from_beginning_is_still_to_do() {
        let state = RunState::of(&lines(vec![Event::TrialEnded(Box::new(record("a", Status::DidNotFinish)))]));
        assert!(state.done("a", 1).is_none());
    }

    #[test]
    fn the_trial_that_runs_is_known() {
        let state = RunState::of(&lines(vec![Event::TrialStarted { case: "a".into(), round: 2 }]));
        assert_eq!(state.current.map(|(key, _)| key), Some(("a".to_owned(), 2)));
    }
}
