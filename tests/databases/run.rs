//! Whole runs on real servers: what is stored, what a death leaves, what a kill leaves, and that nothing is left.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::harness::Sandbox;
use crate::runs::{events, records, run_folder, run_id, said, signal, start, status, statuses, wait_until};
use crate::scene::{docker, labelled};

const INFLUX: &str = "  - adapter: influxdb-1\n    docker: { image: \"velodrome-test/influxdb-1:local\" }\n";
const POSTGRES: &str = "  - adapter: postgres\n    docker: { image: \"velodrome-test/postgres:local\" }\n";

/// One run at a time: a run that begins removes what dead runs left, also those that another test has just killed.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A suite of these targets, with these workload parameters and further YAML at the top.
fn suite(targets: &str, parameters: &str, further: &str) -> String {
    format!(
        "suite: servers\ntargets:\n{targets}scenarios:\n  - name: ingest\n    workload:\n      iot: {{ {parameters} }}\n    \
         load: {{ clients: 2 }}\n{further}\n"
    )
}

/// A load that only time ends, after so many milliseconds.
fn long(milliseconds: u32) -> String {
    format!("LOOP: 1000000, DEVICE_NUMBER: 10, SENSOR_NUMBER: 2, TEST_MAX_TIME: {milliseconds}")
}

/// What the run's containers are called by the daemon.
fn containers(run: &str) -> Vec<String> {
    labelled(&format!("velodrome.run={run}")).into_iter().filter(|thing| thing.starts_with("container")).collect()
}

/// Waits until the latest run's load is being measured, which its log tells.
fn wait_for_load(sandbox: &Sandbox) {
    wait_until("the load", || {
        let reports = sandbox.path().join("reports");
        reports.exists()
            && !events(sandbox).is_empty()
            && std::fs::read_to_string(run_folder(sandbox).join("run.log"))
                .is_ok_and(|log| log.contains("phase measure"))
    });
    std::thread::sleep(Duration::from_millis(300));
}

