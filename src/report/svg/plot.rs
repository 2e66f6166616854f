//! Lines over an axis: sweeps, percentile curves, and series in time, one panel or several on one axis.
//!
//! It must not compute a value. Invariant: lines of different targets differ in dash and shape as well as in colour.

use super::canvas::{Anchor, Canvas, style_class};
use super::scale::Axis;

/// A point of a line, with the interval of y where there is one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) interval: Option<(f64, f64)>,
}

impl Point {
    pub(crate) fn new(x: f64, y: f64) -> Self {
        Point { x, y, interval: None }
    }
}

/// One target's line.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// The target, for filters and the label.
    pub(crate) name: String,
    /// The target's number: its colour, shape and dash.
    pub(crate) style: usize,
    /// Fainter, for the second of two lines of one target.
    pub(crate) second: bool,
    pub(crate) points: Vec<Point>,
}

/// A panel: lines over the common x axis.
#[derive(Clone, Debug)]
pub(crate) struct Panel {
    pub(crate) label: String,
    pub(crate) y: Axis,
    pub(crate) lines: Vec<Line>,
    /// Crosses at these x on the panel's upper edge, with what they say.
    pub(crate) crosses: Vec<(usize, f64, String)>,
    pub(crate) height: f64,
}

/// Where a target's load ended.
#[derive(Clone, Debug)]
pub(crate) struct End {
    pub(crate) name: String,
    pub(crate) style: usize,
    pub(crate) at: f64,
    /// Where it was at rest.
    pub(crate) settled: Option<f64>,
}

/// Panels above one another on one x axis.
#[derive(Clone, Debug)]
pub(crate) struct Plot {
    pub(crate) label: String,
    pub(crate) width: f64,
    pub(crate) x: Axis,
    pub(crate) x_label: String,
    pub(crate) panels: Vec<Panel>,
    /// Shaded from the left edge to here: the warm-up.
    pub(crate) shaded_until: Option<f64>,
    /// Each target's own end: a vertical line, and how far it settles from there.
    pub(crate) ends: Vec<End>,
    /// Whether points are drawn as shapes, and lines have labels at their ends.
    pub(crate) markers: bool,
}

const LEFT: f64 = 52.0;
const TOP: f64 = 20.0;
const BOTTOM: f64 = 34.0;
const GAP: f64 = 30.0;

/// Draws it.
pub(crate) fn plot(plot: &Plot) -> String {
    let labels = if plot.markers { label_width(plot) } else { 10.0 };
    let height = TOP + plot.panels.iter().map(|panel| panel.height + GAP).sum::<f64>() - GAP + BOTTOM;
    let mut canvas = Canvas::new(plot.width, height);
    let (left, right) = (LEFT, plot.width - labels);
    let mut top = TOP;
    for (index, panel) in plot.panels.iter().enumerate() {
        let bottom = top + panel.height;
        frame(&mut canvas, plot, panel, (left, right, top, bottom), index + 1 == plot.panels.len());
        lines(&mut canvas, plot, panel, (left, right, top, bottom));
        top = bottom + GAP;
    }
    canvas.text("axis-label", ((left + right) / 2.0, height - 4.0), Anchor::Middle, &plot.x_label);
    canvas.finish(&plot.label)
}

fn label_width(plot: &Plot) -> f64 {
    let longest =
        plot.panels.iter().flat_map(|panel| &panel.lines).map(|line| line.name.chars().count()).max().unwrap_or(0);
    (longest as f64 * 6.2 + 16.0).clamp(24.0, 130.0)
}

type Frame = (f64, f64, f64, f64);

