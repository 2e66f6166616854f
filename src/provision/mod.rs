//! Provisioners: bring a database up, watch it, take it down.
//!
//! They know adapters, drivers and observation; no suite and no plan. Invariant: what a provisioner made, it removes, and
//! nothing else.

pub mod admin;
pub mod cores;
pub mod databases;
pub mod docker;
pub mod embedded;
pub mod existing;
pub mod page_cache;
pub mod ready;
#[cfg(test)]
mod testing;
pub mod types;
