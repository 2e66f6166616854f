//! Settings: axes that a user may choose for a database, as tuning, clients and batch size are; and what they bring.
//!
//! It must not choose for the comparison table. Invariant: best-of-each is a table of its own, never mixed with equal settings.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::compare::{Group, Kind, Row, Value};
use super::grid::{Axes, Grid};
use crate::report::number::Unit;
use crate::stats::interval::{self, Better};

/// Workload parameters that say how the same work is done, not which work.
const SETTING_PARAMETERS: [&str; 5] =
    ["CLIENT_NUMBER", "DATA_CLIENT_NUMBER", "SCHEMA_CLIENT_NUMBER", "BATCH_SIZE_PER_WRITE", "DEVICE_NUM_PER_WRITE"];

/// Whether an axis is a setting.
pub(crate) fn is_setting(axis: &str) -> bool {
    axis.contains('.') || SETTING_PARAMETERS.contains(&axis.to_ascii_uppercase().as_str())
}

/// One target's best at its own setting.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct BestEntry {
    /// The value.
    pub value: f64,
    /// The setting that gave it.
    pub at: Vec<(String, String)>,
    /// How many settings were tried.
    pub of: u32,
    /// Against the baseline target's best; none for the baseline itself.
    pub ratio: Option<f64>,
}

/// The best of each target at its own setting.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct BestRow {
    /// The scenario.
    pub scenario: String,
    /// The operation.
    pub operation: String,
    /// The axes that are no settings.
    pub axes: Vec<(String, String)>,
    /// The measure's key.
    pub measure: String,
    /// Its unit.
    pub unit: Unit,
    /// By the target's name; absent: no number at any setting.
    pub entries: BTreeMap<String, BestEntry>,
}

/// A value at a setting.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TuningValue {
    /// The value.
    pub value: f64,
    /// In percent of the first setting's; none: that has no value.
    pub percent: Option<f64>,
}

/// One target's values over its settings.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Tuning {
    /// The target.
    pub target: String,
    /// The scenario.
    pub scenario: String,
    /// The operation.
    pub operation: String,
    /// The measure's key.
    pub measure: String,
    /// Its unit.
    pub unit: Unit,
    /// The settings, in the suite's order: the first is 100 %.
    pub settings: Vec<Vec<(String, String)>>,
    /// The other axes' values, one a column.
    pub places: Vec<Vec<(String, String)>>,
    /// A row a setting, an entry a place.
    pub cells: Vec<Vec<Option<TuningValue>>>,
}

/// A cell's value and where it was measured.
struct Candidate<'a> {
    target: &'a str,
    setting: Axes,
    place: Axes,
    value: &'a Value,
    ranks: bool,
}

/// Best-of-each rows and tuning tables, of the tables' default measures, where any target has two settings.
pub(crate) fn settings(grid: &Grid<'_>, groups: &[Group]) -> (Vec<BestRow>, Vec<Tuning>) {
    let (mut best, mut tunings) = (Vec::new(), Vec::new());
    for group in groups.iter().filter(|group| group.kind != Kind::Whole) {
        let Some(measure) = group.measures.iter().find(|measure| measure.key == group.default_measure) else {
            continue;
        };
        let better = if measure.better.as_deref() == Some("lower") { Better::Lower } else { Better::Higher };
        for (scenario, operation) in subjects(group) {
            let rows =
                group.rows.iter().filter(|row| row.scenario == scenario && row.operation.as_deref() == Some(operation));
            let candidates: Vec<Candidate<'_>> =
                rows.flat_map(|row| candidates(grid, row, &group.default_measure)).collect();
            let head = (scenario.to_owned(), operation.to_owned(), group.default_measure.clone(), measure.unit);
            for target in unique(candidates.iter().map(|candidate| candidate.target)) {
                tunings.extend(tuning(&head, target, &candidates));
            }
            best.extend(best_rows(grid, &head, better, &candidates));
        }
    }
    (best, tunings)
}

/// Scenario, operation, measure and unit.
type Head = (String, String, String, Unit);

/// The scenarios and operations of a table, in order.
pub(crate) fn subjects(group: &Group) -> Vec<(&str, &str)> {
    unique(group.rows.iter().map(|row| (row.scenario.as_str(), row.operation.as_deref().unwrap_or_default())))
}

