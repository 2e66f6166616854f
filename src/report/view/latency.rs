//! Latency: percentile curves with a log tail, the matrix that iot-benchmark's users know, and the rounds of each target.
//!
//! It must not merge or average anything. Invariant: a curve ends where its samples end.

use super::block::{Block, Chart};
use super::comparison::group_title;
use super::table::{Table, Tags};
use crate::report::model::compare::{Group, Kind, Row};
use crate::report::model::digest::Digest;
use crate::report::model::grid::place_label;
use crate::report::model::latency::Latency;
use crate::report::model::report::ReportModel;
use crate::report::model::reproduce::Column;
use crate::report::model::settings::unique;
use crate::report::number::Unit;
use crate::report::svg::plot::{Line, Panel, Plot, Point, plot};
use crate::report::svg::scale::Axis;
use crate::report::svg::strip;

/// Curves that a page shows at most; report.json has all.
const MOST_CURVES: usize = 48;

/// The section's blocks.
pub(crate) fn latency(model: &ReportModel) -> Vec<Block> {
    let subjects = unique(model.latency.iter().map(|one| (&one.scenario, &one.operation, &one.axes)));
    let mut blocks = Vec::new();
    let shown = &subjects[..subjects.len().min(MOST_CURVES)];
    let mut scenarios = unique(shown.iter().map(|(scenario, operation, _)| (*scenario, *operation))).into_iter();
    let charts_of = |(scenario, operation): (&String, &String)| -> Vec<Chart> {
        let own = shown.iter().filter(|(s, o, _)| (*s, *o) == (scenario, operation));
        own.map(|(_, _, axes)| curve(model, scenario, operation, axes)).collect()
    };
    // The first scenario's curves stand open; the others fold, so that the page stays readable.
    if let Some(first) = scenarios.next() {
        blocks.push(Block::Heading(format!("{} · {}", first.0, first.1)));
        blocks.push(Block::Charts(charts_of(first)));
    }
    for (scenario, operation) in scenarios {
        let charts = Block::Charts(charts_of((scenario, operation)));
        blocks.push(Block::Fold(format!("Percentile curves of {scenario} · {operation}"), vec![charts]));
    }
    if subjects.len() > MOST_CURVES {
        let left = subjects.len() - MOST_CURVES;
        blocks.push(Block::Text(format!("{left} more curves are in report.json.")));
    }
    blocks.extend(matrix(model).map(Block::Table));
    let rounds: Vec<Chart> = model
        .comparison
        .iter()
        .filter(|group| group.kind != Kind::Whole)
        .flat_map(|group| rounds(model, group))
        .collect();
    if !rounds.is_empty() {
        blocks.push(Block::Fold("The rounds of each target".to_owned(), vec![Block::Charts(rounds)]));
    }
    blocks
}

/// Where a percentile lies on an axis that stretches the tail.
fn stretched(percentile: f64, end: f64) -> f64 {
    if percentile >= 100.0 { end } else { -(1.0 - percentile / 100.0).log10() }
}

