//! Times each phase of a trial.
//!
//! It must not know what happens in them. Invariant: the phases' seconds add up to the trial's.

use std::time::{Duration, Instant};

use crate::run::journal::trial::Phase;
use crate::run::progress::Tracker;

/// The phases so far.
pub struct Phases<'a> {
    tracker: &'a Tracker,
    began: Instant,
    done: Vec<(Phase, f64)>,
    current: (Phase, Instant),
}

impl<'a> Phases<'a> {
    /// The trial begins with its first phase.
    pub fn begin(tracker: &'a Tracker) -> Self {
        let now = Instant::now();
        tracker.phase(Phase::Provision);
        Phases { tracker, began: now, done: Vec::new(), current: (Phase::Provision, now) }
    }

    /// The next phase begins.
    pub fn enter(&mut self, phase: Phase) {
        self.tracker.phase(phase);
        self.close();
        self.current = (phase, Instant::now());
    }

    /// The load has run: its wall time is split where the measured part began, and the phase behind it begins.
    pub fn loaded(&mut self, warmup: Duration) {
        let whole = self.current.1.elapsed();
        let warmup = warmup.min(whole);
        if warmup > Duration::ZERO {
            self.add(Phase::Warmup, warmup.as_secs_f64());
        }
        self.add(Phase::Measure, (whole - warmup).as_secs_f64());
        self.tracker.phase(Phase::Settle);
        self.current = (Phase::Settle, Instant::now());
    }

    /// The phase that is on.
    pub fn now(&self) -> Phase {
        self.current.0
    }

    /// Since the trial began.
    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// The last phase ends.
    pub fn end(mut self) -> Vec<(Phase, f64)> {
        self.close();
        self.done
    }

    fn close(&mut self) {
        let (phase, began) = self.current;
        self.add(phase, began.elapsed().as_secs_f64());
    }

    fn add(&mut self, phase: Phase, seconds: f64) {
        match self.done.iter_mut().find(|(done, _)| *done == phase) {
            Some((_, sum)) => *sum += seconds,
            None => self.done.push((phase, seconds)),
        }
    }
}
