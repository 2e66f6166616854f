//! Samples: a statement a kind and its first answer; and whether the targets' answers to the same question are equal.
//!
//! It must not know a query language. Invariant: what can't be compared says so; it is never called equal.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use schemars::JsonSchema;
use serde::Serialize;

use super::gather::TrialView;
use super::grid::{CellView, Grid, PlaceView};
use super::measure::writes;
use super::settings::unique;
use super::space::unlike_plan;
use crate::run::journal::trial::{SampleRecord, Status};

/// How far two numbers may lie apart, relative to the greater, and still be equal.
pub(crate) const TOLERANCE: f64 = 1e-6;
/// Rows of an answer that a report keeps.
const KEPT_ROWS: usize = 5;
/// The query over all times: it finds the rows of a warm-up too.
const OVER_ALL_TIMES: &str = "AGG_VALUE";
/// Queries whose answers depend on where a load ended.
const OVER_ALL_ROWS: [&str; 2] = [OVER_ALL_TIMES, "LATEST_POINT"];

/// A statement and its first answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Sample {
    /// The scenario.
    pub scenario: String,
    /// Axis values.
    pub axes: Vec<(String, String)>,
    /// The operation.
    pub operation: String,
    /// The column.
    pub column: String,
    /// As it was sent (writes: its beginning).
    pub statement: String,
    /// The answer's columns.
    pub columns: Vec<String>,
    /// Its first rows.
    pub rows: Vec<Vec<String>>,
    /// How many rows it had.
    pub row_count: u64,
}

/// Whether the first answers of two or more targets to the same query are equal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AnswersCompared {
    /// The scenario.
    pub scenario: String,
    /// Axis values.
    pub axes: Vec<(String, String)>,
    /// The operation.
    pub operation: String,
    /// equal, differ, or not comparable.
    pub verdict: String,
    /// Why, or in what.
    pub says: String,
    /// The columns compared; the first is the one that the others are compared with.
    pub columns: Vec<String>,
}

/// All samples, of the first trial of each cell that has one.
pub(crate) fn samples(grid: &Grid<'_>) -> Vec<Sample> {
    let mut all = Vec::new();
    for place in &grid.places {
        for operation in operations(place) {
            let told = |record: &SampleRecord| !record.statement.is_empty() || record.row_count > 0;
            for (column, record) in records(grid, place, operation).into_iter().filter(|(_, record)| told(record)) {
                all.push(Sample {
                    scenario: place.scenario.to_owned(),
                    axes: place.axes.clone(),
                    operation: operation.to_owned(),
                    column: column.to_owned(),
                    statement: record.statement.clone(),
                    columns: record.columns.clone(),
                    rows: record.rows.iter().take(KEPT_ROWS).cloned().collect(),
                    row_count: record.row_count,
                });
            }
        }
    }
    all
}

fn operations<'a>(place: &'a PlaceView<'_>) -> Vec<&'a str> {
    let trials = place.cells.iter().flatten().flat_map(|cell| &cell.trials);
    unique(trials.flat_map(|trial| trial.record.samples.iter().map(|sample| sample.operation.as_str())))
}

fn records<'a>(grid: &'a Grid<'_>, place: &'a PlaceView<'_>, operation: &str) -> Vec<(&'a str, &'a SampleRecord)> {
    let cells = grid.columns.iter().zip(&place.cells);
    cells
        .filter_map(|(column, cell)| {
            let samples = cell.as_ref()?.trials.iter().flat_map(|trial| &trial.record.samples);
            Some((column.name.as_str(), samples.into_iter().find(|sample| sample.operation == operation)?))
        })
        .collect()
}

/// Compares the answers of each query that two or more targets were asked.
pub(crate) fn compare_answers(grid: &Grid<'_>) -> Vec<AnswersCompared> {
    let mut all = Vec::new();
    for place in &grid.places {
        for operation in operations(place).into_iter().filter(|operation| !writes(operation)) {
            let ceiling = |name: &str| grid.columns.iter().any(|column| column.ceiling && column.name == name);
            let mut records = records(grid, place, operation);
            records.retain(|(column, _)| !ceiling(column));
            if records.len() < 2 {
                continue;
            }
            let (verdict, says) = match unlike_data(grid, place, operation) {
                Some(why) => (Outcome::NotComparable, why.to_owned()),
                None => worst(&records),
            };
            all.push(AnswersCompared {
                scenario: place.scenario.to_owned(),
                axes: place.axes.clone(),
                operation: operation.to_owned(),
                verdict: verdict.words().to_owned(),
                says,
                columns: records.iter().map(|(column, _)| (*column).to_owned()).collect(),
            });
        }
    }
    all
}

