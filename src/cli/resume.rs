//! `velodrome resume`.
//!
//! It must not hold logic of its own, and reads no suite. Invariant: every planned trial ends once.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use jiff::Timestamp;

use super::load::{self, AdapterArgs};
use super::output::err;
use super::perform::{self, Job};
use crate::adapter::catalogue::Catalogue;
use crate::plan::types::{PLAN_VERSION, Plan};
use crate::run::folder::Folder;
use crate::run::journal::events::Event;
use crate::run::journal::reader;
use crate::run::journal::state::{RunState, is_final};
use crate::run::journal::writer::JournalWriter;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The run: its id, or its folder.
    #[arg(value_name = "RUN")]
    run: String,
    #[command(flatten)]
    adapters: AdapterArgs,
    /// The folder that runs are written in.
    #[arg(long, value_name = "DIR", default_value = super::REPORTS)]
    reports: PathBuf,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let catalogue = match load::catalogue(&args.adapters) {
        Ok(catalogue) => catalogue,
        Err(code) => return Ok(code),
    };
    let folder = Folder::find(&args.reports, &args.run)?;
    let runtime = perform::runtime()?;
    let code = runtime.block_on(go_on(args, folder, &catalogue));
    runtime.shutdown_background();
    code
}

async fn go_on(args: &Args, folder: Folder, catalogue: &Catalogue) -> anyhow::Result<ExitCode> {
    let lock = folder.lock()?;
    let plan = plan(&folder)?;
    let read = reader::read_journal(&folder.journal())?;
    let mut state = RunState::of(&read.lines);
    let Some(started) = state.started.take() else {
        bail!("run {} was stopped before it began: nothing is known of it; start a new run", folder.id)
    };
    state.ended.retain(|_, record| is_final(record));
    let remaining = plan.trials.iter().filter(|trial| state.done(&trial.case, trial.round).is_none()).count();
    if let Some((code, false)) = state.end.filter(|_| remaining == 0) {
        // Neither servers nor secrets are needed.
        err(&format!("run {}: nothing is left to do; it ended with exit code {code}\n", folder.id));
        return Ok(ExitCode::from(code));
    }
    let resolved = perform::check(&plan, catalogue).await?;
    perform::clean_up(&args.reports, catalogue, &resolved).await;
    let mut journal = JournalWriter::append(&folder.journal(), read.whole_bytes)?;
    let velodrome = env!("CARGO_PKG_VERSION").to_owned();
    let resumed = Event::RunResumed { velodrome, remaining: u32::try_from(remaining).unwrap_or(u32::MAX) };
    journal.write(Timestamp::now(), resumed)?;
    let done = state.ended;
    let command = perform::again(&started.command);
    let job = Job { plan, resolved, folder, journal, started, done, command, resumed: true };
    let code = perform::perform(job).await;
    drop(lock);
    Ok(code)
}

/// The plan stored in a run.
///
/// # Errors
/// When it can't be read, or was written by a velodrome of another format.
pub(super) fn plan(folder: &Folder) -> anyhow::Result<Plan> {
    let path = folder.plan();
    let text = std::fs::read_to_string(&path).with_context(|| format!("can't read {}", path.display()))?;
    let plan: Plan = serde_json::from_str(&text).with_context(|| format!("{} is no plan", path.display()))?;
    if plan.version != PLAN_VERSION {
        bail!("{} has version {}; this velodrome reads {PLAN_VERSION}", path.display(), plan.version);
    }
    Ok(plan)
}
