//! The load engine: clients drive sessions with a workload's operations and measure them.
//!
//! It knows workload, driver and stats; no adapter, suite or journal. Invariant: nothing shared is locked on the hot path.

mod client;
mod coordinate;
mod merge;
mod operate;
mod pacing;
mod shared;
mod tally;
#[cfg(test)]
mod tests;
mod timer;
pub mod types;
mod worker;

pub use coordinate::run;
