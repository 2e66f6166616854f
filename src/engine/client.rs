//! One client: connects, warms up, measures, and reconnects when its connection is lost.
//!
//! It must not know other clients. Invariant: between warm-up and measured part there is neither a pause nor a reconnection.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::watch;

use super::operate::{self, Operated};
use super::pacing::{LATE, Schedule};
use super::shared::{Shared, Signal};
use super::tally::Tally;
use super::timer::Timer;
use super::types::Ending;
use super::worker::Reporter;
use crate::driver::error::{DriverError, ErrorClass};
use crate::driver::protocol::Session;
use crate::driver::types::Answer;
use crate::workload::batch::Batch;
use crate::workload::operation::OperationKind;
use crate::workload::stream::{Part, Step};

/// How long a lost connection is tried anew before the load ends.
const RECONNECT_LIMIT: Duration = Duration::from_secs(10);
/// The longest nap between two looks at whether the load is over.
const NAP: Duration = Duration::from_millis(100);

/// A client's place: its number, and its slot in its worker's tally.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seat {
    pub(super) client: u32,
    pub(super) slot: usize,
}

struct Client {
    shared: Arc<Shared>,
    seat: Seat,
    tally: Rc<RefCell<Tally>>,
    session: Box<dyn Session>,
    schedule: Schedule,
    /// For a paced client of a driver that does not block.
    timer: Option<Timer>,
    batch: Batch,
    answer: Answer,
    /// Kinds that have a sample already, by index.
    sampled: [bool; 13],
}

/// Runs one client to its end.
pub(super) async fn drive(
    shared: Arc<Shared>,
    seat: Seat,
    tally: Rc<RefCell<Tally>>,
    reporter: Reporter,
    mut signal: watch::Receiver<Signal>,
) {
    let session = match operate::connect(&shared.job).await {
        Ok(session) => session,
        Err(error) => return reporter.connected(Err(error)),
    };
    reporter.connected(Ok(()));
    // A sender that is gone means that there is nothing to begin.
    if !signal.wait_for(|signal| *signal != Signal::Wait).await.is_ok_and(|signal| *signal == Signal::Go) {
        return;
    }
    let schedule = Schedule::new(&shared.job.load, seat.client, shared.job.seed);
    let paced = !matches!(schedule, Schedule::Closed) && !shared.job.driver.blocks();
    let timer = if paced { Timer::new() } else { None };
    let (batch, answer) = (Batch::default(), Answer::default());
    let mut client = Client { shared, seat, tally, session, schedule, timer, batch, answer, sampled: [false; 13] };
    client.warm_up().await;
    client.measure().await;
    client.tally.borrow_mut().add_checksum(client.session.checksum());
}

impl Client {
    async fn warm_up(&mut self) {
        if self.shared.job.load.warmup.is_none() {
            return;
        }
        let mut stream = self.shared.job.workload.stream(self.seat.client, Part::Warmup);
        let go = self.shared.go.get().copied().unwrap_or_else(Instant::now);
        while !self.shared.is_over() && self.shared.warm_up_goes_on(Instant::now()) {
            let Some(step) = stream.next(&mut self.batch) else { return };
            if self.wait_for_turn(None).await.is_none() {
                return;
            }
            let (kind, operated) = self.operate(step, false).await;
            let after = operated.times.ended.duration_since(go);
            {
                let mut tally = self.tally.borrow_mut();
                tally.beat(&self.shared.control, operated.times.ended);
                tally.record_warmup(kind, operated.times, &operated.done, after);
            }
            if let Some(error) = operated.done.failure {
                if self.ends_all(&error) {
                    // A failure of the warm-up is in no operation's count; the one that ends the load is told all the same.
                    self.tally.borrow_mut().count_error(kind, error.clone());
                }
                self.after_failure(&error).await;
            }
        }
    }

