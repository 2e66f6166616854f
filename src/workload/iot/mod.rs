//! Workload `iot`: iot-benchmark's parameters and meaning, with what is wrong in the original put right
//! (docs/iot-differences.md).
//!
//! It must not know a database or a clock. Invariant: every row, value and query is a pure function of the parameters, the
//! seeds and a client's number.

mod canonical;
mod check;
mod disorder;
mod draws;
mod key;
mod kind;
mod parameters;
mod queries;
mod read;
mod shape;
mod stream;
mod table;
#[cfg(test)]
mod tests;
mod times;
mod totals;
mod values;
mod workload;

pub use kind::IotKind;
