//! Workload `iot` as a whole.

mod data;
mod parameters;
mod queries;
mod support;
