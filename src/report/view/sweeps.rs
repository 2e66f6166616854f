//! Sweeps as pictures: lines over one axis, heat maps over two, and each target over its settings in percent.
//!
//! It must not compute a ratio. Invariant: a heat map's field without a number says why.

use super::block::{Block, Chart};
use super::further::tuning;
use super::table::{Table, Tags};
use crate::report::model::report::ReportModel;
use crate::report::model::settings::unique;
use crate::report::model::sweep::{Sweep, SweepAxis, SweepValue};
use crate::report::number::{Scale, exact, three, times};
use crate::report::svg::heat::{Field, Heat, heat};
use crate::report::svg::plot::{Line, Panel, Plot, Point, plot};
use crate::report::svg::scale::Axis;

/// The section's blocks; none: nothing was swept.
pub(crate) fn sweeps(model: &ReportModel) -> Vec<Block> {
    let mut blocks = Vec::new();
    for scenario in unique(model.sweeps.iter().map(|sweep| sweep.scenario.as_str())) {
        blocks.push(Block::Heading(scenario.to_owned()));
        let own = model.sweeps.iter().enumerate().filter(|(_, sweep)| sweep.scenario == scenario);
        let charts = own.map(|(index, sweep)| {
            let id = format!("sweep-{}", index + 1);
            match sweep.axes.as_slice() {
                [_, _] => two_axes(model, sweep, &id),
                _ => vec![one_axis(model, sweep, &id)],
            }
        });
        // Heat maps of one operation stay together; pictures of one axis stand side by side.
        let mut row: Vec<Chart> = Vec::new();
        for mut charts in charts {
            if charts.len() == 1 {
                row.append(&mut charts);
            } else {
                blocks.push(Block::Charts(charts));
            }
        }
        if !row.is_empty() {
            blocks.push(Block::Charts(row));
        }
    }
    blocks.extend(tuning(model));
    blocks
}

fn scale(sweep: &Sweep) -> Scale {
    let values = sweep.points.iter().flat_map(|(_, values)| values.iter().flatten());
    sweep.unit.scale(values.filter_map(|value| value.value))
}

fn tags(sweep: &Sweep) -> Tags {
    Tags::new(&sweep.scenario, Some(&sweep.operation), None)
}

/// All points of a sweep as a table: a row a point, a column a target.
fn data(model: &ReportModel, sweep: &Sweep, id: &str) -> Table {
    let mut table = Table::new(id, &sweep.label(), sweep.points.iter().map(|_| tags(sweep)).collect());
    for (number, axis) in sweep.axes.iter().enumerate() {
        table = table.texts(&axis.name, sweep.points.iter().map(|(at, _)| axis.values[at[number]].clone()));
    }
    for (index, column) in model.columns.iter().enumerate() {
        let value = |values: &Vec<Option<SweepValue>>| values[index].as_ref().and_then(|value| value.value);
        table = table.numbers(&column.name, sweep.unit, sweep.points.iter().map(|(_, values)| value(values)));
    }
    table
}

/// Where an axis's values lie.
fn positions(axis: &SweepAxis) -> (Vec<f64>, Axis) {
    let Some(numbers) = &axis.numbers else {
        let axis = Axis::categories(&axis.values);
        return ((0..axis.ticks.len()).map(|index| index as f64).collect(), axis);
    };
    let (min, max) =
        numbers.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(*x), high.max(*x)));
    let mut drawn = if axis.is_logarithmic() {
        Axis::logarithmic(min / 1.15, max * 1.15)
    } else {
        let room = (max - min) * 0.05;
        Axis::linear(min - room, max + room, 4)
    };
    drawn.ticks = numbers.iter().copied().zip(axis.values.iter().cloned()).collect();
    (numbers.clone(), drawn)
}

fn one_axis(model: &ReportModel, sweep: &Sweep, id: &str) -> Chart {
    let scale = scale(sweep);
    let (positions, x) = positions(&sweep.axes[0]);
    let lines = lines(model, sweep.points.iter().map(|(at, values)| (positions[at[0]], values)), scale);
    Chart {
        id: id.to_owned(),
        title: format!("{} over {}", sweep.subject(), sweep.axes[0].name),
        note: (!sweep.findings.is_empty()).then(|| format!("{}.", sweep.findings.join("; "))),
        tags: tags(sweep),
        legend: Vec::new(),
        svg: panel(&sweep.label(), &sweep.axes[0].name, x, scale, lines),
        wide: false,
        data: data(model, sweep, id),
    }
}

fn lines<'a>(
    model: &ReportModel,
    points: impl Iterator<Item = (f64, &'a Vec<Option<SweepValue>>)> + Clone,
    scale: Scale,
) -> Vec<Line> {
    let line = |(index, column): (usize, &crate::report::model::reproduce::Column)| {
        let mut own: Vec<_> = points
            .clone()
            .filter_map(|(x, values)| {
                let value = values[index].as_ref()?;
                let interval = value.low.zip(value.high).map(|(low, high)| (low / scale.divisor, high / scale.divisor));
                Some(Point { x, y: value.value? / scale.divisor, interval })
            })
            .collect();
        own.sort_by(|left, right| left.x.total_cmp(&right.x));
        Line { name: column.name.clone(), style: index, second: false, points: own }
    };
    model.columns.iter().enumerate().map(line).filter(|line| !line.points.is_empty()).collect()
}

