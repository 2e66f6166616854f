//! `velodrome plan` from outside.

use serde_json::{Value, json};

use crate::harness::{Said, Sandbox};

const SMALL: &str = r#"suite: small
description: two databases
targets: [sqlite, { adapter: influxdb-1, docker: { cpus: 2, memory: 1GiB } }]
scenarios:
  - name: ingest
    workload: { iot: { DEVICE_NUMBER: 5, SENSOR_NUMBER: 4, BATCH_SIZE_PER_WRITE: 10 } }
  - name: ask
    on: ingest
    workload: { iot: { LOOP: 3, OPERATION_PROPORTION: "0:1:1" } }
    load: { clients: 2, duration: 10s }
sweep: { matrix: { LOOP: [2, 3] } }
rounds: 2
"#;

fn plan(text: &str, arguments: &[&str]) -> Said {
    let sandbox = Sandbox::new();
    sandbox.write("suite.yaml", text);
    sandbox.run(&[&["plan", "suite.yaml", "--no-calibration"], arguments].concat())
}

fn json_of(text: &str, arguments: &[&str]) -> Value {
    let said = plan(text, &[&["--format", "json"], arguments].concat());
    assert_eq!(said.code, Some(0), "{}", said.err);
    serde_json::from_str(&said.out).unwrap()
}

