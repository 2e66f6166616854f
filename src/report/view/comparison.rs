//! The comparison as tables: a measure at a time with a column a target, and all measures side by side with a row a target.
//!
//! It must not choose a winner: the model has. Invariant: a cell that does not count says why, and shows no number.

use serde::Serialize;

use super::table::{Head, Table, TableCell, Tags, Tone};
use crate::report::model::compare::{Cell, Group, Kind, PACED_MEASURE, RatioTo, Row, Value};
use crate::report::model::measure::Measure;
use crate::report::model::report::ReportModel;
use crate::report::model::settings::unique;
use crate::report::number::{Scale, Unit, count, exact, significant, three, times};

/// How far an interval's middle may lie from the value, as a share of its width, to be told as `±`.
const LOPSIDED: f64 = 0.1;

/// One cell at one measure against one baseline, in words.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Shown {
    /// The number; empty where there is none.
    pub(crate) value: String,
    /// `±0.03`, or `[1.2, 1.9]` where that is not symmetric; empty without an interval.
    pub(crate) interval: String,
    /// `1.83×`; `baseline`; empty.
    pub(crate) ratio: String,
    /// faster, slower, tie; empty where undecided.
    pub(crate) verdict: String,
    pub(crate) best: bool,
    pub(crate) marks: Vec<String>,
    /// What the cell says in place of a number, or beside it.
    pub(crate) says: String,
    /// The status as a word for the style: valid, failed, not-supported …; `missing` where the cell counts but has no such number.
    pub(crate) status: String,
    /// Exact value, interval, rounds and samples.
    pub(crate) title: String,
    /// The ratio to the baseline with its interval, pairs and verdict; empty without one.
    pub(crate) to: String,
}

impl Shown {
    /// Everything that is said to whoever points at it.
    pub(crate) fn whole_title(&self) -> String {
        if self.to.is_empty() { self.title.clone() } else { format!("{}\n{}", self.title, self.to) }
    }
}

/// The scale of one measure over all cells of a table.
pub(crate) fn scale(group: &Group, measure: &Measure) -> Scale {
    let cells = group.rows.iter().flat_map(|row| row.cells.iter().flatten());
    measure.unit.scale(cells.filter_map(|cell| Some(cell.values.get(&measure.key)?.value)))
}

/// A measure's head: `Throughput, M points/s (more is better)`.
pub(crate) fn head(measure: &Measure, scale: Scale) -> String {
    let better = match measure.better.as_deref() {
        Some("higher") => " (more is better)",
        Some(_) => " (less is better)",
        None => "",
    };
    format!("{}, {}{better}", measure.label, scale.name)
}

/// One cell in words. `hoisted` marks stand in the table's note already.
pub(crate) fn show(
    cell: &Cell,
    measure: &Measure,
    scale: Scale,
    baseline: Option<&str>,
    name: &str,
    hoisted: &[String],
) -> Shown {
    let status = cell.state.status.replace(' ', "-");
    let detail = cell.state.detail.clone().unwrap_or_default();
    let Some(value) = cell.values.get(&measure.key).filter(|_| cell.state.counts) else {
        let counts = cell.state.counts;
        return Shown {
            says: if counts { "not measured".to_owned() } else { cell.state.says.clone() },
            status: if counts { "missing".to_owned() } else { status },
            title: detail,
            ..Shown::default()
        };
    };
    let to = baseline.and_then(|baseline| value.ratios.iter().find(|ratio| ratio.baseline == baseline));
    let mut marks: Vec<String> = cell.marks.iter().filter(|mark| !hoisted.contains(mark)).cloned().collect();
    marks.extend(value.marks.iter().filter(|mark| !hoisted.contains(mark)).cloned());
    if let Some(errors) = cell.values.get("errors").filter(|errors| errors.value > 0.0 && measure.key != "errors") {
        marks.retain(|mark| mark != "errors");
        marks.push(format!("errors {}", Unit::Share.show(errors.value)));
    }
    Shown {
        value: three(value.value / scale.divisor),
        interval: interval(value, scale),
        ratio: match (baseline == Some(name), to) {
            (true, _) => "baseline".to_owned(),
            (false, Some(to)) => times(to.ratio),
            (false, None) => String::new(),
        },
        verdict: to.and_then(|to| to.verdict.clone()).unwrap_or_default(),
        best: value.best,
        marks: unique(marks.into_iter()),
        says: cell.state.says.clone(),
        status,
        title: title(value, measure),
        to: to.map(against).unwrap_or_default(),
    }
}

