//! The real binary driven from outside, without any server.

#![expect(clippy::unwrap_used, reason = "a test ends where it goes wrong")]

mod adapters;
mod alone;
mod check;
mod harness;
mod load;
mod plan;
mod report;
mod run;
