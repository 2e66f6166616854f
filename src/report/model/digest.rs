//! What is kept of a latency histogram when it has been read: a few numbers, in seconds.
//!
//! It must not keep buckets: a report may stand on thousands of histograms. Invariant: min ≤ every percentile ≤ max.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;

use crate::stats::histogram::{HistogramRecord, Latencies};
use crate::stats::percentile;

/// The percentiles of the latency matrix.
pub(crate) const MATRIX: [f64; 8] = [10.0, 25.0, 50.0, 75.0, 90.0, 95.0, 99.0, 99.9];

/// A latency distribution in numbers, seconds.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Digest {
    /// How many operations.
    pub count: u64,
    /// The exact mean.
    pub mean: f64,
    /// The exact least.
    pub min: f64,
    /// The exact greatest.
    pub max: f64,
    /// P10, P25, P50, P75, P90, P95, P99 and P99.9.
    pub percentiles: [f64; 8],
}

impl Digest {
    /// Of a histogram; none when it is empty.
    pub(crate) fn of(latencies: &Latencies) -> Option<Digest> {
        let seconds = |duration: Option<Duration>| duration.map(|duration| duration.as_secs_f64());
        let mut percentiles = [0.0; 8];
        for (slot, percentile) in percentiles.iter_mut().zip(MATRIX) {
            *slot = seconds(latencies.percentile(percentile))?;
        }
        Some(Digest {
            count: latencies.count(),
            mean: seconds(latencies.mean())?,
            min: seconds(latencies.min())?,
            max: seconds(latencies.max())?,
            percentiles,
        })
    }

    /// One of the matrix's percentiles.
    pub(crate) fn percentile(&self, percentile: f64) -> Option<f64> {
        MATRIX.iter().position(|known| *known == percentile).map(|index| self.percentiles[index])
    }
}

/// The rounds' digests, and all rounds merged: their digest and their curve (percentile, seconds).
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Merged {
    pub(crate) rounds: Vec<(u32, Digest)>,
    pub(crate) all: Option<Digest>,
    pub(crate) curve: Vec<(f64, f64)>,
}

/// Reads and merges the histograms of the rounds. One that can't be read is left out.
pub(crate) fn merge<'a>(records: impl Iterator<Item = (u32, &'a HistogramRecord)>) -> Merged {
    let mut merged = Latencies::new();
    let mut rounds = Vec::new();
    for (round, record) in records {
        let Ok(latencies) = Latencies::from_record(record) else { continue };
        rounds.extend(Digest::of(&latencies).map(|digest| (round, digest)));
        merged.merge(&latencies);
    }
    let curve = percentile::curve(merged.count())
        .into_iter()
        .filter_map(|percentile| merged.percentile(percentile).map(|value| (percentile, value.as_secs_f64())))
        .collect();
    Merged { rounds, all: Digest::of(&merged), curve }
}
