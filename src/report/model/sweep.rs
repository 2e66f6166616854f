//! Sweeps: how a measure goes over one or two axes, with knees and crossings.
//!
//! It must not draw. Invariant: a knee or a crossing is told from cells that count, and a crossing only between decided ones.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;

use super::compare::{Group, Kind, Row};
use super::grid::{Axes, Grid, place_label};
use super::settings::{subjects, unique};
use crate::report::number::{Unit, three};
use crate::stats::curve;

/// An axis of a sweep.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SweepAxis {
    /// Its name; axes that go side by side are one, their names joined by ` · `.
    pub name: String,
    /// Its values as typed, numbers in ascending order.
    pub values: Vec<String>,
    /// The values as numbers; none: at least one is none.
    pub numbers: Option<Vec<f64>>,
}

impl SweepAxis {
    /// Whether the numbers span decades.
    pub(crate) fn is_logarithmic(&self) -> bool {
        let Some(numbers) = &self.numbers else { return false };
        numbers.first().zip(numbers.last()).is_some_and(|(first, last)| *first > 0.0 && last / first >= 30.0)
    }
}

/// A value on a sweep.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SweepValue {
    /// The value; none: the cell says why in `says`.
    pub value: Option<f64>,
    /// Its interval.
    pub low: Option<f64>,
    /// Its interval's upper end.
    pub high: Option<f64>,
    /// Against the baseline.
    pub ratio: Option<f64>,
    /// faster, slower, tie; none: undecided.
    pub verdict: Option<String>,
    /// What the cell says in place of a number.
    pub says: String,
}

/// One operation over one or two axes.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Sweep {
    /// The scenario.
    pub scenario: String,
    /// The operation.
    pub operation: String,
    /// The measure's key.
    pub measure: String,
    /// Its unit.
    pub unit: Unit,
    /// One or two axes.
    pub axes: Vec<SweepAxis>,
    /// The other axes, each at one value.
    pub fixed: Vec<(String, String)>,
    /// Indexes into the axes' values, and a value a column of the report (none: no such cell).
    pub points: Vec<(Vec<usize>, Vec<Option<SweepValue>>)>,
    /// Knees and crossings, in sentences.
    pub findings: Vec<String>,
}

/// All sweeps, of the tables' default measures.
pub(crate) fn sweeps(grid: &Grid<'_>, groups: &[Group]) -> Vec<Sweep> {
    let mut sweeps = Vec::new();
    for group in groups.iter().filter(|group| group.kind != Kind::Whole) {
        let Some(unit) = group.measures.iter().find(|m| m.key == group.default_measure).map(|m| m.unit) else {
            continue;
        };
        for (scenario, operation) in subjects(group) {
            let rows: Vec<&Row> = group
                .rows
                .iter()
                .filter(|row| row.scenario == scenario && row.operation.as_deref() == Some(operation))
                .collect();
            for (axes, fixed, members) in facets(&rows) {
                let points =
                    members.iter().map(|(at, row)| (at.clone(), values(grid, row, &group.default_measure))).collect();
                let mut sweep = Sweep {
                    scenario: scenario.to_owned(),
                    operation: operation.to_owned(),
                    measure: group.default_measure.clone(),
                    unit,
                    axes,
                    fixed,
                    points,
                    findings: Vec::new(),
                };
                sweep.findings = findings(grid, &sweep, group.kind == Kind::Writing);
                sweeps.push(sweep);
            }
        }
    }
    sweeps
}

type Facet<'a> = (Vec<SweepAxis>, Axes, Vec<(Vec<usize>, &'a Row)>);

