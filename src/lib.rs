//! Velodrome: a declarative orchestrator for comparative suites of time-series databases.
//!
//! The way of the data: suite text → suite → plan → journal → report. See ARCHITECTURE.md.

pub mod adapter;
pub mod cli;
pub mod diagnostic;
pub mod driver;
pub mod engine;
pub mod observe;
pub mod plan;
pub mod provision;
pub mod report;
pub mod run;
pub mod stats;
pub mod suite;
pub mod value;
pub mod workload;
