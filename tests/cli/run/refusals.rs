//! What is wrong before anything was touched, and databases that can't be reached.

use super::runs::{events, records, run_folder, run_id, statuses};
use super::suites::suite;
use crate::harness::Sandbox;

/// A server that is not there: nothing listens on port 1.
const NOBODY: &str = "suite: nobody\ntargets:\n  - adapter: influxdb-1\n    existing: { hosts: [\"127.0.0.1:1\"], user: u, \
                      password: { env: VR_PASSWORD }, token: { file: token.txt } }\nscenarios:\n  - name: ingest\n    \
                      workload:\n      iot: { LOOP: 2, DEVICE_NUMBER: 2 }\nrounds: 2\n";

fn nobody() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("s.yaml", NOBODY).write("token.txt", "tok-123\n");
    sandbox
}

#[test]
fn s07_every_trial_fails_and_the_report_is_still_written() {
    let sandbox = nobody();
    let said = sandbox.command().env("VR_PASSWORD", "s3cr3t-Pw").args(["run", "s.yaml", "--no-calibration"]).output();
    let said = crate::harness::Said::from(said.unwrap());
    assert_eq!(said.code, Some(1), "{}", said.err);
    assert_eq!(statuses(&sandbox), ["failed: refused"; 2]);
    assert!(run_folder(&sandbox).join("report.json").is_file());
    let what = records(&sandbox)[0]["failure"]["what"].as_str().unwrap().to_owned();
    assert!(what.contains("127.0.0.1:1"), "{what}");
    // There is no password any more, and nothing to use it for.
    let said = sandbox.run(&["resume", &run_id(&sandbox)]);
    assert_eq!(said.code, Some(1), "{}", said.err);
    assert!(said.err.contains("nothing is left to do; it ended with exit code 1"), "{}", said.err);
}

#[test]
fn t10_no_secret_is_in_any_output() {
    let sandbox = nobody();
    // In places where a suite can't forbid it: a description, and a comment.
    let text = NOBODY.replace("suite: nobody\n", "suite: nobody\ndescription: see http://u:p@h/x\n# tok-123\n");
    let text = text.replace("rounds: 2", "rounds: 1");
    sandbox.write("s.yaml", &text);
    let output = sandbox.command().env("VR_PASSWORD", "s3cr3t-Pw").args(["run", "s.yaml", "--no-calibration"]).output();
    let said = crate::harness::Said::from(output.unwrap());
    let mut texts = vec![("stdout".to_owned(), said.out), ("stderr".to_owned(), said.err)];
    let mut folders = vec![run_folder(&sandbox)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                texts.push((
                    path.display().to_string(),
                    String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned(),
                ));
            }
        }
    }
    assert!(texts.len() >= 7, "{}", texts.len());
    for (place, text) in texts {
        for secret in ["s3cr3t-Pw", "tok-123", "u:p@"] {
            assert!(!text.contains(secret), "{secret} is in {place}");
        }
    }
}

#[test]
fn a_password_that_is_a_name_is_warned_of_once_and_hides_no_word() {
    let sandbox = nobody();
    let output =
        sandbox.command().env("VR_PASSWORD", "influxdb-1").args(["run", "s.yaml", "--no-calibration"]).output();
    let said = crate::harness::Said::from(output.unwrap());
    assert_eq!(said.err.matches("target influxdb-1: its password is the same as the name").count(), 1, "{}", said.err);
    let what = records(&sandbox)[0]["failure"]["what"].as_str().unwrap().to_owned();
    assert!(what.starts_with("influxdb-1 was not ready"), "{what}");
}

#[test]
fn a_missing_secret_is_told_before_anything_is_touched() {
    let sandbox = nobody();
    let said = sandbox.run(&["run", "s.yaml"]);
    assert_eq!(said.code, Some(2), "{}", said.err);
    assert!(said.err.contains("target influxdb-1: existing.password"), "{}", said.err);
    assert!(said.err.contains("VR_PASSWORD, which is not set"), "{}", said.err);
    assert!(!said.err.contains("2 trials"), "{}", said.err);
    assert!(!sandbox.path().join("reports").exists());
}

