//! A cell's numbers, round by round, read out of its counted trials.
//!
//! It must not compare cells. Invariant: only trials that count are read.

use super::digest::{self, Digest, Merged};
use super::grid::{CellView, Grid};
use super::measure::{Source, Spec, writes};
use super::state::{State, state};
use super::usage::{Usage, usage};
use crate::run::journal::trial::{DiskRecord, Mark, OperationRecord, StoredRecord, TrialRecord};

/// One operation's counts in one round.
#[derive(Clone, Debug)]
pub(crate) struct RoundCounts {
    pub(crate) round: u32,
    pub(crate) elapsed_s: f64,
    pub(crate) ok_operations: u64,
    pub(crate) ok_points: u64,
    pub(crate) ok_rows: u64,
    pub(crate) failed_operations: u64,
    pub(crate) failed_points: u64,
    pub(crate) slowest_client_s: f64,
}

impl RoundCounts {
    fn of(record: &OperationRecord, round: u32, elapsed_s: f64) -> RoundCounts {
        RoundCounts {
            round,
            elapsed_s,
            ok_operations: record.ok_operations,
            ok_points: record.ok_points,
            ok_rows: record.ok_rows,
            failed_operations: record.failed_operations,
            failed_points: record.failed_points,
            slowest_client_s: record.slowest_client_s,
        }
    }
}

/// The share of what was attempted that failed: points where failures have points, else operations.
pub(crate) fn error_rate<'a>(rounds: impl Iterator<Item = &'a RoundCounts>) -> Option<f64> {
    let (mut failed_points, mut points, mut failed, mut operations) = (0, 0, 0, 0);
    for round in rounds {
        failed_points += round.failed_points;
        points += round.failed_points + round.ok_points;
        failed += round.failed_operations;
        operations += round.failed_operations + round.ok_operations;
    }
    match (failed_points, operations.max(points)) {
        (_, 0) => None,
        (0, _) => Some(if operations == 0 { 0.0 } else { failed as f64 / operations as f64 }),
        (failed_points, _) => Some(failed_points as f64 / points as f64),
    }
}

/// One kind of operation in a cell.
#[derive(Clone, Debug)]
pub(crate) struct OperationData {
    pub(crate) operation: String,
    pub(crate) rounds: Vec<RoundCounts>,
    pub(crate) service: Merged,
    pub(crate) response: Option<Merged>,
}

/// What one round says of the whole case.
#[derive(Clone, Debug)]
pub(crate) struct CaseRound {
    pub(crate) round: u32,
    pub(crate) elapsed_s: f64,
    pub(crate) phases: Vec<(&'static str, f64)>,
    pub(crate) disk: Option<DiskRecord>,
    pub(crate) stored: Option<StoredRecord>,
    pub(crate) client_cpu_s: f64,
    pub(crate) points: u64,
    pub(crate) server: Usage,
    pub(crate) client: Usage,
}

/// A cell with everything read.
#[derive(Clone, Debug)]
pub(crate) struct CellData {
    pub(crate) state: State,
    pub(crate) marks: Vec<Mark>,
    /// Whether answers were checked against the data in every round.
    pub(crate) answers_checked: bool,
    pub(crate) operations: Vec<OperationData>,
    pub(crate) rounds: Vec<CaseRound>,
}

impl CellData {
    /// The marks beside an operation's numbers, or those of the whole case. What was not checked is one thing for writes, whose stored points
    /// are counted, and another for queries, whose answers are checked.
    pub(crate) fn marks_of(&self, operation: Option<&str>) -> Vec<Mark> {
        let counted = self.rounds.iter().all(|round| round.stored.is_some());
        let checked = match operation {
            Some(name) if writes(name) => counted,
            Some(_) => self.answers_checked,
            None => false,
        };
        self.marks.iter().copied().filter(|mark| *mark != Mark::NotChecked || !checked).collect()
    }
}

/// All cells of a grid: one row a place, one entry a column.
pub(crate) fn read_all(grid: &Grid<'_>) -> Vec<Vec<Option<CellData>>> {
    grid.places.iter().map(|place| place.cells.iter().map(|cell| cell.as_ref().map(read)).collect()).collect()
}

fn read(cell: &CellView<'_>) -> CellData {
    let trials: Vec<(&TrialRecord, f64)> =
        cell.counted().filter_map(|trial| Some((trial.record, trial.record.elapsed_s?))).collect();
    let mut names: Vec<&str> = Vec::new();
    for operation in trials.iter().flat_map(|(trial, _)| &trial.operations) {
        if !names.contains(&operation.operation.as_str()) {
            names.push(&operation.operation);
        }
    }
    let mut marks: Vec<Mark> = trials.iter().flat_map(|(trial, _)| trial.marks.iter().copied()).collect();
    marks.sort();
    marks.dedup();
    CellData {
        state: state(cell),
        marks,
        answers_checked: trials.iter().all(|(trial, _)| trial.answers.is_some()),
        operations: names.into_iter().map(|name| read_operation(name, &trials)).collect(),
        rounds: trials.iter().map(|(trial, elapsed)| case_round(trial, *elapsed)).collect(),
    }
}

fn read_operation(name: &str, trials: &[(&TrialRecord, f64)]) -> OperationData {
    let records = || {
        trials.iter().filter_map(move |(trial, elapsed)| {
            let record = trial.operations.iter().find(|operation| operation.operation == name)?;
            Some((trial.round, record, *elapsed))
        })
    };
    let paced = records().any(|(_, record, _)| record.response.is_some());
    OperationData {
        operation: name.to_owned(),
        rounds: records().map(|(round, record, elapsed)| RoundCounts::of(record, round, elapsed)).collect(),
        service: digest::merge(records().map(|(round, record, _)| (round, &record.service))),
        response: paced.then(|| {
            digest::merge(records().filter_map(|(round, record, _)| Some((round, record.response.as_ref()?))))
        }),
    }
}

fn case_round(trial: &TrialRecord, elapsed_s: f64) -> CaseRound {
    CaseRound {
        round: trial.round,
        elapsed_s,
        phases: trial.phases.iter().map(|(phase, seconds)| (phase.words(), *seconds)).collect(),
        disk: trial.disk.clone(),
        stored: trial.stored.clone(),
        client_cpu_s: trial.client_cpu_s,
        points: trial.operations.iter().map(|operation| operation.ok_points).sum(),
        server: usage(&trial.server_readings, elapsed_s),
        client: usage(&trial.client_readings, elapsed_s),
    }
}

/// What a measure says of something: the rounds' values, the value over all rounds where it is not their mean, and the samples.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Readout {
    pub(crate) rounds: Vec<(u32, f64)>,
    pub(crate) pooled: Option<f64>,
    pub(crate) count: u64,
}

