//! Strips: where a few values lie on a common axis; advantages around 1, and the rounds of each target.
//!
//! It must not compute a value. Invariant: right is better.

use super::canvas::{Anchor, Canvas, style_class};
use super::scale::{Axis, plain};
use crate::report::number::{exact, times};

/// A value with its interval.
pub(crate) type Point = (f64, Option<f64>, Option<f64>);

/// The axis that all strips of one answer share: logarithmic, 1 in it.
pub(crate) fn advantage_axis<'a>(points: impl Iterator<Item = &'a Point>) -> Axis {
    let (low, high) = points
        .flat_map(|(value, low, high)| [Some(*value), *low, *high])
        .flatten()
        .filter(|value| *value > 0.0 && value.is_finite())
        .fold((1.0f64, 1.0f64), |(low, high), value| (low.min(value), high.max(value)));
    Axis::logarithmic((low / 1.15).min(1.0 / 1.3), (high * 1.15).max(1.3))
}

const STRIP: (f64, f64) = (260.0, 22.0);

/// The ticks of that axis, to stand below the strips. Where less is better (`turned`) they are the ratios of the text beside it, such as
/// `0.5×` the time, which fall to the right.
pub(crate) fn advantage_scale(axis: &Axis, turned: bool) -> String {
    let (left, right) = (6.0, STRIP.0 - 6.0);
    let mut canvas = Canvas::new(STRIP.0, 16.0);
    let mut ticks: Vec<(f64, String)> = axis.ticks.iter().filter(|(value, _)| *value != 1.0).cloned().collect();
    ticks.insert(0, (1.0, "1".to_owned()));
    let mut taken: Vec<f64> = Vec::new();
    for (value, label) in ticks {
        let x = axis.at(value, left, right).clamp(20.0, STRIP.0 - 20.0);
        // The baseline's own tick comes first; others give way.
        if taken.iter().all(|other| (other - x).abs() > 36.0) {
            let label = if turned { plain(1.0 / value) } else { label };
            canvas.text("tick", (x, 11.0), Anchor::Middle, &format!("{label}×"));
            taken.push(x);
        }
    }
    canvas.finish("ratio to the baseline")
}

/// One target's advantages over the baseline, each a shape with its interval; the line is the baseline. Pointed at, a shape tells the
/// ratio as the text beside it does.
pub(crate) fn advantages(style: usize, name: &str, points: &[Point], axis: &Axis, turned: bool) -> String {
    let (width, height) = STRIP;
    let (left, right, middle) = (6.0, width - 6.0, height / 2.0);
    let mut canvas = Canvas::new(width, height);
    canvas.line("axis", (left, middle), (right, middle));
    let one = axis.at(1.0, left, right);
    canvas.line("one", (one, 2.0), (one, height - 2.0));
    canvas.open(&style_class(style), None);
    let at = |value: f64| axis.at(value, left, right);
    for (value, low, high) in points {
        if let (Some(low), Some(high)) = (low, high) {
            canvas.line("whisker wide", (at(*low), middle), (at(*high), middle));
        }
        canvas.marker(style, (at(*value), middle), 4.2, &times(if turned { 1.0 / value } else { *value }));
    }
    canvas.close();
    canvas.finish(&format!("{name}: advantage over the baseline"))
}

/// The rounds of each target on one axis: name, style, values.
pub(crate) fn rounds(label: &str, unit: &str, rows: &[(String, usize, Vec<f64>)]) -> String {
    let left = rows.iter().map(|(name, ..)| name.chars().count()).max().unwrap_or(1) as f64 * 6.4 + 14.0;
    let (width, step) = (left + 330.0, 22.0);
    let bottom = 8.0 + rows.len() as f64 * step;
    let mut canvas = Canvas::new(width, bottom + 34.0);
    let values = || rows.iter().flat_map(|(.., values)| values.iter().copied()).filter(|value| value.is_finite());
    let (low, high) = values().fold((f64::INFINITY, 0.0f64), |(low, high), value| (low.min(value), high.max(value)));
    let axis =
        if low > 0.0 && high / low > 20.0 { Axis::logarithmic_over(values()) } else { Axis::from_zero(values(), 5) };
    let right = width - 10.0;
    for (value, label) in &axis.ticks {
        let x = axis.at(*value, left, right);
        canvas.line("grid", (x, 4.0), (x, bottom));
        canvas.text("tick", (x, bottom + 14.0), Anchor::Middle, label);
    }
    for (index, (name, style, values)) in rows.iter().enumerate() {
        let y = 8.0 + (index as f64 + 0.5) * step;
        canvas.open(&style_class(*style), Some(name));
        canvas.text("line-label", (left - 8.0, y + 3.5), Anchor::End, name);
        for value in values {
            canvas.marker(*style, (axis.at(*value, left, right), y), 3.6, &format!("{name}: {} {unit}", exact(*value)));
        }
        canvas.close();
    }
    canvas.text("axis-label", ((left + right) / 2.0, bottom + 30.0), Anchor::Middle, unit);
    canvas.finish(label)
}
