//! Workers: the threads that clients run on, and how they report.
//!
//! They must not know what an operation is. Invariant: a worker reports its tally exactly once, cancelled or not, unless its
//! driver never returns.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Instant;

use futures_util::future::join_all;
use rustix::thread::{CpuSet, sched_setaffinity};
use tokio::sync::watch;

use super::client::{Seat, drive};
use super::shared::{Shared, Signal};
use super::tally::Tally;
use super::types::Ending;
use crate::driver::error::{DriverError, ErrorClass};
use crate::workload::operation::OperationKind;

/// Enough for a client's stack; blocking drivers have a thread a client.
const STACK_BYTES: usize = 512 * 1024;

/// What workers say.
#[derive(Debug)]
pub(super) enum Report {
    /// One client has connected, or has not.
    Connected(Result<(), DriverError>),
    /// One worker has ended.
    Worker(Box<Tally>),
}

/// A client's way to speak.
#[derive(Clone, Debug)]
pub(super) struct Reporter(pub(super) Sender<Report>);

impl Reporter {
    pub(super) fn connected(&self, result: Result<(), DriverError>) {
        // A coordinator that has gone needs no report.
        let _ = self.0.send(Report::Connected(result));
    }
}

/// Starts the workers: a thread a client for a blocking driver, else one a core. Answers how many.
///
/// # Errors
/// When a thread can't be started.
pub(super) fn start(
    shared: &Arc<Shared>,
    reporter: &Reporter,
    signal: &watch::Receiver<Signal>,
) -> Result<usize, DriverError> {
    let clients = shared.job.load.clients;
    let workers = if shared.job.driver.blocks() { clients } else { clients.min(cores(shared)) };
    for worker in 0..workers {
        let seats: Vec<u32> = (worker..clients).step_by(workers as usize).collect();
        let (shared, reporter, signal) = (Arc::clone(shared), reporter.clone(), signal.clone());
        std::thread::Builder::new()
            .name(format!("worker-{worker}"))
            .stack_size(STACK_BYTES)
            .spawn(move || run(&shared, worker, &seats, &reporter, signal))
            .map_err(|error| DriverError::new(ErrorClass::Refused, format!("a client's thread: {error}")))?;
    }
    Ok(workers as usize)
}

fn cores(shared: &Shared) -> u32 {
    match shared.job.load.cores.len() {
        0 => std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32),
        given => given as u32,
    }
}

fn run(shared: &Arc<Shared>, worker: u32, clients: &[u32], reporter: &Reporter, signal: watch::Receiver<Signal>) {
    pin(shared, worker);
    let tally = Rc::new(RefCell::new(Tally::new(clients.len())));
    match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime.block_on(drive_all(shared, clients, &tally, reporter, signal)),
        Err(error) => {
            let error = DriverError::new(ErrorClass::Refused, format!("a worker's runtime: {error}"));
            clients.iter().for_each(|_| reporter.connected(Err(error.clone())));
        }
    }
    tally.borrow_mut().publish(&shared.control, Instant::now());
    let _ = reporter.0.send(Report::Worker(Box::new(tally.take())));
}

/// Drives the worker's clients until all have ended or all are to leave.
async fn drive_all(
    shared: &Arc<Shared>,
    clients: &[u32],
    tally: &Rc<RefCell<Tally>>,
    reporter: &Reporter,
    signal: watch::Receiver<Signal>,
) {
    let seats = clients.iter().enumerate().map(|(slot, client)| Seat { client: *client, slot });
    let driven = seats.map(|seat| drive(Arc::clone(shared), seat, Rc::clone(tally), reporter.clone(), signal.clone()));
    let mut leave = signal.clone();
    let tasks = tokio::task::LocalSet::new();
    let handles: Vec<_> = driven.map(|client| tasks.spawn_local(client)).collect();
    tasks
        .run_until(async {
            tokio::select! {
                ended = join_all(handles) => {
                    for error in ended.into_iter().filter_map(Result::err) {
                        panicked(shared, tally, reporter, &error.to_string());
                    }
                }
                _ = leave.wait_for(|signal| *signal == Signal::Leave) => {}
            }
        })
        .await;
}

/// A client that panicked ends the load: what it did not do would be missing without a word.
fn panicked(shared: &Shared, tally: &RefCell<Tally>, reporter: &Reporter, words: &str) {
    let error = DriverError::new(ErrorClass::Rejected, format!("a client ended in the middle: {words}"));
    tally.borrow_mut().count_error(OperationKind::Ingestion, error.clone());
    shared.end(Ending::Errors);
    // It may have happened while connecting, which is still waited for.
    reporter.connected(Err(error));
}

/// Keeps the thread on the client's cores: a runtime a core on its own, a blocking client's thread on any of them.
fn pin(shared: &Shared, worker: u32) {
    let cores = &shared.job.load.cores;
    if cores.is_empty() {
        return;
    }
    let mut set = CpuSet::new();
    if shared.job.driver.blocks() {
        cores.iter().for_each(|core| set.set(*core as usize));
    } else {
        set.set(cores[worker as usize % cores.len()] as usize);
    }
    // A core that this process may not use is no reason to fail: the scheduler places the thread.
    let _ = sched_setaffinity(None, &set);
}