/// The first record against each other one: the worst outcome, and in what.
fn worst(records: &[(&str, &SampleRecord)]) -> (Outcome, String) {
    let Some(((first, reference), others)) = records.split_first() else { return (Outcome::Equal, String::new()) };
    let found: Vec<(Outcome, String)> =
        others.iter().map(|(column, record)| compare(first, reference, column, record)).collect();
    let verdict = found.iter().map(|(outcome, _)| *outcome).max().unwrap_or(Outcome::Equal);
    let says = found.iter().filter(|(outcome, _)| *outcome == verdict).map(|(_, says)| says.as_str());
    (verdict, unique(says.filter(|says| !says.is_empty())).join("; "))
}

fn trial_writes(trial: &TrialView<'_>) -> bool {
    trial.record.operations.iter().any(|one| writes(&one.operation))
}

/// Why the targets did not hold the same rows when they were asked; none: nothing is known against it.
fn unlike_data(grid: &Grid<'_>, place: &PlaceView<'_>, operation: &str) -> Option<&'static str> {
    let mut own = place.cells.iter().flatten().flat_map(|cell| &cell.trials);
    if own.any(trial_writes) {
        return Some("data in flight: the case writes while it asks");
    }
    let groups = place.cells.iter().flatten().flat_map(|cell| data_group(grid, cell));
    let wrote: Vec<_> = groups.flat_map(|cell| &cell.trials).filter(|trial| trial_writes(trial)).collect();
    let limited = wrote.iter().any(|trial| trial.record.status == Status::TimeLimit);
    if limited && OVER_ALL_ROWS.contains(&operation) {
        return Some("rows differ: a time limit ended the load");
    }
    let warmed = wrote.iter().any(|trial| unlike_plan(trial.record));
    (warmed && operation == OVER_ALL_TIMES).then_some("warm-up rows differ")
}

/// The cells that wrote, or may have written, what this cell asks for: its loading case, and all that stand on the same.
fn data_group<'b, 'a>(grid: &'b Grid<'a>, cell: &'b CellView<'a>) -> impl Iterator<Item = &'b CellView<'a>> {
    let root = cell.case.on.as_ref().unwrap_or(&cell.case.id);
    let cells = grid.places.iter().flat_map(|place| place.cells.iter().flatten());
    cells.filter(move |other| other.run == cell.run && (other.case.id == *root || other.case.on.as_ref() == Some(root)))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Equal,
    NotComparable,
    Differ,
}

impl Outcome {
    fn words(self) -> &'static str {
        match self {
            Outcome::Equal => "equal",
            Outcome::NotComparable => "not comparable",
            Outcome::Differ => "differ",
        }
    }
}

/// One row, its cells by what they are.
#[derive(Clone, Debug, Default, PartialEq)]
struct Answer {
    /// Milliseconds since the epoch.
    times: Vec<i64>,
    /// None: null.
    numbers: Vec<Option<f64>>,
    texts: Vec<String>,
}

fn compare(left_name: &str, left: &SampleRecord, right_name: &str, right: &SampleRecord) -> (Outcome, String) {
    let (a, b) = (normalise(left), normalise(right));
    let nothing = |rows: &[Answer]| {
        rows.iter().all(|row| row.numbers.iter().all(|number| number.is_none_or(|number| number == 0.0)))
    };
    if left.row_count != right.row_count {
        if (left.row_count == 0 || right.row_count == 0) && nothing(&a) && nothing(&b) {
            return (Outcome::Equal, "nothing found, told with and without a row".to_owned());
        }
        let rows = |count: u64| if count == 1 { "1 row".to_owned() } else { format!("{count} rows") };
        let says = format!("{} from {left_name}, {} from {right_name}", rows(left.row_count), rows(right.row_count));
        return (Outcome::Differ, says);
    }
    let rows = a.len().min(b.len());
    let (a, b) = (&a[..rows], &b[..rows]);
    if a.iter().zip(b).any(|(a, b)| a.numbers.len() != b.numbers.len()) {
        let says = format!("columns ({}) and ({})", left.columns.join(", "), right.columns.join(", "));
        return (Outcome::NotComparable, says);
    }
    let Some(first) = a.iter().zip(b).position(|(a, b)| !same(a, b)) else { return (Outcome::Equal, String::new()) };
    let whole = left.row_count as usize == rows;
    if sorted(a).iter().zip(&sorted(b)).all(|(a, b)| same(a, b)) {
        return (Outcome::Equal, "in another order".to_owned());
    }
    if !whole && a.iter().zip(b).all(|(a, b)| a.times != b.times) {
        return (Outcome::NotComparable, "the first rows kept are of other times".to_owned());
    }
    let shown = |record: &SampleRecord| record.rows.get(first).map(|row| row.join(", ")).unwrap_or_default();
    let says = format!("row {}: ({}) from {left_name}, ({}) from {right_name}", first + 1, shown(left), shown(right));
    (Outcome::Differ, says)
}

fn same(a: &Answer, b: &Answer) -> bool {
    let close = |(a, b): (&Option<f64>, &Option<f64>)| match (a, b) {
        (Some(a), Some(b)) => (a - b).abs() <= TOLERANCE * a.abs().max(b.abs()) + 1e-12,
        (a, b) => a == b,
    };
    a.numbers.iter().zip(&b.numbers).all(close)
        && (a.times.len() != b.times.len() || a.times == b.times)
        && (a.texts.len() != b.texts.len() || a.texts == b.texts)
}

