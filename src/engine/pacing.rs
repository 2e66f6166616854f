//! When a client's next operation is to start.
//!
//! It must not know what the operation is. Invariant: an open loop's schedule is made from its seed alone, whatever the answers.

use std::time::{Duration, Instant};

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use crate::workload::load::{Arrival, Load, Pacing};

/// How many seconds a client may be behind its schedule before intended operations are dropped: nothing waits without bound.
const BACKLOG: f64 = 30.0;
/// Later than this after the intended start, an operation counts as late.
pub(super) const LATE: Duration = Duration::from_millis(1);

/// A client's schedule.
#[derive(Clone, Debug)]
pub(super) enum Schedule {
    /// At once.
    Closed,
    /// So long after the last start.
    MinInterval { interval: Duration, last: Option<Instant> },
    /// At intended moments.
    Open(Open),
}

/// An open loop's schedule for one client.
#[derive(Clone, Debug)]
pub(super) struct Open {
    /// Mean seconds between two starts.
    gap: f64,
    arrival: Arrival,
    random: Xoshiro256PlusPlus,
    /// Seconds from `origin` to the next intended start: of evenly spaced ones, how many there were and where the first lies.
    next: f64,
    count: u64,
    first: f64,
    origin: Option<Instant>,
}

/// The next start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Start {
    /// Wait until then; none: at once.
    pub(super) at: Option<Instant>,
    /// Whether `at` is an intended start that response time counts from.
    pub(super) intended: bool,
    /// Intended operations skipped, because too many were waiting.
    pub(super) dropped: u64,
}

impl Schedule {
    /// Client `client`'s schedule. Each client of an open loop has its share of the rate; evenly spaced ones are staggered.
    pub(super) fn new(load: &Load, client: u32, seed: u64) -> Self {
        match load.pacing {
            Pacing::Closed => Schedule::Closed,
            Pacing::MinInterval(interval) => Schedule::MinInterval { interval, last: None },
            Pacing::Open { rate, arrival } => {
                let random = Xoshiro256PlusPlus::seed_from_u64(seed ^ (u64::from(client) << 32));
                let gap = f64::from(load.clients.max(1)) / rate;
                let mut open =
                    Open { gap, arrival, random, next: 0.0, count: 0, first: f64::from(client) / rate, origin: None };
                open.advance();
                Schedule::Open(open)
            }
        }
    }

    /// When the next operation is to start, seen from `now`.
    pub(super) fn next(&mut self, now: Instant) -> Start {
        match self {
            Schedule::Closed => Start { at: None, intended: false, dropped: 0 },
            Schedule::MinInterval { interval, last } => {
                let at = last.map_or(now, |last| (last + *interval).max(now));
                *last = Some(at);
                Start { at: (at > now).then_some(at), intended: false, dropped: 0 }
            }
            Schedule::Open(open) => open.next(now),
        }
    }

    /// Notes that the operation really began now: later than meant, where the wait was inexact.
    pub(super) fn began(&mut self, now: Instant) {
        if let Schedule::MinInterval { last, .. } = self {
            *last = Some(now);
        }
    }
}

impl Open {
    fn next(&mut self, now: Instant) -> Start {
        let origin = *self.origin.get_or_insert(now);
        let elapsed = now.duration_since(origin).as_secs_f64();
        let mut dropped = 0;
        while elapsed - self.next > BACKLOG {
            self.advance();
            dropped += 1;
        }
        let at = origin + Duration::from_secs_f64(self.next);
        self.advance();
        Start { at: Some(at), intended: true, dropped }
    }

    /// Goes on to the next intended start.
    fn advance(&mut self) {
        match self.arrival {
            Arrival::Uniform => {
                self.next = self.first + self.count as f64 * self.gap;
                self.count += 1;
            }
            Arrival::Poisson => {
                // 53 random bits, never zero: the logarithm is finite.
                let uniform = ((self.random.next_u64() >> 11) + 1) as f64 / (1u64 << 53) as f64;
                self.next -= uniform.ln() * self.gap;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(arrival: Arrival, clients: u32, rate: f64) -> Load {
        let pacing = Pacing::Open { rate, arrival };
        Load { clients, cores: Vec::new(), pacing, warmup: None, duration: None }
    }

    #[test]
    fn uniform_clients_share_the_rate_staggered() {
        let now = Instant::now();
        let load = load(Arrival::Uniform, 4, 100.0);
        let starts: Vec<Duration> =
            (0..4).map(|client| Schedule::new(&load, client, 1).next(now).at.unwrap() - now).collect();
        assert_eq!(starts, [0, 10, 20, 30].map(Duration::from_millis));
    }

    #[test]
    fn poisson_keeps_the_mean_rate() {
        let now = Instant::now();
        let mut schedule = Schedule::new(&load(Arrival::Poisson, 1, 1000.0), 0, 7);
        let last = (0..10_000).map(|_| schedule.next(now).at.unwrap()).last().unwrap();
        let seconds = (last - now).as_secs_f64();
        assert!((9.5..10.5).contains(&seconds), "{seconds}");
    }

    #[test]
    fn a_backlog_is_bounded_and_dropped_operations_are_counted() {
        let now = Instant::now();
        let mut schedule = Schedule::new(&load(Arrival::Uniform, 1, 1000.0), 0, 7);
        schedule.next(now);
        assert_eq!(schedule.next(now + Duration::from_secs(5)).dropped, 0);
        let start = schedule.next(now + Duration::from_secs(35));
        assert_eq!(start.dropped, 4998);
        assert!(start.intended);
    }
}
