//! What plans are estimated to cost.

use super::help::{expanded, one};
use crate::plan::Expansion;
use crate::plan::estimate::{Basis, Cost, Estimator, Rates, Seen};

const SEEN: Seen = Seen {
    measured_seconds: 10.0,
    other_seconds: 1.0,
    points: 1_000,
    queries: 0,
    raw_bytes: 5_000,
    disk_bytes: Some(20_000),
};

fn costs(expansion: &Expansion, rates: &Rates) -> Vec<Cost> {
    let estimator = Estimator::new(expansion, rates);
    (0..expansion.len()).map(|case| estimator.cost(case)).collect()
}

#[test]
fn the_same_case_counts_before_like_ones_and_those_before_guesses() {
    let text = one("sqlite, blackhole", "DEVICE_NUMBER: 1, SENSOR_NUMBER: 10", "sweep: { matrix: { LOOP: [1, 2] } }");
    let expansion = expanded(&text);
    let mut rates = Rates::default();
    let hash = expansion.summary(0).hash.to_string();
    rates.see(&hash, "sqlite", "a", SEEN);
    rates.see(&hash, "sqlite", "a", Seen { measured_seconds: 20.0, ..SEEN });
    let costs = costs(&expansion, &rates);
    assert_eq!((costs[0].seconds, costs[0].disk, costs[0].basis), (16.0, 20_000, Basis::SameCase));
    // Twice the points of the case that was seen, and four bytes on disk a raw one.
    let raw = expansion.summary(1).bytes;
    assert_eq!((costs[1].seconds, costs[1].disk, costs[1].basis), (31.0, raw * 4, Basis::LikeCase));
    assert_eq!(costs[2].basis, Basis::Guess);
}

#[test]
fn what_a_trial_takes_whatever_it_does_is_not_scaled() {
    let text = one(
        "sqlite",
        "DEVICE_NUMBER: 1, SENSOR_NUMBER: 1, BATCH_SIZE_PER_WRITE: 10",
        "sweep: { matrix: { LOOP: [1000] } }",
    );
    let expansion = expanded(&text);
    let mut rates = Rates::default();
    // 2 s and a millisecond a point.
    for (points, measured_seconds) in [(100, 2.1), (1_000, 3.0)] {
        rates.see("another", "sqlite", "a", Seen { measured_seconds, points, ..SEEN });
    }
    let cost = costs(&expansion, &rates)[0];
    assert_eq!(expansion.summary(0).points, 10_000);
    assert!((cost.seconds - 13.0).abs() < 1e-6, "{cost:?}");
}

#[test]
fn a_slow_client_is_what_a_calibration_shows() {
    let expansion = expanded(&one("blackhole", "DEVICE_NUMBER: 1, SENSOR_NUMBER: 10, LOOP: 1000", ""));
    let mut rates = Rates::default();
    rates.client_seconds_a_point = Some(1e-3);
    let cost = costs(&expansion, &rates)[0];
    assert!(cost.seconds > 1000.0 && cost.seconds < 1001.0, "{cost:?}");
    assert_eq!(cost.basis, Basis::Calibration);
}

#[test]
fn pacing_limits_and_warm_up_count() {
    let seconds = |load: &str| {
        let text = one("blackhole", "DEVICE_NUMBER: 10, LOOP: 100", "")
            .replace("    workload:", &format!("    load: {load}\n    workload:"));
        costs(&expanded(&text), &Rates::default())[0].seconds.round()
    };
    assert_eq!(seconds("{ pacing: { rate: 100/s } }"), 10.0);
    assert_eq!(seconds("{ clients: 5, pacing: { min_interval: 1s } }"), 200.0);
    assert_eq!(seconds("{ clients: 5, pacing: { min_interval: 1s }, duration: 30s, warmup: 5s }"), 35.0);
    assert_eq!(seconds("{ clients: 5, pacing: { min_interval: point_step } }"), 1000.0);
}

#[test]
fn totals_are_over_all_rounds_and_disk_is_what_lies_there_at_a_time() {
    let more = "rounds: 2\nsweep:\n  routine: |\n    LOOP=10 TEST\n    IS_DELETE_DATA=false LOOP=5 TEST\n    OPERATION_PROPORTION=0:1 TEST";
    let expansion = expanded(&one("sqlite, postgres", "DEVICE_NUMBER: 4", more));
    let rates = Rates::default();
    let estimator = Estimator::new(&expansion, &rates);
    let (totals, groups) = estimator.totals();
    assert_eq!((totals.cases, totals.trials, groups.len()), (6, 12, 2));
    assert_eq!(totals.operations, 2 * 2 * (40 + 20 + 5 * 4));
    assert_eq!(totals.points, 2 * 2 * 60 * 100 * 10);
    let both = |target: usize| estimator.cost(target * 3).disk + estimator.cost(target * 3 + 1).disk;
    assert_eq!(totals.disk, both(0) + both(1), "two tests' data lie there together, of each target");
    assert!(estimator.switching_seconds() > 0.0);
}

#[test]
fn what_is_not_supported_costs_nothing() {
    let expansion = expanded(&one("sqlite, blackhole", "SENSOR_NUMBER: 3000", ""));
    let cost = costs(&expansion, &Rates::default())[0];
    assert_eq!((cost.seconds, cost.disk), (0.0, 0));
}
