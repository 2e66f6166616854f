//! Trust: what was stored against what was acknowledged, what the client itself cost, and what was not checked.
//!
//! It must not excuse anything. Invariant: what was not checked is listed as not checked.

use schemars::JsonSchema;
use serde::Serialize;

use super::compare::{Group, Kind};
use super::data::CellData;
use super::fairness::{Finding, fairness};
use super::grid::{CellView, Grid};
use super::samples::{AnswersCompared, compare_answers};
use crate::run::journal::trial::{CoresRecord, FailureReason, Status, StoredRecord, TrialRecord};

/// Stored against acknowledged, summed over the rounds that were counted.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Stored {
    /// The scenario.
    pub scenario: String,
    /// Axis values.
    pub axes: Vec<(String, String)>,
    /// The column.
    pub column: String,
    /// Rounds in which stored points were counted.
    pub rounds: u32,
    /// Points acknowledged in the measured part.
    pub acknowledged: u64,
    /// Points acknowledged in the warm-up.
    pub warmup: u64,
    /// Distinct points that must be there.
    pub expected: u64,
    /// Points that the database holds.
    pub stored: u64,
    /// Answers checked; none: none were.
    pub answers_checked: Option<u64>,
    /// Of them wrong.
    pub answers_wrong: Option<u64>,
}

/// The client of a cell.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Client {
    /// The scenario.
    pub scenario: String,
    /// Axis values.
    pub axes: Vec<(String, String)>,
    /// The column.
    pub column: String,
    /// Cores that the client used on average.
    pub cores_used: f64,
    /// Cores that it may use; none: not known.
    pub cores: Option<u32>,
    /// Which, and which the server used.
    pub client_cores: Option<String>,
    /// The server's.
    pub server_cores: Option<String>,
    /// Whether any core is in both.
    pub shared: Option<bool>,
    /// The cell's throughput as a share of what the blackhole took in the same place; none: the suite has no such case.
    pub ceiling_share: Option<f64>,
}

/// How the host itself changed over the run, by a fixed case that no database serves.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Drift {
    /// The place of the fixed case.
    pub place: String,
    /// Its throughput in each round, points a second.
    pub rounds: Vec<(u32, f64)>,
    /// (last − first) ÷ first.
    pub change: f64,
}

/// Everything about how far the numbers can be trusted.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Trust {
    /// Stored against acknowledged.
    pub stored: Vec<Stored>,
    /// Whether answers agree across targets.
    pub answers: Vec<AnswersCompared>,
    /// The client of each cell.
    pub client: Vec<Client>,
    /// Drift over the run.
    pub drift: Vec<Drift>,
    /// What is not equal for all.
    pub fairness: Vec<Finding>,
    /// What was not checked.
    pub not_checked: Vec<String>,
}

/// Looks at everything.
pub(crate) fn trust(grid: &Grid<'_>, data: &[Vec<Option<CellData>>], groups: &[Group]) -> Trust {
    let stored = stored(grid);
    let answers = compare_answers(grid);
    let drift = drift(grid, groups);
    Trust {
        client: client(grid, data, groups),
        fairness: fairness(grid),
        not_checked: not_checked(grid, &stored, &answers, &drift),
        stored,
        answers,
        drift,
    }
}

fn cells<'a, 'b>(grid: &'b Grid<'a>) -> impl Iterator<Item = (usize, usize, &'b CellView<'a>)> {
    grid.places.iter().enumerate().flat_map(|(place, view)| {
        view.cells.iter().enumerate().filter_map(move |(column, cell)| Some((place, column, cell.as_ref()?)))
    })
}

fn stored(grid: &Grid<'_>) -> Vec<Stored> {
    let mut all = Vec::new();
    for (place, column, cell) in cells(grid) {
        let mut row = Stored {
            scenario: grid.places[place].scenario.to_owned(),
            axes: grid.places[place].axes.clone(),
            column: grid.columns[column].name.clone(),
            rounds: 0,
            acknowledged: 0,
            warmup: 0,
            expected: 0,
            stored: 0,
            answers_checked: None,
            answers_wrong: None,
        };
        for trial in &cell.trials {
            if let Some(stored) = counted_points(trial.record) {
                row.rounds += 1;
                row.acknowledged += stored.acknowledged;
                row.warmup += stored.warmup;
                row.expected += stored.expected;
                row.stored += stored.stored;
            }
            if let Some((checked, wrong)) = trial.record.answers {
                row.answers_checked = Some(row.answers_checked.unwrap_or(0) + checked);
                row.answers_wrong = Some(row.answers_wrong.unwrap_or(0) + wrong);
            }
        }
        if row.rounds > 0 || row.answers_checked.is_some() {
            all.push(row);
        }
    }
    all
}

/// What was counted of a trial that came so far. Where one was interrupted or failed before, its record holds what was to be there and
/// nothing counted: that is no loss.
fn counted_points(record: &TrialRecord) -> Option<&StoredRecord> {
    let came_so_far = record.status.counts() || record.status == Status::Failed(FailureReason::LostPoints);
    record.stored.as_ref().filter(|_| came_so_far)
}

