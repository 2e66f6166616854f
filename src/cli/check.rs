//! `velodrome check`.
//!
//! It must not hold logic of its own. Invariant: see the exit codes in the design.

use std::process::ExitCode;

use super::load::{self, SuiteArgs};
use super::output::out;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    suite: SuiteArgs,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let expansion = match load::planned(&args.suite) {
        Ok(planned) => planned.expansion,
        Err(code) => return Ok(code),
    };
    let suite = expansion.suite();
    let counted = |count: usize, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
    let targets = counted(suite.targets.len(), "target");
    let scenarios = counted(suite.scenarios.len(), "scenario");
    let (cases, trials) = (counted(expansion.len(), "case"), counted(expansion.trials().len(), "trial"));
    out(&format!("{} is good: {targets}, {scenarios}, {cases}, {trials}\n", suite.name));
    Ok(ExitCode::SUCCESS)
}
