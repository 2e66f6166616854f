//! Runs that go well.

use serde_json::Value;

use super::runs::{events, records, run_folder, run_id, statuses};
use super::suites::suite;
use crate::harness::Sandbox;

const TWO_TARGETS: &str = "suite: two\ntargets: [blackhole, sqlite]\nscenarios:\n  - name: ingest\n    workload:\n      \
                           iot: { LOOP: 3, DEVICE_NUMBER: 4, SENSOR_NUMBER: 2, BATCH_SIZE_PER_WRITE: 5 }\n  - name: ask\n    \
                           on: ingest\n    workload:\n      iot: { LOOP: 6, OPERATION_PROPORTION: \"0:1:1\" }\nrounds: 2\n";

#[test]
fn a_run_leaves_its_plan_journal_log_trials_and_report() {
    let sandbox = Sandbox::new();
    let said =
        sandbox.write("s.yaml", TWO_TARGETS).run(&["run", "s.yaml", "--no-calibration", "--only", "scenario=ingest"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let folder = run_folder(&sandbox);
    for name in ["plan.json", "journal.jsonl", "run.log", "report.json", "trials"] {
        assert!(folder.join(name).exists(), "{name}");
    }
    assert!(!folder.join("work").exists(), "what was made was not removed");
    assert_eq!(statuses(&sandbox), ["valid"; 4]);
    let order: Vec<String> = records(&sandbox).iter().map(|r| format!("{} {}", r["case"], r["round"])).collect();
    assert_eq!(
        order,
        ["\"blackhole/ingest\" 1", "\"sqlite/ingest\" 1", "\"blackhole/ingest\" 2", "\"sqlite/ingest\" 2"]
    );
    let sqlite = &records(&sandbox)[1];
    assert_eq!(sqlite["stored"]["stored"], 3 * 4 * 2 * 5);
    assert_eq!(sqlite["stored"]["expected"], sqlite["stored"]["acknowledged"]);
    assert!(said.err.contains("[4/4] sqlite/ingest round 2: valid"), "{}", said.err);
    assert!(said.err.lines().last().unwrap().contains(&run_id(&sandbox)), "{}", said.err);
    assert!(!said.out.contains("started"), "status goes to standard error");
    let matrices = said.out.matches("Result Matrix").count();
    assert_eq!(matrices, 2, "one for each case, not for each trial: {}", said.out);
    for trial in std::fs::read_dir(folder.join("trials")).unwrap() {
        let matrix = std::fs::read_to_string(trial.unwrap().path().join("matrix.txt")).unwrap();
        assert!(matrix.contains("Result Matrix") && matrix.contains("Latency (ms) Matrix"), "{matrix}");
    }
    assert_eq!(events(&sandbox).last().unwrap()["run_ended"]["exit_code"], 0);
}

#[test]
fn readers_stand_on_the_last_rounds_data() {
    let sandbox = Sandbox::new();
    let said = sandbox.write("s.yaml", TWO_TARGETS).run(&["run", "s.yaml", "--no-calibration", "--targets", "sqlite"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let asked: Vec<Value> = records(&sandbox).into_iter().filter(|r| r["case"] == "sqlite/ask").collect();
    assert_eq!(asked.len(), 2);
    let answered = |record: &Value| {
        record["operations"].as_array().unwrap().iter().map(|o| o["ok_points"].as_u64().unwrap()).sum::<u64>()
    };
    assert!(asked.iter().all(|record| answered(record) > 0));
    assert!(!said.err.contains("loaded again"), "{}", said.err);
}

#[test]
fn m17_a_time_limit_that_the_suite_set_is_good() {
    let sandbox = Sandbox::new();
    sandbox.write("s.yaml", &suite("LOOP: 100000000, DEVICE_NUMBER: 2, TEST_MAX_TIME: 500", ""));
    let said = sandbox.run(&["run", "s.yaml", "--no-calibration"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let record = records(&sandbox).pop().unwrap();
    assert_eq!(record["status"], "time_limit");
    let elapsed = record["elapsed_s"].as_f64().unwrap();
    assert!((0.4..0.8).contains(&elapsed), "{elapsed}");
    let ingestion = &record["operations"][0];
    assert!(ingestion["ok_operations"].as_u64().unwrap() > 0);
    assert_eq!(ingestion["ok_points"].as_u64().unwrap() % ingestion["ok_operations"].as_u64().unwrap(), 0);
}

#[test]
fn m05_a_warm_up_is_in_no_total() {
    let sandbox = Sandbox::new();
    let load = "    load: { clients: 1, warmup: 300ms }";
    sandbox.write("s.yaml", &suite("LOOP: 10, DEVICE_NUMBER: 2", load));
    let said = sandbox.run(&["run", "s.yaml", "--no-calibration"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let record = records(&sandbox).pop().unwrap();
    assert_eq!(record["operations"][0]["ok_operations"], 20);
    let warmup = record["warmup_s"].as_f64().unwrap();
    assert!((0.25..1.0).contains(&warmup), "{warmup}");
    let phases: Vec<&str> =
        record["phases"].as_array().unwrap().iter().map(|phase| phase[0].as_str().unwrap()).collect();
    assert_eq!(phases, ["provision", "ready", "schema", "warmup", "measure", "settle", "verify", "tear_down"]);
}

#[test]
fn reuse_runs_only_what_has_changed() {
    let sandbox = Sandbox::new();
    let sweep =
        |values: &str| suite("DEVICE_NUMBER: 2", &format!("sweep:\n  matrix: {{ LOOP: [{values}] }}\nrounds: 2"));
    sandbox.write("s.yaml", &sweep("5, 6"));
    assert_eq!(sandbox.run(&["run", "s.yaml", "--no-calibration"]).code, Some(0));
    let first = run_id(&sandbox);
    sandbox.write("s.yaml", &sweep("5, 7"));
    std::thread::sleep(std::time::Duration::from_millis(1100));
    let said = sandbox.run(&["run", "s.yaml", "--no-calibration", "--reuse", &first]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(said.err.contains("2 of 4 trials are taken over"), "{}", said.err);
    let reused: Vec<(String, Value)> =
        records(&sandbox).iter().map(|r| (r["case"].as_str().unwrap().to_owned(), r["reused_from"].clone())).collect();
    assert_eq!(reused.len(), 4);
    for (case, from) in reused {
        let expected = if case.ends_with("LOOP=5") { Value::String(first.clone()) } else { Value::Null };
        assert_eq!(from, expected, "{case}");
    }
}

#[test]
fn a_smoke_run_runs_every_cell_once_at_its_smallest() {
    let sandbox = Sandbox::new();
    let said = sandbox.write("s.yaml", TWO_TARGETS).run(&["run", "s.yaml", "--smoke"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let records = records(&sandbox);
    assert_eq!(statuses(&sandbox), ["valid"; 4]);
    let loads = records.iter().find(|record| record["case"] == "sqlite/ingest").unwrap();
    assert_eq!((&loads["operations"][0]["ok_operations"], &loads["stored"]["stored"]), (&4.into(), &40.into()));
}

#[test]
fn two_runs_in_one_folder_do_not_meet() {
    let sandbox = Sandbox::new();
    sandbox.write("s.yaml", &suite("LOOP: 20, DEVICE_NUMBER: 2", ""));
    let both = [0, 1].map(|_| super::runs::start(&sandbox, &["run", "s.yaml", "--no-calibration"]));
    assert!(both.map(super::runs::said).iter().all(|said| said.code == Some(0)));
    assert_eq!(std::fs::read_dir(sandbox.path().join("reports")).unwrap().count(), 2);
}
