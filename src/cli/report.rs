//! `velodrome report`: makes the report of one or more runs again from their journals.
//!
//! It must not read anything but journals. Invariant: a run that is going on or was killed has a report too; none is changed.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;

use super::documents::{comparison, model, shown, write};
use super::output::out;
use crate::report::ReportModel;
use crate::run::folder::Folder;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Runs, each by its id or its folder; several are merged into one report.
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<String>,
    /// html, md, csv, json; all where none is named.
    #[arg(long, value_name = "FORMATS", value_delimiter = ',')]
    format: Vec<String>,
    /// The folder to write into: the run's own where none is named, of several runs a new one beside the first.
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// The target that the others are compared with.
    #[arg(long, value_name = "NAME")]
    baseline: Option<String>,
    /// The folder where runs are sought by id.
    #[arg(long, value_name = "DIR", default_value = "reports")]
    reports: PathBuf,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let folders = args.runs.iter().map(|name| Folder::find(&args.reports, name)).collect::<Result<Vec<_>, _>>()?;
    let model = model(&folders, args.baseline.as_deref())?;
    check(&model, &folders, args.baseline.as_deref())?;
    let output = args.output.clone().unwrap_or_else(|| beside(&folders));
    let written = write(&model, &output, &args.format)?;
    out(&format!("{}\n{}\n", comparison(&model), shown(&written, &output).display()));
    Ok(ExitCode::SUCCESS)
}

/// A journal without its first line tells nothing; a baseline must be a target of these runs.
fn check(model: &ReportModel, folders: &[Folder], baseline: Option<&str>) -> anyhow::Result<()> {
    if model.runs.len() < folders.len() {
        let journals: Vec<String> = folders.iter().map(|folder| folder.journal().display().to_string()).collect();
        bail!("a journal does not say that a run began, so there is nothing to report: {}", journals.join(", "));
    }
    let known = |name: &str| model.columns.iter().any(|column| column.name == name || column.target == name);
    if let Some(name) = baseline.filter(|name| !known(name)) {
        let names: Vec<&str> = model.columns.iter().map(|column| column.name.as_str()).collect();
        bail!("no target is called {name:?}; there are {}", names.join(", "));
    }
    Ok(())
}

/// One run's own folder; of several, a new one beside the first, named by all.
fn beside(folders: &[Folder]) -> PathBuf {
    match folders {
        [one] => one.path.clone(),
        several => {
            let ids: Vec<&str> = several.iter().map(|folder| folder.id.as_str()).collect();
            let parent = several.first().and_then(|folder| folder.path.parent()).unwrap_or(Path::new("."));
            parent.join(ids.join("+"))
        }
    }
}
