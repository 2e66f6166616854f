//! Cautions: whatever spoils a comparison, one line a kind.
//!
//! It must not repeat a table. Invariant: each line counts its cells and names a few.

use schemars::JsonSchema;
use serde::Serialize;

use super::compare::{Cell, Group, Kind, Row};
use super::grid::{Grid, place_label};
use super::settings::unique;
use super::trust::{Trust, several};
use crate::report::number::{Unit, count};
use crate::run::journal::trial::Mark;

/// A tie whose plain ratio lies further from 1 than this is noise hiding a difference.
const HIDDEN: f64 = 0.05;

/// How bad a caution is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Numbers are missing or wrong.
    Error,
    /// A comparison is spoilt.
    Warning,
    /// Worth knowing.
    Note,
}

/// One line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Caution {
    /// How bad.
    pub severity: Severity,
    /// What, in a sentence.
    pub text: String,
}

/// All cautions, the worst first.
pub(crate) fn cautions(grid: &Grid<'_>, groups: &[Group], trust: &Trust) -> Vec<Caution> {
    let mut all = Vec::new();
    runs(grid, &mut all);
    states(grid, groups, &mut all);
    trusted(grid, groups, trust, &mut all);
    numbers(grid, groups, &mut all);
    fair(trust, &mut all);
    all.sort_by_key(|caution| caution.severity);
    all
}

fn push(all: &mut Vec<Caution>, severity: Severity, text: String) {
    all.push(Caution { severity, text });
}

fn runs(grid: &Grid<'_>, all: &mut Vec<Caution>) {
    for run in &grid.runs {
        let (done, planned) = (run.trials.len(), run.started.trials.len());
        match run.ended {
            None => {
                let text = format!(
                    "Run {} has not ended: {done} of {planned} trials are done. It is still running, or was killed.",
                    run.started.run
                );
                push(all, Severity::Warning, text);
            }
            Some(ending) if ending.interrupted => {
                push(
                    all,
                    Severity::Warning,
                    format!("Run {} was interrupted: {done} of {planned} trials are done.", run.started.run),
                );
            }
            Some(_) => {}
        }
    }
}

fn plural(count: usize, one: &str, many: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {many}") }
}

/// Cells by what they say, of the whole-case rows: each cell once.
fn states(grid: &Grid<'_>, groups: &[Group], all: &mut Vec<Caution>) {
    let cells = || whole(grid, groups);
    for status in ["failed", "did not finish", "interrupted", "not supported"] {
        let named: Vec<String> = cells()
            .filter(|(_, cell)| cell.state.status == status)
            .map(|(name, cell)| if status == "not supported" { name } else { format!("{name} ({})", cell.state.says) })
            .collect();
        if named.is_empty() {
            continue;
        }
        let severity = if status == "not supported" { Severity::Note } else { Severity::Error };
        push(all, severity, format!("{} {}: {}.", plural(named.len(), "cell", "cells"), status, several(&named)));
    }
    let partly: Vec<String> = cells()
        .filter(|(_, cell)| cell.state.counts && !cell.state.ranks)
        .map(|(name, cell)| format!("{name} ({})", cell.state.says))
        .collect();
    if !partly.is_empty() {
        let text = format!("Some rounds have no number, so these cells lead nowhere: {}.", several(&partly));
        push(all, Severity::Error, text);
    }
}

/// Whole-case cells with their names.
fn whole<'a>(grid: &'a Grid<'_>, groups: &'a [Group]) -> impl Iterator<Item = (String, &'a Cell)> {
    let rows = groups.iter().filter(|group| group.kind == Kind::Whole).flat_map(|group| &group.rows);
    rows.flat_map(move |row| named_cells(grid, row))
}

fn named_cells<'a>(grid: &'a Grid<'_>, row: &'a Row) -> impl Iterator<Item = (String, &'a Cell)> {
    grid.columns.iter().zip(&row.cells).filter_map(move |(column, cell)| {
        Some((format!("{} {}", column.name, place_label(&row.scenario, &row.axes)), cell.as_ref()?))
    })
}

