//! From values to coordinates, and the ticks of an axis.
//!
//! It must not draw. Invariant: ticks lie within the axis and their labels differ.

use crate::report::number::three;

/// An axis from one value to another, straight or by logarithms.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    pub(crate) min: f64,
    pub(crate) max: f64,
    pub(crate) log: bool,
    pub(crate) ticks: Vec<(f64, String)>,
}

impl Axis {
    /// From zero to a round number above all values.
    pub(crate) fn from_zero(values: impl Iterator<Item = f64>, wanted: usize) -> Axis {
        let max = values.filter(|value| value.is_finite()).fold(0.0, f64::max);
        Axis::linear(0.0, if max > 0.0 { max * 1.04 } else { 1.0 }, wanted)
    }

    /// From the least to the greatest with round ticks in between.
    pub(crate) fn linear(min: f64, max: f64, wanted: usize) -> Axis {
        let max = if max > min { max } else { min + 1.0 };
        let step = round_step((max - min) / wanted.max(1) as f64);
        let mut ticks = Vec::new();
        let mut tick = (min / step).ceil();
        while tick * step <= max + step * 1e-9 {
            ticks.push((tick * step, plain(tick * step)));
            tick += 1.0;
        }
        Axis { min, max, log: false, ticks }
    }

    /// By logarithms, with ticks at powers of ten, and at 2 and 5 where there is room.
    pub(crate) fn logarithmic(min: f64, max: f64) -> Axis {
        let (min, max) = (min.max(1e-12), max.max(min.max(1e-12) * 1.5));
        let decades = (max / min).log10();
        let steps: &[f64] = if decades > 3.0 { &[1.0] } else { &[1.0, 2.0, 5.0] };
        let mut ticks = Vec::new();
        for power in min.log10().floor() as i32..=max.log10().ceil() as i32 {
            for step in steps {
                let value = step * 10f64.powi(power);
                if value >= min * 0.999 && value <= max * 1.001 {
                    ticks.push((value, plain(value)));
                }
            }
        }
        Axis { min, max, log: true, ticks }
    }

    /// By logarithms over values, with a little room at both ends.
    pub(crate) fn logarithmic_over(values: impl Iterator<Item = f64>) -> Axis {
        let (min, max) = values
            .filter(|value| *value > 0.0 && value.is_finite())
            .fold((f64::INFINITY, 0.0f64), |(min, max), value| (min.min(value), max.max(value)));
        if min.is_finite() { Axis::logarithmic(min * 0.8, max * 1.25) } else { Axis::logarithmic(1.0, 10.0) }
    }

    /// Positions 0, 1, 2 … with these labels, half a step of room at both ends.
    pub(crate) fn categories(labels: &[String]) -> Axis {
        let ticks = labels.iter().enumerate().map(|(index, label)| (index as f64, label.clone())).collect();
        Axis { min: -0.5, max: labels.len().max(1) as f64 - 0.5, log: false, ticks }
    }

    /// Where a value lies between two coordinates.
    pub(crate) fn at(&self, value: f64, from: f64, to: f64) -> f64 {
        let share = if self.log {
            (value.max(1e-12).ln() - self.min.ln()) / (self.max.ln() - self.min.ln())
        } else {
            (value - self.min) / (self.max - self.min)
        };
        from + share.clamp(-0.02, 1.02) * (to - from)
    }
}

/// 1, 2 or 5 times a power of ten, at least as great.
fn round_step(step: f64) -> f64 {
    let power = 10f64.powf(step.max(1e-300).log10().floor());
    let lead = step / power;
    let round = if lead <= 1.0 {
        1.0
    } else if lead <= 2.0 {
        2.0
    } else if lead <= 5.0 {
        5.0
    } else {
        10.0
    };
    round * power
}

/// A tick's label: as few digits as tell it, thousands and millions as letters.
pub(super) fn plain(value: f64) -> String {
    let (divisor, letter) = match value.abs() {
        1e9.. => (1e9, "G"),
        1e6.. => (1e6, "M"),
        1e3.. => (1e3, "k"),
        _ => (1.0, ""),
    };
    let mut text = three(value / divisor);
    if text.contains('.') && !text.contains('e') {
        text = text.trim_end_matches('0').trim_end_matches('.').to_owned();
    }
    text + letter
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis) -> Vec<&str> {
        axis.ticks.iter().map(|(_, label)| label.as_str()).collect()
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(labels(&Axis::linear(0.0, 1.3, 4)), ["0", "0.5", "1"]);
        assert_eq!(labels(&Axis::linear(0.0, 250_000.0, 5)), ["0", "50k", "100k", "150k", "200k", "250k"]);
        assert_eq!(labels(&Axis::logarithmic(8.0, 150.0)), ["10", "20", "50", "100"]);
        assert_eq!(labels(&Axis::logarithmic(1.0, 1e5)), ["1", "10", "100", "1k", "10k", "100k"]);
    }

    #[test]
    fn values_fall_between_the_ends() {
        let axis = Axis::logarithmic(1.0, 100.0);
        assert!((axis.at(10.0, 0.0, 200.0) - 100.0).abs() < 1e-9);
        assert_eq!(Axis::linear(0.0, 4.0, 4).at(1.0, 100.0, 0.0), 75.0);
    }

    #[test]
    fn empty_axes_are_whole() {
        assert!(Axis::from_zero(std::iter::empty(), 4).max > 0.0);
        assert!(Axis::logarithmic_over(std::iter::empty()).max > 1.0);
    }
}
