//! Real servers in containers, driven by the real binary. A missing server fails the run; it is not skipped.

#![expect(clippy::unwrap_used, reason = "a test ends where it goes wrong")]

mod drivers;
#[path = "../cli/harness.rs"]
mod harness;
mod influx;
mod provision;
mod ready;
mod run;
#[path = "../cli/run/runs.rs"]
mod runs;
mod scene;
