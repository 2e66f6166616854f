//! Statistics: histograms, percentiles, intervals, verdicts.
//!
//! They know nothing of ours. Invariant: percentiles are never averaged; histograms are merged.

pub mod curve;
pub mod histogram;
pub mod interval;
pub mod percentile;
pub mod spread;
pub mod student;
