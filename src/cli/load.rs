//! From paths on the command line to a checked suite and its plan: the rim where files are read.
//!
//! It must not check anything itself. Invariant: nothing is touched before everything that is wrong has been said.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::files::{FileSystem, texts};
use super::output::err;
use crate::adapter::catalogue::{Catalogue, FILE};
use crate::diagnostic::{Diagnostic, SourceMap, render};
use crate::driver::registry;
use crate::plan::{self, Expansion};
use crate::run::journal::events::JOURNAL_VERSION;
use crate::suite::model::Suite;
use crate::suite::{Known, KnownAdapter, Overrides};
use crate::workload;

/// A suite on the command line, and what it changes of it.
#[derive(Debug, clap::Args)]
pub(super) struct SuiteArgs {
    /// The suite's file.
    #[arg(value_name = "SUITE")]
    suite: String,
    /// Set a workload parameter, a variable, or a path such as load.clients or policy.timeout.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Take only the cases that this selects, such as target=sqlite,LOOP=10; may be given several times.
    #[arg(long, value_name = "SELECTORS")]
    only: Vec<String>,
    /// Take only these targets: names joined by commas.
    #[arg(long, value_name = "NAMES")]
    targets: Option<String>,
    /// How often each case is run.
    #[arg(long, value_name = "N")]
    rounds: Option<String>,
    #[command(flatten)]
    adapters: AdapterArgs,
}

impl SuiteArgs {
    /// The command that runs this suite again as it was asked for; further selections may follow.
    pub(super) fn command(&self) -> String {
        let mut command = format!("velodrome run {}", self.suite);
        let mut add = |flag: &str, value: &str| {
            command.push_str(&format!(" {flag} '{value}'"));
        };
        self.set.iter().for_each(|value| add("--set", value));
        if let Some(folder) = &self.adapters.folder {
            add("--adapters", &folder.to_string_lossy());
        }
        command
    }
}

/// Where adapters come from.
#[derive(Debug, clap::Args)]
pub(super) struct AdapterArgs {
    /// A folder of adapters that are added to those compiled in, or stand in their place.
    #[arg(long = "adapters", value_name = "DIR")]
    folder: Option<PathBuf>,
}

impl AdapterArgs {
    /// Whether a folder is named.
    pub(super) fn is_given(&self) -> bool {
        self.folder.is_some()
    }
}

/// A suite with the adapters that it was checked against.
struct Loaded {
    suite: Suite,
    catalogue: Catalogue,
}

/// A suite's cases with the adapters that they are for.
pub(super) struct Planned {
    /// The cases, with the suite.
    pub(super) expansion: Expansion,
    /// The adapters.
    pub(super) catalogue: Catalogue,
}

/// Reads and checks the suite; what is to be said of it goes to standard error. Where it is bad, the exit code comes back.
fn suite(args: &SuiteArgs) -> Result<Loaded, ExitCode> {
    let catalogue = catalogue(&args.adapters)?;
    let known = known(&catalogue);
    let overrides = Overrides {
        set: args.set.clone(),
        only: args.only.clone(),
        targets: args.targets.clone(),
        rounds: args.rounds.clone(),
    };
    let reading = crate::suite::load(&FileSystem, &args.suite, &known, &overrides);
    let Some(suite) = reading.suite else {
        let mut found = reading.diagnostics;
        let has_all = reading.rest.as_ref().is_some_and(|rest| rest.has_all_cases);
        if let Some(rest) = &reading.rest {
            for more in plan::further(rest, &catalogue, JOURNAL_VERSION) {
                if !found.contains(&more) {
                    found.push(more);
                }
            }
        }
        show(&found, &reading.sources);
        if !has_all {
            err("\nmore may be found once these are mended\n");
        }
        return Err(ExitCode::from(2));
    };
    show(&reading.diagnostics, &reading.sources);
    Ok(Loaded { suite, catalogue })
}

/// Reads, checks and expands the suite; what is to be said of it goes to standard error. Where it is bad, the exit code comes
/// back.
pub(super) fn planned(args: &SuiteArgs) -> Result<Planned, ExitCode> {
    let Loaded { suite, catalogue } = suite(args)?;
    let sources = suite.sources.clone();
    match plan::expand(&suite, &catalogue, JOURNAL_VERSION) {
        Ok(expansion) => {
            show(&expansion.warnings, &sources);
            Ok(Planned { expansion, catalogue })
        }
        Err(found) => Err(bad(&found, &sources)),
    }
}

/// The adapters compiled in, with those of the folder that the user names.
pub(super) fn catalogue(args: &AdapterArgs) -> Result<Catalogue, ExitCode> {
    let mut catalogue = Catalogue::builtin(registry::names()).map_err(|found| bad(&found, &SourceMap::default()))?;
    let Some(folder) = &args.folder else { return Ok(catalogue) };
    for folder in adapter_folders(folder)? {
        let texts = texts(&folder).map_err(|error| unreadable(&folder, &error))?;
        if let Err(found) = catalogue.with_folder(&folder.to_string_lossy(), texts) {
            return Err(bad(&found, catalogue.sources()));
        }
    }
    Ok(catalogue)
}

/// The folder itself where it is one adapter, else those in it that are.
fn adapter_folders(folder: &Path) -> Result<Vec<PathBuf>, ExitCode> {
    if folder.join(FILE).is_file() {
        return Ok(vec![folder.to_path_buf()]);
    }
    let entries = std::fs::read_dir(folder).map_err(|error| unreadable(folder, &error))?;
    let mut folders: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    folders.retain(|folder| folder.join(FILE).is_file());
    folders.sort();
    if folders.is_empty() {
        let message = format!("--adapters: neither {} nor a folder in it has an {FILE}", folder.display());
        return Err(bad(&[Diagnostic::error("no-adapter", message)], &SourceMap::default()));
    }
    Ok(folders)
}

fn unreadable(folder: &Path, error: &std::io::Error) -> ExitCode {
    let message = format!("--adapters: {} can't be read: {error}", folder.display());
    bad(&[Diagnostic::error("file-not-read", message)], &SourceMap::default())
}

fn bad(found: &[Diagnostic], sources: &SourceMap) -> ExitCode {
    show(found, sources);
    ExitCode::from(2)
}

/// Shows what was found on standard error.
pub(super) fn show(found: &[Diagnostic], sources: &SourceMap) {
    let colour = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    err(&render(found, sources, colour));
}

/// What a suite may name.
pub(super) fn known(catalogue: &Catalogue) -> Known {
    let adapters = catalogue.iter().map(|adapter| KnownAdapter {
        name: adapter.file.name.clone(),
        embedded: adapter.file.embedded.is_some(),
        docker: adapter.file.docker.is_some(),
        existing: adapter.file.existing.is_some(),
    });
    Known { adapters: adapters.collect(), kinds: workload::kind::kinds().to_vec() }
}

#[cfg(test)]
mod tests {
    use crate::report::{CASE, OPERATION};

    /// The suite language may not know reports, so their names are compared here.
    #[test]
    fn assertions_are_about_measures_that_reports_have() {
        for measure in crate::suite::measures() {
            assert!(OPERATION.iter().chain(&CASE).any(|spec| spec.key == measure), "{measure}");
        }
    }
}