/// `±0.03`; where it is not nearly the same to both sides, or a percentile's value lies beside its middle, `[1.2, 1.9]`.
fn interval(value: &Value, scale: Scale) -> String {
    let (Some(low), Some(high)) = (value.low, value.high) else { return String::new() };
    let aside = (high + low - 2.0 * value.value).abs();
    if aside <= LOPSIDED * (high - low) {
        return format!("±{}", significant((high - low) / 2.0 / scale.divisor, 2));
    }
    format!("[{}, {}]", three(low / scale.divisor), three(high / scale.divisor))
}

/// Exact value, interval, rounds and samples, in a few lines.
fn title(value: &Value, measure: &Measure) -> String {
    let unit = measure.unit.name();
    let mut lines = vec![format!("{}: {} {unit}", measure.label, exact(value.value))];
    if let (Some(low), Some(high)) = (value.low, value.high) {
        lines.push(format!("95 % interval {} to {}", exact(low), exact(high)));
    }
    let rounds: Vec<String> = value.rounds.iter().map(|(round, value)| format!("{round}: {}", exact(*value))).collect();
    lines.push(format!("{} rounds ({})", value.rounds.len(), rounds.join("; ")));
    lines.push(format!("from {} {}", count(value.samples), sampled(measure)));
    lines.join("\n")
}

/// `1.83× [1.79, 1.88] postgres, 3 pairs: faster`.
fn against(to: &RatioTo) -> String {
    let interval = match (to.low, to.high) {
        (Some(low), Some(high)) => format!(" [{}, {}]", three(low), three(high)),
        _ => String::new(),
    };
    let verdict = to.verdict.as_deref().unwrap_or("no verdict: fewer than three pairs");
    format!("{}{interval} {}, {} pairs: {verdict}", times(to.ratio), to.baseline, to.pairs)
}

/// What a measure's samples are.
fn sampled(measure: &Measure) -> &'static str {
    match measure.unit {
        Unit::Points => "points",
        Unit::Rows => "rows",
        _ if ["phase_", "disk", "cpu", "memory", "elapsed", "stored", "settle", "bytes", "client"]
            .iter()
            .any(|start| measure.key.starts_with(start)) =>
        {
            "rounds"
        }
        _ => "operations",
    }
}

/// Marks that stand beside every number of a table: told once, in its note.
pub(crate) fn hoisted(group: &Group) -> Vec<String> {
    let mut cells = group.rows.iter().flat_map(|row| row.cells.iter().flatten()).filter(|cell| cell.state.counts);
    let Some(first) = cells.next() else { return Vec::new() };
    let mut common = first.marks.clone();
    for cell in cells {
        common.retain(|mark| cell.marks.contains(mark));
    }
    common
}

/// A table's title.
pub(crate) fn group_title(kind: Kind) -> &'static str {
    match kind {
        Kind::Writing => "Writing",
        Kind::Asking => "Asking",
        Kind::Whole => "Whole cases",
    }
}

/// Why a percentile's ratio is not the quotient of two cells.
pub(crate) const PERCENTILES: &str =
    "A percentile is that of all rounds together; its ratio and interval are of the rounds' percentiles.";

/// A table's title: open loops stand in a table of their own, whose measure is another.
pub(crate) fn title_of(group: &Group) -> String {
    let kind = group_title(group.kind);
    if group.default_measure == PACED_MEASURE { format!("{kind} in an open loop") } else { kind.to_owned() }
}

