//! A journal made in code: three targets, a 3×3 sweep, queries, a paced scenario, and everything that can go wrong.
//!
//! It must not be used outside tests. Invariant: the same lines each time.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::record::{Dice, trial};
use crate::run::journal::events::{
    AssertionInfo, CaseInfo, Event, Host, JOURNAL_VERSION, Line, RunStarted, TargetInfo,
};
use crate::run::journal::trial::{ErrorRecord, FailureReason, FailureRecord, Mark, Status, StoredRecord, TrialRecord};

pub(crate) const LOOPS: [u64; 3] = [10, 20, 50];
pub(crate) const DEVICES: [u64; 3] = [20, 50, 100];
const TARGETS: [(&str, &str, &str, &str); 3] = [
    ("postgres", "PostgreSQL", "15.5", "docker"),
    ("influxdb-1", "InfluxDB 1.x", "1.8.10", "docker"),
    ("sqlite", "SQLite", "3.46", "embedded"),
];
const QUERIES: [&str; 4] = ["TIME_RANGE", "AGG_RANGE", "GROUP_BY", "LATEST_POINT"];

pub(crate) fn line(second: u64, event: Event) -> Line {
    let at = format!("2026-03-06T{:02}:{:02}:{:02}Z", 18 + second / 3_600, second / 60 % 60, second % 60);
    Line { v: JOURNAL_VERSION, at, event }
}

pub(crate) fn target((name, title, version, place): (&str, &str, &str, &str)) -> TargetInfo {
    let docker = place == "docker";
    TargetInfo {
        name: name.to_owned(),
        adapter: name.to_owned(),
        title: title.to_owned(),
        version: version.to_owned(),
        image: docker.then(|| format!("{name}:{version}")),
        place: place.to_owned(),
        limits: docker.then(|| "cpus 2 · memory 4 GiB".to_owned()),
        durability: Some(if name == "influxdb-1" { "written to the WAL" } else { "fsync at commit" }.to_owned()),
    }
}

pub(crate) fn case(target: &str, scenario: &str, axes: &[(&str, u64)]) -> CaseInfo {
    let labels: Vec<String> = axes.iter().map(|(axis, value)| format!("{axis}={value}")).collect();
    let value =
        |name: &str, default: u64| axes.iter().find(|(axis, _)| *axis == name).map_or(default, |(_, value)| *value);
    let operations = value("LOOP", 100) * value("DEVICE_NUMBER", 100);
    CaseInfo {
        id: format!("{target}/{scenario}/{}", labels.join(",")).trim_end_matches('/').to_owned(),
        hash: format!("{:016x}", operations * 7 + target.len() as u64),
        target: target.to_owned(),
        scenario: scenario.to_owned(),
        workload: "iot".to_owned(),
        on: None,
        axes: axes.iter().map(|(axis, value)| ((*axis).to_owned(), value.to_string())).collect(),
        parameters: BTreeMap::from([
            ("LOOP".to_owned(), value("LOOP", 100).to_string()),
            ("DEVICE_NUMBER".to_owned(), value("DEVICE_NUMBER", 100).to_string()),
            ("SENSOR_NUMBER".to_owned(), "10".to_owned()),
            ("BATCH_SIZE_PER_WRITE".to_owned(), "100".to_owned()),
        ]),
        clients: 10,
        paced: scenario == "paced",
        tuning: BTreeMap::new(),
        operations: Some(operations),
        points: Some(operations * 1_000),
        bytes: Some(operations * 1_000 * 16),
        not_supported: None,
    }
}

