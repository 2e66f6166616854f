//! `velodrome report` from outside.

use std::path::PathBuf;

use super::harness::Sandbox;

const SUITE: &str = "
suite: two
description: Does the encoding matter?
targets: [{name: one, adapter: blackhole}, {name: other, adapter: blackhole}]
scenarios:
  - name: ingest
    workload: { iot: { SENSOR_NUMBER: 2, BATCH_SIZE_PER_WRITE: 5, DEVICE_NUMBER: 10 } }
    sweep: { matrix: { LOOP: [2, 4] } }
rounds: 3
";

/// A sandbox with one run in it, and the run's folder.
fn one_run() -> (Sandbox, PathBuf) {
    let sandbox = Sandbox::new();
    sandbox.write("suite.yaml", SUITE);
    let said = sandbox.run(&["run", "suite.yaml", "--no-calibration"]);
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
    let run = std::fs::read_dir(sandbox.path().join("reports")).unwrap().next().unwrap().unwrap().path();
    (sandbox, run)
}

#[test]
fn a_report_is_made_again_from_the_journal_alone() {
    let (sandbox, run) = one_run();
    let before = std::fs::read_to_string(run.join("report.json")).unwrap();
    let moved = sandbox.path().join("elsewhere");
    std::fs::create_dir(&moved).unwrap();
    std::fs::copy(run.join("journal.jsonl"), moved.join("journal.jsonl")).unwrap();
    let said = sandbox.run(&["report", "elsewhere"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(
        said.out.contains("Writing: Throughput") && said.out.trim_end().ends_with("elsewhere/report.html"),
        "{}",
        said.out
    );
    assert_eq!(std::fs::read_to_string(moved.join("report.json")).unwrap(), before);
    for name in ["report.md", "csv/long.csv", "csv/comparison.csv", "csv/cases.csv"] {
        assert!(moved.join(name).is_file(), "{name}");
    }
    assert!(!moved.join("report.html.part").exists());
}

#[test]
fn formats_folder_and_baseline_can_be_chosen() {
    let (sandbox, run) = one_run();
    let id = run.file_name().unwrap().to_str().unwrap();
    let said = sandbox.run(&["report", id, "--format", "md,json", "--output", "out", "--baseline", "other"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let mut names: Vec<String> = std::fs::read_dir(sandbox.path().join("out"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["report.json", "report.md"]);
    let report = std::fs::read_to_string(sandbox.path().join("out/report.json")).unwrap();
    assert!(report.contains("\"baseline\": \"other\""));
}

#[test]
fn what_is_not_there_is_named_and_exits_with_two() {
    let (sandbox, run) = one_run();
    let id = run.file_name().unwrap().to_str().unwrap();
    for (arguments, words) in [
        (vec!["report", "nosuch"], ["nosuch", id]),
        (vec!["report", id, "--baseline", "third"], ["third", "one, other"]),
        (vec!["report", id, "--format", "pdf"], ["pdf", "html, md, csv and json"]),
        (vec!["report"], ["RUN", "required"]),
    ] {
        let said = sandbox.run(&arguments);
        assert_eq!(said.code, Some(2), "{arguments:?}");
        assert!(words.iter().all(|word| said.err.contains(word)), "{arguments:?}: {}", said.err);
    }
}

#[test]
fn a_run_that_was_killed_has_a_report() {
    let (sandbox, run) = one_run();
    let journal = std::fs::read_to_string(run.join("journal.jsonl")).unwrap();
    let kept: Vec<&str> = journal.lines().take(5).collect();
    // The last line is torn, as a kill in the middle of a write leaves it.
    sandbox.write("killed/journal.jsonl", &format!("{}\n{}", kept.join("\n"), "{\"v\":1,\"at\":\"20"));
    let said = sandbox.run(&["report", "killed"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(said.out.contains("has not ended") && said.out.contains("not run"), "{}", said.out);
    sandbox.write("empty/journal.jsonl", "");
    let said = sandbox.run(&["report", "empty"]);
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("does not say that a run began"), "{}", said.err);
}

#[test]
fn several_runs_become_one_report_beside_the_first() {
    let (sandbox, run) = one_run();
    let said = sandbox.run(&["run", "suite.yaml", "--no-calibration"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let reports = run.parent().unwrap();
    let mut ids: Vec<String> =
        std::fs::read_dir(reports).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    ids.sort();
    let said = sandbox.run(&["report", &ids[0], &ids[1]]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(reports.join(format!("{}+{}/report.html", ids[0], ids[1])).is_file(), "{}", said.out);
    assert!(
        said.out.contains(&format!("one @ {}", ids[0])) && said.out.contains("were not interleaved"),
        "{}",
        said.out
    );
}

#[test]
fn t02_the_csv_of_a_real_run_has_rows_of_one_length() {
    let (_sandbox, run) = one_run();
    for entry in std::fs::read_dir(run.join("csv")).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        assert!(reader.records().all(|record| record.is_ok()), "{}", path.display());
    }
}
