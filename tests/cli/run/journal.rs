//! Journals that were torn, or written by another version.

use std::fs::OpenOptions;
use std::io::Write;

use super::runs::{run_folder, run_id, statuses};
use super::suites::suite;
use crate::harness::Sandbox;

/// A finished run, and its journal's text.
fn finished() -> (Sandbox, String) {
    let sandbox = Sandbox::new();
    sandbox.write("s.yaml", &suite("LOOP: 5, DEVICE_NUMBER: 2", "rounds: 2"));
    assert_eq!(sandbox.run(&["run", "s.yaml", "--no-calibration"]).code, Some(0));
    let text = std::fs::read_to_string(run_folder(&sandbox).join("journal.jsonl")).unwrap();
    (sandbox, text)
}

fn put(sandbox: &Sandbox, text: &str) {
    std::fs::write(run_folder(sandbox).join("journal.jsonl"), text).unwrap();
}

#[test]
fn a_torn_last_line_is_forgiven_and_cut_off() {
    let (sandbox, text) = finished();
    let lines: Vec<&str> = text.lines().collect();
    // Killed while the second trial's record was written.
    let (whole, torn) = (lines[..4].join("\n"), &lines[4][..lines[4].len() / 2]);
    put(&sandbox, &format!("{whole}\n{torn}"));
    let id = run_id(&sandbox);
    assert!(sandbox.run(&["status", &id]).out.contains("1 of 2 trials ended"));
    assert_eq!(sandbox.run(&["resume", &id]).code, Some(0));
    assert_eq!(statuses(&sandbox), ["valid"; 2]);
    let text = std::fs::read_to_string(run_folder(&sandbox).join("journal.jsonl")).unwrap();
    assert!(text.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()));
}

#[test]
fn a_torn_middle_line_is_an_error_that_names_it() {
    let (sandbox, text) = finished();
    let mut lines: Vec<&str> = text.lines().collect();
    lines[2] = &lines[2][..30];
    put(&sandbox, &format!("{}\n", lines.join("\n")));
    let said = sandbox.run(&["status", &run_id(&sandbox)]);
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("journal.jsonl:3: not a journal line"), "{}", said.err);
}

#[test]
fn a_newer_journal_is_refused_by_its_version() {
    let (sandbox, _) = finished();
    let mut file = OpenOptions::new().append(true).open(run_folder(&sandbox).join("journal.jsonl")).unwrap();
    writeln!(file, r#"{{"v":99,"at":"2030-01-01T00:00:00Z","event":{{"message":{{"severity":"note","text":"x"}}}}}}"#)
        .unwrap();
    let said = sandbox.run(&["status", &run_id(&sandbox)]);
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("journal version 99"), "{}", said.err);
}
