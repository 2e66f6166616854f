//! What is measured, and that it is all of it and nothing else.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::scripted::{Reply, Scripted, counts, iot, job, run, small};
use crate::driver::blackhole::Blackhole;
use crate::driver::error::ErrorClass;
use crate::engine::types::{Control, Ending, StopKind};
use crate::workload::load::Warmup;

const MS: Duration = Duration::from_millis(1);

#[test]
fn sixty_devices_make_exactly_600_operations_and_60000_points() {
    let parameters = [("DEVICE_NUMBER", "60"), ("SENSOR_NUMBER", "10"), ("BATCH_SIZE_PER_WRITE", "10"), ("LOOP", "10")];
    let outcome = run(job(&*iot(10, &parameters), Blackhole));
    assert_eq!(outcome.ending, Ending::Finished);
    assert_eq!(counts(&outcome), (600, 0));
    assert_eq!(outcome.operations[0].ok_points, 60_000);
    assert_eq!(outcome.operations[0].ok_rows, 6_000);
    assert_eq!(outcome.operations[0].service.count(), 600);
}

#[test]
fn e01_twenty_clients_write_300_sensors() {
    let parameters =
        [("DEVICE_NUMBER", "20"), ("SENSOR_NUMBER", "300"), ("BATCH_SIZE_PER_WRITE", "100"), ("LOOP", "10")];
    let outcome = run(job(&*iot(20, &parameters), Blackhole));
    assert_eq!(counts(&outcome), (200, 0));
    assert_eq!((outcome.operations[0].ok_points, outcome.operations[0].ok_rows), (6_000_000, 20_000));
}

#[test]
fn e03_an_unbound_client_does_what_the_plan_states() {
    let configured = iot(
        1,
        &[
            ("IS_CLIENT_BIND", "false"),
            ("DEVICE_NUMBER", "1000"),
            ("SENSOR_NUMBER", "100"),
            ("BATCH_SIZE_PER_WRITE", "100"),
            ("LOOP", "100"),
        ],
    );
    let outcome = run(job(&*configured, Blackhole));
    assert_eq!((counts(&outcome).0, outcome.operations[0].ok_points), (100, 1_000_000));
    assert_eq!(configured.totals().points, 1_000_000);
}

#[test]
fn m02_latencies_are_never_below_zero_and_in_order() {
    let outcome = run(job(&*small(3, 500), Blackhole));
    let service = &outcome.operations[0].service;
    let percentiles: Vec<Duration> =
        [0.0, 10.0, 50.0, 90.0, 99.0, 99.9, 100.0].iter().filter_map(|p| service.percentile(*p)).collect();
    assert_eq!(percentiles.len(), 7);
    assert!(percentiles.is_sorted());
    assert!(service.min().unwrap() > Duration::ZERO && service.min() <= Some(percentiles[0]));
    assert_eq!(service.max(), Some(percentiles[6]));
}

#[test]
fn m05_the_warm_up_is_not_measured_and_passes_without_a_dip() {
    let driver = Scripted::taking(MS);
    let seen = driver.seen();
    let mut job = job(&*small(4, 1_000_000), driver);
    job.load.warmup = Some(Warmup::Time(150 * MS));
    job.load.duration = Some(200 * MS);
    let outcome = run(job);
    assert_eq!(outcome.ending, Ending::TimeLimit);
    let (measured, _) = counts(&outcome);
    let all = seen.operations.load(Ordering::SeqCst);
    assert!(measured < all && outcome.warmup_points + measured == all, "{measured} of {all}");
    assert_eq!(outcome.operations[0].ok_points, measured);
    assert!(outcome.elapsed >= 190 * MS && outcome.elapsed < 800 * MS, "{:?}", outcome.elapsed);
    assert!(outcome.warmup_elapsed >= 150 * MS && outcome.warmup_elapsed < 600 * MS);
    // The connections are kept, and nobody waits at the boundary.
    assert_eq!(seen.connections.load(Ordering::SeqCst), 4);
    let begun = seen.begun.lock().unwrap();
    let longest = begun.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap();
    assert!(longest < 140 * MS, "a pause of {longest:?}");
    let warm: u64 = outcome.series.iter().filter(|i| i.second < 0).map(|i| i.operations).sum();
    assert_eq!(warm, all - measured);
}

