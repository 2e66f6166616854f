//! Where every case of every run goes: rows (scenario and axis values) and columns (targets, at their own settings).
//!
//! It must not look at a measurement. Invariant: a cell holds trials of one run only; two runs that measured the same cell of one
//! target get a column each.

use std::collections::{BTreeMap, BTreeSet};

use super::gather::{RunView, TrialView};
use crate::run::journal::events::{CaseInfo, TargetInfo};

/// The adapter that drops what it is sent.
const CEILING: &str = "blackhole";

/// Axis names with their values, in the axes' order.
pub(crate) type Axes = Vec<(String, String)>;

/// A column: a target, perhaps of one run only, perhaps at settings that other targets do not have.
#[derive(Debug)]
pub(crate) struct ColumnView<'a> {
    pub(crate) name: String,
    pub(crate) target: &'a TargetInfo,
    /// The first run that it occurs in.
    pub(crate) run: usize,
    /// Whether the name says the run.
    pub(crate) by_run: bool,
    pub(crate) own: Axes,
    /// Whether it is no rival: it drops what it is sent, and shows what the client itself can reach.
    pub(crate) ceiling: bool,
}

/// One case with its trials.
#[derive(Debug)]
pub(crate) struct CellView<'a> {
    pub(crate) run: usize,
    pub(crate) case: &'a CaseInfo,
    /// By round.
    pub(crate) trials: Vec<TrialView<'a>>,
    /// How many trials the plan has of it.
    pub(crate) planned: u32,
}

impl<'a> CellView<'a> {
    /// The trials whose numbers may be shown.
    pub(crate) fn counted(&self) -> impl DoubleEndedIterator<Item = &TrialView<'a>> {
        self.trials.iter().filter(|trial| trial.record.status.counts())
    }
}

/// A row: a scenario at axis values that all its targets have.
#[derive(Debug)]
pub(crate) struct PlaceView<'a> {
    pub(crate) scenario: &'a str,
    pub(crate) axes: Axes,
    /// One a column.
    pub(crate) cells: Vec<Option<CellView<'a>>>,
}

/// A scenario with axis values, for people.
pub(crate) fn place_label(scenario: &str, axes: &[(String, String)]) -> String {
    let mut label = scenario.to_owned();
    for (axis, value) in axes {
        label.push_str(&format!(", {axis}={value}"));
    }
    label
}

/// All runs, laid out.
#[derive(Debug)]
pub(crate) struct Grid<'a> {
    pub(crate) runs: Vec<RunView<'a>>,
    pub(crate) columns: Vec<ColumnView<'a>>,
    pub(crate) places: Vec<PlaceView<'a>>,
    /// The baseline's column.
    pub(crate) baseline: Option<usize>,
}

/// Lays the runs out. The baseline is the one asked for, else the first run's own, else the first column.
pub(crate) fn lay_out<'a>(runs: Vec<RunView<'a>>, baseline: Option<&str>) -> Grid<'a> {
    let mut layout = Layout { common: common_axes(&runs), split: targets_to_split(&runs), ..Layout::default() };
    for (index, run) in runs.iter().enumerate() {
        let mut planned = vec![0; run.started.cases.len()];
        for (case, _) in &run.started.trials {
            planned.get_mut(*case as usize).into_iter().for_each(|count| *count += 1);
        }
        for (case, planned) in run.started.cases.iter().zip(planned) {
            if let Some(target) = run.started.targets.iter().find(|target| target.name == case.target) {
                layout.add(index, run, case, target, planned);
            }
        }
    }
    let (mut columns, mut places) = layout.filled();
    let order = target_order(&runs, &columns);
    reorder(&mut columns, &mut places, &order);
    let wanted = baseline.or_else(|| runs.iter().find_map(|run| run.started.baseline.as_deref()));
    let found = wanted.and_then(|wanted| find_column(&columns, wanted));
    // A suite of nothing but blackholes compares them.
    let rivals = columns.iter().any(|column| column.target.adapter != CEILING);
    for (index, column) in columns.iter_mut().enumerate() {
        column.ceiling = rivals && column.target.adapter == CEILING && found != Some(index);
    }
    let baseline = found.or_else(|| columns.iter().position(|column| !column.ceiling));
    Grid { runs, columns, places, baseline }
}

/// Columns and places on their way, and the cells that go between them.
#[derive(Default)]
struct Layout<'a> {
    common: BTreeMap<&'a str, BTreeSet<&'a str>>,
    split: BTreeSet<&'a str>,
    columns: Vec<ColumnView<'a>>,
    places: Vec<PlaceView<'a>>,
    cells: Vec<(usize, usize, CellView<'a>)>,
}

impl<'a> Layout<'a> {
    fn add(&mut self, index: usize, run: &RunView<'a>, case: &'a CaseInfo, target: &'a TargetInfo, planned: u32) {
        let common = &self.common[case.scenario.as_str()];
        let (shared, own): (Axes, Axes) =
            case.axes.iter().cloned().partition(|(axis, _)| common.contains(axis.as_str()));
        let by_run = self.split.contains(case.target.as_str());
        let column = position_or_push(
            &mut self.columns,
            |column| column.target.name == target.name && column.own == own && (!by_run || column.run == index),
            || ColumnView {
                name: column_name(target, &own, by_run.then_some(&run.started.run)),
                target,
                run: index,
                by_run,
                own: own.clone(),
                ceiling: false,
            },
        );
        let place = position_or_push(
            &mut self.places,
            |place| place.scenario == case.scenario && same_axes(&place.axes, &shared),
            || PlaceView { scenario: &case.scenario, axes: shared.clone(), cells: Vec::new() },
        );
        self.cells.push((place, column, cell_of(run, index, case, planned)));
    }

