//! Over time: each target's series on one axis, aligned at its first measured operation; and what it used in all.
//!
//! It must not subtract times of different clocks. Invariant: seconds count on the client's monotonic clock from each trial's own start.

use schemars::JsonSchema;
use serde::Serialize;

use super::data::CellData;
use super::fairness::EXISTING;
use super::grid::{CellView, Grid};
use super::usage::{Counter, Usage, mean_usage, rates};
use crate::run::journal::trial::Reading;
use crate::run::journal::trial::TrialRecord;

/// Points that a series keeps at most.
const MOST_POINTS: usize = 240;

/// A series: seconds since the first measured operation (negative: warm-up), value.
pub(crate) type Series = Vec<(f64, f64)>;

/// One target's trial over time.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Lane {
    /// The column.
    pub column: String,
    /// The round that is shown: the last one that counts.
    pub round: u32,
    /// Seconds of the measured part.
    pub elapsed_s: f64,
    /// Seconds of the warm-up before it.
    pub warmup_s: Option<f64>,
    /// Seconds from the last acknowledgement until the disk was at rest.
    pub settle_s: Option<f64>,
    /// Points a second.
    pub points: Series,
    /// Operations a second.
    pub operations: Series,
    /// Mean service time, seconds.
    pub mean: Series,
    /// Greatest service time, seconds.
    pub max: Series,
    /// Failed operations, where there are any.
    pub errors: Series,
    /// Server cores in use.
    pub cpu: Series,
    /// Server memory without page cache, bytes.
    pub memory: Series,
    /// Bytes a second read from disk.
    pub disk_read: Series,
    /// Bytes a second written to disk.
    pub disk_write: Series,
    /// Bytes a second received and sent by the server.
    pub network: Series,
    /// Client cores in use.
    pub client_cpu: Series,
}

/// All targets of a place on one time axis.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Timeline {
    /// The scenario.
    pub scenario: String,
    /// Axis values.
    pub axes: Vec<(String, String)>,
    /// One a column that has a series.
    pub lanes: Vec<Lane>,
}

/// What a cell used, the mean of its rounds.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Resources {
    /// The scenario.
    pub scenario: String,
    /// Axis values.
    pub axes: Vec<(String, String)>,
    /// The column.
    pub column: String,
    /// The stated limit of the server's place.
    pub limits: Option<String>,
    /// The rounds that it is the mean of.
    pub rounds: u32,
    /// The server.
    pub server: Usage,
    /// The client.
    pub client: Usage,
    /// The client's processor seconds during the measured part, by the engine's own account.
    pub client_cpu_s: f64,
}

/// The timelines of all places.
pub(crate) fn timelines(grid: &Grid<'_>) -> Vec<Timeline> {
    grid.places
        .iter()
        .map(|place| Timeline {
            scenario: place.scenario.to_owned(),
            axes: place.axes.clone(),
            lanes: grid
                .columns
                .iter()
                .zip(&place.cells)
                .filter_map(|(column, cell)| lane(&column.name, cell.as_ref()?))
                .collect(),
        })
        .filter(|timeline| !timeline.lanes.is_empty())
        .collect()
}

fn lane(column: &str, cell: &CellView<'_>) -> Option<Lane> {
    let trial = cell.counted().next_back()?.record;
    let elapsed_s = trial.elapsed_s?;
    if trial.series.is_empty() && trial.server_readings.is_empty() {
        return None;
    }
    let server = |counter: Counter| thin(rates(&trial.server_readings, counter));
    Some(Lane {
        column: column.to_owned(),
        round: trial.round,
        elapsed_s,
        warmup_s: trial.warmup_s,
        settle_s: trial.disk.as_ref().and_then(|disk| disk.settle_s),
        points: seconds(trial, elapsed_s, |second| Some(second.points as f64)),
        operations: seconds(trial, elapsed_s, |second| Some(second.operations as f64)),
        mean: values(trial, |second| Some(second.mean_ms? / 1e3)),
        max: values(trial, |second| Some(second.max_ms? / 1e3)),
        errors: values(trial, |second| (second.errors > 0).then_some(second.errors as f64)),
        cpu: server(|reading| reading.cpu_seconds),
        memory: thin(levels(&trial.server_readings, |reading| reading.memory_bytes.map(|bytes| bytes as f64))),
        disk_read: server(|reading| reading.disk_read_bytes.map(|bytes| bytes as f64)),
        disk_write: server(|reading| reading.disk_write_bytes.map(|bytes| bytes as f64)),
        network: server(|reading| Some((reading.network_in_bytes? + reading.network_out_bytes?) as f64)),
        client_cpu: thin(rates(&trial.client_readings, |reading| reading.cpu_seconds)),
    })
}

type Interval = crate::run::journal::trial::IntervalRecord;

fn values(trial: &TrialRecord, of: impl Fn(&Interval) -> Option<f64>) -> Series {
    thin(trial.series.iter().filter_map(|second| Some((second.second as f64 + 0.5, of(second)?))).collect())
}

/// Counts of each second as rates: the last second is shorter where the trial ended within it.
fn seconds(trial: &TrialRecord, elapsed_s: f64, of: impl Fn(&Interval) -> Option<f64>) -> Series {
    let series = trial.series.iter().filter_map(|second| {
        let start = second.second as f64;
        let width = if start >= 0.0 { (elapsed_s - start).clamp(0.0, 1.0) } else { 1.0 };
        // A sliver of a second gives no rate worth drawing, unless it is all there is.
        (width >= 0.2 || elapsed_s < 1.0).then_some(())?;
        Some((start + width / 2.0, of(second)? / width.max(1e-3)))
    });
    thin(series.collect())
}

fn levels(readings: &[Reading], of: Counter) -> Series {
    readings.iter().filter_map(|reading| Some((reading.at_ms as f64 / 1e3, of(reading)?))).collect()
}

/// Means of neighbours, so that at most [`MOST_POINTS`] remain.
fn thin(series: Series) -> Series {
    if series.len() <= MOST_POINTS {
        return series;
    }
    let size = series.len().div_ceil(MOST_POINTS);
    let mean =
        |chunk: &[(f64, f64)], of: fn(&(f64, f64)) -> f64| chunk.iter().map(of).sum::<f64>() / chunk.len() as f64;
    series.chunks(size).map(|chunk| (mean(chunk, |point| point.0), mean(chunk, |point| point.1))).collect()
}

/// What all cells used, of those with any reading.
pub(crate) fn resources(grid: &Grid<'_>, data: &[Vec<Option<CellData>>]) -> Vec<Resources> {
    let mut resources = Vec::new();
    for (place, cells) in grid.places.iter().zip(data) {
        for (column, cell) in grid.columns.iter().zip(cells) {
            let Some(cell) = cell.as_ref().filter(|cell| !cell.rounds.is_empty()) else { continue };
            let usages = |of: fn(&super::data::CaseRound) -> &Usage| {
                mean_usage(&cell.rounds.iter().map(|round| of(round).clone()).collect::<Vec<_>>())
            };
            resources.push(Resources {
                scenario: place.scenario.to_owned(),
                axes: place.axes.clone(),
                column: column.name.clone(),
                limits: column.target.limits.clone().filter(|_| column.target.place != EXISTING),
                rounds: cell.rounds.len() as u32,
                server: usages(|round| &round.server),
                client: usages(|round| &round.client),
                client_cpu_s: cell.rounds.iter().map(|round| round.client_cpu_s).sum::<f64>()
                    / cell.rounds.len() as f64,
            });
        }
    }
    resources
}
