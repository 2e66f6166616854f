//! CSV: every table as it stands, the comparison wide, and every measurement long.
//!
//! It must not write a file. Invariant: every row of a text has as many fields as its header; nothing follows the last row.

use super::model::compare::{Cell, Group, Kind, Row};
use super::model::report::ReportModel;
use super::model::reproduce::Column;
use super::model::settings::unique;
use super::model::trial::{Trial, TrialOperation};
use super::view::reproduce::parameters;
use super::view::sections::sections;
use super::view::table::Table;

/// A table's exact values, in the units that its header names.
pub(super) fn table_csv(table: &Table) -> String {
    let heads = table.heads.iter().map(|head| match &head.raw_unit {
        Some(unit) => format!("{} ({unit})", head.text),
        None => head.text.clone(),
    });
    let rows = table.rows.iter().map(|row| row.cells.iter().map(|cell| cell.value().to_owned()).collect());
    text(heads.collect(), rows)
}

/// All files of the folder csv/: name and text.
pub(super) fn files(model: &ReportModel) -> Vec<(String, String)> {
    let mut files = vec![
        ("long.csv".to_owned(), long(model)),
        ("comparison.csv".to_owned(), comparison(model, &model.comparison)),
        ("cases.csv".to_owned(), table_csv(&parameters(&model.cases))),
    ];
    let sections = sections(model, false);
    for table in sections.iter().flat_map(|section| section.tables()) {
        files.push((format!("{}.csv", table.id), table_csv(table)));
    }
    files
}

/// Rows to text. A field with a comma, quote or line break is quoted.
fn text(heads: Vec<String>, rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Writing into memory can't fail, and every row is made as long as the header.
    let width = heads.len();
    let _ = writer.write_record(&heads);
    for mut row in rows {
        row.resize(width, String::new());
        let _ = writer.write_record(&row);
    }
    writer.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
}

fn number(value: Option<f64>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

fn axis_names<'a>(axes: impl Iterator<Item = &'a Vec<(String, String)>>) -> Vec<&'a str> {
    unique(axes.flat_map(|axes| axes.iter().map(|(axis, _)| axis.as_str())))
}

/// An axis's value; empty where the row has no such axis.
fn axis_value(axes: &[(String, String)], name: &str) -> String {
    axes.iter().find(|(axis, _)| axis == name).map(|(_, value)| value.clone()).unwrap_or_default()
}

/// The comparison, wide: a row a measure of a row, and for each target its value, interval, ratio, verdict, status and marks.
pub(super) fn comparison(model: &ReportModel, groups: &[Group]) -> String {
    let axes = axis_names(groups.iter().flat_map(|group| group.rows.iter().map(|row| &row.axes)));
    let baseline = model.baseline.as_deref().unwrap_or_default();
    let mut heads: Vec<String> =
        ["scenario", "operation", "measure", "unit", "better", "baseline"].map(str::to_owned).to_vec();
    heads.splice(1..1, axes.iter().map(|axis| (*axis).to_owned()));
    for column in &model.columns {
        let name = &column.name;
        heads.push(name.clone());
        for part in
            ["low", "high", "rounds", "samples", "ratio", "ratio low", "ratio high", "verdict", "status", "marks"]
        {
            heads.push(format!("{name} {part}"));
        }
    }
    let mut rows = Vec::new();
    for group in groups {
        for (row, measure) in group.rows.iter().flat_map(|row| group.measures.iter().map(move |measure| (row, measure)))
        {
            let mut fields = vec![row.scenario.clone()];
            fields.extend(axes.iter().map(|axis| axis_value(&row.axes, axis)));
            fields.push(row.operation.clone().unwrap_or_default());
            fields.push(measure.key.clone());
            fields.push(measure.unit.name().to_owned());
            fields.push(measure.better.clone().unwrap_or_default());
            fields.push(baseline.to_owned());
            for cell in &row.cells {
                fields.extend(comparison_fields(cell.as_ref(), &measure.key, baseline));
            }
            rows.push(fields);
        }
    }
    text(heads, rows.into_iter())
}

fn comparison_fields(cell: Option<&Cell>, measure: &str, baseline: &str) -> Vec<String> {
    let Some(cell) = cell else { return vec![String::new(); 11] };
    let value = cell.values.get(measure);
    let ratio = value.and_then(|value| value.ratios.iter().find(|ratio| ratio.baseline == baseline));
    let status = if cell.state.says.is_empty() { &cell.state.status } else { &cell.state.says };
    let mut marks = cell.marks.clone();
    marks.extend(value.iter().flat_map(|value| value.marks.iter().cloned()));
    vec![
        number(value.map(|value| value.value)),
        number(value.and_then(|value| value.low)),
        number(value.and_then(|value| value.high)),
        value.map(|value| value.rounds.len().to_string()).unwrap_or_default(),
        value.map(|value| value.samples.to_string()).unwrap_or_default(),
        number(ratio.map(|ratio| ratio.ratio)),
        number(ratio.and_then(|ratio| ratio.low)),
        number(ratio.and_then(|ratio| ratio.high)),
        ratio.and_then(|ratio| ratio.verdict.clone()).unwrap_or_default(),
        status.clone(),
        marks.join("; "),
    ]
}