fn started(cases: Vec<CaseInfo>, rounds: u32) -> RunStarted {
    let trials = (1..=rounds).flat_map(|round| (0..cases.len() as u32).map(move |case| (case, round))).collect();
    RunStarted {
        run: "2026-03-06-iot".to_owned(),
        velodrome: "0.1.0".to_owned(),
        suite: "iot-routine".to_owned(),
        description: Some(
            "Which database takes our turbines' data fastest, and answers the dashboards' queries?".to_owned(),
        ),
        plan_hash: "9f2c51d0a7".to_owned(),
        seed: 666,
        rounds,
        overrides: vec!["--set SENSOR_NUMBER=10".to_owned()],
        command: "velodrome run suites/iot-routine.yaml --set SENSOR_NUMBER=10".to_owned(),
        source: "suite: iot-routine\ntargets: [postgres, influxdb-1, sqlite]\n".to_owned(),
        host: Host {
            name: "bench-1".to_owned(),
            processor: Some("AMD EPYC 7543".to_owned()),
            cores: Some(8),
            memory_bytes: Some(34_359_738_368),
            kernel: Some("6.1.0".to_owned()),
            system: Some("Debian 12".to_owned()),
            governor: Some("performance".to_owned()),
            disk_free_bytes: Some(400_000_000_000),
            disk_bytes: Some(900_000_000_000),
            load_average: Some("0.12".to_owned()),
        },
        targets: TARGETS.map(target).to_vec(),
        cases,
        trials,
        baseline: Some("postgres".to_owned()),
        formats: vec!["html".to_owned()],
        assertions: vec![
            assertion("p99(scenario=ingest) <= 5s", "p99", ("scenario", "ingest"), "<=", 5.0, false),
            assertion("throughput(sqlite) >= 0.9 * baseline", "throughput", ("target", "sqlite"), ">=", 0.9, true),
        ],
        findings: vec!["influxdb-1: the image has no digest in a registry.".to_owned()],
    }
}

fn assertion(
    text: &str,
    measure: &str,
    selector: (&str, &str),
    comparison: &str,
    value: f64,
    of: bool,
) -> AssertionInfo {
    AssertionInfo {
        text: text.to_owned(),
        measure: measure.to_owned(),
        selectors: vec![(selector.0.to_owned(), selector.1.to_owned())],
        comparison: comparison.to_owned(),
        value,
        of_baseline: of,
    }
}

/// How fast a target takes a batch, and answers, in milliseconds.
fn speed(target: &str, devices: u64) -> (f64, f64) {
    match target {
        "postgres" => (12.0, 5.0),
        // Leads with few devices, falls behind with many.
        "influxdb-1" => (4.0 + devices as f64 / 7.0, 2.5),
        _ => (12.1, 9.0),
    }
}

fn fail(record: &mut TrialRecord, reason: FailureReason, what: &str, after_ms: u64) {
    record.status = Status::Failed(reason);
    record.failure = Some(FailureRecord {
        what: what.to_owned(),
        phase: Some("measure".to_owned()),
        after_ms,
        exit_code: (reason == FailureReason::OutOfMemory).then_some(137),
        out_of_memory: Some(reason == FailureReason::OutOfMemory),
        log: vec!["LOG: checkpoint starting".to_owned(), "PANIC: <could not> write to file".to_owned()],
        command: Some(format!("velodrome run suites/iot-routine.yaml --only 'target={}'", record.case)),
    });
}

/// The cases: a 3×3 sweep of ingestion, queries on three of its cells, and a paced scenario that influxdb-1 can't do.
fn cases() -> Vec<CaseInfo> {
    let mut cases = Vec::new();
    for (target, ..) in TARGETS {
        for loops in LOOPS {
            for devices in DEVICES {
                cases.push(case(target, "ingest", &[("LOOP", loops), ("DEVICE_NUMBER", devices)]));
            }
        }
        for devices in DEVICES {
            let mut ask = case(target, "ask", &[("LOOP", 50), ("DEVICE_NUMBER", devices)]);
            ask.on = Some(format!("{target}/ingest/LOOP=50,DEVICE_NUMBER={devices}"));
            cases.push(ask);
        }
        let mut paced = case(target, "paced", &[]);
        if target == "influxdb-1" {
            paced.not_supported = Some("influxdb-1 has no transactions".to_owned());
        }
        cases.push(paced);
    }
    cases
}

