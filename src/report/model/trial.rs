//! Every trial by itself: its status, its times, and the numbers of its matrices.
//!
//! It must not merge trials. Invariant: a trial that does not count has no operations here.

use schemars::JsonSchema;
use serde::Serialize;

use super::digest::Digest;
use super::grid::{CellView, Grid};
use crate::run::journal::trial::{OperationRecord, TrialRecord};
use crate::stats::histogram::Latencies;

/// One kind of operation in a trial: a row of the result matrix and of the latency matrix.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TrialOperation {
    /// Its name.
    pub operation: String,
    /// Successful operations.
    pub ok_operations: u64,
    /// Points acknowledged or answered.
    pub ok_points: u64,
    /// Rows acknowledged or answered.
    pub ok_rows: u64,
    /// Failed operations.
    pub failed_operations: u64,
    /// Points that failed.
    pub failed_points: u64,
    /// ok_points ÷ the trial's elapsed time.
    pub points_per_s: Option<f64>,
    /// Service times, seconds; none: no operation succeeded.
    pub service: Option<Digest>,
    /// Response times, in an open loop.
    pub response: Option<Digest>,
    /// The greatest sum of service times of one client, seconds.
    pub slowest_client_s: f64,
}

/// One trial.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Trial {
    /// The run's id.
    pub run: String,
    /// The case's id.
    pub case: String,
    /// The column.
    pub column: String,
    /// The scenario.
    pub scenario: String,
    /// Axis values, own settings included.
    pub axes: Vec<(String, String)>,
    /// The round, from 1.
    pub round: u32,
    /// Its status in words.
    pub status: String,
    /// Whether its numbers are shown.
    pub counts: bool,
    /// When it began, by the wall clock.
    pub started: Option<String>,
    /// When it ended.
    pub ended: String,
    /// First measured operation's start to the last one's end, seconds.
    pub elapsed_s: Option<f64>,
    /// Each phase's seconds, in order.
    pub phases: Vec<(String, f64)>,
    /// Retries of transient failures.
    pub retries: u64,
    /// Open loop: operations begun late.
    pub late: u64,
    /// Open loop: operations dropped.
    pub dropped: u64,
    /// Marks in words.
    pub marks: Vec<String>,
    /// The run that it was taken over from.
    pub reused_from: Option<String>,
    /// Its operations.
    pub operations: Vec<TrialOperation>,
}

/// All trials, place by place and column by column.
pub(crate) fn trials(grid: &Grid<'_>) -> Vec<Trial> {
    let mut all = Vec::new();
    for place in &grid.places {
        for (column, cell) in grid.columns.iter().zip(&place.cells) {
            let Some(cell) = cell else { continue };
            for view in &cell.trials {
                let mut trial = trial(view.record, cell);
                trial.run = grid.runs[cell.run].started.run.clone();
                trial.column = column.name.clone();
                trial.started = view.started_at.map(str::to_owned);
                trial.ended = view.ended_at.to_owned();
                all.push(trial);
            }
        }
    }
    all
}

fn trial(record: &TrialRecord, cell: &CellView<'_>) -> Trial {
    let counts = record.status.counts();
    let shown: &[OperationRecord] = if counts { &record.operations } else { &[] };
    Trial {
        run: String::new(),
        case: record.case.clone(),
        column: String::new(),
        scenario: cell.case.scenario.clone(),
        axes: cell.case.axes.clone(),
        round: record.round,
        status: record.status.words(),
        counts,
        started: None,
        ended: String::new(),
        elapsed_s: record.elapsed_s.filter(|_| counts),
        phases: record.phases.iter().map(|(phase, seconds)| (phase.words().to_owned(), *seconds)).collect(),
        retries: record.retries,
        late: record.late,
        dropped: record.dropped,
        marks: super::compare::words(&record.marks),
        reused_from: record.reused_from.clone(),
        operations: shown.iter().map(|one| operation(one, record.elapsed_s)).collect(),
    }
}

fn operation(record: &OperationRecord, elapsed_s: Option<f64>) -> TrialOperation {
    let digest = |record| Latencies::from_record(record).ok().as_ref().and_then(Digest::of);
    TrialOperation {
        operation: record.operation.clone(),
        ok_operations: record.ok_operations,
        ok_points: record.ok_points,
        ok_rows: record.ok_rows,
        failed_operations: record.failed_operations,
        failed_points: record.failed_points,
        points_per_s: elapsed_s.filter(|elapsed| *elapsed > 0.0).map(|elapsed| record.ok_points as f64 / elapsed),
        service: digest(&record.service),
        response: record.response.as_ref().and_then(digest),
        slowest_client_s: record.slowest_client_s,
    }
}
