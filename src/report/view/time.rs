//! Over time and resources: each place's targets on one time axis, and what each used in all.
//!
//! It must not mix clocks. Invariant: second 0 is each trial's own first measured operation.

use super::block::{Block, Chart};
use super::latency::slug;
use super::table::{Table, Tags};
use crate::report::model::grid::place_label;
use crate::report::model::measure::writes;
use crate::report::model::report::ReportModel;
use crate::report::model::timeline::{Lane, Resources, Series, Timeline};
use crate::report::model::usage::Usage;
use crate::report::number::{Unit, count};
use crate::report::svg::plot::{End, Line, Panel, Plot, Point, plot};
use crate::report::svg::scale::Axis;

/// Timelines that a page shows at most; report.json has all.
const MOST: usize = 24;

/// A quantity over time: its name, unit, and where a lane keeps it.
type Quantity = (&'static str, Unit, fn(&Lane) -> &Series);

const QUANTITIES: [Quantity; 10] = [
    ("Points", Unit::Points, |lane| &lane.points),
    ("Operations", Unit::Operations, |lane| &lane.operations),
    ("Mean latency", Unit::Seconds, |lane| &lane.mean),
    ("Greatest latency", Unit::Seconds, |lane| &lane.max),
    ("Server CPU", Unit::Cores, |lane| &lane.cpu),
    ("Server memory without cache", Unit::Bytes, |lane| &lane.memory),
    ("Server disk written a second", Unit::Bytes, |lane| &lane.disk_write),
    ("Server disk read a second", Unit::Bytes, |lane| &lane.disk_read),
    ("Server network a second", Unit::Bytes, |lane| &lane.network),
    ("Client CPU", Unit::Cores, |lane| &lane.client_cpu),
];

/// The section's blocks.
pub(crate) fn time(model: &ReportModel) -> Vec<Block> {
    let mut blocks = Vec::new();
    // The longest trial has most to show; the others fold.
    let length = |timeline: &Timeline| timeline.lanes.iter().map(|lane| lane.elapsed_s).fold(0.0, f64::max);
    let first = (0..model.timelines.len())
        .max_by(|a, b| length(&model.timelines[*a]).total_cmp(&length(&model.timelines[*b])).then(b.cmp(a)));
    let Some(first) = first else { return resources(&model.resources).map(Block::Table).into_iter().collect() };
    blocks.push(Block::Charts(vec![chart(model, &model.timelines[first])]));
    let others = model.timelines.iter().enumerate().filter(|(index, _)| *index != first).take(MOST);
    let others: Vec<Block> = others
        .map(|(_, timeline)| {
            let charts = Block::Charts(vec![chart(model, timeline)]);
            Block::Fold(place_label(&timeline.scenario, &timeline.axes), vec![charts])
        })
        .collect();
    if !others.is_empty() {
        blocks.push(Block::Fold(format!("{} more over time", others.len()), others));
    }
    if model.timelines.len() > MOST + 1 {
        blocks.push(Block::Text(format!("{} more timelines are in report.json.", model.timelines.len() - MOST - 1)));
    }
    blocks.extend(resources(&model.resources).map(Block::Table));
    blocks
}

fn chart(model: &ReportModel, timeline: &Timeline) -> Chart {
    let lanes: Vec<(usize, &Lane)> = timeline
        .lanes
        .iter()
        .map(|lane| (model.columns.iter().position(|column| column.name == lane.column).unwrap_or(0), lane))
        .collect();
    let label = place_label(&timeline.scenario, &timeline.axes);
    let series = || lanes.iter().flat_map(|(_, lane)| QUANTITIES.iter().map(|(_, _, of)| of(lane)));
    let times = || series().flatten().map(|(at, _)| *at);
    let (start, end) = times().fold((0.0f64, 1.0f64), |(low, high), at| (low.min(at), high.max(at)));
    let rounds: Vec<String> = lanes.iter().map(|(_, lane)| format!("{} round {}", lane.column, lane.round)).collect();
    let id = format!("time-{}", slug(&label));
    let asks = model.trials.iter().filter(|trial| trial.scenario == timeline.scenario);
    let asks = asks.flat_map(|trial| &trial.operations).all(|operation| !writes(&operation.operation));
    Chart {
        title: label.clone(),
        note: Some(format!(
            "{}. Second 0 is each target's first measured operation; before it the warm-up, shaded. Dashed: its last \
             acknowledgement; the thick line from there: until its disk was at rest. Crosses: seconds with failed operations.",
            rounds.join(", ")
        )),
        tags: Tags::new(&timeline.scenario, None, None),
        legend: lanes.iter().map(|(_, lane)| lane.column.clone()).collect(),
        svg: plot(&Plot {
            label: format!("{label} over time"),
            width: 980.0,
            x: Axis::linear(start, end, 8),
            x_label: "seconds since the first measured operation".to_owned(),
            panels: panels(&lanes, asks),
            shaded_until: (start < 0.0).then_some(0.0),
            ends: lanes.iter().map(|(style, lane)| end_of(*style, lane)).collect(),
            markers: false,
        }),
        wide: true,
        data: data(&id, timeline),
        id,
    }
}

fn end_of(style: usize, lane: &Lane) -> End {
    let settled = lane.settle_s.map(|seconds| lane.elapsed_s + seconds);
    End { name: lane.column.clone(), style, at: lane.elapsed_s, settled }
}

/// One panel a quantity that any target has; points for loads, operations for queries.
fn panels(lanes: &[(usize, &Lane)], asks: bool) -> Vec<Panel> {
    let mut panels = Vec::new();
    let unwanted = if asks { "Points" } else { "Operations" };
    for (name, unit, of) in QUANTITIES.iter().filter(|(name, ..)| *name != unwanted && *name != "Greatest latency") {
        let values = || lanes.iter().flat_map(|(_, lane)| of(lane)).map(|(_, value)| *value);
        let greatest = values().fold(0.0, f64::max);
        if values().next().is_none() || greatest == 0.0 {
            continue;
        }
        // The greatest value chooses the unit: a series starts and ends near nothing.
        let scale = unit.scale(std::iter::once(greatest));
        let line = |(style, lane): &(usize, &Lane)| Line {
            name: lane.column.clone(),
            style: *style,
            second: false,
            points: of(lane).iter().map(|(at, value)| Point::new(*at, value / scale.divisor)).collect(),
        };
        let errors = |(style, lane): &(usize, &Lane)| {
            let (style, column) = (*style, lane.column.clone());
            let says = move |failed: f64| format!("{column}: {} failed operations", count(failed as u64));
            lane.errors.iter().map(move |(at, failed)| (style, *at, says(*failed))).collect::<Vec<_>>()
        };
        panels.push(Panel {
            label: format!("{name}, {}", scale.name),
            y: Axis::from_zero(values().map(|value| value / scale.divisor), 3),
            lines: lanes.iter().map(line).filter(|line| !line.points.is_empty()).collect(),
            crosses: if panels.is_empty() { lanes.iter().flat_map(errors).collect() } else { Vec::new() },
            height: 74.0,
        });
    }
    panels
}

/// All series of a place, long: a row a target, quantity and second.
fn data(id: &str, timeline: &Timeline) -> Table {
    let mut rows: Vec<(&str, &str, Unit, f64, f64)> = Vec::new();
    for lane in &timeline.lanes {
        for (name, unit, of) in &QUANTITIES {
            rows.extend(of(lane).iter().map(|(at, value)| (lane.column.as_str(), *name, *unit, *at, *value)));
        }
    }
    let tags = rows.iter().map(|(column, ..)| Tags::new(&timeline.scenario, None, Some(column))).collect();
    Table::new(id, "Series", tags)
        .texts("Target", rows.iter().map(|row| row.0))
        .texts("Quantity", rows.iter().map(|row| row.1))
        .texts("Unit", rows.iter().map(|row| row.2.name()))
        .texts("Second", rows.iter().map(|row| format!("{:.3}", row.3)))
        .texts("Value", rows.iter().map(|row| row.4.to_string()))
}

fn resources(rows: &[Resources]) -> Option<Table> {
    if rows.is_empty() {
        return None;
    }
    let tags = rows.iter().map(|row| Tags::new(&row.scenario, None, Some(&row.column))).collect();
    let places: Vec<(&str, &[(String, String)])> =
        rows.iter().map(|row| (row.scenario.as_str(), row.axes.as_slice())).collect();
    let server = |of: fn(&Usage) -> Option<f64>| rows.iter().map(|row| of(&row.server)).collect::<Vec<_>>();
    let client = |of: fn(&Usage) -> Option<f64>| rows.iter().map(|row| of(&row.client)).collect::<Vec<_>>();
    Some(
        Table::new("resources", "What each used", tags)
            .places(&places)
            .texts("Target", rows.iter().map(|row| row.column.clone()))
            .options("Stated limit", rows.iter().map(|row| row.limits.clone()))
            .numbers("CPU, mean", Unit::Cores, server(|usage| usage.cpu_mean))
            .numbers("CPU, peak", Unit::Cores, server(|usage| usage.cpu_peak))
            .plain("CPU in the load", Some("s"), server(|usage| usage.cpu_load_s))
            .plain("CPU in settling", Some("s"), server(|usage| usage.cpu_settle_s))
            .numbers("Memory, peak without cache", Unit::Bytes, server(|usage| usage.memory_peak))
            .numbers("Memory, peak with cache", Unit::Bytes, server(|usage| usage.memory_with_cache_peak))
            .numbers("Disk read", Unit::Bytes, server(|usage| usage.disk_read_bytes))
            .numbers("Disk written", Unit::Bytes, server(|usage| usage.disk_write_bytes))
            .plain("Disk reads", Some("operations"), server(|usage| usage.disk_reads))
            .plain("Disk writes", Some("operations"), server(|usage| usage.disk_writes))
            .numbers("Network in", Unit::Bytes, server(|usage| usage.network_in_bytes))
            .numbers("Network out", Unit::Bytes, server(|usage| usage.network_out_bytes))
            .plain("Client CPU", Some("s"), rows.iter().map(|row| Some(row.client_cpu_s)))
            .numbers("Client CPU, peak", Unit::Cores, client(|usage| usage.cpu_peak))
            .numbers("Client memory, peak", Unit::Bytes, client(|usage| usage.memory_peak))
            .without_empty_columns()
            .noted("Means over the rounds that count. Load: the measured part; settling: from the last acknowledgement to rest. A dash was not measured."),
    )
}
