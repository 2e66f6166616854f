//! How far a run is: kept by the runner, shown by whoever started it.
//!
//! It must not know whether there is a terminal. Invariant: what is shown is in run.log too.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::eta::{Eta, Size};
use super::journal::trial::{Phase, TrialRecord};
use super::log::Log;
use super::scrub::Scrub;
use super::words::{duration, thousands};
use crate::engine::types::Control;
use crate::plan::types::{Case, Plan};

/// How often whoever shows is told.
const TICK: Duration = Duration::from_millis(250);
/// Seconds of the measured part before rates and what is left are told.
const FIRST_RATE: f64 = 0.5;

/// Shows progress to people.
pub trait Show: Send + Sync {
    /// A line that stays.
    fn say(&self, text: &str);
    /// How far it is; called a few times a second.
    fn update(&self, now: &Snapshot);
    /// A trial has ended.
    fn ended(&self, record: &TrialRecord);
    /// The run is over: whatever moves is removed.
    fn end(&self);
}

/// How far a run is.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// The trial's number, from 1.
    pub number: usize,
    /// How many trials there are.
    pub total: usize,
    /// The case's id and the round.
    pub title: String,
    /// The phase.
    pub phase: Phase,
    /// Seconds since the phase began.
    pub elapsed: f64,
    /// The share of the measured part that is done, where its length is known.
    pub share: Option<f64>,
    /// Points a second, mean of the measured part.
    pub rate: Option<f64>,
    /// Points so far.
    pub points: u64,
    /// Failed operations so far.
    pub errors: u64,
    /// Seconds until the measured part ends.
    pub trial_left: Option<f64>,
    /// Seconds until the run ends, with this trial.
    pub run_left: Option<f64>,
}

impl Snapshot {
    /// One line for it.
    pub fn line(&self) -> String {
        self.joined(&self.parts())
    }

    /// One line of at most so many characters, as far as that can be: parts are left out from the right, the errors and what
    /// is left of the run last.
    pub fn within(&self, width: usize) -> String {
        let mut parts = self.parts();
        let fits = |parts: &[(bool, String)]| self.joined(parts).chars().count() <= width;
        while !fits(&parts)
            && let Some(last) = parts.iter().rposition(|(keep, _)| !keep)
        {
            parts.remove(last);
        }
        let line = self.joined(&parts);
        let more = line.chars().count().saturating_sub(width);
        let title = self.title.chars().count();
        if more == 0 || title == 0 {
            return line;
        }
        // A title's end tells cases apart.
        let end: String = self.title.chars().skip((more + 1).min(title)).collect();
        line.replacen(&self.title, &format!("…{end}"), 1)
    }

    fn joined(&self, parts: &[(bool, String)]) -> String {
        let parts: Vec<&str> = parts.iter().map(|(_, text)| text.as_str()).collect();
        format!("[{}/{}] {}: {}", self.number, self.total, self.title, parts.join(" · "))
    }

    /// The parts of the line, and whether each is to be kept where there is little room.
    fn parts(&self) -> Vec<(bool, String)> {
        let mut parts = vec![(false, format!("{} {}", self.phase.words(), duration(self.elapsed)))];
        parts.extend(self.share.map(|share| (false, format!("{:.0} %", share * 100.0))));
        if let Some(rate) = self.rate {
            parts.push((false, format!("{} points/s", thousands(rate as u64))));
            parts.push((false, format!("{} points", thousands(self.points))));
            parts.push((true, format!("{} errors", thousands(self.errors))));
        }
        parts.extend(self.trial_left.map(|left| (self.run_left.is_none(), format!("ETA {}", duration(left)))));
        parts.extend(self.run_left.map(|left| (true, format!("whole run ETA {}", duration(left)))));
        parts
    }
}

