//! Latency: for each cell and operation the matrix's numbers and the percentile curve, over all rounds.
//!
//! It must not average percentiles. Invariant: every number comes from the merged histogram.

use schemars::JsonSchema;
use serde::Serialize;

use super::data::CellData;
use super::digest::Digest;
use super::grid::Grid;

/// The latency of one operation in one cell.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Latency {
    /// The scenario.
    pub scenario: String,
    /// The operation.
    pub operation: String,
    /// Axis values that all targets have.
    pub axes: Vec<(String, String)>,
    /// The column.
    pub column: String,
    /// Service times, seconds.
    pub service: Digest,
    /// Response times in an open loop, from the intended start.
    pub response: Option<Digest>,
    /// The greatest sum of service times of one client in a round, seconds.
    pub slowest_client_s: f64,
    /// Percentile and service time in seconds, as far as the samples reach.
    pub curve: Vec<(f64, f64)>,
    /// The same of the response time.
    pub response_curve: Vec<(f64, f64)>,
}

/// The latencies of all cells.
pub(crate) fn latencies(grid: &Grid<'_>, data: &[Vec<Option<CellData>>]) -> Vec<Latency> {
    let mut latencies = Vec::new();
    for (place, cells) in grid.places.iter().zip(data) {
        for (column, cell) in grid.columns.iter().zip(cells) {
            for operation in cell.iter().flat_map(|cell| &cell.operations) {
                let Some(service) = operation.service.all.clone() else { continue };
                let response = operation.response.as_ref();
                latencies.push(Latency {
                    scenario: place.scenario.to_owned(),
                    operation: operation.operation.clone(),
                    axes: place.axes.clone(),
                    column: column.name.clone(),
                    service,
                    response: response.and_then(|response| response.all.clone()),
                    slowest_client_s: operation.rounds.iter().map(|round| round.slowest_client_s).fold(0.0, f64::max),
                    curve: operation.service.curve.clone(),
                    response_curve: response.map(|response| response.curve.clone()).unwrap_or_default(),
                });
            }
        }
    }
    latencies
}