fn curve(model: &ReportModel, scenario: &str, operation: &str, axes: &[(String, String)]) -> Chart {
    let own: Vec<&Latency> = model
        .latency
        .iter()
        .filter(|one| one.scenario == scenario && one.operation == operation && one.axes == axes)
        .collect();
    let curves = || own.iter().flat_map(|one| [&one.curve, &one.response_curve]);
    let furthest = curves().flatten().map(|(percentile, _)| *percentile).filter(|p| *p < 100.0).fold(90.0, f64::max);
    let end = stretched(furthest, 0.0) + 0.4;
    let scale = Unit::Seconds.scale(curves().flatten().filter(|(p, _)| *p >= 50.0).map(|(_, value)| *value));
    let style = |name: &str| model.columns.iter().position(|column| column.name == name).unwrap_or(0);
    let line = |one: &Latency, curve: &[(f64, f64)], second: bool| Line {
        name: one.column.clone(),
        style: style(&one.column),
        second,
        points: curve.iter().map(|(p, value)| Point::new(stretched(*p, end), value / scale.divisor)).collect(),
    };
    let mut lines: Vec<Line> = own.iter().map(|one| line(one, &one.curve, false)).collect();
    lines.extend(
        own.iter().filter(|one| !one.response_curve.is_empty()).map(|one| line(one, &one.response_curve, true)),
    );
    let values = || lines.iter().flat_map(|line| &line.points).map(|point| point.y);
    let (low, high) = values().fold((f64::INFINITY, 0.0f64), |(low, high), y| (low.min(y), high.max(y)));
    let y = if high > low * 20.0 { Axis::logarithmic_over(values()) } else { Axis::from_zero(values(), 5) };
    let paced = own.iter().any(|one| !one.response_curve.is_empty());
    let label = place_label(scenario, axes);
    let id = format!("curve-{}", slug(&format!("{label} {operation}")));
    Chart {
        title: if axes.is_empty() { label.clone() } else { place_label("", axes).trim_start_matches(", ").to_owned() },
        note: paced.then(|| "Solid: service time. Dashed and faint: response time from the intended start.".to_owned()),
        tags: Tags::new(scenario, Some(operation), None),
        legend: Vec::new(),
        svg: plot(&Plot {
            label: format!("Percentiles of {operation}, {label}"),
            width: 460.0,
            x: percentile_axis(furthest, end),
            x_label: "percentile".to_owned(),
            panels: vec![Panel { label: scale.name.to_owned(), y, lines, crosses: Vec::new(), height: 190.0 }],
            shaded_until: None,
            ends: Vec::new(),
            markers: true,
        }),
        wide: false,
        data: curve_data(&id, &own, scenario, operation),
        id,
    }
}

fn percentile_axis(furthest: f64, end: f64) -> Axis {
    let known =
        [(0.0, "0"), (50.0, "50"), (90.0, "90"), (99.0, "99"), (99.9, "99.9"), (99.99, "99.99"), (99.999, "99.999")];
    let mut ticks: Vec<(f64, String)> = known
        .iter()
        .filter(|(percentile, _)| *percentile <= furthest)
        .map(|(percentile, label)| (stretched(*percentile, end), (*label).to_owned()))
        .collect();
    ticks.push((end, "max".to_owned()));
    Axis { min: 0.0, max: end, log: false, ticks }
}

fn curve_data(id: &str, own: &[&Latency], scenario: &str, operation: &str) -> Table {
    let mut percentiles: Vec<f64> =
        unique(own.iter().flat_map(|one| one.curve.iter().map(|(percentile, _)| *percentile)));
    percentiles.sort_by(f64::total_cmp);
    let tags = percentiles.iter().map(|_| Tags::new(scenario, Some(operation), None)).collect();
    let mut table = Table::new(id, "Percentiles", tags).texts("Percentile", percentiles.iter().map(f64::to_string));
    for one in own {
        let at = |curve: &[(f64, f64)]| -> Vec<Option<f64>> {
            percentiles.iter().map(|p| curve.iter().find(|(known, _)| known == p).map(|(_, value)| *value)).collect()
        };
        table = table.numbers(&one.column, Unit::Seconds, at(&one.curve));
        if !one.response_curve.is_empty() {
            table = table.numbers(&format!("{} response", one.column), Unit::Seconds, at(&one.response_curve));
        }
    }
    table
}

/// A text as it may stand in an id or a file's name.
pub(crate) fn slug(text: &str) -> String {
    let words: Vec<&str> = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.join("-").to_lowercase()
}

