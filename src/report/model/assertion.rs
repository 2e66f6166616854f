//! Assertions: whether what the suite says must hold did hold.
//!
//! It must not end a run. Invariant: an assertion about a cell without a number is missed, never held; a cell that its target can't do
//! is not asked.

use schemars::JsonSchema;
use serde::Serialize;

use super::compare::{Cell, Group, Row};
use super::grid::{CellView, Grid, place_label};
use super::measure::{CASE, OPERATION, OPERATIONS, Spec};
use super::report::ReportModel;
use crate::run::journal::events::AssertionInfo;

/// What became of one assertion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AssertionResult {
    /// As the suite writes it.
    pub text: String,
    /// Whether it held for every cell that it selects.
    pub held: bool,
    /// How many cells it selects.
    pub cells: u32,
    /// Each cell that missed it, in a sentence with the value.
    pub missed: Vec<String>,
}

/// The assertions' results.
pub fn assertions(model: &ReportModel) -> Vec<AssertionResult> {
    model.assertions.clone()
}

/// Evaluates the assertions of all runs, each once.
pub(crate) fn evaluate(grid: &Grid<'_>, groups: &[Group]) -> Vec<AssertionResult> {
    let mut results: Vec<AssertionResult> = Vec::new();
    for assertion in grid.runs.iter().flat_map(|run| &run.started.assertions) {
        if results.iter().all(|known| known.text != assertion.text) {
            results.push(evaluate_one(grid, groups, assertion));
        }
    }
    results
}

fn evaluate_one(grid: &Grid<'_>, groups: &[Group], assertion: &AssertionInfo) -> AssertionResult {
    let mut result = AssertionResult { text: assertion.text.clone(), held: false, cells: 0, missed: Vec::new() };
    let Some(spec) = OPERATION.iter().chain(&CASE).find(|spec| spec.key == assertion.measure) else {
        result.missed.push(format!("{} is no measure of this report", assertion.measure));
        return result;
    };
    let whole = CASE.iter().any(|case| case.key == spec.key);
    let rows = groups.iter().flat_map(|group| &group.rows).filter(|row| row.operation.is_none() == whole);
    for row in rows {
        for (index, cell) in row.cells.iter().enumerate() {
            let Some(view) = view(grid, row, index) else { continue };
            let Some(cell) = cell.as_ref().filter(|cell| cell.state.status != "not supported") else { continue };
            if !assertion.selectors.iter().all(|selector| selects(selector, row, view)) {
                continue;
            }
            result.cells += 1;
            result.missed.extend(miss(grid, assertion, spec, row, index, cell));
        }
    }
    result.held = result.cells > 0 && result.missed.is_empty();
    if result.cells == 0 {
        result.missed.push("no cell was there to be looked at".to_owned());
    }
    result
}

fn view<'b, 'a>(grid: &'b Grid<'a>, row: &Row, column: usize) -> Option<&'b CellView<'a>> {
    let place = grid.places.iter().find(|place| place.scenario == row.scenario && place.axes == row.axes)?;
    place.cells[column].as_ref()
}

fn selects((name, value): &(String, String), row: &Row, view: &CellView<'_>) -> bool {
    match name.as_str() {
        "target" => view.case.target == *value,
        "scenario" => row.scenario == *value,
        "operation" => row.operation.as_deref().is_some_and(|operation| is_operation(operation, value)),
        axis => {
            let axes = view.case.axes.iter().map(|(axis, value)| (axis, value));
            let mut known = axes.chain(&view.case.parameters);
            known.any(|(known, at)| known.eq_ignore_ascii_case(axis) && at == value)
        }
    }
}

/// Whether a selector's word names an operation: its name in either case, or `Q1` … `Q12`.
fn is_operation(operation: &str, word: &str) -> bool {
    let short =
        word.strip_prefix(['Q', 'q']).and_then(|number| number.parse::<usize>().ok()).filter(|number| *number > 0);
    operation.eq_ignore_ascii_case(word) || short.and_then(|number| OPERATIONS.get(number)) == Some(&operation)
}

/// Why a cell misses the assertion; none: it holds.
fn miss(
    grid: &Grid<'_>,
    assertion: &AssertionInfo,
    spec: &Spec,
    row: &Row,
    column: usize,
    cell: &Cell,
) -> Option<String> {
    let mut name = format!("{} {}", grid.columns[column].name, place_label(&row.scenario, &row.axes));
    if let Some(operation) = &row.operation {
        name.push_str(&format!(" {operation}"));
    }
    let Some(value) = cell.values.get(spec.key) else {
        let says = if cell.state.says.is_empty() { "not measured" } else { &cell.state.says };
        return Some(format!("{name}: {says}"));
    };
    let mut limit = assertion.value;
    if assertion.of_baseline {
        let baseline = grid.baseline.filter(|baseline| *baseline != column);
        let of = match baseline {
            Some(baseline) => row.cells[baseline].as_ref().and_then(|cell| cell.values.get(spec.key)),
            None => Some(value),
        };
        match of {
            Some(of) => limit *= of.value,
            None => return Some(format!("{name}: the baseline has no number there")),
        }
    }
    let holds = match assertion.comparison.as_str() {
        "<=" => value.value <= limit,
        "<" => value.value < limit,
        ">=" => value.value >= limit,
        ">" => value.value > limit,
        _ => value.value == limit,
    };
    let shown = |value: f64| spec.unit.show(value);
    (!holds).then(|| format!("{name}: {} is not {} {}", shown(value.value), assertion.comparison, shown(limit)))
}
