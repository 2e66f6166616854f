//! Observation: readings of resources in time, of servers and of the client itself.
//!
//! It knows nothing of ours: paths and process ids come in. Invariant: what can't be read is none, never zero.

pub mod cgroup;
pub mod cores;
pub mod disk;
pub mod host;
pub mod process;
pub mod reading;
pub mod sampler;