/// Splits rows into sweeps of one or two axes: the two with most values vary, the others are fixed in each.
fn facets<'a>(rows: &[&'a Row]) -> Vec<Facet<'a>> {
    let names = unique(rows.iter().flat_map(|row| row.axes.iter().map(|(axis, _)| axis.as_str())));
    let distinct = |axis: &str| unique(rows.iter().filter_map(|row| value_of(row, axis)).map(str::to_owned)).len();
    let mut varying: Vec<&str> = names.iter().copied().filter(|axis| distinct(axis) > 1).collect();
    if varying.is_empty() {
        return Vec::new();
    }
    // Axes that never turn apart from one another (zip, routine) are one axis.
    if varying.len() > 1 && varying.iter().all(|axis| distinct(axis) == rows.len()) {
        return vec![side_by_side(&varying, rows)];
    }
    varying.sort_by_key(|axis| std::cmp::Reverse(distinct(axis)));
    let shown: BTreeSet<&str> = varying.iter().copied().take(2).collect();
    let shown: Vec<&str> = names.into_iter().filter(|axis| shown.contains(axis)).collect();
    let fixed =
        |row: &Row| row.axes.iter().filter(|(axis, _)| !shown.contains(&axis.as_str())).cloned().collect::<Axes>();
    let mut facets = Vec::new();
    for group in unique(rows.iter().map(|row| fixed(row))) {
        let members: Vec<&'a Row> = rows.iter().copied().filter(|row| fixed(row) == group).collect();
        let axes: Vec<SweepAxis> = shown.iter().map(|axis| axis_of(axis, &members)).collect();
        let at = |row: &Row| {
            axes.iter()
                .map(|axis| axis.values.iter().position(|value| value_of(row, &axis.name) == Some(value)))
                .collect::<Option<Vec<_>>>()
        };
        let points: Vec<_> = members.iter().filter_map(|row| Some((at(row)?, *row))).collect();
        // An axis with one value in this facet is no axis of it.
        if axes.iter().all(|axis| axis.values.len() > 1) {
            facets.push((axes, group, points));
        } else if let Some(index) = axes.iter().position(|axis| axis.values.len() > 1) {
            let points = points.into_iter().map(|(at, row)| (vec![at[index]], row)).collect();
            let mut fixed = group;
            fixed.extend(
                axes.iter()
                    .filter(|axis| axis.values.len() == 1)
                    .map(|axis| (axis.name.clone(), axis.values[0].clone())),
            );
            facets.push((vec![axes[index].clone()], fixed, points));
        }
    }
    facets
}

fn value_of<'a>(row: &'a Row, axis: &str) -> Option<&'a str> {
    row.axes.iter().find(|(name, _)| name == axis).map(|(_, value)| value.as_str())
}

fn side_by_side<'a>(varying: &[&str], rows: &[&'a Row]) -> Facet<'a> {
    let label = |row: &Row| varying.iter().filter_map(|axis| value_of(row, axis)).collect::<Vec<_>>().join(" · ");
    let axis =
        SweepAxis { name: varying.join(" · "), values: rows.iter().map(|row| label(row)).collect(), numbers: None };
    let fixed = rows
        .first()
        .map(|row| row.axes.iter().filter(|(axis, _)| !varying.contains(&axis.as_str())).cloned().collect());
    (vec![axis], fixed.unwrap_or_default(), rows.iter().enumerate().map(|(index, row)| (vec![index], *row)).collect())
}

fn axis_of(axis: &str, rows: &[&Row]) -> SweepAxis {
    let mut values = unique(rows.iter().filter_map(|row| value_of(row, axis)).map(str::to_owned));
    let numbers: Option<Vec<f64>> = values.iter().map(|value| number(value)).collect();
    if numbers.is_some() {
        values.sort_by(|left, right| number(left).partial_cmp(&number(right)).unwrap_or(std::cmp::Ordering::Equal));
    }
    let numbers = values.iter().map(|value| number(value)).collect();
    SweepAxis { name: axis.to_owned(), values, numbers }
}

