//! The table of all keys of the suite language: their names, types, defaults and meaning.
//!
//! It must not read anything. Invariant: what is not here is unknown; lowering, the schema and the reference all go by it.

mod parts;
mod tables;
mod types;

pub(super) use parts::{
    BOUNDS, DOCKER, EXISTING, LOAD, ON_ERROR, PACING, POLICY, RANGE, REPORT, ROUTINE, SECRET, VERIFY, WARMUP,
};
pub(super) use tables::{SCENARIO, SUITE, SWEEP, TARGET};
pub(super) use types::{Field, Shape, Table, Word, paths};
