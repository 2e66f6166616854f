//! Signals, kills, closed terminals, and going on afterwards.

use std::collections::BTreeMap;
use std::process::Stdio;
use std::time::{Duration, Instant};

use super::runs::{events, records, run_folder, run_id, said, signal, start, status, statuses, wait_until};
use super::suites::{eight_trials, suite, wait_for_trials};
use crate::harness::Sandbox;

#[test]
fn s10_ctrl_c_at_one_trial_leaves_those_before_it() {
    let sandbox = Sandbox::new();
    let sweep = "sweep:\n  matrix: { LOOP: [5, 6, 7, 100000000, 8] }";
    sandbox.write("s.yaml", &suite("DEVICE_NUMBER: 2, TEST_MAX_TIME: 60000", sweep));
    let child = start(&sandbox, &["run", "s.yaml", "--no-calibration"]);
    wait_for_trials(&sandbox, 3);
    std::thread::sleep(Duration::from_millis(300));
    signal(&child, "INT");
    let said = said(child);
    assert_eq!(said.code, Some(130), "{}", said.err);
    assert_eq!(statuses(&sandbox), ["valid", "valid", "valid", "interrupted"], "the fifth never began");
    let partial = records(&sandbox).pop().unwrap();
    assert!(partial["operations"][0]["ok_operations"].as_u64().unwrap() > 0, "what was measured is kept");
    assert_eq!(events(&sandbox).last().unwrap()["run_ended"]["interrupted"], true);
    let folder = run_folder(&sandbox);
    assert!(folder.join("report.json").is_file() && !folder.join("work").exists());
}

#[test]
fn each_trial_is_on_disk_before_the_next_begins() {
    let sandbox = Sandbox::new();
    sandbox.write("s.yaml", &suite("LOOP: 5, DEVICE_NUMBER: 2", "rounds: 3"));
    assert_eq!(sandbox.run(&["run", "s.yaml", "--no-calibration"]).code, Some(0));
    let kinds: Vec<String> = events(&sandbox)
        .iter()
        .map(|event| event.as_object().unwrap().keys().next().unwrap().clone())
        .filter(|kind| kind.starts_with("trial"))
        .collect();
    assert_eq!(kinds, ["trial_started", "trial_ended"].repeat(3));
}