#[test]
fn without_docker_where_it_is_needed_nothing_is_touched() {
    let sandbox = Sandbox::new();
    let text = suite("LOOP: 1, DEVICE_NUMBER: 1", "").replace("[blackhole]", "[postgres]");
    sandbox.write("s.yaml", &text);
    let output = sandbox
        .command()
        .env("DOCKER_HOST", "unix:///nonexistent/docker.sock")
        .args(["run", "s.yaml", "--no-calibration"])
        .output();
    let said = crate::harness::Said::from(output.unwrap());
    assert_eq!(said.code, Some(2), "{}", said.err);
    assert!(said.err.contains("/nonexistent/docker.sock"), "{}", said.err);
    assert!(!sandbox.path().join("reports").exists());
}

#[test]
fn a_run_without_containers_does_not_look_for_docker() {
    let sandbox = Sandbox::new();
    sandbox.write("s.yaml", &suite("LOOP: 1, DEVICE_NUMBER: 1", ""));
    let output = sandbox
        .command()
        .env("DOCKER_HOST", "unix:///nonexistent/docker.sock")
        .args(["run", "s.yaml", "--no-calibration"])
        .output();
    assert_eq!(output.unwrap().status.code(), Some(0));
}

#[test]
fn s08_a_selection_of_nothing_is_told_with_what_there_is() {
    let sandbox = Sandbox::new();
    sandbox.write("s.yaml", &suite("LOOP: 1, DEVICE_NUMBER: 1", ""));
    let said = sandbox.run(&["run", "s.yaml", "--only", "target=nosuch"]);
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("nosuch") && said.err.contains("blackhole"), "{}", said.err);
    assert!(!sandbox.path().join("reports").exists());
}

#[test]
fn a_folder_that_can_not_be_written_is_named() {
    let sandbox = Sandbox::new();
    sandbox.write("s.yaml", &suite("LOOP: 1, DEVICE_NUMBER: 1", "")).write("reports", "a file");
    let said = sandbox.run(&["run", "s.yaml", "--no-calibration"]);
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("--reports reports: it is a file, a folder is expected"), "{}", said.err);
}

#[test]
fn a_missed_assertion_is_exit_1() {
    let sandbox = Sandbox::new();
    let run = |value: &str| {
        let further = format!("assert: [\"throughput(scenario=ingest) >= {value}\"]");
        sandbox.write("s.yaml", &suite("LOOP: 5, DEVICE_NUMBER: 2", &further));
        sandbox.run(&["run", "s.yaml", "--no-calibration"])
    };
    assert_eq!(run("1").code, Some(0));
    let said = run("1e15");
    assert_eq!(said.code, Some(1), "{}", said.err);
    assert!(said.err.contains("assertion missed: throughput(scenario=ingest) >= 1e15"), "{}", said.err);
}

#[test]
fn an_unknown_run_is_told_with_the_latest() {
    let sandbox = Sandbox::new();
    for command in ["resume", "status"] {
        let said = sandbox.run(&[command, "nosuch"]);
        assert_eq!(said.code, Some(2));
        assert!(said.err.contains("no run \"nosuch\" in reports: there are no runs"), "{}", said.err);
    }
    assert!(!sandbox.path().join("reports").exists());
}

#[test]
fn a_reader_of_a_failed_load_says_so() {
    let sandbox = nobody();
    let text = NOBODY.replace(
        "rounds: 2\n",
        "  - name: ask\n    on: ingest\n    workload:\n      iot: { LOOP: 2, OPERATION_PROPORTION: \"0:1\" }\n",
    );
    sandbox.write("s.yaml", &text);
    let output =
        sandbox.command().env("VR_PASSWORD", "x-y-z").args(["run", "s.yaml", "--no-calibration"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(statuses(&sandbox), ["failed: refused", "failed: no_data"]);
    assert_eq!(events(&sandbox).last().unwrap()["run_ended"]["exit_code"], 1);
}