/// Keeps how far the run is.
pub struct Tracker {
    show: Arc<dyn Show>,
    log: Log,
    /// Whatever is said passes through it.
    scrub: Scrub,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    total: usize,
    trial: Option<Current>,
    /// What the trials that were run say of those to come.
    eta: Eta,
    /// The cases of trials still to come.
    coming: Vec<String>,
    /// Severity and text of what the journal is still to be told.
    messages: Vec<(&'static str, String)>,
}

struct Current {
    number: usize,
    case: String,
    title: String,
    phase: Phase,
    phase_began: Instant,
    began: Instant,
    measured: Option<Measured>,
}

struct Measured {
    control: Arc<Control>,
    operations: Option<u64>,
    limit: Option<Duration>,
    /// When the measured part was first seen to have begun.
    began: Option<Instant>,
}

impl Tracker {
    /// For a run of this plan.
    pub fn new(show: Arc<dyn Show>, log: Log, plan: &Plan, scrub: Scrub) -> Self {
        let size = |case: &Case| Size {
            target: case.target.clone(),
            scenario: case.scenario.clone(),
            operations: case.operations,
        };
        let eta = Eta::new(plan.cases.iter().map(|case| (case.id.clone(), size(case))));
        Tracker { show, log, scrub, state: Mutex::new(State { total: plan.trials.len(), eta, ..State::default() }) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says a line to people and to the log.
    pub fn say(&self, text: &str) {
        let text = self.scrub.sentence(text);
        self.log.line(&text);
        self.show.say(&text);
    }

    /// Says a warning, also to the journal.
    pub fn warn(&self, text: &str) {
        self.say(&format!("warning: {text}"));
        self.state().messages.push(("warning", self.scrub.sentence(text)));
    }

    /// Says something worth knowing, also to the journal.
    pub fn tell(&self, text: &str) {
        self.say(text);
        self.state().messages.push(("note", self.scrub.sentence(text)));
    }

    /// What the journal was not told yet: severity and text.
    pub fn messages(&self) -> Vec<(&'static str, String)> {
        std::mem::take(&mut self.state().messages)
    }

    /// Says a line to the log alone.
    pub fn note(&self, text: &str) {
        self.log.line(&self.scrub.sentence(text));
    }

    /// A trial begins: its number from 1, and the cases of those that come after it.
    pub fn began(&self, number: usize, case: &str, round: u32, coming: Vec<String>) {
        let title = format!("{case} round {round}");
        let total = {
            let mut state = self.state();
            let now = Instant::now();
            state.coming = coming;
            state.trial = Some(Current {
                number,
                case: case.to_owned(),
                title: title.clone(),
                phase: Phase::Provision,
                phase_began: now,
                began: now,
                measured: None,
            });
            state.total
        };
        self.say(&format!("[{number}/{total}] {title}: started"));
    }

    /// The trial's next phase begins.
    pub fn phase(&self, phase: Phase) {
        if let Some(trial) = &mut self.state().trial {
            trial.phase = phase;
            trial.phase_began = Instant::now();
            trial.measured = None;
        }
        self.log.line(&format!("phase {}", phase.words()));
    }

    /// The engine runs: what it has done is seen through `control`.
    pub fn measuring(&self, control: Arc<Control>, operations: Option<u64>, limit: Option<Duration>) {
        if let Some(trial) = &mut self.state().trial {
            trial.measured = Some(Measured { control, operations, limit, began: None });
        }
    }

    /// The trial has ended.
    pub fn ended(&self, record: &TrialRecord) {
        let Some((number, total, title, seconds)) = ({
            let mut state = self.state();
            let total = state.total;
            state.trial.take().map(|trial| {
                let seconds = trial.began.elapsed().as_secs_f64();
                state.eta.ended(&trial.case, seconds, record.elapsed_s.unwrap_or(0.0));
                (trial.number, total, trial.title, seconds)
            })
        }) else {
            return;
        };
        self.say(&format!("[{number}/{total}] {title}: {}", ended_words(record, seconds)));
        self.show.ended(record);
    }

    /// Says that the run is over.
    pub fn end(&self) {
        self.show.end();
    }

    /// Tells whoever shows, until it is dropped.
    pub async fn tick(&self) {
        loop {
            tokio::time::sleep(TICK).await;
            if let Some(now) = self.snapshot() {
                self.show.update(&now);
            }
        }
    }

    /// How far it is now; none between trials.
    pub fn snapshot(&self) -> Option<Snapshot> {
        let mut state = self.state();
        let (total, later) = (state.total, state.eta.left(&state.coming));
        let known = state.trial.as_ref().and_then(|trial| state.eta.case(&trial.case));
        let trial = state.trial.as_mut()?;
        let measured = trial.measured.as_mut().and_then(Measured::read);
        if measured.is_some() && trial.phase == Phase::Warmup {
            trial.phase = Phase::Measure;
            trial.phase_began = Instant::now();
        }
        let share = measured.as_ref().and_then(|m| m.share);
        // The first moments say nothing of the rest.
        let told = measured.as_ref().filter(|m| m.seconds >= FIRST_RATE);
        let trial_left = told
            .and_then(|m| Some((m.seconds, m.share?)))
            .filter(|(_, share)| *share > 0.0)
            .map(|(seconds, share)| seconds * (1.0 - share) / share);
        // What is seen of this trial counts before what its like have taken.
        let expected = known.map(|seconds| (seconds - trial.began.elapsed().as_secs_f64()).max(0.0));
        // Before the first trial has ended nothing is known of the others.
        let run_left = later.map(|later| later + trial_left.or(expected).unwrap_or(0.0));
        Some(Snapshot {
            number: trial.number,
            total,
            title: trial.title.clone(),
            phase: trial.phase,
            elapsed: trial.phase_began.elapsed().as_secs_f64(),
            share,
            rate: told.map(|m| m.points as f64 / m.seconds),
            points: measured.as_ref().map_or(0, |m| m.points),
            errors: measured.as_ref().map_or(0, |m| m.errors),
            trial_left,
            run_left,
        })
    }
}

/// What a trial's control says now.
struct Seen {
    seconds: f64,
    points: u64,
    errors: u64,
    share: Option<f64>,
}

impl Measured {
    /// Reads the control; none before the measured part has begun.
    fn read(&mut self) -> Option<Seen> {
        if !self.control.measuring.load(Relaxed) {
            return None;
        }
        let seconds = self.began.get_or_insert_with(Instant::now).elapsed().as_secs_f64();
        let (operations, errors) = (self.control.operations.load(Relaxed), self.control.errors.load(Relaxed));
        let by_count = self.operations.filter(|all| *all > 0).map(|all| operations as f64 / all as f64);
        let by_time = self.limit.map(|limit| seconds / limit.as_secs_f64());
        // Whichever comes first ends it.
        let share = [by_count, by_time].into_iter().flatten().reduce(f64::max).map(|share| share.min(1.0));
        Some(Seen { seconds, points: self.control.points.load(Relaxed), errors, share })
    }
}

/// What a trial's last line says.
fn ended_words(record: &TrialRecord, seconds: f64) -> String {
    let mut parts = vec![format!("{} in {}", record.status.words(), duration(seconds))];
    if record.status.counts()
        && let Some(elapsed) = record.elapsed_s.filter(|elapsed| *elapsed > 0.0)
    {
        let points: u64 = record.operations.iter().map(|operation| operation.ok_points).sum();
        parts.push(format!("{} points/s", thousands((points as f64 / elapsed) as u64)));
    }
    let errors: u64 = record.operations.iter().map(|operation| operation.failed_operations).sum();
    if errors > 0 {
        parts.push(format!("{} errors", thousands(errors)));
    }
    parts.extend(record.failure.as_ref().map(|failure| failure.what.clone()));
    parts.join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_what_a_person_wants_to_know() {
        let now = Snapshot {
            number: 3,
            total: 27,
            title: "postgres/ingest/LOOP=10 round 1".into(),
            phase: Phase::Measure,
            elapsed: 12.4,
            share: Some(0.454),
            rate: Some(1_234_567.8),
            points: 15_308_640,
            errors: 2,
            trial_left: Some(14.9),
            run_left: Some(700.0),
        };
        assert_eq!(
            now.line(),
            "[3/27] postgres/ingest/LOOP=10 round 1: measure 12 s · 45 % · 1,234,567 points/s · 15,308,640 points · \
             2 errors · ETA 15 s · whole run ETA 11 min 40 s"
        );
    }

    #[test]
    fn a_narrow_line_keeps_errors_and_what_is_left() {
        let now = Snapshot {
            number: 3,
            total: 27,
            title: "postgres/ingest round 1".into(),
            phase: Phase::Measure,
            elapsed: 12.4,
            share: Some(0.454),
            rate: Some(1_234_567.8),
            points: 15_308_640,
            errors: 2,
            trial_left: Some(14.9),
            run_left: Some(700.0),
        };
        assert_eq!(now.within(1000), now.line());
        assert_eq!(
            now.within(90),
            "[3/27] postgres/ingest round 1: measure 12 s · 45 % · 2 errors · whole run ETA 11 min 40 s"
        );
        assert_eq!(now.within(55), "[3/27] …t round 1: 2 errors · whole run ETA 11 min 40 s");
        for width in 0..200 {
            assert!(now.within(width).chars().count() <= width.max(47), "{width}: {}", now.within(width));
        }
    }
}
