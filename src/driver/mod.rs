//! Drivers: one wire protocol each.
//!
//! They know the workload's columns and queries; no suite, no adapter, no Docker. Invariant: what a driver reports as
//! acknowledged, the server has acknowledged; answers are read to their end.

pub mod blackhole;
pub mod encode;
pub mod error;
pub mod influx;
mod network;
pub mod postgres;
pub mod protocol;
pub mod registry;
mod rows;
pub mod sqlite;
pub mod types;