/// A number, or a number with one of the suffixes that axes are written with (`15m`, `128MB`, `2.58d`).
fn number(text: &str) -> Option<f64> {
    const SUFFIXES: [(&str, f64); 22] = [
        ("KiB", 1024.0),
        ("MiB", 1048576.0),
        ("GiB", 1073741824.0),
        ("kB", 1e3),
        ("KB", 1e3),
        ("MB", 1e6),
        ("GB", 1e9),
        ("ms", 1e-3),
        ("us", 1e-6),
        ("ns", 1e-9),
        ("/s", 1.0),
        ("%", 0.01),
        ("B", 1.0),
        ("s", 1.0),
        ("m", 60.0),
        ("h", 3_600.0),
        ("d", 86_400.0),
        ("w", 604_800.0),
        ("k", 1e3),
        ("K", 1e3),
        ("M", 1e6),
        ("G", 1e9),
    ];
    let plain = |text: &str| text.trim().replace('_', "").parse::<f64>().ok().filter(|value| value.is_finite());
    plain(text).or_else(|| {
        SUFFIXES.iter().find_map(|(suffix, factor)| Some(plain(text.trim().strip_suffix(suffix)?)? * factor))
    })
}

fn values(grid: &Grid<'_>, row: &Row, measure: &str) -> Vec<Option<SweepValue>> {
    let baseline = grid.baseline.map(|index| grid.columns[index].name.as_str());
    row.cells
        .iter()
        .map(|cell| {
            cell.as_ref().map(|cell| {
                let value = cell.values.get(measure);
                let ratio =
                    value.and_then(|value| value.ratios.iter().find(|ratio| Some(ratio.baseline.as_str()) == baseline));
                SweepValue {
                    value: value.map(|value| value.value),
                    low: value.and_then(|value| value.low),
                    high: value.and_then(|value| value.high),
                    ratio: ratio.map(|ratio| ratio.ratio),
                    verdict: ratio.and_then(|ratio| ratio.verdict.clone()),
                    says: cell.state.says.clone(),
                }
            })
        })
        .collect()
}

fn findings(grid: &Grid<'_>, sweep: &Sweep, more_is_better: bool) -> Vec<String> {
    let [axis] = sweep.axes.as_slice() else { return Vec::new() };
    let Some(numbers) = &axis.numbers else { return Vec::new() };
    let mut points: Vec<(f64, &Vec<Option<SweepValue>>)> =
        sweep.points.iter().map(|(at, values)| (numbers[at[0]], values)).filter(|(x, _)| *x > 0.0).collect();
    points.sort_by(|left, right| left.0.total_cmp(&right.0));
    let mut found = Vec::new();
    for (index, column) in grid.columns.iter().enumerate() {
        let curve: Vec<(f64, f64)> =
            points.iter().filter_map(|(x, values)| Some((*x, values[index].as_ref()?.value?))).collect();
        if more_is_better && let Some(knee) = curve::knee(&curve) {
            found.push(format!("{} stops growing at {} {}", column.name, axis.name, three(knee)));
        }
    }
    let Some(baseline) = grid.baseline.map(|index| &grid.columns[index].name) else { return found };
    for (index, column) in grid.columns.iter().enumerate().filter(|(index, _)| Some(*index) != grid.baseline) {
        let differences: Vec<(f64, f64, bool)> = points
            .iter()
            .filter_map(|(x, values)| {
                let value = values[index].as_ref()?;
                Some((*x, value.ratio?.ln(), value.verdict.as_deref().is_some_and(|verdict| verdict != "tie")))
            })
            .collect();
        for crossing in curve::crossings(&differences) {
            let leads = if crossing.first_leads == more_is_better { &column.name } else { baseline };
            let other = if leads == baseline { &column.name } else { baseline };
            found.push(format!("beyond {} {} {leads} leads {other}", axis.name, three(crossing.at)));
        }
    }
    found
}

impl Sweep {
    /// `INGESTION, DEVICE_NUMBER=100`: the operation and what is fixed.
    pub(crate) fn subject(&self) -> String {
        place_label(&self.operation, &self.fixed)
    }

    /// `ingest · INGESTION, DEVICE_NUMBER=100`: the scenario, the operation and what is fixed.
    pub(crate) fn label(&self) -> String {
        place_label(&format!("{} · {}", self.scenario, self.operation), &self.fixed)
    }
}
