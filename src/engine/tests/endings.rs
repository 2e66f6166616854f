//! How a load ends: by itself, by its limit, by a stop, and never not at all.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::scripted::{Reply, Scripted, counts, job, run, small};
use crate::driver::error::ErrorClass;
use crate::engine::types::{Control, Ending, Job, Outcome, StopKind};

const MS: Duration = Duration::from_millis(1);

/// Runs a job, and stops it after a while.
fn stopped(job: Job, kind: StopKind, after: Duration) -> (Outcome, Duration) {
    let control = Arc::new(Control::default());
    let begun = Instant::now();
    let stopping = Arc::clone(&control);
    let stopper = std::thread::spawn(move || {
        std::thread::sleep(after);
        stopping.stop.store(kind as u8, Ordering::Relaxed);
    });
    let outcome = crate::engine::run(job, control);
    stopper.join().unwrap();
    (outcome, begun.elapsed())
}

#[test]
fn m17_a_time_limit_ends_at_most_one_operation_later() {
    for blocking in [true, false] {
        let driver = Scripted::taking(20 * MS);
        let driver = if blocking { driver.blocking() } else { driver };
        let seen = driver.seen();
        let mut job = job(&*small(3, 1_000_000_000), driver);
        job.load.duration = Some(200 * MS);
        let outcome = run(job);
        assert_eq!(outcome.ending, Ending::TimeLimit);
        assert!(outcome.elapsed >= 190 * MS && outcome.elapsed < 1000 * MS, "{:?}", outcome.elapsed);
        // Each client may have looked at the clock just before the limit, and begun just after it.
        let limit = outcome.started.unwrap() + 201 * MS;
        let after = seen.begun.lock().unwrap().iter().filter(|begun| **begun > limit).count();
        assert!(after <= 3, "{after} operations began after the limit");
        assert_eq!(counts(&outcome), (seen.operations.load(Ordering::SeqCst), 0));
    }
}

#[test]
fn one_client_that_can_not_connect_ends_all() {
    for blocking in [true, false] {
        let driver = Scripted::taking(MS).refusing(|n| n == 3);
        let driver = if blocking { driver.blocking() } else { driver };
        let seen = driver.seen();
        let begun = Instant::now();
        let outcome = run(job(&*small(5, 10), driver));
        assert!(matches!(&outcome.ending, Ending::NoConnection(error) if error.class == ErrorClass::Refused));
        assert!(begun.elapsed() < Duration::from_secs(10));
        assert_eq!(seen.operations.load(Ordering::SeqCst), 0);
        assert_eq!(outcome.started, None);
    }
}

#[test]
fn a_graceful_stop_lets_running_operations_end() {
    let driver = Scripted::taking(150 * MS);
    let seen = driver.seen();
    let (outcome, elapsed) = stopped(job(&*small(4, 1_000), driver), StopKind::Graceful, 50 * MS);
    assert_eq!(outcome.ending, Ending::Stopped);
    assert!(elapsed < 2000 * MS, "{elapsed:?}");
    assert_eq!(counts(&outcome), (seen.operations.load(Ordering::SeqCst), 0));
}

#[test]
fn a_stop_at_once_waits_for_nothing_and_keeps_what_was_measured() {
    let driver = Scripted::new(|n| if n < 10 { (Duration::ZERO, Reply::Good) } else { (MS, Reply::Never) });
    let (outcome, elapsed) = stopped(job(&*small(2, 1_000), driver), StopKind::Now, 100 * MS);
    assert_eq!(outcome.ending, Ending::Stopped);
    assert!(elapsed < 2000 * MS, "{elapsed:?}");
    assert_eq!(counts(&outcome), (10, 0));
}

#[test]
fn a_driver_that_panics_ends_the_load_with_words() {
    for blocking in [true, false] {
        let driver = Scripted::new(|n| (MS, if n == 5 { Reply::Panic } else { Reply::Good }));
        let driver = if blocking { driver.blocking() } else { driver };
        let outcome = run(job(&*small(3, 1_000), driver));
        assert_eq!(outcome.ending, Ending::Errors);
        assert!(outcome.errors[0].message.contains("panicked"), "{:?}", outcome.errors);
    }
}

#[test]
fn progress_is_seen_from_outside() {
    let control = Arc::new(Control::default());
    let outcome = crate::engine::run(job(&*small(3, 40), Scripted::taking(MS)), Arc::clone(&control));
    assert_eq!(counts(&outcome), (120, 0));
    assert!(control.measuring.load(Ordering::Relaxed));
    assert_eq!(control.operations.load(Ordering::Relaxed), 120);
    assert_eq!(control.points.load(Ordering::Relaxed), 120);
    assert_eq!(control.heartbeat.load(Ordering::Relaxed), 120);
}
