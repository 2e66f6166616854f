//! The load as a whole: workers are started, told to begin, watched and gathered.
//!
//! It must not touch a session. Invariant: it ends even when a driver never returns: five seconds after a graceful stop.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use tokio::sync::watch;

use super::merge::outcome;
use super::shared::{Shared, Signal};
use super::tally::Tally;
use super::types::{Control, Ending, Job, Outcome, StopKind};
use super::worker::{Report, Reporter, start};
use crate::driver::error::{DriverError, ErrorClass};

/// How often the coordinator looks.
const LOOK: Duration = Duration::from_millis(20);
/// How long running operations get after a graceful stop.
const GRACE: Duration = Duration::from_secs(5);
/// How long workers get to report after they were told to leave.
const LEAVE: Duration = Duration::from_millis(500);

/// Runs a job's load on threads of its own and answers what it did. Blocks until then.
pub fn run(job: Job, control: Arc<Control>) -> Outcome {
    let shared = Arc::new(Shared::new(job, control));
    let (sender, reports) = channel();
    let (signal, signalled) = watch::channel(Signal::Wait);
    let mut gathering = Gathering { shared: Arc::clone(&shared), reports, signal, workers: 0, tallies: Vec::new() };
    match start(&shared, &Reporter(sender), &signalled) {
        Ok(workers) => gathering.workers = workers,
        Err(error) => {
            shared.end(Ending::NoConnection(error));
            gathering.leave();
            return outcome(&shared, Vec::new());
        }
    }
    if gathering.connect() {
        gathering.begin();
        gathering.watch();
    }
    gathering.leave();
    outcome(&shared, gathering.tallies)
}

struct Gathering {
    shared: Arc<Shared>,
    reports: Receiver<Report>,
    signal: watch::Sender<Signal>,
    workers: usize,
    tallies: Vec<Tally>,
}

impl Gathering {
    /// Waits until every client has connected. False: one has not, or the load was stopped before.
    fn connect(&mut self) -> bool {
        let mut waiting = self.shared.job.load.clients;
        while waiting > 0 {
            match self.reports.recv_timeout(LOOK) {
                Ok(Report::Connected(Ok(()))) => waiting -= 1,
                Ok(Report::Connected(Err(error))) => {
                    self.shared.end(Ending::NoConnection(error));
                    return false;
                }
                Ok(Report::Worker(tally)) => self.tallies.push(*tally),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    let words = "a client's thread ended before it had connected";
                    self.shared.end(Ending::NoConnection(DriverError::new(ErrorClass::LostConnection, words)));
                    return false;
                }
            }
            if self.stop() != StopKind::None {
                self.shared.end(Ending::Stopped);
                return false;
            }
        }
        true
    }

    fn begin(&self) {
        self.shared.go.get_or_init(Instant::now);
        self.signal.send_replace(Signal::Go);
    }

    /// Gathers tallies until all are there, or a stop's time is over.
    fn watch(&mut self) {
        let mut stopped: Option<Instant> = None;
        let mut suspect = false;
        while self.tallies.len() < self.workers {
            match self.reports.recv_timeout(LOOK) {
                Ok(Report::Worker(tally)) => self.tallies.push(*tally),
                Ok(Report::Connected(_)) | Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            // Counts are published a little late: too many failures must be seen twice.
            let excess = self.too_many_failures();
            if excess && suspect {
                self.shared.end(Ending::Errors);
            }
            suspect = excess;
            if self.shared.is_over() {
                let since = *stopped.get_or_insert_with(Instant::now);
                if self.stop() == StopKind::Now || since.elapsed() > GRACE {
                    self.shared.end(Ending::Stopped);
                    return;
                }
            }
        }
    }

    fn stop(&self) -> StopKind {
        match self.shared.control.stop.load(Ordering::Relaxed) {
            0 => StopKind::None,
            1 => StopKind::Graceful,
            _ => StopKind::Now,
        }
    }

    fn too_many_failures(&self) -> bool {
        let (control, policy) = (&self.shared.control, self.shared.job.errors);
        let failed = control.errors.load(Ordering::Relaxed);
        let attempted = failed + control.operations.load(Ordering::Relaxed);
        failed > 0 && attempted >= policy.after && failed as f64 > policy.threshold * attempted as f64
    }

    /// Tells all to leave and takes the tallies that still come.
    fn leave(&mut self) {
        self.signal.send_replace(Signal::Leave);
        let until = Instant::now() + LEAVE;
        while self.tallies.len() < self.workers {
            match self.reports.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(Report::Worker(tally)) => self.tallies.push(*tally),
                Ok(Report::Connected(_)) => {}
                Err(_) => return,
            }
        }
    }
}
