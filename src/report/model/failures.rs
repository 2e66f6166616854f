//! Failures: a block for each trial that does not count, and the kinds of failed operation in those that do.
//!
//! It must not show a measurement of a failed trial. Invariant: a failure names what, when, and the command that runs its cell alone.

use schemars::JsonSchema;
use serde::Serialize;

use super::grid::Grid;
use crate::run::journal::trial::Status;

/// A trial that failed, did not finish or was interrupted.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Failure {
    /// The case's id.
    pub case: String,
    /// The scenario.
    pub scenario: String,
    /// The column.
    pub column: String,
    /// The round.
    pub round: u32,
    /// Its status in words.
    pub status: String,
    /// What happened, in a sentence.
    pub what: Option<String>,
    /// The phase it happened in.
    pub phase: Option<String>,
    /// When, by the wall clock.
    pub at: String,
    /// Seconds since the trial began.
    pub after_s: Option<f64>,
    /// The server's exit code.
    pub exit_code: Option<i64>,
    /// Whether the server was killed for want of memory; none: not known.
    pub out_of_memory: Option<bool>,
    /// The last lines of the server's log.
    pub log: Vec<String>,
    /// The command that runs this cell alone.
    pub command: Option<String>,
    /// Operations that had been attempted until then: name, succeeded, failed.
    pub attempted: Vec<(String, u64, u64)>,
    /// Kinds of failed operation: operation, class, first message, how often.
    pub errors: Vec<(String, String, String, u64)>,
}

/// A kind of failed operation in a cell whose numbers count.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ErrorKind {
    /// The case's id.
    pub case: String,
    /// The scenario.
    pub scenario: String,
    /// The column.
    pub column: String,
    /// The operation.
    pub operation: String,
    /// The class.
    pub class: String,
    /// The first message.
    pub message: String,
    /// How often, over all rounds.
    pub count: u64,
}

/// All failures, in the order of places and columns.
pub(crate) fn failures(grid: &Grid<'_>) -> Vec<Failure> {
    let mut failures = Vec::new();
    for (column, cell) in cells(grid) {
        for view in &cell.trials {
            let record = view.record;
            if record.status.counts() || record.status == Status::NotSupported {
                continue;
            }
            let failure = record.failure.clone().unwrap_or_default();
            failures.push(Failure {
                case: record.case.clone(),
                scenario: cell.case.scenario.clone(),
                column: column.to_owned(),
                round: record.round,
                status: record.status.words(),
                what: (!failure.what.is_empty()).then_some(failure.what),
                phase: failure.phase,
                at: view.ended_at.to_owned(),
                after_s: (failure.after_ms > 0).then_some(failure.after_ms as f64 / 1e3),
                exit_code: failure.exit_code,
                out_of_memory: failure.out_of_memory,
                log: failure.log,
                command: failure.command,
                attempted: record
                    .operations
                    .iter()
                    .map(|one| (one.operation.clone(), one.ok_operations, one.failed_operations))
                    .collect(),
                errors: record
                    .errors
                    .iter()
                    .map(|one| (one.operation.clone(), one.class.clone(), one.message.clone(), one.count))
                    .collect(),
            });
        }
    }
    failures
}

/// The kinds of failed operation in trials that count.
pub(crate) fn error_kinds(grid: &Grid<'_>) -> Vec<ErrorKind> {
    let mut kinds: Vec<ErrorKind> = Vec::new();
    for (column, cell) in cells(grid) {
        for error in cell.counted().flat_map(|trial| &trial.record.errors) {
            let known = kinds.iter_mut().find(|known| {
                known.case == cell.case.id
                    && known.column == column
                    && (&known.operation, &known.class, &known.message)
                        == (&error.operation, &error.class, &error.message)
            });
            match known {
                Some(known) => known.count += error.count,
                None => kinds.push(ErrorKind {
                    case: cell.case.id.clone(),
                    scenario: cell.case.scenario.clone(),
                    column: column.to_owned(),
                    operation: error.operation.clone(),
                    class: error.class.clone(),
                    message: error.message.clone(),
                    count: error.count,
                }),
            }
        }
    }
    kinds
}

fn cells<'a, 'b>(grid: &'b Grid<'a>) -> impl Iterator<Item = (&'b str, &'b super::grid::CellView<'a>)> {
    grid.places.iter().flat_map(|place| {
        grid.columns.iter().zip(&place.cells).filter_map(|(column, cell)| Some((column.name.as_str(), cell.as_ref()?)))
    })
}
