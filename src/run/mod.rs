//! Runs: execute a plan's trials, keep a journal, go on after a stop.
//!
//! It must not know how a report looks. Invariant: what was measured is on disk before the next trial starts.

pub mod begin;
pub mod data;
pub mod disk;
pub mod eta;
pub mod folder;
pub mod journal;
pub mod log;
pub mod progress;
pub mod reuse;
pub mod runner;
pub mod scrub;
pub mod signals;
pub mod smoke;
pub mod stage;
pub mod teardown;
#[cfg(test)]
mod tests;
pub mod trial;
pub mod turn;
pub mod words;
pub mod world;