fn run_case(dice: &mut Dice, case: &CaseInfo, round: u32) -> TrialRecord {
    let devices: u64 = case.parameters["DEVICE_NUMBER"].parse().unwrap();
    let (write_ms, ask_ms) = speed(&case.target, devices);
    let write_ms = write_ms * dice.around(0.06);
    let mut record = match case.scenario.as_str() {
        "ask" => {
            let few = |name: &&str| if *name == "GROUP_BY" { 8 } else { 300 };
            let asked: Vec<_> = QUERIES.iter().map(|name| (*name, few(name), 10, ask_ms * dice.around(0.08))).collect();
            trial(dice, case, round, &asked)
        }
        _ => trial(dice, case, round, &[("INGESTION", case.operations.unwrap(), 1_000, write_ms)]),
    };
    if case.scenario == "paced" {
        record.operations[0].response = Some(dice.latencies(case.operations.unwrap(), write_ms * 2.5).to_record());
        record.marks.push(Mark::Saturated);
        record.late = 120;
    }
    spoil(&mut record);
    record
}

/// What goes wrong, by the case's id and the round.
fn spoil(record: &mut TrialRecord) {
    match (record.case.as_str(), record.round) {
        ("sqlite/ingest/LOOP=50,DEVICE_NUMBER=100", _) => {
            fail(record, FailureReason::OutOfMemory, "The server was killed for want of memory.", 41_200);
        }
        ("influxdb-1/ingest/LOOP=10,DEVICE_NUMBER=20", 2) => {
            fail(record, FailureReason::ServerDied, "The server ended with exit code 2.", 3_100);
        }
        ("influxdb-1/ingest/LOOP=20,DEVICE_NUMBER=100", _) => {
            fail(record, FailureReason::LostPoints, "1,996,000 of 2,000,000 points are stored.", 9_000);
            record.stored =
                Some(StoredRecord { acknowledged: 2_000_000, warmup: 0, expected: 2_000_000, stored: 1_996_000 });
        }
        ("postgres/ingest/LOOP=20,DEVICE_NUMBER=20", _) => {
            record.operations[0].failed_operations = 2;
            record.operations[0].failed_points = 1_500;
            record.errors.push(ErrorRecord {
                operation: "INGESTION".to_owned(),
                class: "transient".to_owned(),
                message: "deadlock detected (40P01)".to_owned(),
                count: 2,
            });
        }
        _ => {}
    }
}

/// The whole journal, made once.
pub(crate) fn journal() -> Vec<Line> {
    static JOURNAL: OnceLock<Vec<Line>> = OnceLock::new();
    JOURNAL.get_or_init(make_journal).clone()
}

fn make_journal() -> Vec<Line> {
    let mut dice = Dice::new(1);
    let cases = cases();
    let mut lines = vec![line(0, Event::RunStarted(Box::new(started(cases.clone(), 3))))];
    let mut second = 1;
    for round in 1..=3 {
        for case in cases.iter().filter(|case| case.not_supported.is_none()) {
            lines.push(line(second, Event::TrialStarted { case: case.id.clone(), round }));
            second += 31;
            lines.push(line(second, Event::TrialEnded(Box::new(run_case(&mut dice, case, round)))));
        }
    }
    lines.push(line(
        second,
        Event::Message { severity: "warning".to_owned(), text: "a container was slow to go".to_owned() },
    ));
    lines.push(line(second + 1, Event::RunEnded { exit_code: 1, interrupted: false }));
    lines
}

/// A small journal: one run of these cases, each trial made by `make`.
pub(crate) fn small(
    cases: Vec<CaseInfo>,
    rounds: u32,
    mut make: impl FnMut(&mut Dice, &CaseInfo, u32) -> TrialRecord,
) -> Vec<Line> {
    let mut dice = Dice::new(2);
    let mut start = started(cases.clone(), rounds);
    start.assertions.clear();
    let mut lines = vec![line(0, Event::RunStarted(Box::new(start)))];
    for round in 1..=rounds {
        for case in &cases {
            lines.push(line(1, Event::TrialStarted { case: case.id.clone(), round }));
            lines.push(line(2, Event::TrialEnded(Box::new(make(&mut dice, case, round)))));
        }
    }
    lines.push(line(3, Event::RunEnded { exit_code: 0, interrupted: false }));
    lines
}