#[test]
fn a_killed_run_goes_on_with_every_planned_trial_once() {
    let sandbox = Sandbox::new();
    sandbox.write("s.yaml", &eight_trials());
    let mut child = start(&sandbox, &["run", "s.yaml", "--no-calibration"]);
    wait_for_trials(&sandbox, 2);
    child.kill().unwrap();
    child.wait().unwrap();
    let id = run_id(&sandbox);
    let shown = sandbox.run(&["status", &id]);
    assert!(shown.out.contains("stopped without an end; `velodrome resume`"), "{}", shown.out);
    // The suite is not read again.
    std::fs::remove_file(sandbox.path().join("s.yaml")).unwrap();
    let said = sandbox.run(&["resume", &id]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let mut counts: BTreeMap<u64, u32> = BTreeMap::new();
    for record in records(&sandbox) {
        assert_eq!(status(&record), "time_limit");
        *counts.entry(record["round"].as_u64().unwrap()).or_default() += 1;
    }
    assert_eq!(counts, (1..=8).map(|round| (round, 1)).collect());
    assert!(sandbox.run(&["status", &id]).out.contains("8 of 8 trials ended\n      8 time limit\n"));
}

#[test]
fn an_interrupted_run_goes_on_and_runs_the_interrupted_trial_again() {
    let sandbox = Sandbox::new();
    sandbox.write("s.yaml", &eight_trials());
    let child = start(&sandbox, &["run", "s.yaml", "--no-calibration"]);
    wait_for_trials(&sandbox, 6);
    signal(&child, "TERM");
    assert_eq!(said(child).code, Some(130));
    assert_eq!(sandbox.run(&["resume", &run_id(&sandbox)]).code, Some(0));
    let good = statuses(&sandbox).iter().filter(|status| *status == "time_limit").count();
    assert_eq!(good, 8);
}

#[test]
fn a_run_that_goes_on_can_be_looked_at_and_not_resumed() {
    let sandbox = Sandbox::new();
    sandbox.write("s.yaml", &eight_trials());
    let child = start(&sandbox, &["run", "s.yaml", "--no-calibration"]);
    wait_for_trials(&sandbox, 1);
    let id = run_id(&sandbox);
    let shown = sandbox.run(&["status", &id]);
    assert_eq!(shown.code, Some(0));
    assert!(shown.out.contains(": running\n") && shown.out.contains("ETA "), "{}", shown.out);
    let refused = sandbox.run(&["resume", &id]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.err.contains("is going on in another process"), "{}", refused.err);
    signal(&child, "INT");
    assert_eq!(said(child).code, Some(130));
}

#[test]
fn a_second_signal_does_not_wait_and_a_third_ends_at_once() {
    let sandbox = Sandbox::new();
    sandbox.write("s.yaml", &suite("LOOP: 100000000, DEVICE_NUMBER: 2, TEST_MAX_TIME: 60000", ""));
    let child = start(&sandbox, &["run", "s.yaml", "--no-calibration"]);
    wait_until("the trial", || sandbox.path().join("reports").exists() && !events(&sandbox).is_empty());
    std::thread::sleep(Duration::from_millis(200));
    let began = Instant::now();
    signal(&child, "INT");
    signal(&child, "INT");
    signal(&child, "INT");
    assert_eq!(said(child).code, Some(130));
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
}

#[test]
fn m05_a_signal_in_the_warm_up_leaves_no_measured_samples() {
    let sandbox = Sandbox::new();
    sandbox.write("s.yaml", &suite("LOOP: 10, DEVICE_NUMBER: 2", "    load: { clients: 1, warmup: 30s }"));
    let child = start(&sandbox, &["run", "s.yaml", "--no-calibration"]);
    wait_until("the trial", || sandbox.path().join("reports").exists() && events(&sandbox).len() > 1);
    std::thread::sleep(Duration::from_millis(300));
    signal(&child, "INT");
    let said = said(child);
    assert_eq!(said.code, Some(130), "{}", said.err);
    let record = records(&sandbox).pop().unwrap();
    assert_eq!((status(&record).as_str(), &record["elapsed_s"]), ("interrupted", &serde_json::Value::Null));
    let measured =
        record["operations"].as_array().unwrap().iter().map(|o| o["ok_operations"].as_u64().unwrap()).sum::<u64>();
    assert_eq!(measured, 0);
    assert!(!said.out.contains("NaN"), "{}", said.out);
}

#[test]
fn under_nohup_a_hangup_and_a_closed_terminal_end_nothing() {
    let sandbox = Sandbox::new();
    sandbox.write("s.yaml", &eight_trials());
    let script = format!("trap '' HUP; exec {} run s.yaml --no-calibration", env!("CARGO_BIN_EXE_velodrome"));
    let mut child = std::process::Command::new("sh")
        .args(["-c", &script])
        .current_dir(sandbox.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Nobody reads any more: every word is a broken pipe.
    drop(child.stdout.take());
    drop(child.stderr.take());
    wait_for_trials(&sandbox, 1);
    signal(&child, "HUP");
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(statuses(&sandbox), ["time_limit"; 8]);
    assert!(run_folder(&sandbox).join("report.json").is_file());
}

#[test]
fn a_hangup_that_was_not_ignored_ends_the_run_well() {
    let sandbox = Sandbox::new();
    sandbox.write("s.yaml", &eight_trials());
    let child = start(&sandbox, &["run", "s.yaml", "--no-calibration"]);
    wait_for_trials(&sandbox, 1);
    signal(&child, "HUP");
    assert_eq!(said(child).code, Some(130));
}

#[test]
fn what_a_killed_run_left_goes_with_clean_and_not_while_it_lives() {
    let sandbox = Sandbox::new();
    let text = eight_trials().replace("[blackhole]", "[sqlite]");
    sandbox.write("s.yaml", &text);
    let mut child = start(&sandbox, &["run", "s.yaml", "--no-calibration"]);
    wait_for_trials(&sandbox, 1);
    let clean =
        || sandbox.command().env("DOCKER_HOST", "unix:///nonexistent/docker.sock").arg("clean").output().unwrap();
    assert!(String::from_utf8_lossy(&clean().stdout).contains("there is nothing to remove"));
    child.kill().unwrap();
    child.wait().unwrap();
    let work = run_folder(&sandbox).join("work");
    assert!(work.exists());
    let cleaned = clean();
    assert_eq!(cleaned.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&cleaned.stdout).contains(&format!("removed {}", work.display())));
    assert!(!work.exists());
    // No run of this folder was in Docker; of unknown ones only Docker can tell.
    assert_eq!(clean().status.code(), Some(0));
    let mut orphans = sandbox.command();
    orphans.env("DOCKER_HOST", "unix:///nonexistent/docker.sock").args(["clean", "--orphans"]);
    let said = orphans.output().unwrap();
    assert_eq!(said.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&said.stderr).contains("can't be seen"));
}