    /// The cells in their places. Of two runs that share a column, the one with trials to show fills the cell.
    fn filled(mut self) -> (Vec<ColumnView<'a>>, Vec<PlaceView<'a>>) {
        for place in &mut self.places {
            place.cells.resize_with(self.columns.len(), || None);
        }
        for (place, column, cell) in self.cells {
            let slot = &mut self.places[place].cells[column];
            let keep = slot.as_ref().is_some_and(|old| {
                old.counted().count() > 0 || (old.trials.len() >= cell.trials.len() && cell.counted().count() == 0)
            });
            if !keep {
                *slot = Some(cell);
            }
        }
        (self.columns, self.places)
    }
}

/// The column by its whole name, else the first of a target by this name.
pub(crate) fn find_column(columns: &[ColumnView<'_>], name: &str) -> Option<usize> {
    let whole = columns.iter().position(|column| column.name == name);
    whole.or_else(|| columns.iter().position(|column| column.target.name == name))
}

fn cell_of<'a>(run: &RunView<'a>, index: usize, case: &'a CaseInfo, planned: u32) -> CellView<'a> {
    let first = (case.id.as_str(), 0);
    let last = (case.id.as_str(), u32::MAX);
    let trials = run.trials.range(first..=last).map(|(_, trial)| *trial).collect();
    CellView { run: index, case, trials, planned }
}

fn position_or_push<T>(list: &mut Vec<T>, matches: impl Fn(&T) -> bool, make: impl FnOnce() -> T) -> usize {
    list.iter().position(matches).unwrap_or_else(|| {
        list.push(make());
        list.len() - 1
    })
}

fn same_axes(left: &[(String, String)], right: &[(String, String)]) -> bool {
    left.len() == right.len() && left.iter().all(|pair| right.contains(pair))
}

/// The axes that all targets of a scenario have; a target's further axes are its own settings.
fn common_axes<'a>(runs: &[RunView<'a>]) -> BTreeMap<&'a str, BTreeSet<&'a str>> {
    let mut common: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for case in runs.iter().flat_map(|run| &run.started.cases) {
        let axes: BTreeSet<&str> = case.axes.iter().map(|(axis, _)| axis.as_str()).collect();
        common.entry(&case.scenario).and_modify(|known| known.retain(|axis| axes.contains(axis))).or_insert(axes);
    }
    common
}

/// Targets that occur in several runs and can't share a column: they differ, or the same cell was measured more than once.
fn targets_to_split<'a>(runs: &[RunView<'a>]) -> BTreeSet<&'a str> {
    let mut known: BTreeMap<&str, &TargetInfo> = BTreeMap::new();
    let mut measured: BTreeMap<(&str, &str, Axes), &str> = BTreeMap::new();
    let mut split = BTreeSet::new();
    let given: BTreeSet<&str> = runs.iter().map(|run| run.started.run.as_str()).collect();
    for run in runs {
        for target in &run.started.targets {
            if *known.entry(&target.name).or_insert(target) != target {
                split.insert(target.name.as_str());
            }
        }
        for case in &run.started.cases {
            let own_trial = |trial: &&TrialView<'_>| {
                !trial.record.reused_from.as_deref().is_some_and(|from| from != run.started.run && given.contains(from))
            };
            let trials = run.trials.range((case.id.as_str(), 0)..=(case.id.as_str(), u32::MAX));
            if trials.map(|(_, trial)| trial).filter(own_trial).all(|trial| !trial.record.status.counts()) {
                continue;
            }
            let mut axes = case.axes.clone();
            axes.sort();
            if *measured.entry((&case.target, &case.scenario, axes)).or_insert(&run.started.run) != run.started.run {
                split.insert(case.target.as_str());
            }
        }
    }
    split
}

fn column_name(target: &TargetInfo, own: &[(String, String)], run: Option<&String>) -> String {
    let mut name = target.name.clone();
    if !own.is_empty() {
        let settings: Vec<String> = own.iter().map(|(axis, value)| format!("{}={value}", short_axis(axis))).collect();
        name.push_str(&format!(" ({})", settings.join(", ")));
    }
    if let Some(run) = run {
        name.push_str(&format!(" @ {run}"));
    }
    name
}

/// An axis without the path that says what kind of setting it is.
pub(crate) fn short_axis(axis: &str) -> &str {
    axis.rsplit('.').next().unwrap_or(axis)
}

/// Columns in the order of the runs' targets, own settings together.
fn target_order(runs: &[RunView<'_>], columns: &[ColumnView<'_>]) -> Vec<usize> {
    let mut names: Vec<&str> = Vec::new();
    for target in runs.iter().flat_map(|run| &run.started.targets) {
        if !names.contains(&target.name.as_str()) {
            names.push(&target.name);
        }
    }
    let rank = |column: &ColumnView<'_>| names.iter().position(|name| *name == column.target.name);
    let mut order: Vec<usize> = (0..columns.len()).collect();
    order.sort_by_key(|index| (rank(&columns[*index]), columns[*index].run, *index));
    order
}

fn reorder<'a>(columns: &mut Vec<ColumnView<'a>>, places: &mut [PlaceView<'a>], order: &[usize]) {
    let mut old: Vec<Option<ColumnView<'a>>> = columns.drain(..).map(Some).collect();
    columns.extend(order.iter().filter_map(|index| old[*index].take()));
    for place in places {
        let mut old: Vec<Option<CellView<'a>>> = place.cells.drain(..).collect();
        place.cells.extend(order.iter().map(|index| old[*index].take()));
    }
}
