//! What `run` and `resume` share: checks before anything is touched, the run itself, its report, its exit code.
//!
//! It must not read suites. Invariant: whatever becomes of the run, there is a report of what was measured.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use jiff::Timestamp;

use super::documents;
use super::output::{err, out};
use super::progress::Shown;
use super::targets::{self, Resolved};
use crate::adapter::catalogue::Catalogue;
use crate::observe::cores;
use crate::plan::types::Plan;
use crate::provision::types::{Place, Provisioner};
use crate::report::{self, ReportModel};
use crate::run::folder::Folder;
use crate::run::journal::events::{Event, RunStarted};
use crate::run::journal::reader;
use crate::run::journal::state::{RunState, TrialKey};
use crate::run::journal::trial::TrialRecord;
use crate::run::journal::writer::JournalWriter;
use crate::run::log::Log;
use crate::run::progress::Tracker;
use crate::run::runner::{Run, RunEnd, run};
use crate::run::signals::Stops;
use crate::run::teardown;
use crate::run::world::World;

/// A run that can begin.
pub(super) struct Job {
    /// The plan.
    pub(super) plan: Plan,
    /// Its targets.
    pub(super) resolved: Resolved,
    /// Its folder, whose lock is held.
    pub(super) folder: Folder,
    /// Its journal, the first line written.
    pub(super) journal: JournalWriter,
    /// That first line.
    pub(super) started: RunStarted,
    /// Trials that need not be run.
    pub(super) done: BTreeMap<TrialKey, TrialRecord>,
    /// The command that runs the suite again, for the hint how to run one cell alone.
    pub(super) command: Option<String>,
    /// Whether an earlier process began this run.
    pub(super) resumed: bool,
}

/// The runtime that everything but the load runs on.
pub(super) fn runtime() -> anyhow::Result<tokio::runtime::Runtime> {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.worker_threads(2).enable_all().build().context("the runtime did not start")
}

/// Resolves the plan's targets and checks that their places can be used at all.
///
/// # Errors
/// What is missing, before anything was touched.
pub(super) async fn check(plan: &Plan, catalogue: &Catalogue) -> anyhow::Result<Resolved> {
    let resolved = targets::resolve(plan, catalogue, Arc::new(|line: &str| err(&format!("{line}\n"))))?;
    for provisioner in distinct(&resolved) {
        provisioner.check().await?;
    }
    for parts in resolved.parts.values() {
        teardown::named_database_is_free(parts).await?;
    }
    Ok(resolved)
}

/// Each provisioner once.
fn distinct(resolved: &Resolved) -> Vec<Arc<dyn Provisioner>> {
    let mut all: Vec<Arc<dyn Provisioner>> = Vec::new();
    for parts in resolved.parts.values() {
        let known = all.iter().any(|other| Arc::ptr_eq(other, &parts.provisioner));
        if !parts.embedded() && !known {
            all.push(parts.provisioner.clone());
        }
    }
    all
}

/// Removes what dead runs left, as far as this run's own provisioners reach.
pub(super) async fn clean_up(reports: &Path, catalogue: &Catalogue, resolved: &Resolved) {
    let mut problems = super::clean::leftovers(reports, catalogue).await.problems;
    for provisioner in distinct(resolved) {
        match teardown::dead_runs(provisioner.as_ref(), false).await {
            Ok(done) => {
                done.left_alone.iter().for_each(|line| err(&format!("note: {line}\n")));
                problems.extend(done.problems);
            }
            Err(error) => problems.push(error.to_string()),
        }
    }
    for problem in problems {
        err(&format!("warning: {problem}\n"));
    }
}

/// Runs the job to its end, reports, and answers the exit code: 1 where the journal or the report can't be written.
pub(super) async fn perform(job: Job) -> ExitCode {
    carry_out(job).await.unwrap_or_else(|error| {
        err(&format!("error: {error:#}\n"));
        ExitCode::from(1)
    })
}

