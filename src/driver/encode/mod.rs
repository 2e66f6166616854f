//! Encoders: a batch's columns into bytes as a protocol wants them, shared by the drivers and the blackhole.
//!
//! They know the workload's columns and nothing of a connection. Invariant: the same batch gives the same bytes; once a buffer
//! has grown to a batch's size, encoding allocates nothing.

pub mod buffer;
pub mod copy_binary;
pub mod csv;
#[cfg(test)]
pub(crate) mod fixtures;
pub mod format;
pub mod json;
pub mod line_protocol;
mod names;
mod number;
#[cfg(test)]
mod properties;
mod rows;
pub mod sql;
pub mod tablet;
