//! Adapters: a database as data.
//!
//! They know the workload's words; no suite, no plan, no wire. Invariant: a new database that speaks a known protocol needs
//! no Rust.

pub mod catalogue;
mod check;
pub mod describe;
mod parameter;
mod places;
pub mod queries;
mod refused;
pub mod statements;
pub mod support;
pub mod template;
#[cfg(test)]
mod tests;
pub mod tuning;
pub mod types;
mod units;