/// A measurement of a trial: operation, measure, unit, value, samples.
type Measurement = (String, String, &'static str, Option<f64>, Option<u64>);

/// Every measurement, long: a row each. A trial without numbers has one row that says its status.
fn long(model: &ReportModel) -> String {
    let axes = axis_names(model.trials.iter().map(|trial| &trial.axes));
    let mut heads: Vec<String> = ["run", "case", "target", "scenario"].map(str::to_owned).to_vec();
    heads.extend(axes.iter().map(|axis| (*axis).to_owned()));
    heads.extend(["round", "status", "operation", "measure", "unit", "value", "samples", "marks"].map(str::to_owned));
    let mut rows = Vec::new();
    for trial in &model.trials {
        let mut measurements = measurements(model, trial);
        if measurements.is_empty() {
            measurements.push((String::new(), String::new(), "", None, None));
        }
        for (operation, measure, unit, value, samples) in measurements {
            let mut fields = vec![trial.run.clone(), trial.case.clone(), trial.column.clone(), trial.scenario.clone()];
            fields.extend(axes.iter().map(|axis| axis_value(&trial.axes, axis)));
            fields.extend([trial.round.to_string(), trial.status.clone(), operation, measure, unit.to_owned()]);
            fields.extend([
                number(value),
                samples.map(|count| count.to_string()).unwrap_or_default(),
                trial.marks.join("; "),
            ]);
            rows.push(fields);
        }
    }
    text(heads, rows.into_iter())
}

fn measurements(model: &ReportModel, trial: &Trial) -> Vec<Measurement> {
    let mut all = Vec::new();
    if !trial.counts {
        return all;
    }
    for operation in &trial.operations {
        of_operation(&mut all, operation, trial.elapsed_s);
    }
    all.extend(of_case(model, trial).unwrap_or_default());
    all
}

fn of_operation(all: &mut Vec<Measurement>, operation: &TrialOperation, elapsed_s: Option<f64>) {
    let name = &operation.operation;
    let mut tell = |measure: &str, unit: &'static str, value: Option<f64>, samples: Option<u64>| {
        if value.is_some() {
            all.push((name.clone(), measure.to_owned(), unit, value, samples));
        }
    };
    let counts = [
        ("ok_operations", "operations", operation.ok_operations),
        ("ok_points", "points", operation.ok_points),
        ("ok_rows", "rows", operation.ok_rows),
        ("failed_operations", "operations", operation.failed_operations),
        ("failed_points", "points", operation.failed_points),
    ];
    for (measure, unit, count) in counts {
        tell(measure, unit, Some(count as f64), None);
    }
    let rate = |count: u64| elapsed_s.filter(|elapsed| *elapsed > 0.0).map(|elapsed| count as f64 / elapsed);
    let attempted = operation.ok_operations + operation.failed_operations;
    tell("throughput", "points/s", operation.points_per_s, Some(operation.ok_points));
    tell("rows", "rows/s", rate(operation.ok_rows), Some(operation.ok_rows));
    tell("operations", "operations/s", rate(operation.ok_operations), Some(operation.ok_operations));
    tell("attempted", "operations/s", rate(attempted), Some(attempted));
    const PERCENTILES: [&str; 8] = ["p10", "p25", "p50", "p75", "p90", "p95", "p99", "p999"];
    for (prefix, digest) in [("", &operation.service), ("response_", &operation.response)] {
        let Some(digest) = digest else { continue };
        let samples = Some(digest.count);
        tell(&format!("{prefix}mean"), "s", Some(digest.mean), samples);
        tell(&format!("{prefix}min"), "s", Some(digest.min), samples);
        for (percentile, value) in PERCENTILES.iter().zip(digest.percentiles) {
            tell(&format!("{prefix}{percentile}"), "s", Some(value), samples);
        }
        tell(&format!("{prefix}max"), "s", Some(digest.max), samples);
    }
    tell("slowest_client", "s", Some(operation.slowest_client_s), None);
}

/// The whole case's measures in this trial's round.
fn of_case(model: &ReportModel, trial: &Trial) -> Option<Vec<Measurement>> {
    let group = model.comparison.iter().find(|group| group.kind == Kind::Whole)?;
    let index = model.columns.iter().position(|column: &Column| column.name == trial.column)?;
    let own = |row: &&Row| row.scenario == trial.scenario && row.axes.iter().all(|axis| trial.axes.contains(axis));
    let cell = group.rows.iter().find(own)?.cells[index].as_ref()?;
    let of = |measure: &super::model::measure::Measure| {
        let (_, value) = cell.values.get(&measure.key)?.rounds.iter().find(|(round, _)| *round == trial.round)?;
        Some((String::new(), measure.key.clone(), measure.unit.name(), Some(*value), None))
    };
    Some(group.measures.iter().filter_map(of).collect())
}
