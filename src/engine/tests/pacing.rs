//! Paced loads: when operations start, and what response time counts from.

use std::time::Duration;

use super::scripted::{Reply, Scripted, counts, job, run, small};
use crate::engine::types::Ending;
use crate::workload::load::{Arrival, Pacing};

const MS: Duration = Duration::from_millis(1);

#[test]
fn a_stall_is_in_the_response_and_not_hidden_by_it() {
    // 200 operations a second, each a millisecond, and one stall of 300 ms: the 60 that are meant to start in it wait.
    let driver = Scripted::new(|n| (if n == 40 { 300 * MS } else { MS }, Reply::Good)).blocking();
    let mut job = job(&*small(1, 120), driver);
    job.load.pacing = Pacing::Open { rate: 200.0, arrival: Arrival::Uniform };
    let outcome = run(job);
    let operation = &outcome.operations[0];
    let (service, response) = (&operation.service, operation.response.as_ref().unwrap());
    assert_eq!((service.count(), response.count()), (120, 120));
    assert!(service.percentile(90.0).unwrap() < 60 * MS, "{:?}", service.percentile(90.0));
    assert!(response.percentile(90.0).unwrap() > 150 * MS, "{:?}", response.percentile(90.0));
    assert!(outcome.late >= 40, "{}", outcome.late);
    assert_eq!(outcome.dropped, 0);
}

#[test]
fn an_open_loop_keeps_its_rate_and_its_time_limit() {
    for arrival in [Arrival::Uniform, Arrival::Poisson] {
        let mut job = job(&*small(4, 1_000_000_000), Scripted::taking(Duration::ZERO));
        job.load.pacing = Pacing::Open { rate: 400.0, arrival };
        job.load.duration = Some(500 * MS);
        let outcome = run(job);
        assert_eq!(outcome.ending, Ending::TimeLimit);
        let (ok, _) = counts(&outcome);
        assert!((120..=290).contains(&ok), "{arrival:?}: {ok} in place of about 200");
        assert!(outcome.elapsed <= 900 * MS, "{:?}", outcome.elapsed);
    }
}

#[test]
fn rates_below_one_a_second_are_right() {
    let mut job = job(&*small(1, 1_000), Scripted::taking(Duration::ZERO));
    job.load.pacing = Pacing::Open { rate: 0.5, arrival: Arrival::Uniform };
    job.load.duration = Some(200 * MS);
    assert_eq!(counts(&run(job)), (1, 0));
}

#[test]
fn operations_start_at_least_an_interval_apart() {
    for blocking in [true, false] {
        let driver = Scripted::taking(Duration::ZERO);
        let driver = if blocking { driver.blocking() } else { driver };
        let seen = driver.seen();
        let mut job = job(&*small(1, 10), driver);
        job.load.pacing = Pacing::MinInterval(15 * MS);
        let outcome = run(job);
        assert_eq!(counts(&outcome), (10, 0));
        assert!(outcome.operations[0].response.is_none());
        let begun = seen.begun.lock().unwrap();
        assert!(begun.windows(2).all(|pair| pair[1] - pair[0] >= 14 * MS), "{begun:?}");
        assert!(outcome.elapsed >= 135 * MS && outcome.elapsed < 900 * MS, "{:?}", outcome.elapsed);
    }
}
