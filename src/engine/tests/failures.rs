//! Failures: what is borne, what is tried again, what ends the load.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::scripted::{Reply, Scripted, counts, job, run, small};
use crate::driver::error::ErrorClass;
use crate::engine::types::{Ending, ErrorPolicy};

const MS: Duration = Duration::from_millis(1);

#[test]
fn s11_refused_in_the_middle_ends_at_once() {
    let driver = Scripted::new(|n| if n < 20 { (MS, Reply::Good) } else { (MS, Reply::Bad(ErrorClass::Refused)) });
    let begun = Instant::now();
    let outcome = run(job(&*small(4, 100_000), driver));
    assert_eq!(outcome.ending, Ending::Errors);
    assert!(begun.elapsed() < Duration::from_secs(10));
    let (ok, failed) = counts(&outcome);
    assert_eq!(ok, 20);
    assert!((1..=4).contains(&failed));
    assert_eq!(outcome.errors[0].class, ErrorClass::Refused);
}

#[test]
fn s11_one_failure_in_a_hundred_is_borne_and_counted() {
    let driver =
        Scripted::new(|n| (Duration::ZERO, if n % 100 == 7 { Reply::Bad(ErrorClass::Rejected) } else { Reply::Good }));
    let mut job = job(&*small(2, 500), driver);
    job.errors = ErrorPolicy { abort: false, threshold: 0.05, after: 50, retries: 0 };
    let outcome = run(job);
    assert_eq!(outcome.ending, Ending::Finished);
    assert_eq!(counts(&outcome), (990, 10));
    assert_eq!((outcome.errors.len(), outcome.errors[0].count), (1, 10));
    assert_eq!(outcome.errors[0].message, "as the script says");
}

#[test]
fn too_many_failures_end_the_load() {
    let driver = Scripted::new(|n| (MS, if n % 3 == 0 { Reply::Bad(ErrorClass::Rejected) } else { Reply::Good }));
    let mut job = job(&*small(2, 1_000_000), driver);
    job.errors = ErrorPolicy { abort: false, threshold: 0.1, after: 50, retries: 0 };
    let outcome = run(job);
    assert_eq!(outcome.ending, Ending::Errors);
    let (ok, failed) = counts(&outcome);
    assert!(ok + failed >= 50 && failed * 10 > ok + failed, "{ok} {failed}");
}

#[test]
fn abort_ends_with_the_first_failure_whole_or_in_part() {
    for reply in [Reply::Bad(ErrorClass::Rejected), Reply::Without(1)] {
        let driver = Scripted::new(move |n| (Duration::ZERO, if n == 9 { reply.clone() } else { Reply::Good }));
        let mut job = job(&*small(1, 1_000), driver);
        job.errors.abort = true;
        let outcome = run(job);
        assert_eq!(outcome.ending, Ending::Errors);
        let (ok, failed) = counts(&outcome);
        assert_eq!(ok + failed, 10);
        assert_eq!((outcome.operations[0].ok_points, outcome.operations[0].failed_points), (9, 1));
    }
}

#[test]
fn a_write_refused_in_part_counts_points_and_one_refused_to_the_last_is_a_failure() {
    let configured = super::scripted::iot(
        1,
        &[("DEVICE_NUMBER", "1"), ("SENSOR_NUMBER", "4"), ("BATCH_SIZE_PER_WRITE", "5"), ("LOOP", "2")],
    );
    let driver = Scripted::new(|n| (Duration::ZERO, Reply::Without(if n == 0 { 8 } else { 20 })));
    let outcome = run(job(&*configured, driver));
    let writes = &outcome.operations[0];
    assert_eq!((writes.ok_operations, writes.failed_operations), (1, 1));
    assert_eq!((writes.ok_points, writes.failed_points, writes.ok_rows), (12, 28, 3));
    assert_eq!(outcome.errors[0].count, 2);
}

#[test]
fn transient_failures_are_tried_again_and_counted() {
    let driver =
        Scripted::new(|n| (Duration::ZERO, if n % 3 == 2 { Reply::Good } else { Reply::Bad(ErrorClass::Transient) }));
    let mut job = job(&*small(1, 5), driver);
    job.errors.retries = 3;
    let outcome = run(job);
    assert_eq!((counts(&outcome), outcome.retries), ((5, 0), 10));

    let driver = Scripted::new(|_| (Duration::ZERO, Reply::Bad(ErrorClass::Transient)));
    let mut job = super::scripted::job(&*small(1, 2), driver);
    job.errors.retries = 1;
    let outcome = run(job);
    assert_eq!((counts(&outcome), outcome.retries), ((0, 2), 2));
}

#[test]
fn a_lost_connection_fails_its_operation_and_is_made_anew() {
    for blocking in [true, false] {
        let driver = Scripted::new(|n| {
            (Duration::ZERO, if n == 4 { Reply::Bad(ErrorClass::LostConnection) } else { Reply::Good })
        });
        // The first attempt to reconnect is refused.
        let driver = driver.refusing(|n| n == 1);
        let driver = if blocking { driver.blocking() } else { driver };
        let seen = driver.seen();
        let outcome = run(job(&*small(1, 10), driver));
        assert_eq!(outcome.ending, Ending::Finished);
        assert_eq!(counts(&outcome), (9, 1));
        assert_eq!(seen.connections.load(Ordering::SeqCst), 3);
    }
}

#[test]
fn a_failure_that_ends_the_warm_up_is_told() {
    let driver = Scripted::new(|_| (Duration::ZERO, Reply::Bad(ErrorClass::Refused)));
    let mut job = job(&*small(1, 10), driver);
    job.load.warmup = Some(crate::workload::load::Warmup::Operations(5));
    let outcome = run(job);
    assert_eq!(outcome.ending, Ending::Errors);
    assert_eq!(outcome.errors[0].class, ErrorClass::Refused);
    assert_eq!(counts(&outcome), (0, 0));
}