#[test]
fn m05_a_warm_up_by_operations_has_exactly_so_many() {
    let driver = Scripted::taking(Duration::ZERO);
    let seen = driver.seen();
    let mut job = job(&*small(3, 10), driver);
    job.load.warmup = Some(Warmup::Operations(50));
    let outcome = run(job);
    assert_eq!(counts(&outcome), (30, 0));
    assert_eq!(seen.operations.load(Ordering::SeqCst), 80);
    assert_eq!(outcome.warmup_points, 50);
}

#[test]
fn m05_interrupted_in_the_warm_up_nothing_is_measured() {
    let mut job = job(&*small(2, 1_000_000), Scripted::taking(MS));
    job.load.warmup = Some(Warmup::Time(Duration::from_secs(60)));
    let control = Arc::new(Control::default());
    let seen = Arc::clone(&control);
    let stopper = std::thread::spawn(move || {
        while seen.heartbeat.load(Ordering::Relaxed) == 0 {
            std::thread::sleep(MS);
        }
        seen.stop.store(StopKind::Graceful as u8, Ordering::Relaxed);
    });
    let outcome = crate::engine::run(job, control);
    stopper.join().unwrap();
    assert_eq!(outcome.ending, Ending::Stopped);
    assert_eq!((outcome.started, outcome.elapsed), (None, Duration::ZERO));
    assert_eq!(counts(&outcome), (0, 0));
    assert_eq!(outcome.operations[0].service.percentile(99.0), None);
}

#[test]
fn m06_failing_fast_raises_no_ok_rate() {
    let driver = Scripted::new(|n| match n % 2 {
        0 => (MS, Reply::Good),
        _ => (Duration::ZERO, Reply::Bad(ErrorClass::Rejected)),
    });
    let outcome = run(job(&*small(1, 100), driver));
    let (ok, failed) = counts(&outcome);
    assert_eq!((ok, failed), (50, 50));
    // Only good operations are timed, so that the mean is theirs, and the ok rate can't exceed one a millisecond.
    assert_eq!(outcome.operations[0].service.count(), 50);
    assert!(outcome.operations[0].service.min().unwrap() >= MS);
    assert!(ok as f64 / outcome.elapsed.as_secs_f64() <= 1000.0);
    assert_eq!(outcome.operations[0].failed_points, 50);
    assert_eq!(outcome.errors[0].count, 50);
}

#[test]
fn m10_eight_operations_have_their_max_as_p99() {
    let outcome = run(job(&*small(1, 8), Scripted::taking(MS)));
    let service = &outcome.operations[0].service;
    assert_eq!(service.count(), 8);
    assert_eq!(service.percentile(99.0), service.max());
    assert_eq!(service.percentile(99.9), service.max());
}

#[test]
fn m16_elapsed_is_first_start_to_last_end() {
    let begun = Instant::now();
    let driver = Scripted::taking(5 * MS).blocking();
    let seen = driver.seen();
    let outcome = run(job(&*small(1, 8), driver));
    let first = seen.begun.lock().unwrap()[0];
    assert!(outcome.started.unwrap() >= begun && outcome.started.unwrap() <= first);
    assert!(outcome.elapsed >= 40 * MS && outcome.elapsed < 600 * MS, "{:?}", outcome.elapsed);
    // Throughput times elapsed is the number of points, with nothing slept in between.
    let service = outcome.operations[0].service.total();
    assert!(outcome.elapsed - service < 300 * MS, "{:?} and {service:?}", outcome.elapsed);
    assert_eq!(outcome.operations[0].slowest_client, service);
}

#[test]
fn queries_count_points_and_rows_and_leave_a_sample() {
    let configured = iot(2, &[("OPERATION_PROPORTION", "1:0:1"), ("LOOP", "20"), ("DEVICE_NUMBER", "4")]);
    let outcome = run(job(&*configured, Scripted::taking(Duration::ZERO)));
    let totals = configured.totals();
    let queries = &outcome.operations[1];
    assert_eq!(queries.ok_operations, totals.operations[queries.kind.index()]);
    assert_eq!((queries.ok_points, queries.ok_rows), (2 * queries.ok_operations, 2 * queries.ok_operations));
    let sample = outcome.samples.iter().find(|sample| sample.kind == queries.kind).unwrap();
    assert!(sample.statement.contains("TimeRange") && sample.row_count == 2);
    let sample = outcome.samples.iter().find(|sample| sample.kind != queries.kind).unwrap();
    assert!(sample.statement.starts_with("g_0,device=d_") && sample.answer.is_none());
    assert_eq!(outcome.samples.len(), 2);
}