/// A table's id.
pub(crate) fn id_of(group: &Group) -> String {
    title_of(group).to_lowercase().replace(' ', "-")
}

/// The tables of all groups: rows of open loops apart from others, each at the measure that the answer uses.
pub(crate) fn tables(model: &ReportModel) -> Vec<Group> {
    model.comparison.iter().flat_map(|group| parted(model, group)).collect()
}

fn parted(model: &ReportModel, group: &Group) -> Vec<Group> {
    let measured = |row: &Row| row.cells.iter().flatten().any(|cell| cell.values.contains_key(PACED_MEASURE));
    let paced = |row: &Row| model.cases.iter().filter(|case| case.scenario == row.scenario).all(|case| case.paced);
    let (waiting, others): (Vec<Row>, Vec<Row>) =
        group.rows.iter().cloned().partition(|row| measured(row) && paced(row));
    if waiting.is_empty() || others.is_empty() {
        return vec![group.clone()];
    }
    let of = |rows, measure: &str| Group { rows, default_measure: measure.to_owned(), ..group.clone() };
    vec![of(others, &group.default_measure), of(waiting, PACED_MEASURE)]
}

/// The place of a row: scenario, operation and axes.
pub(crate) fn row_tags(row: &Row) -> Tags {
    Tags::new(&row.scenario, row.operation.as_deref(), None)
}

/// The comparison of one measure: a column a target.
pub(crate) fn matrix(model: &ReportModel, group: &Group, key: &str) -> Option<Table> {
    let measure = group.measures.iter().find(|measure| measure.key == key)?;
    let scale = scale(group, measure);
    let hoisted = hoisted(group);
    let places: Vec<(&str, &[(String, String)])> =
        group.rows.iter().map(|row| (row.scenario.as_str(), row.axes.as_slice())).collect();
    let title = format!("{}: {}", title_of(group), head(measure, scale));
    let id = format!("{}-{key}", id_of(group));
    let mut table = Table::new(&id, &title, group.rows.iter().map(row_tags).collect()).places(&places);
    if group.kind != Kind::Whole {
        table = table.texts("Operation", group.rows.iter().map(|row| row.operation.clone().unwrap_or_default()));
    }
    for (index, column) in model.columns.iter().enumerate() {
        let cells = group.rows.iter().map(|row| match &row.cells[index] {
            Some(cell) => {
                in_words(&show(cell, measure, scale, model.compared_with(), &column.name, &hoisted), cell, measure)
            }
            None => TableCell { raw: Some(String::new()), ..TableCell::text("") },
        });
        let head = Head {
            text: column.name.clone(),
            unit: Some(scale.name.to_owned()),
            raw_unit: Some(measure.unit.name().to_owned()),
            numeric: true,
            column: Some(column.name.clone()),
        };
        table = table.cells(head, cells.collect::<Vec<_>>());
    }
    let mut notes = Vec::new();
    if !hoisted.is_empty() {
        notes.push(format!("All numbers: {}.", hoisted.join(", ")));
    }
    if group.default_measure == PACED_MEASURE && key == PACED_MEASURE {
        notes.push(PERCENTILES.to_owned());
    }
    Some(if notes.is_empty() { table } else { table.noted(notes.join(" ")) })
}