/// The latency matrix of all cells: in milliseconds, as iot-benchmark prints it.
fn matrix(model: &ReportModel) -> Option<Table> {
    let all = &model.latency;
    if all.is_empty() {
        return None;
    }
    let tags = all.iter().map(|one| Tags::new(&one.scenario, Some(&one.operation), Some(&one.column))).collect();
    let places: Vec<(&str, &[(String, String)])> =
        all.iter().map(|one| (one.scenario.as_str(), one.axes.as_slice())).collect();
    let ms = |of: &dyn Fn(&Digest) -> f64| all.iter().map(|one| Some(of(&one.service) * 1e3)).collect::<Vec<_>>();
    let mut table = Table::new("latency-matrix", "Latency matrix", tags)
        .places(&places)
        .texts("Operation", all.iter().map(|one| one.operation.clone()))
        .texts("Target", all.iter().map(|one| one.column.clone()))
        .counts("Samples", all.iter().map(|one| Some(one.service.count)))
        .plain("AVG", Some("ms"), ms(&|digest| digest.mean))
        .plain("MIN", Some("ms"), ms(&|digest| digest.min));
    for (index, name) in ["P10", "P25", "MEDIAN", "P75", "P90", "P95", "P99", "P999"].iter().enumerate() {
        table = table.plain(name, Some("ms"), ms(&|digest| digest.percentiles[index]));
    }
    let slowest = all.iter().map(|one| Some(one.slowest_client_s * 1e3)).collect::<Vec<_>>();
    Some(
        table
            .plain("MAX", Some("ms"), ms(&|digest| digest.max))
            .plain("SLOWEST_THREAD", Some("ms"), slowest)
            .noted("Service times of successful operations, all rounds merged. SLOWEST_THREAD: the greatest sum of one client in a round."),
    )
}

/// A target's rounds: round and value.
struct Rounds {
    name: String,
    style: usize,
    values: Vec<(u32, f64)>,
}

/// The rounds of each target, a picture a row.
fn rounds(model: &ReportModel, group: &Group) -> Vec<Chart> {
    let Some(measure) = group.measures.iter().find(|measure| measure.key == group.default_measure) else {
        return Vec::new();
    };
    group.rows.iter().take(MOST_CURVES).filter_map(|row| rounds_of(model, group, row, measure.unit)).collect()
}

fn rounds_of(model: &ReportModel, group: &Group, row: &Row, unit: Unit) -> Option<Chart> {
    let rounds = |(style, column): (usize, &Column)| {
        let value = row.cells[style].as_ref()?.values.get(&group.default_measure)?;
        Some(Rounds { name: column.name.clone(), style, values: value.rounds.clone() })
    };
    let own: Vec<Rounds> = model.columns.iter().enumerate().filter_map(rounds).collect();
    if own.iter().all(|one| one.values.len() < 2) {
        return None;
    }
    let scale = unit.scale(own.iter().flat_map(|one| one.values.iter().map(|(_, value)| *value)));
    let scaled = |one: &Rounds| one.values.iter().map(|(_, value)| value / scale.divisor).collect();
    let rows: Vec<_> = own.iter().map(|one| (one.name.clone(), one.style, scaled(one))).collect();
    let operation = row.operation.clone().unwrap_or_default();
    let label = format!("{} · {operation}", place_label(&row.scenario, &row.axes));
    let id = format!("rounds-{}-{}", group_title(group.kind).to_lowercase(), slug(&label));
    Some(Chart {
        svg: strip::rounds(&label, scale.name, &rows),
        title: label,
        note: None,
        legend: Vec::new(),
        tags: Tags::new(&row.scenario, Some(&operation), None),
        wide: false,
        data: rounds_data(&id, row, &own, unit),
        id,
    })
}

/// A row a target, a column a round, and the arithmetic mean that others publish.
fn rounds_data(id: &str, row: &Row, own: &[Rounds], unit: Unit) -> Table {
    let mut rounds: Vec<u32> = unique(own.iter().flat_map(|one| one.values.iter().map(|(round, _)| *round)));
    rounds.sort_unstable();
    let tags = own.iter().map(|one| Tags::new(&row.scenario, row.operation.as_deref(), Some(&one.name))).collect();
    let mut table = Table::new(id, "Rounds", tags).texts("Target", own.iter().map(|one| one.name.clone()));
    for round in rounds {
        let of = |one: &Rounds| one.values.iter().find(|(known, _)| *known == round).map(|(_, value)| *value);
        table = table.numbers(&format!("round {round}"), unit, own.iter().map(of));
    }
    let mean = |one: &Rounds| {
        let sum: f64 = one.values.iter().map(|(_, value)| value).sum();
        (!one.values.is_empty()).then(|| sum / one.values.len() as f64)
    };
    table.numbers("arithmetic mean", unit, own.iter().map(mean))
}
