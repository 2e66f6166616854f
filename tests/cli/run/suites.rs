//! Suites of databases that need no server.

use super::runs::{records, wait_until};
use crate::harness::Sandbox;

/// A suite of a blackhole, with further workload parameters and further YAML at the top.
pub(super) fn suite(parameters: &str, further: &str) -> String {
    format!(
        "suite: probe\ntargets: [blackhole]\nscenarios:\n  - name: ingest\n    workload:\n      iot: {{ {parameters} }}\n\
         {further}\n"
    )
}

/// Eight trials of about 200 ms each, which need not end by themselves.
pub(super) fn eight_trials() -> String {
    suite("LOOP: 100000000, DEVICE_NUMBER: 2, TEST_MAX_TIME: 200", "rounds: 8")
}

/// Waits until so many trials have ended.
pub(super) fn wait_for_trials(sandbox: &Sandbox, count: usize) {
    wait_until("trials", || {
        sandbox.path().join("reports").exists() && has_run(sandbox) && records(sandbox).len() >= count
    });
}

fn has_run(sandbox: &Sandbox) -> bool {
    std::fs::read_dir(sandbox.path().join("reports")).is_ok_and(|mut entries| entries.next().is_some())
}