async fn carry_out(job: Job) -> anyhow::Result<ExitCode> {
    let Job { plan, resolved, folder, journal, started, done, command, resumed } = job;
    let stops = Stops::default();
    let log = Log::open(&folder.log());
    let scrub = resolved.scrub();
    let shown = Arc::new(Shown::new(&folder, &started));
    let tracker = Arc::new(Tracker::new(shown, log, &plan, scrub.clone()));
    listen(&stops, &tracker).context("signals can't be heard")?;
    resolved.unmasked().iter().for_each(|warning| tracker.warn(warning));
    let uses_docker = resolved.parts.values().any(|parts| matches!(parts.place, Place::Docker(_)));
    let mut disks = vec![folder.path.clone()];
    disks.extend(uses_docker.then(|| PathBuf::from("/var/lib/docker")).filter(|path| path.exists()));
    let world = World {
        targets: resolved.parts,
        folder: folder.clone(),
        engine: Arc::new(crate::engine::run),
        seed: plan.seed,
        cores: cores::available(),
        disks,
        scrub,
        command,
    };
    teardown::begin(&world, resumed, &tracker).await;
    let end = run(Run { plan: &plan, world: &world, journal, done, tracker: &tracker, stops: &stops }).await;
    let end = end.with_context(|| format!("the journal {} can't be written", folder.journal().display()))?;
    conclude(&folder, end)
}

/// Ends the journal, writes and shows the report.
fn conclude(folder: &Folder, end: RunEnd) -> anyhow::Result<ExitCode> {
    let folders = [folder.clone()];
    let missed = show_missed(&documents::model(&folders, None)?);
    let exit_code = if missed && !end.interrupted { end.exit_code.max(1) } else { end.exit_code };
    let read = reader::read_journal(&folder.journal())?;
    let ended = Event::RunEnded { exit_code, interrupted: end.interrupted };
    JournalWriter::append(&folder.journal(), read.whole_bytes)?.write(Timestamp::now(), ended)?;
    let model = documents::model(&folders, None)?;
    let formats = RunState::of(&read.lines).started.map(|started| started.formats).unwrap_or_default();
    let written = documents::write(&model, &folder.path, &with_json(&formats))?;
    out(&documents::comparison(&model));
    err(&format!("the matrices of every trial: {}\n", Shown::matrices(folder)));
    err(&format!("run {}: {}\n", folder.id, documents::shown(&written, &folder.path).display()));
    Ok(ExitCode::from(exit_code))
}

/// Says which assertions were missed; answers whether any was.
fn show_missed(model: &ReportModel) -> bool {
    let results = report::assertions(model);
    for result in results.iter().filter(|result| !result.held) {
        err(&format!("assertion missed: {}\n", result.text));
        result.missed.iter().for_each(|cell| err(&format!("  {cell}\n")));
    }
    results.iter().any(|result| !result.held)
}

/// The formats that the suite asks for, and report.json, which is what programs read.
fn with_json(formats: &[String]) -> Vec<String> {
    let mut all = formats.to_vec();
    if !all.is_empty() && !all.iter().any(|format| format == "json") {
        all.push("json".to_owned());
    }
    all
}

fn listen(stops: &Stops, tracker: &Arc<Tracker>) -> std::io::Result<()> {
    let tracker = Arc::clone(tracker);
    stops.listen(move |signal, kind| {
        let what = match kind {
            crate::engine::types::StopKind::Now => "again; what was made is removed without waiting",
            _ => "heard; running operations get 5 s, then everything is removed and reported",
        };
        tracker.say(&format!("{signal} {what}"));
    })
}

/// The command that runs the suite again, where `--only` can be added to what was typed.
pub(super) fn again(command: &str) -> Option<String> {
    let chosen = ["--only", "--targets", " resume "].iter().any(|part| command.contains(part));
    (!chosen).then(|| command.to_owned())
}
