//! `velodrome run`.
//!
//! It must not hold logic of its own. Invariant: what is wrong with the suite or the machine exits with 2 before anything was
//! touched, the run's folder among it.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use jiff::Timestamp;

use super::load::{self, SuiteArgs};
use super::output::err;
use super::perform::{self, Job};
use super::targets::{self, Resolved};
use crate::adapter::catalogue::Catalogue;
use crate::adapter::types::Adapter;
use crate::diagnostic::Severity;
use crate::observe::host;
use crate::plan::types::Plan;
use crate::run::begin::{Beginning, run_started};
use crate::run::folder::{Folder, RunLock};
use crate::run::journal::events::{Event, RunStarted};
use crate::run::journal::writer::JournalWriter;
use crate::run::reuse::reusable;
use crate::run::scrub::Scrub;
use crate::run::smoke;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    suite: SuiteArgs,
    /// Take over the trials of this run, an id or a folder, whose case is the same; run only the others.
    #[arg(long, value_name = "RUN")]
    reuse: Option<String>,
    /// Run every cell once at its smallest size, to see that everything works.
    #[arg(long, conflicts_with = "reuse")]
    smoke: bool,
    /// Begin without measuring the client for a moment to estimate how long it takes.
    #[arg(long)]
    no_calibration: bool,
    /// The folder that runs are written in.
    #[arg(long, value_name = "DIR", default_value = super::REPORTS)]
    reports: PathBuf,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if args.reports.exists() && !args.reports.is_dir() {
        bail!("--reports {}: it is a file, a folder is expected", args.reports.display());
    }
    let planned = match load::planned(&args.suite) {
        Ok(planned) => planned,
        Err(code) => return Ok(code),
    };
    let mut plan = planned.expansion.plan();
    targets::settle_paths(&mut plan);
    if args.smoke {
        smoke::shrink(&mut plan);
    }
    let warnings = planned.expansion.warnings.iter().filter(|found| found.severity == Severity::Warning);
    let findings = warnings.map(|found| found.message.clone()).collect();
    let runtime = perform::runtime()?;
    let resolved = runtime.block_on(perform::check(&plan, &planned.catalogue))?;
    if !args.smoke && !args.no_calibration {
        let seconds = super::plan::estimated_seconds(&planned.expansion, &args.reports);
        err(&format!("{} trials, estimated to take {}\n", plan.trials.len(), crate::run::words::duration(seconds)));
    }
    let code = runtime.block_on(begin(args, plan, resolved, findings, &planned.catalogue));
    // A driver that blocks may still hold a thread; the process does not wait for it.
    runtime.shutdown_background();
    code
}

async fn begin(
    args: &Args,
    plan: Plan,
    resolved: Resolved,
    findings: Vec<String>,
    catalogue: &Catalogue,
) -> anyhow::Result<ExitCode> {
    let reused = args.reuse.as_deref().map(|run| Folder::find(&args.reports, run)).transpose()?;
    let done = reused.map(|from| reusable(&plan, &from)).transpose()?.unwrap_or_default();
    perform::clean_up(&args.reports, catalogue, &resolved).await;
    let salt = RandomState::new().hash_one(std::process::id());
    let folder = Folder::create(&args.reports, Timestamp::now(), salt)?;
    let (lock, mut journal, started) = open(&folder, &plan, &resolved, findings)?;
    for record in done.values() {
        journal.write(Timestamp::now(), Event::TrialEnded(Box::new(record.clone())))?;
    }
    if args.reuse.is_some() {
        err(&format!("{} of {} trials are taken over\n", done.len(), plan.trials.len()));
    }
    let command = Some(resolved.scrub().own(&args.suite.command()));
    let job = Job { plan, resolved, folder, journal, started, done, command, resumed: false };
    let code = perform::perform(job).await;
    drop(lock);
    Ok(code)
}

/// Writes the plan and the journal's first line. The lock comes first: a folder with a journal and no lock held is dead.
fn open(
    folder: &Folder,
    plan: &Plan,
    resolved: &Resolved,
    findings: Vec<String>,
) -> anyhow::Result<(RunLock, JournalWriter, RunStarted)> {
    let lock = folder.lock()?;
    let scrub = resolved.scrub();
    let plan = scrubbed(plan, &scrub);
    let path = folder.plan();
    let text = serde_json::to_string_pretty(&plan)?;
    std::fs::write(&path, text).with_context(|| format!("can't write {}", path.display()))?;
    let adapters: BTreeMap<String, &Adapter> =
        resolved.parts.iter().map(|(name, parts)| (name.clone(), parts.adapter.as_ref())).collect();
    let started = run_started(
        &plan,
        Beginning {
            run: &folder.id,
            command: scrub.own(&command(std::env::args())),
            host: host::facts(&folder.path),
            findings: findings.iter().map(|finding| scrub.own(finding)).collect(),
            adapters: &adapters,
        },
    );
    let path = folder.journal();
    let mut journal = JournalWriter::create(&path).with_context(|| format!("can't write {}", path.display()))?;
    journal.write(Timestamp::now(), Event::RunStarted(Box::new(started.clone())))?;
    Ok((lock, journal, started))
}

/// The plan as it is kept: its texts without secrets.
fn scrubbed(plan: &Plan, scrub: &Scrub) -> Plan {
    Plan {
        description: plan.description.as_deref().map(|text| scrub.own(text)),
        overrides: plan.overrides.iter().map(|text| scrub.own(text)).collect(),
        source: scrub.own(&plan.source),
        ..plan.clone()
    }
}

/// The command line as one would type it.
fn command(arguments: impl Iterator<Item = String>) -> String {
    let quoted = |word: String| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./,:+@%".contains(c);
        if !word.is_empty() && word.chars().all(plain) { word } else { format!("'{}'", word.replace('\'', "'\\''")) }
    };
    let words = arguments.skip(1).map(quoted);
    std::iter::once("velodrome".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_can_be_typed_again() {
        let words = ["/usr/bin/velodrome", "run", "suite.yaml", "--set", "a=b c", "it's"].map(str::to_owned);
        assert_eq!(command(words.into_iter()), "velodrome run suite.yaml --set 'a=b c' 'it'\\''s'");
    }
}
