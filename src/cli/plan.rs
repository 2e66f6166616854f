//! `velodrome plan`.
//!
//! It never touches a server. Invariant: a budget that is exceeded exits with 2 and says by how much.

mod calibrate;
mod json;
mod rates;
mod table;
mod text;

use std::path::Path;
use std::process::ExitCode;

use super::load::{self, SuiteArgs};
use super::output::err;
use crate::plan::Expansion;
use crate::plan::estimate::{Estimator, Rates};
use crate::value;

/// How a plan is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people.
    Text,
    /// For programs.
    Json,
}

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    suite: SuiteArgs,
    /// How the plan is printed.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Show every case, not only the first and last of many.
    #[arg(long)]
    all: bool,
    /// Exit with 2 where the run is estimated to take longer than this, such as 60h.
    #[arg(long, value_name = "TIME")]
    budget: Option<String>,
    /// Estimate without measuring the client for a moment first.
    #[arg(long)]
    no_calibration: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let budget = args.budget.as_deref().map(value::duration).transpose();
    let budget = budget.map_err(|error| anyhow::anyhow!("--budget: {error}"))?;
    let planned = match load::planned(&args.suite) {
        Ok(planned) => planned,
        Err(code) => return Ok(code),
    };
    let expansion = planned.expansion;
    let reports = Path::new(super::REPORTS);
    let rates = rates(&expansion, reports, !args.no_calibration);
    let estimator = Estimator::new(&expansion, &rates);
    let shown = text::Shown {
        expansion: &expansion,
        rates: &rates,
        estimator: &estimator,
        free_disk: free_disk(reports),
        all: args.all,
    };
    let seconds = match args.format {
        Format::Text => shown.print(),
        Format::Json => json::print(&expansion, &estimator),
    };
    Ok(match budget.filter(|budget| seconds > budget.as_secs_f64()) {
        Some(budget) => {
            let (needed, budget) =
                (crate::run::words::duration(seconds), crate::run::words::duration(budget.as_secs_f64()));
            err(&format!("error: the run is estimated to take {needed}, and the budget is {budget}\n"));
            ExitCode::from(2)
        }
        None => ExitCode::SUCCESS,
    })
}

/// How fast things were in the suite's last run; else, where that is wished, how fast this client is.
fn rates(expansion: &Expansion, reports: &Path, calibrate: bool) -> Rates {
    let mut rates = rates::from_last_run(reports, &expansion.suite().name);
    if rates.run.is_none() && calibrate {
        rates.client_seconds_a_point = calibrate::seconds_a_point();
    }
    rates
}

/// About how many seconds a run takes.
pub(super) fn estimated_seconds(expansion: &Expansion, reports: &Path) -> f64 {
    let rates = rates(expansion, reports, true);
    let estimator = Estimator::new(expansion, &rates);
    estimator.totals().0.seconds + estimator.switching_seconds()
}

/// The free bytes of the file system that runs are written on; none where that can't be told.
fn free_disk(reports: &Path) -> Option<u64> {
    let there = [reports, Path::new(".")].into_iter().find(|path| path.exists())?;
    let system = rustix::fs::statvfs(there).ok()?;
    Some(system.f_bavail * system.f_frsize)
}
