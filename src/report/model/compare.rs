//! The comparison: rows of scenario × operation × axis values, a cell a column, each measure with its ratios to every baseline.
//!
//! It must not format anything. Invariant: a cell that does not count has no values; a cell that may not lead is never best.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;

use super::data::{self, CellData, Readout};
use super::grid::{Grid, PlaceView};
use super::measure::{CASE, Measure, OPERATION, Spec, writes};
use super::state::State;
use crate::report::number::Unit;
use crate::run::journal::trial::Mark;
use crate::stats::interval::{self, Better, Verdict};
use crate::stats::{percentile, spread};

use super::measure::Source;

/// What the rows of a table have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Operations that write.
    Writing,
    /// Queries.
    Asking,
    /// Whole cases: their time, space and resources.
    Whole,
}

/// One comparison table.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Group {
    /// What its rows are.
    pub kind: Kind,
    /// The measures that any of its cells has, in order.
    pub measures: Vec<Measure>,
    /// The measure shown first.
    pub default_measure: String,
    /// Its rows.
    pub rows: Vec<Row>,
}

/// One row.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Row {
    /// The scenario.
    pub scenario: String,
    /// The operation; none: the whole case.
    pub operation: Option<String>,
    /// Axis values that all targets have.
    pub axes: Vec<(String, String)>,
    /// Why its cells can't be compared; none: they can.
    pub not_comparable: Option<String>,
    /// One a column, in the columns' order; none: the suite has no such cell.
    pub cells: Vec<Option<Cell>>,
}

/// One cell.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Cell {
    /// What became of it.
    pub state: State,
    /// Marks beside all its numbers.
    pub marks: Vec<String>,
    /// By the measure's key; absent: not measured.
    pub values: BTreeMap<String, Value>,
}

/// One number.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Value {
    /// Over all rounds: the merged histogram's for percentiles, else the rounds' geometric mean (arithmetic where a round is zero).
    pub value: f64,
    /// The 95 % interval over the rounds; none below three rounds.
    pub low: Option<f64>,
    /// Its upper end.
    pub high: Option<f64>,
    /// What it rests on: points, rows or operations; rounds for measures of a whole case.
    pub samples: u64,
    /// Each round's value.
    pub rounds: Vec<(u32, f64)>,
    /// Marks beside this number alone: noisy, few samples.
    pub marks: Vec<String>,
    /// Whether it leads its row, alone or in a tie; nobody leads where all tie.
    pub best: bool,
    /// Against each other column.
    pub ratios: Vec<RatioTo>,
}

/// A ratio to another column's value.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RatioTo {
    /// The other column.
    pub baseline: String,
    /// value ÷ value(baseline): the geometric mean of the rounds' ratios.
    pub ratio: f64,
    /// Its 95 % interval; none below three pairs.
    pub low: Option<f64>,
    /// Its upper end.
    pub high: Option<f64>,
    /// How many rounds both have.
    pub pairs: u32,
    /// faster, slower, tie (better and worse, for measures that are no times); none: too few pairs.
    pub verdict: Option<String>,
}

/// Makes the comparison tables that have rows.
pub(crate) fn groups(grid: &Grid<'_>, data: &[Vec<Option<CellData>>]) -> Vec<Group> {
    let mut writing = Vec::new();
    let mut asking = Vec::new();
    let mut whole = Vec::new();
    for (place, cells) in grid.places.iter().zip(data) {
        for operation in operations(grid, place) {
            let row = row(grid, place, cells, Some(&operation));
            if writes(&operation) { writing.push(row) } else { asking.push(row) }
        }
        whole.push(row(grid, place, cells, None));
    }
    [(Kind::Writing, writing), (Kind::Asking, asking), (Kind::Whole, whole)]
        .into_iter()
        .filter(|(_, rows)| !rows.is_empty())
        .map(|(kind, rows)| group(grid, kind, rows))
        .collect()
}

/// The operations of a place, of all its trials; where it has none, those of the scenario's other places. Where nothing is known of
/// them, a loading case is taken to ingest.
fn operations(grid: &Grid<'_>, place: &PlaceView<'_>) -> Vec<String> {
    let of = |place: &PlaceView<'_>| {
        let trials = place.cells.iter().flatten().flat_map(|cell| &cell.trials);
        let mut names: Vec<String> = Vec::new();
        for operation in trials.flat_map(|trial| &trial.record.operations) {
            if !names.contains(&operation.operation) {
                names.push(operation.operation.clone());
            }
        }
        names
    };
    let own = of(place);
    if !own.is_empty() {
        return own;
    }
    let others = grid.places.iter().filter(|other| other.scenario == place.scenario);
    let known = others.map(of).find(|names| !names.is_empty());
    let reads = place.cells.iter().flatten().any(|cell| cell.case.on.is_some());
    known.unwrap_or_else(|| vec![if reads { "queries".to_owned() } else { "INGESTION".to_owned() }])
}

