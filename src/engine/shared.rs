//! What a load's threads share: the job, the moments that all must agree on, and how it ended.
//!
//! It must not hold anything that an operation changes. Invariant: the measured part begins once, for all clients.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use super::types::{Control, Ending, Job, StopKind};
use crate::workload::load::Warmup;

/// What clients are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Signal {
    /// Connect, and wait.
    Wait,
    /// Begin.
    Go,
    /// Leave at once, whatever runs.
    Leave,
}

/// The beginning of the measured part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beginning {
    pub(super) at: Instant,
    /// The process's CPU time then.
    pub(super) cpu: Duration,
}

/// What all threads of a load see.
pub(super) struct Shared {
    pub(super) job: Job,
    pub(super) control: Arc<Control>,
    /// When the clients were told to begin.
    pub(super) go: OnceLock<Instant>,
    beginning: OnceLock<Beginning>,
    warmup_left: AtomicU64,
    over: AtomicBool,
    ending: Mutex<Ending>,
}

impl Shared {
    pub(super) fn new(job: Job, control: Arc<Control>) -> Self {
        let warmup_left = match job.load.warmup {
            Some(Warmup::Operations(count)) => count,
            _ => 0,
        };
        Shared {
            job,
            control,
            go: OnceLock::new(),
            beginning: OnceLock::new(),
            warmup_left: AtomicU64::new(warmup_left),
            over: AtomicBool::new(false),
            ending: Mutex::new(Ending::Finished),
        }
    }

    /// Whether no new operation may start.
    #[inline]
    pub(super) fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed) || self.control.stop.load(Ordering::Relaxed) != StopKind::None as u8
    }

    /// Begins the measured part, unless another client has.
    pub(super) fn begin(&self) -> Beginning {
        *self.beginning.get_or_init(|| {
            self.control.measuring.store(true, Ordering::Relaxed);
            Beginning { at: Instant::now(), cpu: process_cpu() }
        })
    }

    /// The beginning of the measured part, if it has begun.
    pub(super) fn beginning(&self) -> Option<Beginning> {
        self.beginning.get().copied()
    }

    /// Whether the warm-up goes on at this moment; takes one operation from it.
    pub(super) fn warm_up_goes_on(&self, now: Instant) -> bool {
        match self.job.load.warmup {
            None => false,
            Some(Warmup::Time(time)) => self.go.get().is_some_and(|go| now.duration_since(*go) < time),
            Some(Warmup::Operations(_)) => {
                let take = |left: u64| left.checked_sub(1);
                self.warmup_left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_ok()
            }
        }
    }

    /// Ends the load for this reason; an earlier, graver reason stays.
    pub(super) fn end(&self, ending: Ending) {
        if ending != Ending::Finished && ending != Ending::TimeLimit {
            self.over.store(true, Ordering::Relaxed);
        }
        let mut current = self.ending.lock().unwrap_or_else(PoisonError::into_inner);
        if gravity(&ending) > gravity(&current) {
            *current = ending;
        }
    }

    /// How the load ended.
    pub(super) fn ending(&self) -> Ending {
        self.ending.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn gravity(ending: &Ending) -> u8 {
    match ending {
        Ending::Finished => 0,
        Ending::TimeLimit => 1,
        Ending::Stopped => 2,
        Ending::Errors => 3,
        Ending::NoConnection(_) => 4,
    }
}

/// CPU time that this process has used so far, user and system.
pub(super) fn process_cpu() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