fn sorted(rows: &[Answer]) -> Vec<Answer> {
    let mut sorted = rows.to_vec();
    let number = |row: &Answer| row.numbers.first().copied().flatten().unwrap_or(f64::NEG_INFINITY);
    sorted.sort_by(|a, b| {
        a.times.cmp(&b.times).then_with(|| a.texts.cmp(&b.texts)).then_with(|| number(a).total_cmp(&number(b)))
    });
    sorted
}

fn normalise(record: &SampleRecord) -> Vec<Answer> {
    record
        .rows
        .iter()
        .map(|row| {
            let mut answer = Answer::default();
            for (index, cell) in row.iter().enumerate() {
                let name = record.columns.get(index).map(|name| name.to_ascii_lowercase()).unwrap_or_default();
                read_cell(&mut answer, &name, cell.trim());
            }
            answer
        })
        .collect()
}

fn read_cell(answer: &mut Answer, name: &str, cell: &str) {
    let is_time = ["time", "ts", "_time", "bucket", "timestamp", "sampletime"].contains(&name);
    if cell.is_empty() || cell.eq_ignore_ascii_case("null") {
        answer.numbers.push(None);
    } else if let Some(millis) = time(cell, is_time) {
        answer.times.push(millis);
    } else if let Ok(number) = cell.parse::<f64>() {
        answer.numbers.push(Some(number));
    } else {
        match cell {
            "t" | "true" => answer.numbers.push(Some(1.0)),
            "f" | "false" => answer.numbers.push(Some(0.0)),
            text => answer.texts.push(text.to_owned()),
        }
    }
}

/// A time in milliseconds: a written one, or a number in a column of times, whose size tells its unit.
fn time(cell: &str, is_time: bool) -> Option<i64> {
    if let (true, Ok(number)) = (is_time, cell.parse::<i64>()) {
        return Some(match number.unsigned_abs() {
            0..100_000_000_000 => number * 1_000,
            100_000_000_000..100_000_000_000_000 => number,
            100_000_000_000_000..100_000_000_000_000_000 => number.div_euclid(1_000),
            _ => number.div_euclid(1_000_000),
        });
    }
    let written = cell.len() >= 10 && cell.as_bytes()[4] == b'-';
    let zoned = || cell.parse::<Timestamp>().ok();
    let bare = || TimeZone::UTC.to_timestamp(cell.parse::<DateTime>().ok()?).ok();
    written.then(|| zoned().or_else(bare)).flatten().map(|timestamp| timestamp.as_millisecond())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(columns: &[&str], rows: &[&[&str]]) -> SampleRecord {
        let texts = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
        SampleRecord {
            operation: "TIME_RANGE".to_owned(),
            statement: "select".to_owned(),
            columns: texts(columns),
            rows: rows.iter().map(|row| texts(row)).collect(),
            row_count: rows.len() as u64,
        }
    }

    fn verdict(left: &SampleRecord, right: &SampleRecord) -> Outcome {
        compare("a", left, "b", right).0
    }

    #[test]
    fn the_same_answer_in_other_clothes_is_equal() {
        let postgres =
            record(&["time", "s_0"], &[&["2022-01-01 00:00:05+00", "1.5"], &["2022-01-01 00:00:10+00", "2"]]);
        let influx =
            record(&["time", "s_0"], &[&["1640995205000000000", "1.5000000001"], &["1640995210000000000", "2.0"]]);
        let bare = record(&["ts", "s_0"], &[&["2022-01-01T00:00:05", "1.5"], &["2022-01-01T00:00:10", "2"]]);
        assert_eq!(verdict(&postgres, &influx), Outcome::Equal);
        assert_eq!(verdict(&postgres, &bare), Outcome::Equal);
        let backwards = record(&["time", "s_0"], &[&["1640995210000", "2"], &["1640995205000", "1.5"]]);
        assert_eq!(compare("a", &postgres, "b", &backwards), (Outcome::Equal, "in another order".to_owned()));
    }

    #[test]
    fn a_column_of_devices_more_or_less_does_not_matter() {
        let with = record(&["device", "count"], &[&["d_1", "50"]]);
        let without = record(&["time", "count"], &[&["0", "50"]]);
        assert_eq!(verdict(&with, &without), Outcome::Equal);
    }

    #[test]
    fn other_values_rows_or_columns_are_told() {
        let one = record(&["count"], &[&["50"]]);
        assert_eq!(verdict(&one, &record(&["count"], &[&["51"]])), Outcome::Differ);
        assert_eq!(verdict(&one, &record(&["count", "sum"], &[&["50", "9"]])), Outcome::NotComparable);
        assert_eq!(verdict(&one, &record(&["count"], &[])), Outcome::Differ);
        assert_eq!(verdict(&record(&["count"], &[&["0"]]), &record(&["count"], &[])), Outcome::Equal);
    }
}