/// `1.24 ±0.03 · 1.83× faster (noisy)` in one text.
fn in_words(shown: &Shown, cell: &Cell, measure: &Measure) -> TableCell {
    let mut text = shown.value.clone();
    for part in [&shown.interval, &shown.ratio, &shown.verdict] {
        if !part.is_empty() {
            text.push_str(if part == &shown.ratio { " · " } else { " " });
            text.push_str(part);
        }
    }
    let mut beside = shown.marks.clone();
    if !shown.says.is_empty() && !shown.value.is_empty() {
        beside.push(shown.says.clone());
    }
    if !beside.is_empty() {
        text.push_str(&format!(" ({})", beside.join(", ")));
    }
    let number = cell.values.get(&measure.key).filter(|_| cell.state.counts);
    let tone = match shown.status.as_str() {
        _ if shown.best => Tone::Best,
        _ if number.is_some() => Tone::Plain,
        "failed" | "did-not-finish" | "interrupted" => Tone::Bad,
        _ => Tone::Muted,
    };
    TableCell {
        text: if number.is_some() { text } else { shown.says.clone() },
        raw: Some(number.map(|value| value.value.to_string()).unwrap_or_default()),
        title: (!shown.title.is_empty()).then(|| shown.whole_title()),
        tone,
    }
}

/// The measures of an operation that are told side by side, the same in every report.
const SIDE_BY_SIDE: [(&str, &str); 12] = [
    ("throughput", "Throughput"),
    ("operations", "Ok"),
    ("attempted", "Attempted"),
    ("mean", "Mean"),
    ("p50", "P50"),
    ("p90", "P90"),
    ("p95", "P95"),
    ("p99", "P99"),
    ("p999", "P99.9"),
    ("max", "Max"),
    ("response_p99", "P99 response"),
    ("errors", "Error rate"),
];

/// All measures side by side: a row a target. The error rate is always there.
pub(crate) fn side_by_side(model: &ReportModel, group: &Group) -> Option<Table> {
    let rows: Vec<(&Row, &str, &Cell)> = group
        .rows
        .iter()
        .flat_map(|row| {
            let cells = model.columns.iter().zip(&row.cells);
            cells.filter_map(move |(column, cell)| Some((row, column.name.as_str(), cell.as_ref()?)))
        })
        .collect();
    if rows.is_empty() || group.kind == Kind::Whole {
        return None;
    }
    let id = format!("{}-side-by-side", group_title(group.kind).to_lowercase());
    let title = format!("{}: all targets side by side", group_title(group.kind));
    let tags = rows.iter().map(|(row, column, _)| Tags::new(&row.scenario, row.operation.as_deref(), Some(column)));
    let places: Vec<(&str, &[(String, String)])> =
        rows.iter().map(|(row, ..)| (row.scenario.as_str(), row.axes.as_slice())).collect();
    let mut table = Table::new(&id, &title, tags.collect())
        .places(&places)
        .texts("Operation", rows.iter().map(|(row, ..)| row.operation.clone().unwrap_or_default()))
        .texts("Target", rows.iter().map(|(_, column, _)| *column))
        .texts(
            "Status",
            rows.iter().map(|(.., cell)| {
                if cell.state.says.is_empty() { cell.state.status.clone() } else { cell.state.says.clone() }
            }),
        );
    for (key, label) in SIDE_BY_SIDE {
        let Some(measure) = group.measures.iter().find(|measure| measure.key == key) else { continue };
        let scale = scale(group, measure);
        let head = Head {
            text: label.to_owned(),
            unit: Some(scale.name.to_owned()),
            raw_unit: Some(measure.unit.name().to_owned()),
            numeric: true,
            column: None,
        };
        table = table.cells(head, rows.iter().map(|(.., cell)| side_cell(cell, measure, scale)).collect::<Vec<_>>());
    }
    Some(table.noted(model.error_rate.clone()))
}

fn side_cell(cell: &Cell, measure: &Measure, scale: Scale) -> TableCell {
    let Some(value) = cell.values.get(&measure.key) else { return TableCell::missing() };
    let mut text = three(value.value / scale.divisor);
    let few = value.marks.iter().any(|mark| mark == "few samples");
    if few {
        text.push('*');
    }
    let tone = if measure.key == "errors" && value.value > 0.0 { Tone::Bad } else { Tone::Plain };
    let title = format!("{}{}", title(value, measure), if few { "\n* few samples" } else { "" });
    TableCell { text, raw: Some(value.value.to_string()), title: Some(title), tone }
}
