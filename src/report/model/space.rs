//! Space: raw bytes against bytes on disk, a database's own compression, and what was read back about its files.
//!
//! It must not guess a size. Invariant: what was not measured is none; a share can exceed one.

use schemars::JsonSchema;
use serde::Serialize;

use super::data::CellData;
use super::grid::{CellView, Grid};
use crate::run::journal::trial::{Status, TrialRecord};

/// Facts by which an adapter tells a database's own compression, bytes.
const BEFORE: &str = "bytes before compression";
const AFTER: &str = "bytes after compression";
/// Facts that count chunks, and the rows of one.
const CHUNKS: &str = "chunks";
const ROWS: &str = "rows a chunk";

/// The space of one loaded cell: means of its rounds.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Space {
    /// The scenario.
    pub scenario: String,
    /// Axis values.
    pub axes: Vec<(String, String)>,
    /// The column.
    pub column: String,
    /// Raw bytes of the points that are stored, those of the warm-up included; where none were counted, of the points planned.
    pub raw_bytes: Option<f64>,
    /// Bytes on disk after the flush.
    pub flushed_bytes: Option<f64>,
    /// Bytes on disk when settled.
    pub settled_bytes: Option<f64>,
    /// Points that the database holds.
    pub points: Option<f64>,
    /// Bytes on disk a stored point.
    pub bytes_per_point: Option<f64>,
    /// Raw ÷ stored: above 1, the database needs less than the raw bytes.
    pub raw_over_stored: Option<f64>,
    /// The database's own compression: after ÷ before. Above 1, it grew.
    pub own_compression: Option<f64>,
    /// Chunks, and rows a chunk.
    pub chunks: Option<f64>,
    /// Rows a chunk: as read back, else the rows written ÷ chunks.
    pub rows_per_chunk: Option<f64>,
    /// Whatever else was read back, of the last round.
    pub facts: Vec<(String, String)>,
}

/// The space of all cells that loaded.
pub(crate) fn space(grid: &Grid<'_>, data: &[Vec<Option<CellData>>]) -> Vec<Space> {
    let mut all = Vec::new();
    for (place, cells) in grid.places.iter().zip(data) {
        for (index, column) in grid.columns.iter().enumerate() {
            let (Some(view), Some(cell)) = (&place.cells[index], &cells[index]) else { continue };
            let loaded = cell.rounds.iter().any(|round| round.disk.is_some());
            let facts = view.counted().next_back().map(|trial| trial.record.facts.clone()).unwrap_or_default();
            if !loaded && facts.is_empty() {
                continue;
            }
            let mean = |of: &dyn Fn(&super::data::CaseRound) -> Option<u64>| {
                let values: Vec<f64> = cell.rounds.iter().filter_map(of).map(|value| value as f64).collect();
                (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
            };
            let fact = |name: &str| {
                facts.iter().find(|(known, _)| known == name).and_then(|(_, value)| value.parse::<f64>().ok())
            };
            let flushed_bytes = mean(&|round| round.disk.as_ref()?.flushed_bytes);
            let settled_bytes = mean(&|round| round.disk.as_ref()?.settled_bytes);
            let points = mean(&|round| Some(round.stored.as_ref()?.stored));
            let raw_bytes = raw_bytes(view, points);
            let stored = settled_bytes.or(flushed_bytes).filter(|bytes| *bytes > 0.0);
            let per = |top: Option<f64>, bottom: Option<f64>| Some(top? / bottom.filter(|bottom| *bottom > 0.0)?);
            let chunks = fact(CHUNKS);
            let rows =
                view.counted().next_back().map(|trial| trial.record.operations.iter().map(|o| o.ok_rows).sum::<u64>());
            all.push(Space {
                scenario: place.scenario.to_owned(),
                axes: place.axes.clone(),
                column: column.name.clone(),
                raw_bytes,
                flushed_bytes,
                settled_bytes,
                points,
                bytes_per_point: per(stored, points),
                raw_over_stored: per(raw_bytes, stored),
                own_compression: per(fact(AFTER), fact(BEFORE)),
                chunks,
                rows_per_chunk: fact(ROWS).or_else(|| per(rows.map(|rows| rows as f64), chunks)),
                facts: facts
                    .into_iter()
                    .filter(|(name, _)| ![BEFORE, AFTER, CHUNKS, ROWS].contains(&name.as_str()))
                    .collect(),
            });
        }
    }
    all
}

/// Raw bytes a planned point × the points stored: a warm-up stores more than was planned, a time limit less. Where stored points were not
/// counted, the planned bytes stand for them only if exactly those were written.
fn raw_bytes(view: &CellView<'_>, points: Option<f64>) -> Option<f64> {
    let planned = view.case.bytes? as f64;
    match (points, view.case.points.filter(|points| *points > 0)) {
        (Some(stored), Some(all)) => Some(planned / all as f64 * stored),
        _ => (!view.trials.iter().any(|trial| unlike_plan(trial.record))).then_some(planned),
    }
}

/// Whether a trial wrote other points than planned: more in a warm-up, or fewer until a time limit.
pub(crate) fn unlike_plan(record: &TrialRecord) -> bool {
    let warmup = record.warmup_s.is_some_and(|seconds| seconds > 0.0);
    warmup || record.status == Status::TimeLimit
}
