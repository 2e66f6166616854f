//! The commands and the way to each.
//!
//! It must not do a command's work. Invariant: whatever is wrong with the command line itself exits with 2.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use super::output::err;

/// Compares time-series databases: a suite file in, a report out.
#[derive(Debug, Parser)]
#[command(name = "velodrome", version, about)]
struct Command {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Check a suite and say everything that is wrong with it.
    Check(super::check::Args),
    /// Show what a run would do: cases, trials, operations, points, time and space.
    Plan(super::plan::Args),
    /// Run a suite.
    Run(super::run::Args),
    /// Go on with a run that was stopped.
    Resume(super::resume::Args),
    /// Make the report of one or more runs again from their journals.
    Report(super::report::Args),
    /// Show how far a run is.
    Status(super::status::Args),
    /// Remove what dead runs left behind.
    Clean(super::clean::Args),
    /// List the databases, or show one.
    Adapters(super::adapters::Args),
    /// Print the JSON Schema of suites, for editors.
    Schema(super::schema::Args),
}

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    let done = match Command::parse().action {
        Action::Check(args) => super::check::run(&args),
        Action::Plan(args) => super::plan::run(&args),
        Action::Run(args) => super::run::run(&args),
        Action::Resume(args) => super::resume::run(&args),
        Action::Report(args) => super::report::run(&args),
        Action::Status(args) => super::status::run(&args),
        Action::Clean(args) => super::clean::run(&args),
        Action::Adapters(args) => super::adapters::run(&args),
        Action::Schema(args) => super::schema::run(&args),
    };
    done.unwrap_or_else(|error| {
        err(&format!("error: {error:#}\n"));
        ExitCode::from(2)
    })
}
