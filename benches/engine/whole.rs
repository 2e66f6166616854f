//! The real binary running a suite on the blackhole: its CPU time, its memory, and how long until the first operation.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, bail};

use crate::part::Sample;

const SUITE: &str = "suite: ingest
targets: [blackhole]
scenarios:
  - name: ingest
    workload:
      iot: { DEVICE_NUMBER: 100, SENSOR_NUMBER: 10, BATCH_SIZE_PER_WRITE: 100, LOOP: 1000, INSERT_DATATYPE_PROPORTION: \"0:0:0:0:1\" }
    load: { clients: 10 }
";

/// Runs the suite once.
pub(crate) fn run(binary: &Path) -> anyhow::Result<Sample> {
    let folder = std::env::temp_dir().join(format!("velodrome-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join("suite.yaml"), SUITE)?;
    let result = run_in(binary, &folder);
    std::fs::remove_dir_all(&folder)?;
    result
}

fn run_in(binary: &Path, folder: &Path) -> anyhow::Result<Sample> {
    let started = jiff::Timestamp::now();
    let mut child = Command::new(binary)
        .args(["run", "suite.yaml", "--no-calibration", "--reports", "reports"])
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .with_context(|| format!("{}", binary.display()))?;
    let (cpu, memory) = watch(&child)?;
    let status = child.wait()?;
    if !status.success() {
        bail!("the suite ended with {status}");
    }
    let journal = journal(folder)?;
    let ended = journal.iter().find(|line| !line["event"]["trial_ended"].is_null()).context("no trial")?;
    let trial = &ended["event"]["trial_ended"];
    let operation = &trial["operations"][0];
    let number = |name: &str| operation[name].as_u64().with_context(|| format!("no {name}"));
    let sample = Sample {
        cpu,
        points: number("ok_points")?,
        operations: number("ok_operations")?,
        bytes: trial["bytes"].as_u64().context("no bytes")?,
        memory,
        to_first: until_measured(&journal, trial, started)?,
    };
    Ok(sample)
}

/// From the start of the process to the first measured operation: the phases before it, after the trial began.
fn until_measured(
    journal: &[serde_json::Value],
    trial: &serde_json::Value,
    started: jiff::Timestamp,
) -> anyhow::Result<Duration> {
    let began = journal.iter().find(|line| !line["event"]["trial_started"].is_null()).context("no start")?;
    let at: jiff::Timestamp = began["at"].as_str().context("no time")?.parse()?;
    let phases = trial["phases"].as_array().context("no phases")?;
    let before = phases.iter().take_while(|phase| phase[0] != "measure").filter_map(|phase| phase[1].as_f64());
    let elapsed = trial["elapsed_s"].as_f64().context("no elapsed time")?;
    let measure = phases.iter().find(|phase| phase[0] == "measure").and_then(|phase| phase[1].as_f64());
    let around = measure.context("no measured part")? - elapsed;
    let first = Duration::try_from_secs_f64(before.sum::<f64>() + around)?;
    Ok(Duration::try_from(at.duration_since(started))? + first)
}

fn journal(folder: &Path) -> anyhow::Result<Vec<serde_json::Value>> {
    let runs: Vec<PathBuf> = std::fs::read_dir(folder.join("reports"))?
        .filter_map(|entry| Some(entry.ok()?.path().join("journal.jsonl")))
        .filter(|path| path.is_file())
        .collect();
    let text = std::fs::read_to_string(runs.first().context("no run")?)?;
    text.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
}

/// Follows a child until it has ended, not yet waited for. Answers its CPU seconds and its peak of memory.
fn watch(child: &Child) -> anyhow::Result<(f64, u64)> {
    let process = PathBuf::from(format!("/proc/{}", child.id()));
    let mut memory = 0;
    loop {
        let stat = std::fs::read_to_string(process.join("stat"))?;
        let fields: Vec<&str> = stat.rsplit_once(") ").map_or(vec![], |(_, rest)| rest.split(' ').collect());
        let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok()).context("/proc/PID/stat");
        if fields.first() == Some(&"Z") {
            // User and system time, in hundredths of a second.
            return Ok(((ticks(11)? + ticks(12)?) / 100.0, memory));
        }
        memory = memory.max(crate::usage::peak_memory_of(&process).unwrap_or(0));
        std::thread::sleep(Duration::from_millis(10));
    }
}
