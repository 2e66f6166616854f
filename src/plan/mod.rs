//! The plan: every case and trial of a suite, costed, before anything runs.
//!
//! It does no I/O. Invariant: a pure function of suite, adapters, seed and overrides; estimates are added at the rim.

mod axes;
mod block;
mod cases;
mod cell;
mod checks;
mod content;
mod draw;
pub mod estimate;
mod evaluate;
mod expand;
mod expansion;
mod findings;
mod further;
mod hash;
mod ids;
mod load;
mod order;
mod rows;
mod scope;
mod select;
mod support;
mod sweep;
mod targets;
#[cfg(test)]
mod tests;
mod texts;
mod tuning;
pub mod types;
mod usage;
pub mod workload;

pub use expand::expand;
pub use expansion::{Expansion, Summary};
pub use further::further;
pub use hash::Hash;
pub use targets::Adapters;