/// Hashes hang on adapters' files and free space on the machine: neither belongs in a snapshot.
fn steady(text: &str) -> String {
    let is_hash = |word: &str| word.len() == 64 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let line = |line: &str| {
        let words: Vec<&str> = line.split(' ').map(|word| if is_hash(word) { "HASH" } else { word }).collect();
        let line = words.join(" ");
        line.split_once(" of ")
            .filter(|_| line.ends_with(" free"))
            .map_or(line.clone(), |(used, _)| format!("{used} of SPACE free"))
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_plan_as_text() {
    let said = plan(SMALL, &[]);
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
    insta::assert_snapshot!(steady(&said.out));
}

#[test]
fn warm_ups_are_named() {
    let said = plan(&SMALL.replace("duration: 10s", "duration: 10s, warmup: { operations: 1000 }"), &[]);
    assert!(said.out.contains("warm-up of ask before it is measured: 1,000 operations\n"), "{}", said.out);
    let said = plan(&SMALL.replace("duration: 10s", "duration: 10s, warmup: 5s"), &[]);
    assert!(said.out.contains("warm-up of ask before it is measured: 5.0 s\n"), "{}", said.out);
}

#[test]
fn a_plan_as_json() {
    let mut shown = json_of(SMALL, &["--targets", "sqlite", "--only", "LOOP=2"]);
    let is_hash = |value: &Value| value.as_str().is_some_and(|text| text.len() == 64);
    assert!(is_hash(&shown["hash"]));
    shown["hash"] = json!("HASH");
    for case in shown["cases"].as_array_mut().unwrap() {
        assert!(is_hash(&case["hash"]));
        case["hash"] = json!("HASH");
        let all = case["parameters"].as_object().unwrap();
        assert!(all.len() > 40, "every parameter is resolved: {all:?}");
        let names = ["BATCH_SIZE_PER_WRITE", "DATA_CLIENT_NUMBER", "DEVICE_NUMBER", "LOOP", "OPERATION_PROPORTION"];
        case["parameters"] = names.iter().map(|name| ((*name).to_owned(), all[*name].clone())).collect();
    }
    insta::assert_snapshot!(serde_json::to_string_pretty(&shown).unwrap());
}

#[test]
fn of_many_cases_the_first_and_last_are_shown_unless_all_are_asked_for() {
    let loops: Vec<u32> = (1..=100).collect();
    let text = SMALL.replace("[2, 3]", &format!("{loops:?}"));
    let lines = |arguments: &[&str]| {
        let out = plan(&text, arguments).out;
        out.lines().filter(|line| line.starts_with("sqlite/") || line.starts_with("influxdb-1/")).count()
    };
    assert_eq!(lines(&[]), 40);
    assert_eq!(lines(&["--all"]), 400);
    assert!(plan(&text, &[]).out.contains("… 360 more cases; --all shows them …"));
}

#[test]
fn a_budget_that_is_exceeded_exits_with_2_and_both_numbers() {
    let said = plan(SMALL, &["--budget", "10s"]);
    assert_eq!(said.code, Some(2));
    assert_eq!(said.err, "error: the run is estimated to take 51 s, and the budget is 10 s\n");
    assert!(said.out.contains("time: about 51 s"));
    assert_eq!(plan(SMALL, &["--budget", "60h"]).code, Some(0));
    let said = plan(SMALL, &["--budget", "soon"]);
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("--budget: `soon` is not a duration"), "{}", said.err);
}

#[test]
fn s08_only_that_matches_nothing_names_what_there_is() {
    let said = plan(SMALL, &["--only", "nosuch"]);
    assert_eq!((said.code, said.out.as_str()), (Some(2), ""));
    assert!(said.err.contains("`nosuch`") && said.err.contains("sqlite, influxdb-1"), "{}", said.err);
    let said = plan(SMALL, &["--only", "target=sqlite,LOOP=7"]);
    assert_eq!((said.code, said.out.as_str()), (Some(2), ""));
    assert!(said.err.contains("no case has LOOP=7") && said.err.contains("LOOP has the values: 2, 3"), "{}", said.err);
}

#[test]
fn e03_the_plan_says_what_an_unbound_client_will_do() {
    let text = "suite: p\ntargets: [blackhole]\nscenarios:\n  - name: a\n    workload: { iot: { IS_CLIENT_BIND: false, CLIENT_NUMBER: 1, DEVICE_NUMBER: 1000, SENSOR_NUMBER: 100, BATCH_SIZE_PER_WRITE: 100, LOOP: 100 } }\n";
    let shown = json_of(text, &[]);
    assert_eq!((&shown["cases"][0]["operations"], &shown["cases"][0]["points"]), (&json!(100), &json!(1_000_000)));
}

#[test]
fn e15_many_devices_on_influxdb_1_are_warned_of() {
    let said = plan(&SMALL.replace("DEVICE_NUMBER: 5,", "DEVICE_NUMBER: 100001,"), &[]);
    assert_eq!(said.code, Some(0));
    assert!(said.err.contains("influxdb-1: 100001 devices, and max-values-per-tag is 100000"), "{}", said.err);
}

#[test]
fn what_a_target_can_not_do_is_said_with_its_reason() {
    let shown = json_of(&SMALL.replace("SENSOR_NUMBER: 4,", "SENSOR_NUMBER: 3000,"), &[]);
    let reason = |case: usize| shown["cases"][case]["not_supported"].as_str();
    assert!(reason(0).unwrap().contains("SQLite takes 2000 columns"), "{shown}");
    assert_eq!(reason(2), None);
    assert_eq!(shown["totals"]["not_supported"], 4);
    assert_eq!(shown["trials"].as_array().unwrap().len(), 16);
}

#[test]
fn time_zone_and_locale_change_nothing() {
    let sandbox = Sandbox::new();
    sandbox.write("suite.yaml", SMALL);
    let plan = |zone: &str, locale: &str| {
        let mut command = sandbox.command();
        command
            .args(["plan", "suite.yaml", "--format", "json", "--no-calibration"])
            .env("TZ", zone)
            .env("LANG", locale);
        command.output().unwrap().stdout
    };
    assert_eq!(plan("UTC", "C"), plan("Asia/Shanghai", "de_DE.UTF-8"));
}

#[test]
fn a_calibration_is_short_and_said() {
    let sandbox = Sandbox::new();
    sandbox.write("suite.yaml", SMALL);
    let said = sandbox.run(&["plan", "suite.yaml"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(said.out.contains("estimates: the client was calibrated ("), "{}", said.out);
}

#[test]
fn the_last_run_is_what_estimates_rest_on() {
    let sandbox = Sandbox::new();
    let text = "suite: p\ntargets: [blackhole]\nscenarios:\n  - name: a\n    workload: { iot: { DEVICE_NUMBER: 5, LOOP: 2 } }\n";
    sandbox.write("suite.yaml", text);
    let said = sandbox.run(&["run", "suite.yaml", "--no-calibration"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let said = sandbox.run(&["plan", "suite.yaml"]);
    assert!(said.out.contains("estimates: from run "), "{}", said.out);
    assert!(!said.out.contains("guesses"), "{}", said.out);
    let said = sandbox.run(&["plan", "suite.yaml", "--set", "LOOP=20"]);
    assert!(said.out.contains("estimates: from run "), "like cases count too: {}", said.out);
}

#[test]
fn the_suites_that_ship_are_planned() {
    let suites = concat!(env!("CARGO_MANIFEST_DIR"), "/suites");
    let cases = |name: &str| {
        let said = Sandbox::new().run(&["plan", &format!("{suites}/{name}"), "--format", "json", "--no-calibration"]);
        assert_eq!(said.code, Some(0), "{name}: {}", said.err);
        serde_json::from_str::<Value>(&said.out).unwrap()["cases"].as_array().unwrap().clone()
    };
    let routine = cases("routine.yaml");
    assert_eq!(routine.len(), 9);
    for case in &routine {
        assert_eq!((&case["operations"], &case["points"]), (&json!(1000), &json!(1_000_000)));
    }
    for name in ["quickstart.yaml", "chunks.yaml", "tuning-postgres.yaml"] {
        assert!(cases(name).len() > 2, "{name}");
    }
}
