//! Fairness: what is not equal for all targets, or not as asked.
//!
//! It must not weigh. Invariant: a finding names the targets and the values.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::grid::{ColumnView, Grid};
use super::settings::unique;
use super::trust::several;
use crate::run::journal::events::TargetInfo;
use crate::run::journal::trial::Mark;

/// A load average above this share of the cores, before the run began, is worth telling.
const BUSY: f64 = 0.5;
/// The place of a server that was there before.
pub(crate) const EXISTING: &str = "existing";

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Finding {
    /// What it is about: durability, limits, place, cores, version, server, tuning, host, reuse, plan.
    pub about: String,
    /// The finding in a sentence.
    pub text: String,
}

fn finding(about: &str, text: String) -> Finding {
    Finding { about: about.to_owned(), text }
}

/// All findings of the runs.
pub(crate) fn fairness(grid: &Grid<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    findings.extend(differs(grid, "durability", "Acknowledged does not mean the same everywhere", |target| {
        target.durability.clone()
    }));
    findings.extend(differs(grid, "place", "The targets do not run in the same kind of place", |target| {
        Some(target.place.clone())
    }));
    findings.extend(differs(grid, "limits", "The targets have different limits", |target| {
        // Of an existing server the address is told in their place: its limits are not known.
        let known = target.place != EXISTING;
        known.then(|| target.limits.clone().unwrap_or_else(|| "none stated".to_owned()))
    }));
    findings.extend(shared_cores(grid));
    findings.extend(unpinned(grid));
    findings.extend(other_versions(grid));
    findings.extend(tunings(grid));
    findings.extend(hosts(grid));
    findings.extend(reused(grid));
    let plan = unique(grid.runs.iter().flat_map(|run| &run.started.findings));
    findings.extend(plan.into_iter().map(|text| finding("plan", text.clone())));
    findings
}

/// Targets once each, whatever their settings; those that take nothing in are no rivals.
fn targets<'a, 'b>(grid: &'b Grid<'a>) -> Vec<(&'b str, &'a TargetInfo)> {
    let columns = grid.columns.iter().filter(|column| !column.ceiling);
    let name =
        |column: &'b ColumnView<'a>| if column.by_run { column.name.as_str() } else { column.target.name.as_str() };
    let mut seen: Vec<(&str, &TargetInfo)> = Vec::new();
    for column in columns {
        if !seen.iter().any(|(known, _)| *known == name(column)) {
            seen.push((name(column), column.target));
        }
    }
    seen
}

fn differs(grid: &Grid<'_>, about: &str, says: &str, of: impl Fn(&TargetInfo) -> Option<String>) -> Option<Finding> {
    let mut by_value: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (name, target) in targets(grid) {
        if let Some(value) = of(target) {
            by_value.entry(value).or_default().push(name);
        }
    }
    if by_value.len() < 2 {
        return None;
    }
    let values: Vec<String> = by_value.iter().map(|(value, names)| format!("{}: {value}", names.join(", "))).collect();
    Some(finding(about, format!("{says}. {}.", values.join("; "))))
}

fn shared_cores(grid: &Grid<'_>) -> Option<Finding> {
    let shares = |column: usize| {
        let cells = grid.places.iter().filter_map(|place| place.cells[column].as_ref());
        let mut trials = cells.flat_map(|cell| cell.counted());
        trials.any(|trial| trial.record.cores.shared == Some(true) || trial.record.marks.contains(&Mark::CoresShared))
    };
    let names =
        (0..grid.columns.len()).filter(|column| shares(*column)).map(|column| grid.columns[column].name.clone());
    let names: Vec<String> = names.collect();
    (!names.is_empty())
        .then(|| finding("cores", format!("Client and server shared processor cores with {}.", names.join(", "))))
}

fn unpinned(grid: &Grid<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (name, target) in targets(grid) {
        let floating = |text: &str| text.ends_with(":latest") || text == "latest";
        if floating(&target.version) || target.image.as_deref().is_some_and(floating) {
            let what = target.image.as_deref().unwrap_or(&target.version);
            findings.push(finding("version", format!("The version of {name} is not pinned: {what}.")));
        }
    }
    findings
}

/// Servers that say another version of themselves than was asked for.
fn other_versions(grid: &Grid<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (name, target) in targets(grid) {
        let own = |column: &ColumnView<'_>| std::ptr::eq(column.target, target);
        let cells = grid.places.iter().flat_map(|place| grid.columns.iter().zip(&place.cells));
        let trials = cells.filter(|(column, _)| own(column)).flat_map(|(_, cell)| cell).flat_map(|cell| &cell.trials);
        let said = unique(trials.filter_map(|trial| trial.record.server.version.as_deref()));
        let others: Vec<&str> = said.into_iter().filter(|said| !is_version(said, &target.version)).collect();
        if !others.is_empty() {
            let text =
                format!("{name} was asked for version {}; the server says {}.", target.version, others.join(", "));
            findings.push(finding("server", text));
        }
    }
    findings
}