fn trusted(grid: &Grid<'_>, groups: &[Group], trust: &Trust, all: &mut Vec<Caution>) {
    // Cells that failed for it have said so already.
    let told: Vec<String> =
        whole(grid, groups).filter(|(_, cell)| cell.state.status == "failed").map(|(name, _)| name).collect();
    for row in trust.stored.iter().filter(|row| row.stored != row.expected) {
        let name = format!("{} {}", row.column, place_label(&row.scenario, &row.axes));
        if !told.contains(&name) {
            let (expected, stored) = (count(row.expected), count(row.stored));
            let text = format!("{name}: {expected} points must be there, the database holds {stored}.");
            push(all, Severity::Error, text);
        }
    }
    let differing = || trust.answers.iter().filter(|row| row.verdict == "differ");
    for operation in unique(differing().map(|row| row.operation.as_str())) {
        let own: Vec<_> = differing().filter(|row| row.operation == operation).collect();
        let places: Vec<String> = own.iter().map(|row| place_label(&row.scenario, &row.axes)).collect();
        let text = format!("The first answers to {operation} differ in {}: {}.", several(&places), own[0].says);
        push(all, Severity::Error, text);
    }
    let drifted: Vec<f64> = trust.drift.iter().map(|drift| drift.change * 100.0).collect();
    let (least, most) =
        drifted.iter().fold((0.0f64, 0.0f64), |(low, high), change| (low.min(*change), high.max(*change)));
    if most.max(-least) > HIDDEN * 100.0 {
        let text = format!(
            "The host itself drifted: from the first round to the last, blackhole cases changed by {least:+.0} % to {most:+.0} %."
        );
        push(all, Severity::Warning, text);
    }
}

/// The rows of operations, each with its table.
fn operation_rows(groups: &[Group]) -> impl Iterator<Item = (&Group, &Row)> {
    let groups = groups.iter().filter(|group| group.kind != Kind::Whole);
    groups.flat_map(|group| group.rows.iter().map(move |row| (group, row)))
}

fn numbers(grid: &Grid<'_>, groups: &[Group], all: &mut Vec<Caution>) {
    let erring: Vec<String> = operation_rows(groups).flat_map(|(_, row)| erring(grid, row)).collect();
    let cells = |named: &[String]| format!("{}: {}", plural(named.len(), "cell", "cells"), several(named));
    if !erring.is_empty() {
        push(all, Severity::Warning, format!("Operations failed in {}.", cells(&erring)));
    }
    for (mark, says) in [
        (Mark::ClientBound, "The client set the pace, not the database"),
        (Mark::Saturated, "The offered rate was not reached"),
    ] {
        let marked = whole(grid, groups).filter(|(_, cell)| cell.marks.iter().any(|known| known == mark.words()));
        let named: Vec<String> = marked.map(|(name, _)| name).collect();
        if !named.is_empty() {
            push(all, Severity::Warning, format!("{says} in {}.", cells(&named)));
        }
    }
    let hidden: Vec<String> =
        operation_rows(groups).flat_map(|(group, row)| hidden(grid, &group.default_measure, row)).collect();
    if !hidden.is_empty() {
        let comparisons = plural(hidden.len(), "comparison", "comparisons");
        let named = several(&hidden);
        let text =
            format!("The rounds' noise is above the difference in {comparisons}: {named}. More rounds would tell.");
        push(all, Severity::Note, text);
    }
    let apart = operation_rows(groups).filter_map(|(_, row)| Some((row.scenario.clone(), row.not_comparable.clone()?)));
    for (scenario, why) in unique(apart) {
        push(all, Severity::Error, format!("{scenario} can't be compared: {why}."));
    }
}

/// The cells of a row in which operations failed, with their error rates.
fn erring(grid: &Grid<'_>, row: &Row) -> Vec<String> {
    let operation = row.operation.as_deref().unwrap_or_default();
    let rate = |(name, cell): (String, &Cell)| {
        let rate = cell.values.get("errors").filter(|rate| rate.value > 0.0)?;
        Some(format!("{name} {operation} {}", Unit::Share.show(rate.value)))
    };
    named_cells(grid, row).filter_map(rate).collect()
}

/// Ties of a row whose plain ratio to the baseline is well off 1.
fn hidden(grid: &Grid<'_>, measure: &str, row: &Row) -> Vec<String> {
    let Some(baseline) = grid.baseline.map(|index| grid.columns[index].name.as_str()) else { return Vec::new() };
    named_cells(grid, row)
        .filter(|(_, cell)| {
            let ratios = cell.values.get(measure).map(|value| value.ratios.as_slice()).unwrap_or_default();
            ratios.iter().any(|ratio| {
                ratio.baseline == baseline && ratio.verdict.as_deref() == Some("tie") && ratio.ratio.ln().abs() > HIDDEN
            })
        })
        .map(|(name, _)| format!("{name} {}", row.operation.as_deref().unwrap_or_default()))
        .collect()
}

fn fair(trust: &Trust, all: &mut Vec<Caution>) {
    for finding in &trust.fairness {
        let severity = match finding.about.as_str() {
            "durability" | "limits" | "tuning" | "host" | "server" => Severity::Warning,
            _ => Severity::Note,
        };
        push(all, severity, finding.text.clone());
    }
}