/// A measure of an operation.
pub(crate) fn of_operation(spec: &Spec, data: &OperationData) -> Option<Readout> {
    let rate = |of: fn(&RoundCounts) -> u64| {
        let rounds: Vec<(u32, f64)> = data
            .rounds
            .iter()
            .filter(|round| round.elapsed_s > 0.0)
            .map(|round| (round.round, of(round) as f64 / round.elapsed_s))
            .collect();
        let count = data.rounds.iter().map(of).sum();
        (!rounds.is_empty()).then_some(Readout { rounds, pooled: None, count })
    };
    match spec.source {
        Source::Throughput => rate(|round| round.ok_points),
        Source::RowRate => rate(|round| round.ok_rows),
        Source::OperationRate => rate(|round| round.ok_operations),
        Source::AttemptedRate => rate(|round| round.ok_operations + round.failed_operations),
        Source::Errors => Some(Readout {
            rounds: data
                .rounds
                .iter()
                .filter_map(|round| Some((round.round, error_rate(std::iter::once(round))?)))
                .collect(),
            pooled: Some(error_rate(data.rounds.iter())?),
            count: data.rounds.iter().map(|round| round.ok_operations + round.failed_operations).sum(),
        }),
        // No pooled value: the mean's ratio is the rounds', and so must its value be.
        Source::Mean { response } => {
            latency(data, response, |digest| Some(digest.mean)).map(|readout| Readout { pooled: None, ..readout })
        }
        Source::Max { response } => latency(data, response, |digest| Some(digest.max)),
        Source::Percentile { response, percentile } => {
            latency(data, response, move |digest| digest.percentile(percentile))
        }
        _ => None,
    }
}

fn latency(data: &OperationData, response: bool, of: impl Fn(&Digest) -> Option<f64>) -> Option<Readout> {
    let merged = if response { data.response.as_ref()? } else { &data.service };
    let all = merged.all.as_ref()?;
    Some(Readout {
        rounds: merged.rounds.iter().filter_map(|(round, digest)| Some((*round, of(digest)?))).collect(),
        pooled: Some(of(all)?),
        count: all.count,
    })
}

/// A measure of a whole case.
pub(crate) fn of_case(spec: &Spec, data: &CellData) -> Option<Readout> {
    let rounds: Vec<(u32, f64)> =
        data.rounds.iter().filter_map(|round| Some((round.round, case_value(spec.source, round)?))).collect();
    let count = rounds.len() as u64;
    (!rounds.is_empty()).then_some(Readout { rounds, pooled: None, count })
}

fn case_value(source: Source, round: &CaseRound) -> Option<f64> {
    let disk = |of: fn(&DiskRecord) -> Option<u64>| round.disk.as_ref().and_then(of).map(|bytes| bytes as f64);
    match source {
        Source::Elapsed => Some(round.elapsed_s),
        Source::Phase(name) => round.phases.iter().find(|(phase, _)| *phase == name).map(|(_, seconds)| *seconds),
        Source::DiskFlushed => disk(|disk| disk.flushed_bytes),
        Source::DiskSettled => disk(|disk| disk.settled_bytes),
        Source::SettleTime => round.disk.as_ref().and_then(|disk| disk.settle_s),
        Source::BytesPerPoint => {
            let stored = round.stored.as_ref().map(|stored| stored.stored).filter(|stored| *stored > 0)?;
            Some(disk(|disk| disk.settled_bytes.or(disk.flushed_bytes))? / stored as f64)
        }
        Source::Stored => {
            let stored = round.stored.as_ref().filter(|stored| stored.expected > 0)?;
            Some(stored.stored as f64 / stored.expected as f64)
        }
        Source::CpuMean => round.server.cpu_mean,
        Source::CpuPerMillion => {
            Some(round.server.cpu_load_s? / (round.points as f64 / 1e6)).filter(|value| value.is_finite())
        }
        Source::MemoryPeak => round.server.memory_peak,
        Source::ClientCpu => Some(round.client_cpu_s / round.elapsed_s).filter(|value| value.is_finite()),
        _ => None,
    }
}
