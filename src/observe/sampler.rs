//! A thread that takes readings at an interval, and the thinning of long series.
//!
//! It must not know what is read. Invariant: the first and the last reading are always kept.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::reading::Reading;

/// Takes readings until it is stopped.
#[derive(Debug)]
pub struct Sampler {
    stop: Sender<()>,
    thread: JoinHandle<Vec<Reading>>,
}

impl Sampler {
    /// Starts the thread; it reads at once, and then each `interval`. A reading's `at_ms` counts from `origin`, which may lie
    /// in the future. None where the system gives no thread.
    pub fn start(
        origin: Instant,
        interval: Duration,
        read: impl Fn() -> Option<Reading> + Send + 'static,
    ) -> Option<Self> {
        let (stop, stopped) = channel();
        let work = move || {
            let mut readings = Vec::new();
            let mut next = Instant::now();
            loop {
                readings.extend(read_at(origin, &read));
                // Kept to the grid: a slow reading shifts no later one.
                next = (next + interval).max(Instant::now());
                match stopped.recv_timeout(next.saturating_duration_since(Instant::now())) {
                    Err(RecvTimeoutError::Timeout) => {}
                    Ok(()) | Err(RecvTimeoutError::Disconnected) => break,
                }
            }
            readings.extend(read_at(origin, &read));
            readings
        };
        let thread = std::thread::Builder::new().name("sampler".to_owned()).spawn(work).ok()?;
        Some(Sampler { stop, thread })
    }

    /// Takes a last reading and answers all of them, in order of time.
    pub fn stop(self) -> Vec<Reading> {
        drop(self.stop);
        self.thread.join().unwrap_or_default()
    }
}

fn read_at(origin: Instant, read: &impl Fn() -> Option<Reading>) -> Option<Reading> {
    let reading = read()?;
    Some(Reading { at_ms: milliseconds_since(origin, Instant::now()), ..reading })
}

fn milliseconds_since(origin: Instant, now: Instant) -> i64 {
    match now.checked_duration_since(origin) {
        Some(after) => i64::try_from(after.as_millis()).unwrap_or(i64::MAX),
        None => -i64::try_from(origin.duration_since(now).as_millis()).unwrap_or(i64::MAX),
    }
}

/// At most `most` readings, evenly spread over those given; the first and the last stay. Fewer than two can't be asked for.
pub fn thin(readings: Vec<Reading>, most: usize) -> Vec<Reading> {
    let (count, most) = (readings.len(), most.max(2));
    if count <= most {
        return readings;
    }
    let last = count - 1;
    let mut wanted = (0..most).map(|step| step * last / (most - 1)).peekable();
    let keep = |(index, reading)| wanted.next_if_eq(&index).map(|_| reading);
    readings.into_iter().enumerate().filter_map(keep).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    use proptest::prelude::*;

    use super::*;

    fn numbered(count: usize) -> Vec<Reading> {
        (0..count).map(|at| Reading { at_ms: at as i64, ..Reading::default() }).collect()
    }

    proptest! {
        #[test]
        fn thinning_keeps_the_ends_the_order_and_the_limit(count in 0usize..3000, most in 2usize..1200) {
            let thinned = thin(numbered(count), most);
            prop_assert_eq!(thinned.len(), count.min(most));
            prop_assert_eq!(thinned.first().map(|r| r.at_ms), (count > 0).then_some(0));
            prop_assert_eq!(thinned.last().map(|r| r.at_ms), (count > 0).then_some(count as i64 - 1));
            prop_assert!(thinned.windows(2).all(|pair| pair[0].at_ms < pair[1].at_ms));
        }
    }

    #[test]
    fn a_sampler_reads_at_both_ends_and_between() {
        let count = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&count);
        let origin = Instant::now() + Duration::from_secs(3600);
        let sampler = Sampler::start(origin, Duration::from_millis(5), move || {
            Some(Reading { memory_bytes: Some(counted.fetch_add(1, Ordering::Relaxed)), ..Reading::default() })
        })
        .unwrap();
        while count.load(Ordering::Relaxed) < 3 {
            std::thread::sleep(Duration::from_millis(1));
        }
        let readings = sampler.stop();
        assert!(readings.len() >= 4);
        assert!(
            readings
                .windows(2)
                .all(|pair| pair[0].at_ms <= pair[1].at_ms && pair[0].memory_bytes < pair[1].memory_bytes)
        );
        assert!(readings.iter().all(|reading| reading.at_ms < -3_500_000));
    }

    #[test]
    fn stopping_does_not_wait_for_the_interval_and_absent_readings_are_left_out() {
        let began = Instant::now();
        let sampler = Sampler::start(began, Duration::from_secs(600), || None).unwrap();
        assert!(sampler.stop().is_empty());
        assert!(began.elapsed() < Duration::from_secs(60));
    }
}