/// Each once, in order of first appearance.
pub(crate) fn unique<T: PartialEq>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut seen = Vec::new();
    for item in items {
        if !seen.contains(&item) {
            seen.push(item);
        }
    }
    seen
}

fn candidates<'a>(grid: &'a Grid<'_>, row: &'a Row, measure: &str) -> Vec<Candidate<'a>> {
    let cells = grid.columns.iter().zip(&row.cells);
    cells
        .filter_map(|(column, cell)| {
            let cell = cell.as_ref()?;
            let (mut setting, place): (Axes, Axes) = row.axes.iter().cloned().partition(|(axis, _)| is_setting(axis));
            setting.extend(column.own.iter().cloned());
            let target = if column.by_run { column.name.as_str() } else { column.target.name.as_str() };
            Some(Candidate { target, setting, place, value: cell.values.get(measure)?, ranks: cell.state.ranks })
        })
        .collect()
}

fn tuning(head: &Head, target: &str, candidates: &[Candidate<'_>]) -> Option<Tuning> {
    let own = || candidates.iter().filter(|candidate| candidate.target == target);
    let settings = unique(own().map(|candidate| candidate.setting.clone()));
    if settings.len() < 2 {
        return None;
    }
    let places = unique(own().map(|candidate| candidate.place.clone()));
    let value = |setting: &Axes, place: &Axes| {
        own()
            .find(|candidate| candidate.setting == *setting && candidate.place == *place)
            .map(|found| found.value.value)
    };
    let cell = |setting: &Axes, place: &Axes| {
        let found = value(setting, place)?;
        let first = value(&settings[0], place).filter(|first| *first > 0.0);
        Some(TuningValue { value: found, percent: first.map(|first| found / first * 100.0) })
    };
    let cells = settings.iter().map(|setting| places.iter().map(|place| cell(setting, place)).collect()).collect();
    let (scenario, operation, measure, unit) = head.clone();
    Some(Tuning { target: target.to_owned(), scenario, operation, measure, unit, settings, places, cells })
}

fn best_rows(grid: &Grid<'_>, head: &Head, better: Better, candidates: &[Candidate<'_>]) -> Vec<BestRow> {
    let targets = unique(candidates.iter().map(|candidate| candidate.target));
    let tried = |target: &str| {
        unique(candidates.iter().filter(|candidate| candidate.target == target).map(|candidate| &candidate.setting))
            .len()
    };
    if targets.iter().all(|target| tried(target) < 2) {
        return Vec::new();
    }
    let seed = grid.runs.first().map_or(0, |run| run.started.seed);
    let baseline = grid.baseline.map(|index| &grid.columns[index]);
    let baseline =
        baseline.map(|column| if column.by_run { column.name.as_str() } else { column.target.name.as_str() });
    unique(candidates.iter().map(|candidate| &candidate.place))
        .into_iter()
        .map(|place| {
            let best = |target: &str| {
                let own = candidates.iter().filter(|one| one.target == target && one.place == *place && one.ranks);
                own.max_by(|left, right| match better {
                    Better::Higher => left.value.value.total_cmp(&right.value.value),
                    Better::Lower => right.value.value.total_cmp(&left.value.value),
                })
            };
            let base = baseline.and_then(best);
            let entry = |target: &&str| {
                let found = best(target)?;
                let ratio = base.filter(|base| base.target != found.target).and_then(|base| {
                    let pairs = pairs(&found.value.rounds, &base.value.rounds);
                    interval::compare(&pairs, better, seed).map(|comparison| comparison.ratio.mean)
                });
                let entry =
                    BestEntry { value: found.value.value, at: found.setting.clone(), of: tried(target) as u32, ratio };
                Some(((*target).to_owned(), entry))
            };
            let (scenario, operation, measure, unit) = head.clone();
            BestRow {
                scenario,
                operation,
                axes: place.clone(),
                measure,
                unit,
                entries: targets.iter().filter_map(entry).collect(),
            }
        })
        .collect()
}

fn pairs(left: &[(u32, f64)], right: &[(u32, f64)]) -> Vec<(f64, f64)> {
    left.iter().filter_map(|(round, value)| Some((*value, right.iter().find(|(other, _)| other == round)?.1))).collect()
}