/// The measure of a scenario all of whose cases an open loop paces: it sets the rate itself, what differs is how long it makes one wait.
pub(crate) const PACED_MEASURE: &str = "response_p99";

/// Whether an open loop paces every case of a scenario.
pub(crate) fn paced(grid: &Grid<'_>, scenario: &str) -> bool {
    let places = grid.places.iter().filter(|place| place.scenario == scenario);
    places.flat_map(|place| place.cells.iter().flatten()).all(|cell| cell.case.paced)
}

fn group(grid: &Grid<'_>, kind: Kind, rows: Vec<Row>) -> Group {
    let specs: &[Spec] = if kind == Kind::Whole { &CASE } else { &OPERATION };
    let waits = || {
        let measured = |row: &Row| row.cells.iter().flatten().any(|cell| cell.values.contains_key(PACED_MEASURE));
        rows.iter().all(|row| paced(grid, &row.scenario)) && rows.iter().any(measured)
    };
    let preferred = match kind {
        Kind::Writing | Kind::Asking if waits() => PACED_MEASURE,
        Kind::Writing => "throughput",
        Kind::Asking => "mean",
        Kind::Whole => "elapsed",
    };
    let mut present: BTreeSet<&str> = rows
        .iter()
        .flat_map(|row| row.cells.iter().flatten())
        .flat_map(|cell| cell.values.keys().map(String::as_str))
        .collect();
    // A table in which nothing was measured still says why.
    present.insert(preferred);
    let measures: Vec<Measure> = specs.iter().filter(|spec| present.contains(spec.key)).map(Spec::measure).collect();
    Group { kind, measures, default_measure: preferred.to_owned(), rows }
}

fn row(grid: &Grid<'_>, place: &PlaceView<'_>, data: &[Option<CellData>], operation: Option<&str>) -> Row {
    let specs: &[Spec] = if operation.is_some() { &OPERATION } else { &CASE };
    let not_comparable = differing_parameters(grid, place);
    let mut cells: Vec<Option<Cell>> = data
        .iter()
        .map(|data| {
            data.as_ref().map(|data| Cell {
                state: data.state.clone(),
                marks: words(&data.marks_of(operation)),
                values: BTreeMap::new(),
            })
        })
        .collect();
    for spec in specs {
        let readouts: Vec<Option<Readout>> = data
            .iter()
            .map(|cell| {
                let cell = cell.as_ref().filter(|cell| cell.state.counts)?;
                match operation {
                    Some(name) => data::of_operation(spec, cell.operations.iter().find(|o| o.operation == name)?),
                    None => data::of_case(spec, cell),
                }
            })
            .collect();
        let ranked = not_comparable.is_none();
        let values = values(grid, spec, &readouts, ranked);
        let ranks: Vec<bool> = data
            .iter()
            .zip(&grid.columns)
            .map(|(cell, column)| !column.ceiling && cell.as_ref().is_some_and(|cell| cell.state.ranks))
            .collect();
        for (slot, value) in
            cells.iter_mut().zip(if ranked { mark_best(spec, values, &readouts, &ranks, grid) } else { values })
        {
            if let (Some(cell), Some(value)) = (slot, value) {
                cell.values.insert(spec.key.to_owned(), value);
            }
        }
    }
    Row {
        scenario: place.scenario.to_owned(),
        operation: operation.map(str::to_owned),
        axes: place.axes.clone(),
        not_comparable,
        cells,
    }
}

/// Marks of a cell in words.
pub(crate) fn words(marks: &[Mark]) -> Vec<String> {
    marks.iter().map(|mark| mark.words().to_owned()).collect()
}

fn values(grid: &Grid<'_>, spec: &Spec, readouts: &[Option<Readout>], ranked: bool) -> Vec<Option<Value>> {
    let seed = grid.runs.first().map_or(0, |run| run.started.seed);
    let value = |index: usize, readout: &Readout| {
        let ratios = match spec.better {
            Some(better) if ranked && !grid.columns[index].ceiling => readouts
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != index && !grid.columns[*other].ceiling)
                .filter_map(|(other, baseline)| {
                    ratio(&grid.columns[other].name, readout, baseline.as_ref()?, (better, spec.unit), seed)
                })
                .collect(),
            _ => Vec::new(),
        };
        value_of(spec, readout, ratios, seed)
    };
    readouts.iter().enumerate().map(|(index, readout)| readout.as_ref().map(|readout| value(index, readout))).collect()
}