#[test]
fn d4_every_database_holds_exactly_what_was_sent_and_nothing_is_left() {
    let _alone = alone();
    let sandbox = Sandbox::new();
    let parameters = "LOOP: 10, DEVICE_NUMBER: 60, SENSOR_NUMBER: 10, BATCH_SIZE_PER_WRITE: 10";
    let text = suite(&format!("  - sqlite\n{INFLUX}{POSTGRES}"), parameters, "").replace("clients: 2", "clients: 10");
    let said = sandbox.write("s.yaml", &text).run(&["run", "s.yaml", "--no-calibration"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let records = records(&sandbox);
    assert_eq!(records.len(), 3);
    for record in &records {
        assert_eq!(record["status"], "valid");
        let ingestion = &record["operations"][0];
        assert_eq!((&ingestion["ok_operations"], &ingestion["ok_points"]), (&600.into(), &60_000.into()));
        assert_eq!((&record["stored"]["expected"], &record["stored"]["stored"]), (&60_000.into(), &60_000.into()));
        assert!(record["disk"]["settled_bytes"].as_u64().unwrap() > 0);
    }
    assert!(records[1]["server"]["digest"].as_str().unwrap().starts_with("sha256:"));
    assert!(records[2]["server"]["version"].as_str().unwrap().starts_with("15"));
    assert_eq!(labelled(&format!("velodrome.run={}", run_id(&sandbox))), Vec::<String>::new());
}

#[test]
fn d5_tuning_values_are_applied_and_read_back() {
    let _alone = alone();
    let sandbox = Sandbox::new();
    let sweep = "sweep:\n  per_target:\n    postgres: { tuning.shared_buffers: [64MB, 256MB], tuning.synchronous_commit: \
                 [\"on\", \"off\"] }";
    let parameters = "LOOP: 2, DEVICE_NUMBER: 4, SENSOR_NUMBER: 2";
    let said = sandbox.write("s.yaml", &suite(POSTGRES, parameters, sweep)).run(&["run", "s.yaml", "--no-calibration"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let mut read: Vec<String> = records(&sandbox)
        .iter()
        .flat_map(|record| record["tuning"].as_array().unwrap().clone())
        .inspect(|tuning| assert_eq!(tuning["agrees"], true, "{tuning}"))
        .map(|tuning| format!("{}={}", tuning["name"].as_str().unwrap(), tuning["read_back"].as_str().unwrap()))
        .collect();
    read.sort();
    read.dedup();
    assert_eq!(
        read,
        ["shared_buffers=256MB", "shared_buffers=64MB", "synchronous_commit=off", "synchronous_commit=on"]
    );
}

#[test]
fn a_refused_tuning_fails_with_the_servers_words() {
    let _alone = alone();
    let sandbox = Sandbox::new();
    let target = POSTGRES.replace("local\" }\n", "local\" }\n    tuning: { max_connections: 0 }\n");
    let text = suite(&target, "LOOP: 1, DEVICE_NUMBER: 2", "");
    let said = sandbox.write("s.yaml", &text).run(&["run", "s.yaml", "--no-calibration"]);
    assert_eq!(said.code, Some(1), "{}", said.err);
    assert_eq!(statuses(&sandbox), ["failed: tuning_refused"]);
    let what = records(&sandbox)[0]["failure"]["what"].as_str().unwrap().to_owned();
    assert!(what.contains("max_connections"), "{what}");
}

#[test]
fn d6_a_server_that_is_killed_is_told_and_the_next_trial_runs() {
    let _alone = alone();
    let sandbox = Sandbox::new();
    sandbox.write("s.yaml", &suite(INFLUX, &long(3000), "rounds: 2"));
    let child = start(&sandbox, &["run", "s.yaml", "--no-calibration"]);
    wait_for_load(&sandbox);
    let id = run_id(&sandbox);
    let container = containers(&id).pop().unwrap().replace("container ", "");
    docker(&["kill", &container]);
    let said = said(child);
    assert_eq!(said.code, Some(1), "{}", said.err);
    assert_eq!(statuses(&sandbox), ["failed: server_died", "time_limit"]);
    let failure = &records(&sandbox)[0]["failure"];
    assert_eq!((&failure["exit_code"], &failure["out_of_memory"]), (&137.into(), &false.into()));
    assert!(!failure["log"].as_array().unwrap().is_empty());
    assert!(failure["after_ms"].as_u64().unwrap() < 30_000);
    assert_eq!(labelled(&format!("velodrome.run={id}")), Vec::<String>::new());
}

#[test]
fn d6_a_killed_run_is_resumed_and_another_live_runs_containers_stay() {
    let _alone = alone();
    let (dead, live) = (Sandbox::new(), Sandbox::new());
    dead.write("s.yaml", &suite(INFLUX, &long(1000), "rounds: 2"));
    live.write("s.yaml", &suite(INFLUX, &long(25_000), ""));
    let other = start(&live, &["run", "s.yaml", "--no-calibration"]);
    wait_for_load(&live);
    let mut child = start(&dead, &["run", "s.yaml", "--no-calibration"]);
    wait_for_load(&dead);
    child.kill().unwrap();
    child.wait().unwrap();
    let id = run_id(&dead);
    let left = containers(&id);
    assert_eq!(left.len(), 1, "a kill leaves its container");
    let said = dead.run(&["resume", &id]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert_eq!(containers(&run_id(&live)).len(), 1, "the live run keeps its own");
    let mut rounds: Vec<u64> = records(&dead).iter().map(|record| record["round"].as_u64().unwrap()).collect();
    rounds.sort_unstable();
    assert_eq!((rounds, statuses(&dead)), (vec![1, 2], vec!["time_limit".to_owned(); 2]));
    assert_eq!(labelled(&format!("velodrome.run={id}")), Vec::<String>::new());
    signal(&other, "INT");
    assert_eq!(crate::runs::said(other).code, Some(130));
    assert_eq!(labelled(&format!("velodrome.run={}", run_id(&live))), Vec::<String>::new());
}

#[test]
fn what_a_killed_run_left_goes_with_clean() {
    let _alone = alone();
    let sandbox = Sandbox::new();
    sandbox.write("s.yaml", &suite(INFLUX, &long(20_000), ""));
    let mut child = start(&sandbox, &["run", "s.yaml", "--no-calibration"]);
    wait_for_load(&sandbox);
    child.kill().unwrap();
    child.wait().unwrap();
    let label = format!("velodrome.run={}", run_id(&sandbox));
    assert!(!labelled(&label).is_empty());
    // With its folder gone nobody knows whether it lives: only --orphans removes it.
    let hidden = sandbox.path().join("hidden");
    std::fs::rename(run_folder(&sandbox), &hidden).unwrap();
    let kept = sandbox.run(&["clean"]);
    assert!(kept.err.contains("clean --orphans"), "{}", kept.err);
    assert!(!labelled(&label).is_empty());
    std::fs::rename(&hidden, sandbox.path().join("reports").join(label.replace("velodrome.run=", ""))).unwrap();
    let cleaned = sandbox.run(&["clean"]);
    assert!(cleaned.out.contains("container") && cleaned.out.contains("volume"), "{} {}", cleaned.out, cleaned.err);
    assert_eq!(labelled(&label), Vec::<String>::new());
}

#[test]
fn d7_ctrl_c_leaves_partial_results_and_nothing_running() {
    let _alone = alone();
    let sandbox = Sandbox::new();
    sandbox.write("s.yaml", &suite(POSTGRES, &long(60_000), "rounds: 2"));
    let child = start(&sandbox, &["run", "s.yaml", "--no-calibration"]);
    wait_for_load(&sandbox);
    signal(&child, "INT");
    let said = said(child);
    assert_eq!(said.code, Some(130), "{}", said.err);
    let record = records(&sandbox).pop().unwrap();
    assert_eq!(status(&record), "interrupted");
    assert!(record["operations"][0]["ok_points"].as_u64().unwrap() > 0);
    assert_eq!(labelled(&format!("velodrome.run={}", run_id(&sandbox))), Vec::<String>::new());
}

#[test]
fn e15_refused_points_are_counted_and_their_message_is_told_once() {
    let _alone = alone();
    let sandbox = Sandbox::new();
    let target = INFLUX.replace("local\" }\n", "local\" }\n    tuning: { max-values-per-tag: 50 }\n");
    let parameters = "LOOP: 2, DEVICE_NUMBER: 60, SENSOR_NUMBER: 2, BATCH_SIZE_PER_WRITE: 5";
    // One client: the server counts a tag's values a little late when two write at once.
    let text =
        suite(&target, parameters, "policy: { on_error: { threshold: 0.5 } }").replace("clients: 2", "clients: 1");
    let said = sandbox.write("s.yaml", &text).run(&["run", "s.yaml", "--no-calibration"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(said.err.contains("60 devices, and max-values-per-tag is 50"), "{}", said.err);
    let record = records(&sandbox).pop().unwrap();
    assert_eq!(record["operations"][0]["failed_points"], 200);
    let errors = record["errors"].as_array().unwrap();
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0]["count"], 20);
    assert!(errors[0]["message"].as_str().unwrap().contains("max-values-per-tag limit exceeded (50/50)"));
    assert_eq!(record["marks"], serde_json::json!(["errors"]));
}

#[test]
fn an_existing_server_is_left_as_it_was() {
    let _alone = alone();
    let run = crate::scene::Run::new("existing");
    let label = format!("velodrome.run={}", run.0);
    let id = docker(&["run", "-d", "--label", &label, "-p", "127.0.0.1::8086", "velodrome-test/influxdb-1:local"]);
    let port = docker(&["port", &id, "8086/tcp"]).rsplit_once(':').unwrap().1.to_owned();
    let ask = |query: &str| docker(&["exec", &id, "influx", "-execute", query]);
    wait_until("the server", || {
        std::process::Command::new("docker")
            .args(["exec", &id, "influx", "-execute", "SHOW DATABASES"])
            .output()
            .is_ok_and(|output| output.status.success())
    });
    ask("CREATE DATABASE mine");
    docker(&["exec", &id, "influx", "-database", "mine", "-execute", "INSERT m v=1"]);
    let sandbox = Sandbox::new();
    let suite = |more: &str| {
        let target = format!("  - adapter: influxdb-1\n    existing: {{ hosts: [\"127.0.0.1:{port}\"]{more} }}\n");
        suite(&target, "LOOP: 2, DEVICE_NUMBER: 4, SENSOR_NUMBER: 2", "")
    };
    sandbox.write("s.yaml", &suite(", database: mine"));
    let said = sandbox.run(&["run", "s.yaml", "--no-calibration"]);
    assert_eq!(said.code, Some(2), "{}", said.err);
    assert!(said.err.contains("mine") && said.err.contains("drop_existing"), "{}", said.err);
    assert!(!sandbox.path().join("reports").exists());
    sandbox.write("s.yaml", &suite(""));
    let said = sandbox.run(&["run", "s.yaml", "--no-calibration"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert_eq!(records(&sandbox)[0]["stored"]["stored"], records(&sandbox)[0]["stored"]["expected"]);
    let databases = ask("SHOW DATABASES");
    assert!(databases.contains("mine") && !databases.contains("velodrome"), "{databases}");
}

/// V03: a port that another process listens on fails that trial, names port and target, leaves nothing, and does not stand in
/// the way of a second run.
#[test]
fn v03_a_port_that_is_taken_is_named_and_leaves_nothing() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let target = POSTGRES.replace("docker: { ", &format!("docker: {{ port: {port}, "));
    let sandbox = Sandbox::new();
    sandbox.write("s.yaml", &suite(&target, "LOOP: 1, DEVICE_NUMBER: 2, SENSOR_NUMBER: 2", ""));
    for _ in 0..2 {
        let said = sandbox.run(&["run", "s.yaml", "--no-calibration"]);
        assert_eq!(said.code, Some(1), "{}", said.err);
        let words = records(&sandbox)[0]["failure"]["what"].as_str().unwrap().to_owned();
        assert!(words.contains(&port.to_string()) && words.contains("postgres"), "{words}");
        assert!(!words.contains("409"), "{words}");
        let left = labelled(&format!("velodrome.run={}", run_id(&sandbox)));
        assert!(left.is_empty(), "{left:?}");
        std::fs::remove_dir_all(sandbox.path().join("reports")).unwrap();
    }
    drop(taken);
    let said = sandbox.run(&["run", "s.yaml", "--no-calibration"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
}

/// D5: values that follow from the cell's span, each read back from the server.
#[test]
fn a_tuning_that_follows_from_the_cell_is_read_back() {
    let sandbox = Sandbox::new();
    let further = "    tuning: { postgres: { checkpoint_timeout: \"{{ span / 12 }}\" } }\n    sweep: { zip: { scale: [2, 3], \
                   span: [1h, 30m] } }\nvars: { scale: 1, span: 1h }";
    let text = suite(POSTGRES, "LOOP: 2, DEVICE_NUMBER: \"{{ scale }}\", SENSOR_NUMBER: 2", further);
    let said = sandbox.write("s.yaml", &text).run(&["run", "s.yaml", "--no-calibration"]);
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
    let records = records(&sandbox);
    let read_back = |record: &serde_json::Value| {
        let tuning = &record["tuning"][0];
        assert_eq!(tuning["agrees"], true, "{tuning}");
        (tuning["asked"].as_str().unwrap().to_owned(), tuning["read_back"].as_str().unwrap().to_owned())
    };
    assert_eq!(read_back(&records[0]), ("5m".to_owned(), "5min".to_owned()));
    assert_eq!(read_back(&records[1]), ("150s".to_owned(), "150s".to_owned()));
}
