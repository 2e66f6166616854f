//! The binary alone: adapters, suites, templates and schema are compiled in.

use std::process::Command;

use crate::harness::{Said, Sandbox};

#[test]
fn the_binary_alone_runs_quickstart_in_an_empty_folder() {
    let sandbox = Sandbox::new();
    let binary = sandbox.path().join("velodrome");
    std::fs::copy(env!("CARGO_BIN_EXE_velodrome"), &binary).unwrap();
    let said = |arguments: &[&str]| {
        let mut command = Command::new(&binary);
        command.current_dir(sandbox.path()).stdin(std::process::Stdio::null()).env_clear();
        Said::from(command.args(arguments).output().unwrap())
    };
    // Every cell once, with few sensors: a debug build is slow.
    let run = said(&["run", "suites/quickstart.yaml", "--no-calibration", "--rounds", "1", "--set", "SENSOR_NUMBER=2"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let report = std::fs::read_dir(sandbox.path().join("reports")).unwrap().next().unwrap().unwrap().path();
    let page = std::fs::read_to_string(report.join("report.html")).unwrap();
    assert!(page.contains("<svg") && page.contains("quickstart"));
    assert_eq!(said(&["schema"]).code, Some(0));
    assert_eq!(said(&["adapters", "show", "postgres"]).code, Some(0));
}