fn value_of(spec: &Spec, readout: &Readout, ratios: Vec<RatioTo>, seed: u64) -> Value {
    let rounds: Vec<f64> = readout.rounds.iter().map(|(_, value)| *value).collect();
    let estimate = interval::geometric(&rounds, seed);
    let arithmetic = || rounds.iter().sum::<f64>() / rounds.len().max(1) as f64;
    let value = readout.pooled.or(estimate.map(|estimate| estimate.mean)).unwrap_or_else(arithmetic);
    let interval = estimate.and_then(|estimate| estimate.interval);
    let mut marks = Vec::new();
    if spec.better.is_some() && spread::noisy(&rounds) {
        marks.push(Mark::Noisy);
    }
    if let Source::Percentile { percentile, .. } = spec.source
        && !percentile::enough(percentile, readout.count)
    {
        marks.push(Mark::FewSamples);
    }
    Value {
        value,
        low: interval.map(|interval| interval.low),
        high: interval.map(|interval| interval.high),
        samples: readout.count,
        rounds: readout.rounds.clone(),
        marks: words(&marks),
        best: false,
        ratios,
    }
}

/// The values of rounds that both have.
fn pairs(target: &Readout, baseline: &Readout) -> Vec<(f64, f64)> {
    let other: BTreeMap<u32, f64> = baseline.rounds.iter().copied().collect();
    target.rounds.iter().filter_map(|(round, value)| Some((*value, *other.get(round)?))).collect()
}

fn ratio(
    name: &str,
    target: &Readout,
    baseline: &Readout,
    (better, unit): (Better, Unit),
    seed: u64,
) -> Option<RatioTo> {
    // Bytes and cores are no times: they are better or worse, not faster or slower.
    let timed = !matches!(unit, Unit::Bytes | Unit::BytesPerPoint | Unit::Cores | Unit::CpuPerMillion);
    let word = |fast: &str, good: &str| Some(if timed { fast.to_owned() } else { good.to_owned() });
    let comparison = interval::compare(&pairs(target, baseline), better, seed)?;
    Some(RatioTo {
        baseline: name.to_owned(),
        ratio: comparison.ratio.mean,
        low: comparison.ratio.interval.map(|interval| interval.low),
        high: comparison.ratio.interval.map(|interval| interval.high),
        pairs: comparison.ratio.values as u32,
        verdict: match comparison.verdict {
            Verdict::Faster => word("faster", "better"),
            Verdict::Slower => word("slower", "worse"),
            Verdict::Tie => Some("tie".to_owned()),
            Verdict::None => None,
        },
    })
}

/// Marks the best value of a row, and those that tie with it; only among two or more that may lead.
fn mark_best(
    spec: &Spec,
    mut values: Vec<Option<Value>>,
    readouts: &[Option<Readout>],
    ranks: &[bool],
    grid: &Grid<'_>,
) -> Vec<Option<Value>> {
    let Some(better) = spec.better else { return values };
    let contest: Vec<(usize, f64)> = values
        .iter()
        .enumerate()
        .filter(|(index, _)| ranks[*index])
        .filter_map(|(index, value)| Some((index, value.as_ref()?.value)))
        .collect();
    let ahead = |left: &&(usize, f64), right: &&(usize, f64)| match better {
        Better::Higher => left.1.total_cmp(&right.1),
        Better::Lower => right.1.total_cmp(&left.1),
    };
    let Some((best, _)) = contest.iter().max_by(ahead).filter(|_| contest.len() > 1) else { return values };
    let seed = grid.runs.first().map_or(0, |run| run.started.seed);
    let ties = |index: &usize| match (&readouts[*index], &readouts[*best]) {
        (Some(one), Some(other)) => {
            interval::compare(&pairs(one, other), better, seed).is_some_and(|found| found.verdict == Verdict::Tie)
        }
        _ => false,
    };
    let leading: Vec<usize> =
        contest.iter().map(|(index, _)| *index).filter(|index| index == best || ties(index)).collect();
    // Where all tie, none leads.
    if leading.len() < contest.len() {
        for index in leading {
            values[index].iter_mut().for_each(|value| value.best = true);
        }
    }
    values
}

/// Parameters that differ between the cells of a place though no axis of theirs says so; none: they are all equal.
fn differing_parameters(grid: &Grid<'_>, place: &PlaceView<'_>) -> Option<String> {
    let own: BTreeSet<&str> =
        grid.columns.iter().flat_map(|column| &column.own).map(|(axis, _)| axis.as_str()).collect();
    let mut seen: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
    for (column, cell) in grid.columns.iter().zip(&place.cells) {
        for (name, value) in cell.iter().flat_map(|cell| &cell.case.parameters) {
            if !own.contains(name.as_str()) {
                seen.entry(name).or_default().push((&column.name, value));
            }
        }
    }
    let differs = |values: &Vec<(&str, &str)>| values.iter().any(|(_, value)| *value != values[0].1);
    let findings: Vec<String> = seen
        .iter()
        .filter(|(_, values)| differs(values))
        .map(|(name, values)| {
            let values: Vec<String> = values.iter().map(|(column, value)| format!("{value} ({column})")).collect();
            format!("{name}: {}", values.join(", "))
        })
        .collect();
    (!findings.is_empty()).then(|| format!("parameters differ: {}", findings.join("; ")))
}
