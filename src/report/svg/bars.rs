//! Grouped bars, with a line of ratios over them where one is given.
//!
//! It must not compute a value. Invariant: bars begin at zero.

use super::canvas::{Anchor, Canvas, style_class};
use super::scale::Axis;
use crate::report::number::{exact, times};

/// A target's bars, one a group; none: no bar.
#[derive(Clone, Debug)]
pub(crate) struct Bars {
    pub(crate) name: String,
    pub(crate) style: usize,
    pub(crate) values: Vec<Option<f64>>,
    /// Each group's ratio to the baseline, written above the bar.
    pub(crate) ratios: Vec<Option<f64>>,
}

/// Grouped bars.
#[derive(Clone, Debug)]
pub(crate) struct BarChart {
    pub(crate) label: String,
    pub(crate) y_label: String,
    pub(crate) groups: Vec<String>,
    pub(crate) bars: Vec<Bars>,
}

const LEFT: f64 = 52.0;
const PLOT: f64 = 150.0;
const TOP: f64 = 78.0;

/// Draws it: the ratios as lines in the upper band, the bars below.
pub(crate) fn bars(chart: &BarChart) -> String {
    let count = chart.bars.len().max(1) as f64;
    let group = (count * 20.0 + 26.0).max(84.0);
    let width = LEFT + group * chart.groups.len() as f64 + 8.0;
    let has_ratios = chart.bars.iter().any(|bars| bars.ratios.iter().any(Option::is_some));
    let top = if has_ratios { TOP } else { 22.0 };
    let bottom = top + PLOT;
    let mut canvas = Canvas::new(width, bottom + 24.0);
    let axis = Axis::from_zero(chart.bars.iter().flat_map(|bars| bars.values.iter().flatten().copied()), 4);
    canvas.text("panel-label", (LEFT, top - 8.0), Anchor::Start, &chart.y_label);
    for (value, label) in &axis.ticks {
        let y = axis.at(*value, bottom, top);
        canvas.line("grid", (LEFT, y), (width - 8.0, y));
        canvas.text("tick", (LEFT - 6.0, y + 3.5), Anchor::End, label);
    }
    for (index, label) in chart.groups.iter().enumerate() {
        canvas.text("tick", (LEFT + (index as f64 + 0.5) * group, bottom + 16.0), Anchor::Middle, label);
    }
    for (index, bars) in chart.bars.iter().enumerate() {
        canvas.open(&style_class(bars.style), Some(&bars.name));
        for (at, value) in bars.values.iter().enumerate() {
            let Some(value) = value else { continue };
            let x = LEFT + at as f64 * group + 13.0 + index as f64 * (group - 26.0) / count;
            let y = axis.at(*value, bottom, top);
            let size = ((group - 26.0) / count - 3.0, bottom - y);
            canvas.rect("bar", (x, y), size, &format!("{}: {}", bars.name, exact(*value)));
            canvas.marker(bars.style, (x + size.0 / 2.0, y - 6.0), 2.6, "");
        }
        canvas.close();
    }
    canvas.line("axis", (LEFT, bottom), (width - 8.0, bottom));
    if has_ratios {
        ratios(&mut canvas, chart, group, width);
    }
    canvas.finish(&chart.label)
}

fn ratios(canvas: &mut Canvas, chart: &BarChart, group: f64, width: f64) {
    let (top, bottom) = (20.0, 56.0);
    let all = chart.bars.iter().flat_map(|bars| bars.ratios.iter().flatten().copied());
    let axis = Axis::logarithmic_over(all.chain([1.0]));
    let one = axis.at(1.0, bottom, top);
    canvas.text("panel-label", (LEFT, top - 8.0), Anchor::Start, "ratio to the baseline");
    canvas.line("one", (LEFT, one), (width - 8.0, one));
    canvas.text("tick", (LEFT - 6.0, one + 3.5), Anchor::End, "1×");
    for bars in &chart.bars {
        let at = |(index, ratio): (usize, &Option<f64>)| {
            ratio.map(|ratio| (LEFT + (index as f64 + 0.5) * group, axis.at(ratio, bottom, top), ratio))
        };
        let points: Vec<(f64, f64, f64)> = bars.ratios.iter().enumerate().filter_map(at).collect();
        canvas.open(&style_class(bars.style), Some(&bars.name));
        canvas.path("line", &points.iter().map(|(x, y, _)| (*x, *y)).collect::<Vec<_>>());
        for (x, y, ratio) in points {
            canvas.marker(bars.style, (x, y), 3.2, &format!("{}: {}", bars.name, times(ratio)));
        }
        canvas.close();
    }
}