fn panel(label: &str, x_label: &str, x: Axis, scale: Scale, lines: Vec<Line>) -> String {
    let tops = lines.iter().flat_map(|line| &line.points).map(|point| point.interval.map_or(point.y, |(_, high)| high));
    plot(&Plot {
        label: label.to_owned(),
        width: 460.0,
        x,
        x_label: x_label.to_owned(),
        panels: vec![Panel {
            label: scale.name.to_owned(),
            y: Axis::from_zero(tops, 5),
            lines,
            crosses: Vec::new(),
            height: 190.0,
        }],
        shaded_until: None,
        ends: Vec::new(),
        markers: true,
    })
}

/// A heat map a target, one of each ratio to the baseline, and lines over the first axis for each value of the second.
fn two_axes(model: &ReportModel, sweep: &Sweep, id: &str) -> Vec<Chart> {
    let scale = scale(sweep);
    let cells = sweep.points.iter().flat_map(|(_, values)| values.iter().flatten());
    let greatest = cells.filter_map(|value| value.value).fold(0.0, f64::max);
    let with_values = || model.columns.iter().enumerate().filter(|(index, _)| has_values(sweep, *index));
    let mut charts = Vec::new();
    for (index, column) in with_values() {
        let title = format!("{}: {}, {}", sweep.subject(), column.name, scale.name);
        let field = |value: &SweepValue| value_field(sweep, value, scale, greatest);
        let svg = map(sweep, index, &title, field);
        charts.push(heat_chart(model, sweep, &column.name, format!("{id}-heat-{}", index + 1), title, svg));
    }
    if let Some(baseline) = model.compared_with() {
        for (index, column) in with_values().filter(|(_, column)| column.name != baseline && !column.ceiling) {
            let title = format!("{}: {} ÷ {baseline}", sweep.subject(), column.name);
            let svg = map(sweep, index, &title, |value| ratio_field(value, sweep.measure == "throughput"));
            charts.push(heat_chart(model, sweep, &column.name, format!("{id}-ratio-{}", index + 1), title, svg));
        }
    }
    charts.extend(facets(model, sweep, scale, id));
    charts
}

fn heat_chart(model: &ReportModel, sweep: &Sweep, column: &str, id: String, title: String, svg: String) -> Chart {
    Chart {
        title,
        note: None,
        tags: Tags { column: Some(column.to_owned()), ..tags(sweep) },
        legend: Vec::new(),
        svg,
        wide: false,
        data: data(model, sweep, &id),
        id,
    }
}

fn value_field(sweep: &Sweep, value: &SweepValue, scale: Scale, greatest: f64) -> Field {
    let Some(number) = value.value else {
        return Field { text: brief(&value.says), strength: None, title: value.says.clone() };
    };
    Field {
        text: three(number / scale.divisor),
        strength: Some(number / greatest),
        title: format!("{} {}", exact(number), sweep.unit.name()),
    }
}

fn ratio_field(value: &SweepValue, higher: bool) -> Field {
    let Some(ratio) = value.ratio else {
        return Field { text: brief(&value.says), strength: None, title: value.says.clone() };
    };
    let verdict = value.verdict.as_deref();
    let sign = match verdict {
        Some("faster") => " ▲",
        Some("slower") => " ▼",
        Some("tie") => " =",
        _ => "",
    };
    let better = if higher { ratio } else { 1.0 / ratio };
    Field {
        text: format!("{}{sign}", times(ratio)),
        strength: Some(if verdict == Some("tie") { 0.0 } else { better.ln() / 3f64.ln() }),
        title: verdict.unwrap_or("no verdict").to_owned(),
    }
}

fn has_values(sweep: &Sweep, column: usize) -> bool {
    sweep.points.iter().any(|(_, values)| values[column].is_some())
}

/// A state's first words, for a small field.
fn brief(says: &str) -> String {
    let words = says.split([':', ',']).next().unwrap_or_default();
    if words.is_empty() { "–".to_owned() } else { words.to_owned() }
}

fn map(sweep: &Sweep, column: usize, label: &str, field: impl Fn(&SweepValue) -> Field) -> String {
    let (x, y) = (&sweep.axes[0], &sweep.axes[1]);
    let at = |i: usize, j: usize| {
        let point = sweep.points.iter().find(|(at, _)| at[..] == [i, j])?;
        point.1[column].as_ref().map(&field)
    };
    let rows =
        (0..y.values.len()).map(|j| (0..x.values.len()).map(|i| at(i, j).unwrap_or_default()).collect()).collect();
    heat(&Heat {
        label: label.to_owned(),
        x_label: format!("{} →", x.name),
        y_label: format!("{} ↓", y.name),
        columns: x.values.clone(),
        rows: y.values.clone(),
        fields: rows,
    })
}

/// Lines over the first axis, a picture for each value of the second.
fn facets(model: &ReportModel, sweep: &Sweep, scale: Scale, id: &str) -> Vec<Chart> {
    let (positions, x) = positions(&sweep.axes[0]);
    let second = &sweep.axes[1];
    let facet = |(number, value): (usize, &String)| {
        let points =
            sweep.points.iter().filter(move |(at, _)| at[1] == number).map(|(at, values)| (positions[at[0]], values));
        let lines = lines(model, points, scale);
        let title = format!("{}, {}={value}", sweep.subject(), second.name);
        let id = format!("{id}-line-{}", number + 1);
        Chart {
            title: format!("{title}, over {}", sweep.axes[0].name),
            note: None,
            tags: tags(sweep),
            legend: Vec::new(),
            svg: panel(&title, &sweep.axes[0].name, x.clone(), scale, lines),
            wide: false,
            data: data(model, sweep, &id),
            id,
        }
    };
    second.values.iter().enumerate().map(facet).collect()
}
