//! One trial's result matrix and latency matrix, in the columns that iot-benchmark's users know.
//!
//! It must not print. Invariant: a trial that does not count shows its reason and no matrix.

use std::fmt::Write;
use std::time::Duration;

use crate::report::model::measure::OPERATIONS;
use crate::run::journal::events::CaseInfo;
use crate::run::journal::trial::{OperationRecord, Phase, TrialRecord};
use crate::stats::histogram::Latencies;

const RESULT_HEAD: [&str; 6] =
    ["Operation", "okOperation", "okPoint", "failOperation", "failPoint", "throughput(point/s)"];
const LATENCY_HEAD: [&str; 12] =
    ["AVG", "MIN", "P10", "P25", "MEDIAN", "P75", "P90", "P95", "P99", "P999", "MAX", "SLOWEST_THREAD"];
const PERCENTILES: [f64; 8] = [10.0, 25.0, 50.0, 75.0, 90.0, 95.0, 99.0, 99.9];

/// What is shown of one trial when it has ended.
pub fn terminal_trial(record: &TrialRecord, case: &CaseInfo) -> String {
    let mut out = format!("{}, round {}: {}\n", case.id, record.round, record.status.words());
    match record.elapsed_s {
        Some(elapsed) if record.status.counts() => matrices(&mut out, record, elapsed),
        _ => {
            if let Some(failure) = &record.failure {
                let _ = writeln!(out, "{}", failure.what);
            }
        }
    }
    out
}

fn matrices(out: &mut String, record: &TrialRecord, elapsed: f64) {
    if let Some((_, seconds)) = record.phases.iter().find(|(phase, _)| *phase == Phase::Schema) {
        let _ = writeln!(out, "Create schema cost {seconds:.2} second");
    }
    let _ = writeln!(out, "Test elapsed time (not include schema creation): {elapsed:.2} second");
    let rows = rows(record);
    title(out, "Result Matrix", 129);
    for head in RESULT_HEAD {
        let _ = write!(out, "{head:<25}");
    }
    out.push('\n');
    for (name, operation) in &rows {
        result_row(out, name, *operation, elapsed);
    }
    out.push_str(&"-".repeat(129));
    out.push_str("\n\n");
    title(out, "Latency (ms) Matrix", 167);
    let _ = write!(out, "{:<25}", "Operation");
    for head in LATENCY_HEAD {
        let _ = write!(out, "{head:<12}");
    }
    out.push('\n');
    for (name, operation) in &rows {
        latency_row(out, name, *operation);
    }
    out.push_str(&"-".repeat(167));
    out.push('\n');
}

/// iot-benchmark's rows where any of its operations ran, then what else ran.
fn rows(record: &TrialRecord) -> Vec<(&str, Option<&OperationRecord>)> {
    let find = |name: &str| record.operations.iter().find(|operation| operation.operation == name);
    let mut rows: Vec<(&str, Option<&OperationRecord>)> = Vec::new();
    if record.operations.iter().any(|operation| OPERATIONS.contains(&operation.operation.as_str())) {
        rows.extend(OPERATIONS.map(|name| (name, find(name))));
    }
    let others = record.operations.iter().filter(|operation| !OPERATIONS.contains(&operation.operation.as_str()));
    rows.extend(others.map(|operation| (operation.operation.as_str(), Some(operation))));
    rows
}

fn title(out: &mut String, title: &str, width: usize) {
    let _ = writeln!(out, "{title:-^width$}");
}

fn result_row(out: &mut String, name: &str, operation: Option<&OperationRecord>, elapsed: f64) {
    let counts = operation.map_or([0; 4], |operation| {
        [operation.ok_operations, operation.ok_points, operation.failed_operations, operation.failed_points]
    });
    let _ = write!(out, "{name:<25}");
    for count in counts {
        let _ = write!(out, "{count:<25}");
    }
    let throughput = if elapsed > 0.0 { counts[1] as f64 / elapsed } else { 0.0 };
    let _ = writeln!(out, "{:<25}", format!("{throughput:.2}"));
}

fn latency_row(out: &mut String, name: &str, operation: Option<&OperationRecord>) {
    let _ = write!(out, "{name:<25}");
    let histogram = operation.and_then(|operation| Latencies::from_record(&operation.service).ok()).unwrap_or_default();
    let ms = |duration: Option<Duration>| duration.map_or(0.0, |duration| duration.as_secs_f64() * 1e3);
    let mut cells = vec![ms(histogram.mean()), ms(histogram.min())];
    cells.extend(PERCENTILES.map(|percentile| ms(histogram.percentile(percentile))));
    cells.push(ms(histogram.max()));
    cells.push(operation.map_or(0.0, |operation| operation.slowest_client_s * 1e3));
    for cell in cells {
        let _ = write!(out, "{:<12}", format!("{cell:.2}"));
    }
    out.push('\n');
}
