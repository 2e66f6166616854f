//! `velodrome clean`.
//!
//! It must not remove by name. Invariant: what belongs to a run that is going on is left alone.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use super::load::{self, AdapterArgs};
use super::output::{err, out};
use super::{perform, resume, targets};
use crate::adapter::catalogue::Catalogue;
use crate::plan::types::Plan;
use crate::provision::types::{Place, Provisioner};
use crate::run::folder::{Folder, FolderError};
use crate::run::teardown::{self, Removed};
use crate::suite::model;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Also remove what runs left whose folder is gone.
    #[arg(long)]
    orphans: bool,
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
    let (cleaned, looked) = perform::runtime()?.block_on(clean(args, &catalogue))?;
    cleaned.removed.iter().for_each(|line| out(&format!("removed {line}\n")));
    cleaned.problems.iter().for_each(|line| err(&format!("warning: {line}\n")));
    cleaned.left_alone.iter().for_each(|line| err(&format!("note: {line}\n")));
    if cleaned.removed.is_empty() && cleaned.problems.is_empty() {
        out("there is nothing to remove\n");
    }
    if !looked && needs_docker(args) {
        return Ok(ExitCode::from(2));
    }
    Ok(ExitCode::from(u8::from(!cleaned.problems.is_empty())))
}

/// Answers what was removed, and whether Docker could be asked.
async fn clean(args: &Args, catalogue: &Catalogue) -> anyhow::Result<(Removed, bool)> {
    let mut cleaned = leftovers(&args.reports, catalogue).await;
    let docker = targets::docker(Arc::new(|_: &str| {}))?;
    if let Err(error) = docker.check().await {
        err(&format!("note: whether there are containers to remove can't be seen: {error}\n"));
        return Ok((cleaned, false));
    }
    let done = teardown::dead_runs(&docker, args.orphans).await?;
    cleaned.removed.extend(done.removed);
    cleaned.left_alone.extend(done.left_alone);
    cleaned.problems.extend(done.problems);
    Ok((cleaned, true))
}

/// Whether there can be containers to remove: orphans, or those of a run that is known here.
fn needs_docker(args: &Args) -> bool {
    let in_docker = |plan: &Plan| plan.targets.iter().any(|target| matches!(target.place, model::Place::Docker(_)));
    args.orphans || Folder::all(&args.reports).iter().any(|folder| resume::plan(folder).is_ok_and(|p| in_docker(&p)))
}

/// Removes what dead runs below a folder left that no label tells of: files of embedded databases, and databases on existing
/// servers. A run that tore down has no `work` folder any more.
pub(super) async fn leftovers(reports: &Path, catalogue: &Catalogue) -> Removed {
    let mut cleaned = Removed::default();
    for folder in Folder::all(reports) {
        let work = folder.path.join("work");
        if !work.is_dir() {
            continue;
        }
        let _lock = match folder.lock() {
            Ok(lock) => lock,
            Err(FolderError::Held(_)) => continue,
            Err(error) => {
                cleaned.problems.push(error.to_string());
                continue;
            }
        };
        match databases(&folder, catalogue).await {
            Ok(removed) => cleaned.removed.extend(removed),
            Err(error) => {
                cleaned.problems.push(format!("run {}: {error:#}", folder.id));
                continue;
            }
        }
        match std::fs::remove_dir_all(&work) {
            Ok(()) => cleaned.removed.push(work.display().to_string()),
            Err(error) => cleaned.problems.push(format!("{}: {error}", work.display())),
        }
    }
    cleaned
}

/// Drops the databases that a dead run left on existing servers.
async fn databases(folder: &Folder, catalogue: &Catalogue) -> anyhow::Result<Vec<String>> {
    let mut plan: Plan = match resume::plan(folder) {
        Ok(plan) => plan,
        // It was killed before it had one: it made nothing.
        Err(_) => return Ok(Vec::new()),
    };
    plan.targets.retain(|target| matches!(target.place, model::Place::Existing(_)));
    let resolved = targets::resolve(&plan, catalogue, Arc::new(|_: &str| {}))?;
    let mut removed = Vec::new();
    for (name, parts) in &resolved.parts {
        if let Place::Existing(spec) = &parts.place {
            let found = crate::run::trial::schema::remove_run(parts, &folder.id, spec.endpoint.clone()).await?;
            removed.extend(found.iter().map(|database| format!("database {database} of {name} (run {})", folder.id)));
        }
    }
    Ok(removed)
}