fn client(grid: &Grid<'_>, data: &[Vec<Option<CellData>>], groups: &[Group]) -> Vec<Client> {
    let mut all = Vec::new();
    for (place, column, cell) in cells(grid) {
        let rounds = data[place][column].as_ref().map(|data| data.rounds.as_slice()).unwrap_or_default();
        let elapsed: f64 = rounds.iter().map(|round| round.elapsed_s).sum();
        if elapsed <= 0.0 {
            continue;
        }
        let cores = cell.counted().next().map(|trial| trial.record.cores.clone()).unwrap_or_default();
        let CoresRecord { client, server, shared } = cores;
        all.push(Client {
            scenario: grid.places[place].scenario.to_owned(),
            axes: grid.places[place].axes.clone(),
            column: grid.columns[column].name.clone(),
            cores_used: rounds.iter().map(|round| round.client_cpu_s).sum::<f64>() / elapsed,
            cores: client.as_deref().and_then(count_cores).or(grid.runs[cell.run].started.host.cores),
            client_cores: client,
            server_cores: server,
            shared,
            ceiling_share: ceiling_share(grid, groups, place, column),
        });
    }
    all
}

/// How many cores a list such as `0-3,6` names.
fn count_cores(list: &str) -> Option<u32> {
    let mut count = 0;
    for part in list.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (u32, u32) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
        count += last.checked_sub(first)? + 1;
    }
    Some(count)
}

/// The throughput of a column and of the ceiling's column in the writing row of a place.
fn ceiling_share(grid: &Grid<'_>, groups: &[Group], place: usize, column: usize) -> Option<f64> {
    let ceiling = grid.columns.iter().position(|column| column.ceiling)?;
    if grid.columns[column].ceiling {
        return None;
    }
    let view = &grid.places[place];
    let rows = &groups.iter().find(|group| group.kind == Kind::Writing)?.rows;
    let row = rows.iter().find(|row| row.scenario == view.scenario && row.axes == view.axes)?;
    let value = |column: usize| Some(row.cells[column].as_ref()?.values.get("throughput")?.value);
    Some(value(column)? / value(ceiling).filter(|value| *value > 0.0)?)
}

fn drift(grid: &Grid<'_>, groups: &[Group]) -> Vec<Drift> {
    let Some(ceiling) = grid.columns.iter().position(|column| column.ceiling) else {
        return Vec::new();
    };
    let rows = groups.iter().filter(|group| group.kind == Kind::Writing).flat_map(|group| &group.rows);
    rows.filter_map(|row| {
        let rounds = &row.cells[ceiling].as_ref()?.values.get("throughput")?.rounds;
        let (first, last) = (rounds.first()?.1, rounds.last()?.1);
        (rounds.len() > 1 && first > 0.0).then(|| Drift {
            place: super::grid::place_label(&row.scenario, &row.axes),
            rounds: rounds.clone(),
            change: (last - first) / first,
        })
    })
    .collect()
}

fn not_checked(grid: &Grid<'_>, stored: &[Stored], answers: &[AnswersCompared], drift: &[Drift]) -> Vec<String> {
    let mut list = Vec::new();
    let uncounted: Vec<String> = cells(grid)
        .filter(|(_, _, cell)| cell.case.on.is_none() && cell.counted().any(|trial| trial.record.stored.is_none()))
        .map(|(_, _, cell)| cell.case.id.clone())
        .collect();
    if !uncounted.is_empty() {
        list.push(format!("Stored points were not counted in {}.", several(&uncounted)));
    }
    if stored.iter().all(|row| row.answers_checked.is_none()) {
        let agree =
            if answers.iter().any(|row| row.verdict == "equal") { " That targets agree is no such check." } else { "" };
        list.push(format!("No answer was checked against what must be there.{agree}"));
    }
    let incomparable: Vec<String> = answers
        .iter()
        .filter(|row| row.verdict == "not comparable")
        .map(|row| format!("{} of {} ({})", row.operation, row.scenario, row.says))
        .collect();
    if !incomparable.is_empty() {
        list.push(format!("The first answers were not compared across targets for {}.", several(&incomparable)));
    } else if answers.is_empty() {
        list.push("No query was asked of two targets, so no answers could be compared across them.".to_owned());
    }
    if drift.is_empty() {
        list.push(
            "Drift of the host over the run: the suite has no blackhole target with two or more rounds to show it."
                .to_owned(),
        );
    }
    if grid.columns.iter().all(|column| !column.ceiling) {
        list.push("The client's ceiling on this host: the suite has no blackhole target.".to_owned());
    }
    list.push("Clock offset between client and servers: times of different clocks are never subtracted.".to_owned());
    list
}

/// Up to three names, and how many more there are.
pub(crate) fn several(names: &[String]) -> String {
    match names {
        few if few.len() <= 3 => few.join(", "),
        many => format!("{} and {} more", many[..2].join(", "), many.len() - 2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cores_are_counted_as_they_are_written() {
        assert_eq!(count_cores("0-3,6"), Some(5));
        assert_eq!(count_cores("1"), Some(1));
        assert_eq!(count_cores("x"), None);
    }

    #[test]
    fn many_names_are_cut_short() {
        let names: Vec<String> = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
        assert_eq!(several(&names[..3]), "a, b, c");
        assert_eq!(several(&names), "a, b and 2 more");
    }
}
