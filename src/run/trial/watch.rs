//! Watches a trial while its load runs: signals, limits, progress, the server's life, the disk.
//!
//! It must not judge what it sees. Invariant: whatever goes wrong, the load is told to end within a second.

use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use super::verdict::Cause;
use crate::engine::types::{Control, StopKind};
use crate::provision::types::{Instance, Life};
use crate::run::disk::Guard;
use crate::run::signals::Stops;

/// How often the clock, the signals and the progress are looked at.
const LOOK: Duration = Duration::from_millis(100);
/// How often the server is asked whether it lives.
const LIFE: Duration = Duration::from_millis(500);
/// How often the disk is looked at.
const DISK: Duration = Duration::from_secs(5);

/// A limit in time, and what is said when it is reached.
#[derive(Clone, Debug)]
pub struct Deadline {
    /// When.
    pub at: Instant,
    /// What it then is.
    pub cause: Cause,
}

/// What can end a step of a trial from outside.
#[derive(Clone)]
pub struct Limits<'a> {
    /// Signals.
    pub stops: &'a Stops,
    /// The trial's and the suite's limits.
    pub deadlines: Vec<Deadline>,
    /// How long the load may make no progress.
    pub stall: Duration,
    /// The disks that must not fill up.
    pub guard: &'a Guard,
}

impl Limits<'_> {
    /// Comes back when a signal or a limit ends the trial.
    pub async fn reached(&self) -> Cause {
        let first = self.deadlines.iter().min_by_key(|deadline| deadline.at);
        match first {
            Some(deadline) => {
                tokio::select! {
                    () = self.stops.wait() => Cause::Signal,
                    () = tokio::time::sleep_until(deadline.at.into()) => deadline.cause.clone(),
                }
            }
            None => {
                self.stops.wait().await;
                Cause::Signal
            }
        }
    }

    /// Runs one step to its end, or until a signal or a limit ends it; then the step is dropped.
    ///
    /// # Errors
    /// What ended it.
    pub async fn step<T>(&self, step: impl Future<Output = T>) -> Result<T, Cause> {
        tokio::select! {
            biased;
            done = step => Ok(done),
            cause = self.reached() => Err(cause),
        }
    }

    /// Watches a load; comes back only when something must end it.
    pub async fn watch(&self, instance: &dyn Instance, control: &Control) -> Cause {
        tokio::select! {
            cause = self.reached() => cause,
            cause = self.stalled(control) => cause,
            cause = died(instance) => cause,
            cause = self.disk_full() => cause,
        }
    }

    async fn stalled(&self, control: &Control) -> Cause {
        let seen = || (control.heartbeat.load(Relaxed), control.operations.load(Relaxed), control.errors.load(Relaxed));
        let (mut last, mut since) = (seen(), Instant::now());
        loop {
            tokio::time::sleep(LOOK).await;
            let now = seen();
            if now != last {
                (last, since) = (now, Instant::now());
            } else if since.elapsed() >= self.stall {
                return Cause::Stalled(self.stall);
            }
        }
    }

    async fn disk_full(&self) -> Cause {
        loop {
            if let Some(how) = self.guard.nearly_full() {
                return Cause::DiskFull(how);
            }
            tokio::time::sleep(DISK).await;
        }
    }
}

/// Comes back when the instance has ended. One that is only knocked at, without an exit code, must be silent twice.
async fn died(instance: &dyn Instance) -> Cause {
    let mut silent = false;
    loop {
        tokio::time::sleep(LIFE).await;
        match ended(instance).await {
            Some(Cause::Died { exit_code: None, out_of_memory: false }) if !silent => silent = true,
            Some(cause) => return cause,
            None => silent = false,
        }
    }
}

/// How the instance ended; none: it lives.
pub async fn ended(instance: &dyn Instance) -> Option<Cause> {
    match instance.life().await {
        Life::Running => None,
        Life::Ended { exit_code, out_of_memory } => Some(Cause::Died { exit_code, out_of_memory }),
    }
}

/// How the load is told to end for a cause.
pub fn stop_kind(cause: &Cause) -> StopKind {
    match cause {
        Cause::Signal | Cause::TrialLimit(_) | Cause::SuiteLimit(_) | Cause::DiskFull(_) => StopKind::Graceful,
        Cause::Stalled(_) | Cause::Died { .. } => StopKind::Now,
    }
}

/// Tells the load to end; never takes a harder word back.
pub fn tell(control: &Control, kind: StopKind) {
    control.stop.fetch_max(kind as u8, Relaxed);
}
