//! `velodrome schema`.
//!
//! It must not hold logic of its own. Invariant: see the exit codes in the design.

use std::process::ExitCode;

use super::load::{self, AdapterArgs};
use super::output::out;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    adapters: AdapterArgs,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let catalogue = match load::catalogue(&args.adapters) {
        Ok(catalogue) => catalogue,
        Err(code) => return Ok(code),
    };
    let schema = crate::suite::schema(&load::known(&catalogue));
    out(&format!("{}\n", serde_json::to_string_pretty(&schema)?));
    Ok(ExitCode::SUCCESS)
}
