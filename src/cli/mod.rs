//! The command line: one file a subcommand.
//!
//! It may know everything. Invariant: exit codes are 0, 1, 2 and 130, as the design says.

mod adapters;
mod check;
mod clean;
mod command;
mod documents;
mod files;
mod load;
mod output;
mod perform;
mod plan;
mod progress;
mod report;
mod resume;
mod run;
mod schema;
mod status;
mod targets;

pub use command::main;

/// The folder that runs are written in, under the working directory.
const REPORTS: &str = "reports";
