//! The journal: the events of a run, a JSON line each.
//!
//! It knows statistics and observation records; no plan, no engine. Invariant: append-only and versioned; a torn last line is
//! forgiven, a torn middle one is an error.

pub mod events;
pub mod reader;
pub mod state;
pub mod status;
pub mod trial;
pub mod writer;