/// Whether what a server says of itself begins with the version asked for: `15.5 (Debian 15.5-1)` with `15.5`. Words before the number, and
/// what a tag adds behind it (`-alpine`), don't matter; without a number on either side nothing can be told.
fn is_version(said: &str, asked: &str) -> bool {
    let numbers = |text: &str| -> Vec<String> {
        let word = text.split_whitespace().map(|word| word.trim_start_matches(['v', 'V']));
        let version = word.into_iter().find(|word| word.starts_with(|first: char| first.is_ascii_digit()));
        let number = version.unwrap_or_default().split(|c: char| !c.is_ascii_digit() && c != '.').next();
        number.unwrap_or_default().split('.').filter(|part| !part.is_empty()).map(str::to_owned).collect()
    };
    let (said, asked) = (numbers(said), numbers(asked));
    said.is_empty() || said.starts_with(&asked)
}

fn tunings(grid: &Grid<'_>) -> Vec<Finding> {
    let mut untrue: Vec<String> = Vec::new();
    let mut unread: Vec<String> = Vec::new();
    for place in &grid.places {
        for (column, cell) in grid.columns.iter().zip(&place.cells) {
            for tuning in cell.iter().flat_map(|cell| cell.counted()).flat_map(|trial| &trial.record.tuning) {
                let named = format!("{} of {}", tuning.name, column.name);
                match (tuning.agrees, &tuning.read_back) {
                    (Some(false), read) => {
                        let read = read.as_deref().unwrap_or("nothing");
                        untrue.push(format!("{named} (asked {}, read back {read})", tuning.asked));
                    }
                    (None, None) => unread.push(named),
                    _ => {}
                }
            }
        }
    }
    let mut findings = Vec::new();
    if !untrue.is_empty() {
        let list = several(&unique(untrue.into_iter()));
        findings.push(finding("tuning", format!("Some tuning values did not take: {list}.")));
    }
    if !unread.is_empty() {
        let list = several(&unique(unread.into_iter()));
        findings.push(finding("tuning", format!("Some tuning values can't be read back: {list}.")));
    }
    findings
}

fn hosts(grid: &Grid<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let describe = |host: &crate::run::journal::events::Host| {
        let parts = [
            host.processor.clone(),
            host.cores.map(|cores| format!("{cores} cores")),
            host.memory_bytes.map(|bytes| format!("{:.0} GiB", bytes as f64 / 1073741824.0)),
            host.kernel.clone(),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    };
    let hosts = unique(grid.runs.iter().map(|run| describe(&run.started.host)));
    if hosts.len() > 1 {
        let list: Vec<String> =
            grid.runs.iter().map(|run| format!("{} ({})", run.started.run, describe(&run.started.host))).collect();
        let text =
            format!("The runs were made on unlike hosts, so their numbers differ for that alone: {}.", list.join("; "));
        findings.push(finding("host", text));
    } else if grid.runs.len() > 1 {
        let text = "Rounds of different runs were not interleaved: the host may have changed between them.".to_owned();
        findings.push(finding("host", text));
    }
    for run in &grid.runs {
        let host = &run.started.host;
        let load = host.load_average.as_deref().and_then(|load| load.split_whitespace().next()?.parse::<f64>().ok());
        if let (Some(load), Some(cores)) = (load, host.cores)
            && load > BUSY * f64::from(cores)
        {
            let text =
                format!("The host was busy when run {} began: load average {load} on {cores} cores.", run.started.run);
            findings.push(finding("host", text));
        }
        if let Some(governor) = host.governor.as_deref().filter(|governor| *governor != "performance") {
            findings
                .push(finding("host", format!("The processor's frequency governor was {governor}, not performance.")));
        }
    }
    findings
}

fn reused(grid: &Grid<'_>) -> Option<Finding> {
    let mut from: BTreeMap<&str, u32> = BTreeMap::new();
    for place in &grid.places {
        for trial in place.cells.iter().flatten().flat_map(|cell| cell.counted()) {
            if let Some(run) = trial.record.reused_from.as_deref() {
                *from.entry(run).or_default() += 1;
            }
        }
    }
    let list: Vec<String> = from.iter().map(|(run, count)| format!("{count} trials from {run}")).collect();
    (!list.is_empty()).then(|| {
        finding(
            "reuse",
            format!("Not all numbers were measured in this run; taken over unchanged: {}.", list.join(", ")),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::is_version;

    #[test]
    fn a_server_says_the_version_asked_for_or_another() {
        for (said, asked) in [
            ("15.5 (Debian 15.5-1.pgdg120+1)", "15.5"),
            ("PostgreSQL 15.5 on x86_64", "15.5-alpine"),
            ("v1.8.10", "1.8"),
            ("postgres by itself", "15.5"),
            ("3.46.0", "bundled"),
        ] {
            assert!(is_version(said, asked), "{said} {asked}");
        }
        for (said, asked) in [("16.1", "15.5"), ("1.8.10", "1.8.1"), ("15", "15.5")] {
            assert!(!is_version(said, asked), "{said} {asked}");
        }
    }
}