fn frame(canvas: &mut Canvas, plot: &Plot, panel: &Panel, (left, right, top, bottom): Frame, last: bool) {
    if let Some(until) = plot.shaded_until.filter(|until| *until > plot.x.min) {
        let x = plot.x.at(until, left, right);
        canvas.rect("shaded", (left, top), (x - left, bottom - top), "warm-up");
    }
    canvas.text("panel-label", (left, top - 7.0), Anchor::Start, &panel.label);
    for (value, label) in &panel.y.ticks {
        let y = panel.y.at(*value, bottom, top);
        canvas.line("grid", (left, y), (right, y));
        canvas.text("tick", (left - 6.0, y + 3.5), Anchor::End, label);
    }
    let mut taken = f64::NEG_INFINITY;
    for (value, label) in &plot.x.ticks {
        let x = plot.x.at(*value, left, right);
        canvas.line("tick-line", (x, bottom), (x, bottom + 4.0));
        let half = label.chars().count() as f64 * 3.0;
        if last && x - half > taken {
            canvas.text("tick", (x, bottom + 15.0), Anchor::Middle, label);
            taken = x + half + 8.0;
        }
    }
    canvas.line("axis", (left, bottom), (right, bottom));
}

fn lines(canvas: &mut Canvas, plot: &Plot, panel: &Panel, (left, right, top, bottom): Frame) {
    let mut labels: Vec<(f64, usize, &str)> = Vec::new();
    for (index, end) in plot.ends.iter().enumerate() {
        canvas.open(&style_class(end.style), Some(&end.name));
        let x = plot.x.at(end.at, left, right);
        canvas.line("end", (x, top), (x, bottom));
        if let Some(settled) = end.settled {
            let y = bottom - 1.5 - 3.0 * index as f64;
            canvas.line("settling", (x, y), (plot.x.at(settled, left, right), y));
        }
        canvas.close();
    }
    for line in &panel.lines {
        let at = |x: f64, y: f64| (plot.x.at(x, left, right), panel.y.at(y, bottom, top));
        let second = if line.second { " second" } else { "" };
        canvas.open(&format!("{}{second}", style_class(line.style)), Some(&line.name));
        let points: Vec<(f64, f64)> = line.points.iter().map(|point| at(point.x, point.y)).collect();
        canvas.path("line", &points);
        for (Point { x, y, interval }, point) in line.points.iter().zip(&points) {
            if let Some((low, high)) = interval {
                let (low, high) = (at(*x, *low), at(*x, *high));
                canvas.line("whisker", low, high);
                canvas.line("whisker", (low.0 - 3.0, low.1), (low.0 + 3.0, low.1));
                canvas.line("whisker", (high.0 - 3.0, high.1), (high.0 + 3.0, high.1));
            }
            if plot.markers || points.len() == 1 {
                canvas.marker(line.style, *point, 3.4, &format!("{}: {}", line.name, crate::report::number::exact(*y)));
            }
        }
        if let (true, false, Some((_, y))) = (plot.markers, line.second, points.last()) {
            labels.push((*y, line.style, &line.name));
        }
        canvas.close();
    }
    for (style, x, says) in &panel.crosses {
        let x = plot.x.at(*x, left, right);
        canvas.open(&style_class(*style), None);
        canvas.line("cross", (x - 3.0, top), (x + 3.0, top + 6.0));
        canvas.line("cross", (x - 3.0, top + 6.0), (x + 3.0, top));
        canvas.rect("hit", (x - 5.0, top - 2.0), (10.0, 10.0), says);
        canvas.close();
    }
    end_labels(canvas, labels, right);
}

/// Labels at the lines' ends, moved apart where they would overlap.
fn end_labels(canvas: &mut Canvas, mut labels: Vec<(f64, usize, &str)>, right: f64) {
    labels.sort_by(|left, right| left.0.total_cmp(&right.0));
    let mut taken = f64::NEG_INFINITY;
    for (y, style, name) in labels {
        let y = y.max(taken + 12.0);
        taken = y;
        canvas.open(&style_class(style), Some(name));
        canvas.text("line-label", (right + 8.0, y + 3.5), Anchor::Start, name);
        canvas.close();
    }
}
