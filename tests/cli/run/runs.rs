//! Starts runs, and looks at what they left.

use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::harness::{Said, Sandbox};

/// The folder of the latest run; its id is its name.
pub(crate) fn run_folder(sandbox: &Sandbox) -> PathBuf {
    latest(sandbox).unwrap()
}

/// The folder of the latest run, if one has been made yet.
fn latest(sandbox: &Sandbox) -> Option<PathBuf> {
    std::fs::read_dir(sandbox.path().join("reports")).ok()?.map(|entry| entry.unwrap().path()).max()
}

/// The latest run's id.
pub(crate) fn run_id(sandbox: &Sandbox) -> String {
    run_folder(sandbox).file_name().unwrap().to_string_lossy().into_owned()
}

/// The latest run's events; a torn last line is left out.
pub(crate) fn events(sandbox: &Sandbox) -> Vec<Value> {
    let Some(run) = latest(sandbox) else { return Vec::new() };
    let text = std::fs::read_to_string(run.join("journal.jsonl")).unwrap_or_default();
    text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()).map(|line| line["event"].clone()).collect()
}

/// The records of the trials that ended.
pub(crate) fn records(sandbox: &Sandbox) -> Vec<Value> {
    events(sandbox).iter().filter_map(|event| event.get("trial_ended").cloned()).collect()
}

/// Their statuses.
pub(crate) fn statuses(sandbox: &Sandbox) -> Vec<String> {
    records(sandbox).iter().map(status).collect()
}

/// A record's status; a failure as `failed: reason`.
pub(crate) fn status(record: &Value) -> String {
    match &record["status"] {
        Value::String(word) => word.clone(),
        other => format!("failed: {}", other["failed"].as_str().unwrap()),
    }
}

/// Starts the binary, its words caught.
pub(crate) fn start(sandbox: &Sandbox, arguments: &[&str]) -> Child {
    sandbox.command().args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits until something holds; a test that waits in vain fails.
pub(crate) fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < Duration::from_secs(30), "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Sends a signal by its name.
pub(crate) fn signal(child: &Child, name: &str) {
    let number = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-s", name, &number]).status().unwrap().success());
}

/// Waits for the end.
pub(crate) fn said(child: Child) -> Said {
    Said::from(child.wait_with_output().unwrap())
}
