//! Workloads: seeded descriptions of data and operations.
//!
//! They must not know any database, clock, file or thread. Invariant: the same parameters and seed give the same operations.

pub mod batch;
pub mod iot;
pub mod kind;
pub mod load;
pub mod model;
pub mod operation;
pub mod parameters;
pub mod stream;
