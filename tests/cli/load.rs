//! What a run on the blackhole did, as its journal says.

use serde_json::Value;

use crate::harness::Sandbox;

fn suite(workload: &str, load: &str) -> String {
    format!(
        "suite: load\ntargets: [blackhole]\nscenarios:\n  - name: a\n    workload:\n      iot: {{ {workload} }}\n    load: {{ {load} }}\n"
    )
}

/// The one trial of a run, in a time zone.
fn trial(suite: &str, zone: &str) -> (Option<i32>, Value) {
    let sandbox = Sandbox::new();
    sandbox.write("suite.yaml", suite);
    let output = sandbox.command().env("TZ", zone).args(["run", "suite.yaml", "--no-calibration"]).output().unwrap();
    let runs: Vec<_> = std::fs::read_dir(sandbox.path().join("reports")).unwrap().collect();
    let folder = runs.into_iter().map(|run| run.unwrap().path()).find(|path| path.is_dir()).unwrap();
    let journal = std::fs::read_to_string(folder.join("journal.jsonl")).unwrap();
    let lines = journal.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let trial = lines.map(|line| line["event"]["trial_ended"].clone()).find(|trial| !trial.is_null());
    (output.status.code(), trial.unwrap())
}

#[test]
fn sixty_devices_make_600_operations_and_60000_points() {
    let workload = "DEVICE_NUMBER: 60, SENSOR_NUMBER: 10, BATCH_SIZE_PER_WRITE: 10, LOOP: 10";
    let (code, trial) = trial(&suite(workload, "clients: 10"), "UTC");
    assert_eq!((code, &trial["status"]), (Some(0), &Value::from("valid")));
    let ingestion = &trial["operations"][0];
    assert_eq!((ingestion["ok_operations"].as_u64(), ingestion["ok_points"].as_u64()), (Some(600), Some(60_000)));
    assert_eq!(ingestion["failed_operations"], 0);
}

#[test]
fn time_zones_change_no_byte() {
    let workload = "DEVICE_NUMBER: 30, LOOP: 20, OPERATION_PROPORTION: \"3:1:1\", IS_OUT_OF_ORDER: true, \
                    IS_REGULAR_FREQUENCY: false, START_TIME: \"2024-03-31T01:30:00+01:00\"";
    let suite = suite(workload, "clients: 7");
    let (code, utc) = trial(&suite, "UTC");
    let (_, berlin) = trial(&suite, "Europe/Berlin");
    let (_, shanghai) = trial(&suite, "Asia/Shanghai");
    assert_eq!(code, Some(0));
    assert!(utc["checksum"].is_string());
    assert_eq!((&utc["checksum"], &utc["checksum"]), (&berlin["checksum"], &shanghai["checksum"]));
    assert_eq!((&utc["bytes"], &utc["bytes"]), (&berlin["bytes"], &shanghai["bytes"]));
}

#[test]
fn m17_a_time_limit_is_no_failure() {
    let (code, trial) = trial(&suite("LOOP: 1_000_000_000, TEST_MAX_TIME: 300", "clients: 4"), "UTC");
    assert_eq!((code, &trial["status"]), (Some(0), &Value::from("time_limit")));
    let elapsed = trial["elapsed_s"].as_f64().unwrap();
    assert!((0.29..2.0).contains(&elapsed), "{elapsed}");
    let ingestion = &trial["operations"][0];
    assert_eq!(ingestion["ok_points"].as_u64(), ingestion["ok_operations"].as_u64().map(|count| count * 1000));
    // M16: the throughput of the report times its elapsed time is the number of points.
    let per_second: u64 =
        trial["series"].as_array().unwrap().iter().map(|second| second["points"].as_u64().unwrap()).sum();
    assert_eq!(Some(per_second), ingestion["ok_points"].as_u64());
}
