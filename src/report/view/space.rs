//! Space: sizes and ratios as a table, and rate and disk over a series of cells as bars.
//!
//! It must not guess. Invariant: a database's own compression stands apart from raw ÷ stored.

use super::block::{Block, Chart};
use super::table::{Table, Tags};
use crate::report::model::compare::{Group, Kind, Row, Value};
use crate::report::model::report::ReportModel;
use crate::report::model::settings::unique;
use crate::report::model::space::Space;
use crate::report::number::Unit;
use crate::report::svg::bars::{BarChart, Bars, bars};

/// Groups of bars that a picture holds at most.
const MOST_GROUPS: usize = 16;

/// The section's blocks; none: nothing was measured.
pub(crate) fn space(model: &ReportModel) -> Vec<Block> {
    let mut blocks = Vec::new();
    let scenarios = unique(model.space.iter().map(|one| one.scenario.as_str()));
    let mut charts = Vec::new();
    for scenario in scenarios {
        charts.extend(series(model, Kind::Writing, scenario, "throughput", "Rate"));
        charts.extend(series(model, Kind::Whole, scenario, "disk", "Disk, settled"));
    }
    if !charts.is_empty() {
        blocks.push(Block::Charts(charts));
    }
    blocks.extend(table(&model.space).map(Block::Table));
    blocks.extend(facts(&model.space).map(Block::Table));
    blocks
}

/// A measure over the cells of a scenario, where there are several: bars a cell, and the ratios to the baseline as lines.
fn series(model: &ReportModel, kind: Kind, scenario: &str, measure: &str, title: &str) -> Option<Chart> {
    let group: &Group = model.comparison.iter().find(|group| group.kind == kind)?;
    let unit = group.measures.iter().find(|known| known.key == measure)?.unit;
    let rows: Vec<&Row> = group.rows.iter().filter(|row| row.scenario == scenario).take(MOST_GROUPS).collect();
    if rows.len() < 2 {
        return None;
    }
    let values = |index: usize| rows.iter().map(move |row| value(row, index, measure).map(|value| value.value));
    let greatest = (0..model.columns.len()).flat_map(values).flatten().fold(0.0, f64::max);
    let scale = unit.scale(std::iter::once(greatest));
    let ratio = |row: &&Row, index: usize| {
        let ratios = &value(row, index, measure)?.ratios;
        ratios.iter().find(|ratio| Some(&ratio.baseline) == model.baseline.as_ref()).map(|ratio| ratio.ratio)
    };
    let drawn = model.columns.iter().enumerate().map(|(index, column)| Bars {
        name: column.name.clone(),
        style: index,
        values: values(index).map(|value| Some(value? / scale.divisor)).collect(),
        ratios: rows.iter().map(|row| ratio(row, index)).collect(),
    });
    let drawn: Vec<Bars> = drawn.filter(|bars| bars.values.iter().any(Option::is_some)).collect();
    let groups: Vec<String> = rows.iter().map(|row| axis_values(row)).collect();
    let names = unique(rows.iter().flat_map(|row| row.axes.iter().map(|(axis, _)| axis.as_str()))).join(" · ");
    let id = format!("series-{}-{measure}", super::latency::slug(scenario));
    let tags = || Tags::new(scenario, None, None);
    let mut data = Table::new(&id, title, rows.iter().map(|_| tags()).collect()).texts(&names, groups.clone());
    for (index, column) in model.columns.iter().enumerate() {
        data = data.numbers(&column.name, unit, values(index));
    }
    Some(Chart {
        title: format!("{scenario}: {} over {names}", title.to_lowercase()),
        note: None,
        tags: tags(),
        legend: drawn.iter().map(|bars| bars.name.clone()).collect(),
        svg: bars(&BarChart {
            label: format!("{title} of {scenario} over {names}"),
            y_label: format!("{title}, {}", scale.name),
            groups,
            bars: drawn,
        }),
        wide: rows.len() > 4,
        data,
        id,
    })
}

fn value<'a>(row: &'a Row, column: usize, measure: &str) -> Option<&'a Value> {
    row.cells[column].as_ref()?.values.get(measure)
}

/// A row's axis values, as short as they can be.
fn axis_values(row: &Row) -> String {
    row.axes.iter().map(|(_, value)| value.as_str()).collect::<Vec<_>>().join(" · ")
}

fn table(rows: &[Space]) -> Option<Table> {
    if rows.is_empty() {
        return None;
    }
    let tags = rows.iter().map(|row| Tags::new(&row.scenario, None, Some(&row.column))).collect();
    let places: Vec<(&str, &[(String, String)])> =
        rows.iter().map(|row| (row.scenario.as_str(), row.axes.as_slice())).collect();
    let values = |of: fn(&Space) -> Option<f64>| rows.iter().map(of).collect::<Vec<_>>();
    let table = Table::new("bytes-on-disk", "Bytes on disk", tags)
        .places(&places)
        .texts("Target", rows.iter().map(|row| row.column.clone()))
        .numbers("Raw", Unit::Bytes, values(|row| row.raw_bytes))
        .numbers("After the flush", Unit::Bytes, values(|row| row.flushed_bytes))
        .numbers("Settled", Unit::Bytes, values(|row| row.settled_bytes))
        .counts("Points stored", values(|row| row.points).into_iter().map(|points| points.map(|points| points as u64)))
        .plain("A point", Some("bytes"), values(|row| row.bytes_per_point))
        .plain("Raw ÷ stored", None, values(|row| row.raw_over_stored))
        .plain(
            "Own compression, after ÷ before",
            Some("%"),
            values(|row| row.own_compression.map(|share| share * 100.0)),
        )
        .plain("Chunks", None, values(|row| row.chunks))
        .plain("Rows a chunk", None, values(|row| row.rows_per_chunk))
        .without_empty_columns();
    Some(table.noted("Means over the rounds that count. Raw: the raw bytes of a planned point × the points stored, warm-up included. Settled: two readings in a row within 1 %. A database's own compression can exceed 100 %."))
}

/// Whatever else was read back after the load.
fn facts(rows: &[Space]) -> Option<Table> {
    let all: Vec<(&Space, &(String, String))> =
        rows.iter().flat_map(|row| row.facts.iter().map(move |fact| (row, fact))).collect();
    if all.is_empty() {
        return None;
    }
    let tags = all.iter().map(|(row, _)| Tags::new(&row.scenario, None, Some(&row.column))).collect();
    let places: Vec<(&str, &[(String, String)])> =
        all.iter().map(|(row, _)| (row.scenario.as_str(), row.axes.as_slice())).collect();
    Some(
        Table::new("facts", "Read back after the load", tags)
            .places(&places)
            .texts("Target", all.iter().map(|(row, _)| row.column.clone()))
            .texts("Fact", all.iter().map(|(_, (name, _))| name.clone()))
            .texts("Value", all.iter().map(|(_, (_, value))| value.clone())),
    )
}