    async fn measure(&mut self) {
        let mut stream = self.shared.job.workload.stream(self.seat.client, Part::Measured);
        if self.shared.is_over() {
            return self.shared.end(Ending::Stopped);
        }
        let beginning = self.shared.begin().at;
        let deadline = self.shared.job.load.duration.map(|duration| beginning + duration);
        let mut now = Instant::now();
        loop {
            if self.shared.is_over() {
                return self.shared.end(Ending::Stopped);
            }
            if deadline.is_some_and(|deadline| now >= deadline) {
                return self.shared.end(Ending::TimeLimit);
            }
            let Some(step) = stream.next(&mut self.batch) else { return };
            let Some(intended) = self.wait_for_turn(deadline).await else {
                now = Instant::now();
                continue;
            };
            let (kind, mut operated) = self.operate(step, true).await;
            operated.times.intended = intended;
            now = operated.times.ended;
            let failure = operated.done.failure.clone();
            let refused_part = operated.done.partial.is_some();
            {
                let mut tally = self.tally.borrow_mut();
                tally.retries += operated.retries;
                tally.beat(&self.shared.control, now);
                tally.record(self.seat.slot, kind, operated.times, operated.done, beginning);
            }
            if let Some(error) = failure {
                self.after_failure(&error).await;
                now = Instant::now();
            } else if refused_part && self.shared.job.errors.abort {
                return self.shared.end(Ending::Errors);
            }
        }
    }

    /// Waits for the next start. None: the load is over, or the time limit comes first.
    async fn wait_for_turn(&mut self, deadline: Option<Instant>) -> Option<Option<Instant>> {
        if matches!(self.schedule, Schedule::Closed) {
            return Some(None);
        }
        let start = self.schedule.next(Instant::now());
        self.tally.borrow_mut().dropped += start.dropped;
        let Some(at) = start.at else { return Some(None) };
        let until = deadline.map_or(at, |deadline| at.min(deadline));
        loop {
            let now = Instant::now();
            if now >= until {
                break;
            }
            if self.shared.is_over() {
                return None;
            }
            let nap = (until - now).min(NAP);
            match &self.timer {
                Some(timer) => timer.wait(nap).await,
                None => operate::wait(&self.shared.job, nap).await,
            }
        }
        if until < at {
            return None;
        }
        let now = Instant::now();
        self.schedule.began(now);
        if start.intended && now.saturating_duration_since(at) > LATE {
            self.tally.borrow_mut().late += 1;
        }
        Some(start.intended.then_some(at))
    }

    async fn operate(&mut self, step: Step, measured: bool) -> (OperationKind, Operated) {
        let job = &self.shared.job;
        match step {
            Step::Write => {
                let operated = operate::write(job, &mut *self.session, &self.batch).await;
                if measured && self.wants_sample(OperationKind::Ingestion.index(), &operated) {
                    let sample = operate::write_sample(&*self.session);
                    self.tally.borrow_mut().samples.push(sample);
                }
                (OperationKind::Ingestion, operated)
            }
            Step::Query(query) => {
                let statement = match job.statements.statement(&query) {
                    Ok(statement) => statement,
                    Err(error) => return (query.kind, operate::unrendered(error)),
                };
                let operated = operate::query(job, &mut *self.session, &statement, &mut self.answer).await;
                if measured && self.wants_sample(query.kind.index(), &operated) {
                    let sample = operate::query_sample(&query, &statement, &self.answer);
                    self.tally.borrow_mut().samples.push(sample);
                }
                (query.kind, operated)
            }
        }
    }

    /// Whether this operation is the first that succeeded of its kind on client 0; it is so once.
    fn wants_sample(&mut self, kind: usize, operated: &Operated) -> bool {
        let wanted = self.seat.client == 0 && operated.done.failure.is_none() && !self.sampled[kind];
        self.sampled[kind] |= wanted;
        wanted
    }

    /// Whether the load ends with this failure: nobody listens any more, or the policy bears none.
    fn ends_all(&self, error: &DriverError) -> bool {
        self.shared.job.errors.abort || error.class == ErrorClass::Refused
    }

    /// Ends the load, reconnects or goes on, as the failure and the policy want.
    async fn after_failure(&mut self, error: &DriverError) {
        if self.ends_all(error) {
            return self.shared.end(Ending::Errors);
        }
        if matches!(error.class, ErrorClass::LostConnection | ErrorClass::Timeout) {
            self.reconnect().await;
        }
    }

    async fn reconnect(&mut self) {
        self.tally.borrow_mut().add_checksum(self.session.checksum());
        let begun = Instant::now();
        for attempt in 1.. {
            if self.shared.is_over() {
                return;
            }
            match operate::connect(&self.shared.job).await {
                Ok(session) => {
                    self.session = session;
                    return;
                }
                Err(error) if begun.elapsed() > RECONNECT_LIMIT => {
                    return self.shared.end(Ending::NoConnection(error));
                }
                Err(_) => operate::wait(&self.shared.job, operate::backoff(attempt)).await,
            }
        }
    }
}
