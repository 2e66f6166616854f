//! What the engine measured, as the journal keeps it.
//!
//! It must not judge. Invariant: nothing is rounded away but nanoseconds of the series.

use std::time::Duration;

use crate::driver::types::Cell;
use crate::engine::types::{ErrorCount, Interval, OperationResult, Outcome, Sample};
use crate::run::journal::trial::{ErrorRecord, IntervalRecord, OperationRecord, SampleRecord, TrialRecord};

/// How many rows of a sample's answer are kept.
const SAMPLE_ROWS: usize = 5;
/// How many characters of a sample's statement are kept.
const SAMPLE_CHARACTERS: usize = 2000;

/// Puts what was measured into the record.
pub fn fill(record: &mut TrialRecord, outcome: &Outcome) {
    record.elapsed_s = outcome.started.map(|_| outcome.elapsed.as_secs_f64());
    record.warmup_s = Some(outcome.warmup_elapsed).filter(|time| *time > Duration::ZERO).map(|t| t.as_secs_f64());
    record.operations = outcome.operations.iter().map(operation).collect();
    record.series = outcome.series.iter().map(interval).collect();
    record.errors = outcome.errors.iter().map(error).collect();
    record.retries = outcome.retries;
    record.late = outcome.late;
    record.dropped = outcome.dropped;
    record.bytes = outcome.bytes;
    record.checksum = outcome.checksum.map(|sum| format!("{sum:016x}"));
    record.client_cpu_s = outcome.client_cpu;
    record.samples = outcome.samples.iter().map(sample).collect();
}

fn operation(result: &OperationResult) -> OperationRecord {
    OperationRecord {
        operation: result.kind.name().to_owned(),
        ok_operations: result.ok_operations,
        ok_points: result.ok_points,
        ok_rows: result.ok_rows,
        failed_operations: result.failed_operations,
        failed_points: result.failed_points,
        service: result.service.to_record(),
        response: result.response.as_ref().map(crate::stats::histogram::Latencies::to_record),
        slowest_client_s: result.slowest_client.as_secs_f64(),
    }
}

fn interval(interval: &Interval) -> IntervalRecord {
    let milliseconds = |nanos: u64| nanos as f64 / 1e6;
    IntervalRecord {
        second: interval.second,
        operations: interval.operations,
        points: interval.points,
        errors: interval.errors,
        mean_ms: interval.mean_ns.map(milliseconds),
        max_ms: interval.max_ns.map(milliseconds),
    }
}

fn error(error: &ErrorCount) -> ErrorRecord {
    ErrorRecord {
        operation: error.kind.name().to_owned(),
        class: error.class.name().to_owned(),
        message: error.message.clone(),
        count: error.count,
    }
}

fn sample(sample: &Sample) -> SampleRecord {
    let answer = sample.answer.as_ref();
    let rows = answer.map_or(&[][..], |answer| &answer.rows[..answer.rows.len().min(SAMPLE_ROWS)]);
    SampleRecord {
        operation: sample.kind.name().to_owned(),
        statement: sample.statement.chars().take(SAMPLE_CHARACTERS).collect(),
        columns: answer.map_or_else(Vec::new, |answer| answer.columns.clone()),
        rows: rows.iter().map(|row| row.iter().map(Cell::to_string).collect()).collect(),
        row_count: sample.row_count,
    }
}
