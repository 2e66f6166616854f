//! What one worker's clients have done: counters, histograms, a series, failures, samples.
//!
//! It must not be shared between threads. Invariant: recording an operation allocates nothing, once its kind has been seen.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::types::{Control, Interval, Sample};
use crate::driver::error::{DriverError, ErrorClass};
use crate::stats::histogram::Latencies;
use crate::workload::operation::OperationKind;

/// How long counts may stay unpublished.
const PUBLISH_EVERY: Duration = Duration::from_millis(50);

/// One kind of operation.
#[derive(Clone, Debug, Default)]
pub(super) struct KindTally {
    pub(super) ok_operations: u64,
    pub(super) ok_points: u64,
    pub(super) ok_rows: u64,
    pub(super) failed_operations: u64,
    pub(super) failed_points: u64,
    pub(super) service: Latencies,
    pub(super) response: Option<Latencies>,
}

/// What became of one operation.
#[derive(Debug, Default)]
pub(super) struct Done {
    pub(super) ok_points: u64,
    pub(super) ok_rows: u64,
    pub(super) failed_points: u64,
    pub(super) bytes: u64,
    /// None: it succeeded, in part at least where `failed_points` says so.
    pub(super) failure: Option<DriverError>,
    /// Words about a part that was refused.
    pub(super) partial: Option<DriverError>,
}

/// When one operation was meant to start, started and ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Times {
    /// In an open loop.
    pub(super) intended: Option<Instant>,
    pub(super) started: Instant,
    pub(super) ended: Instant,
}

/// Sums of one second.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Second {
    pub(super) operations: u64,
    pub(super) points: u64,
    pub(super) errors: u64,
    pub(super) sum_ns: u64,
    pub(super) max_ns: u64,
}

impl Second {
    pub(super) fn add(&mut self, other: &Second) {
        self.operations += other.operations;
        self.points += other.points;
        self.errors += other.errors;
        self.sum_ns += other.sum_ns;
        self.max_ns = self.max_ns.max(other.max_ns);
    }

    pub(super) fn interval(&self, second: i64) -> Interval {
        let timed = self.operations > 0;
        Interval {
            second,
            operations: self.operations,
            points: self.points,
            errors: self.errors,
            mean_ns: timed.then(|| self.sum_ns / self.operations.max(1)),
            max_ns: timed.then_some(self.max_ns),
        }
    }
}

/// What one worker's clients have done.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) kinds: [Option<Box<KindTally>>; 13],
    /// Service time of each client and kind, nanoseconds.
    pub(super) client_time: Vec<[u64; 13]>,
    /// Measured seconds, from the beginning of the measured part.
    pub(super) seconds: Vec<Second>,
    /// Warm-up seconds, from the start of the warm-up.
    pub(super) warmup_seconds: Vec<Second>,
    pub(super) errors: BTreeMap<(OperationKind, ErrorClass), (String, u64)>,
    pub(super) samples: Vec<Sample>,
    pub(super) retries: u64,
    pub(super) warmup_points: u64,
    pub(super) bytes: u64,
    pub(super) first_start: Option<Instant>,
    pub(super) last_end: Option<Instant>,
    pub(super) late: u64,
    pub(super) dropped: u64,
    pub(super) checksum: Option<u64>,
    unpublished: Unpublished,
}

#[derive(Debug, Default)]
struct Unpublished {
    operations: u64,
    points: u64,
    errors: u64,
    begun: u64,
    since: Option<Instant>,
}

impl Tally {
    pub(super) fn new(clients: usize) -> Self {
        Tally { client_time: vec![[0; 13]; clients], ..Tally::default() }
    }

    /// Records one measured operation of the worker's client `seat`. `beginning` is the measured part's.
    #[inline]
    pub(super) fn record(&mut self, seat: usize, kind: OperationKind, times: Times, done: Done, beginning: Instant) {
        // An operation that began first need not end first.
        self.first_start = Some(self.first_start.map_or(times.started, |first| first.min(times.started)));
        self.last_end = self.last_end.max(Some(times.ended));
        self.bytes += done.bytes;
        let service = times.ended.duration_since(times.started);
        let second = slot(&mut self.seconds, times.ended.duration_since(beginning));
        let tally = self.kinds[kind.index()].get_or_insert_default();
        tally.failed_points += done.failed_points;
        match done.failure {
            None => {
                let nanos = service.as_nanos() as u64;
                second.operations += 1;
                second.points += done.ok_points;
                second.sum_ns += nanos;
                second.max_ns = second.max_ns.max(nanos);
                tally.ok_operations += 1;
                tally.ok_points += done.ok_points;
                tally.ok_rows += done.ok_rows;
                tally.service.record_nanos(nanos);
                if let Some(intended) = times.intended {
                    let response = times.ended.saturating_duration_since(intended);
                    tally.response.get_or_insert_default().record(response);
                }
                self.client_time[seat][kind.index()] += nanos;
                self.unpublished.operations += 1;
                self.unpublished.points += done.ok_points;
            }
            Some(error) => {
                second.errors += 1;
                tally.failed_operations += 1;
                self.unpublished.errors += 1;
                self.count_error(kind, error);
            }
        }
        if let Some(error) = done.partial {
            self.count_error(kind, error);
        }
    }

    /// Records one operation of the warm-up, `after` its start.
    pub(super) fn record_warmup(&mut self, kind: OperationKind, times: Times, done: &Done, after: Duration) {
        let second = slot(&mut self.warmup_seconds, after);
        let nanos = times.ended.duration_since(times.started).as_nanos() as u64;
        if done.failure.is_some() {
            second.errors += 1;
            return;
        }
        second.operations += 1;
        second.points += done.ok_points;
        second.sum_ns += nanos;
        second.max_ns = second.max_ns.max(nanos);
        if kind == OperationKind::Ingestion {
            self.warmup_points += done.ok_points;
        }
    }

    /// Counts a failure; only the first message of its kind is kept.
    pub(super) fn count_error(&mut self, kind: OperationKind, error: DriverError) {
        self.errors.entry((kind, error.class)).or_insert((error.message, 0)).1 += 1;
    }

    /// Adds a session's checksum.
    pub(super) fn add_checksum(&mut self, checksum: Option<u64>) {
        if let Some(sum) = checksum {
            self.checksum = Some(self.checksum.unwrap_or(0).wrapping_add(sum));
        }
    }

    /// Notes that an operation begins, and publishes the counts now and then.
    #[inline]
    pub(super) fn beat(&mut self, control: &Control, now: Instant) {
        self.unpublished.begun += 1;
        match self.unpublished.since {
            Some(since) if now.duration_since(since) < PUBLISH_EVERY => {}
            _ => self.publish(control, now),
        }
    }

    /// Publishes the counts.
    pub(super) fn publish(&mut self, control: &Control, now: Instant) {
        let counts = std::mem::take(&mut self.unpublished);
        control.operations.fetch_add(counts.operations, Ordering::Relaxed);
        control.points.fetch_add(counts.points, Ordering::Relaxed);
        control.errors.fetch_add(counts.errors, Ordering::Relaxed);
        control.heartbeat.fetch_add(counts.begun, Ordering::Relaxed);
        self.unpublished.since = Some(now);
    }
}

/// The second that `after` lies in.
#[inline]
fn slot(seconds: &mut Vec<Second>, after: Duration) -> &mut Second {
    let index = after.as_secs() as usize;
    if index >= seconds.len() {
        seconds.resize(index + 1, Second::default());
    }
    &mut seconds[index]
}
