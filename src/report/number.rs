//! Numbers as people read them: three significant digits, thousands set apart, a unit that fits.
//!
//! It must not know what is shown. Invariant: zero is `0`; what is missing never comes here.

use schemars::JsonSchema;
use serde::Serialize;

/// The unit of a measure's values; its name is what report.json says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub enum Unit {
    /// Points a second.
    #[serde(rename = "points/s")]
    Points,
    /// Rows a second.
    #[serde(rename = "rows/s")]
    Rows,
    /// Operations a second.
    #[serde(rename = "operations/s")]
    Operations,
    /// Seconds.
    #[serde(rename = "s")]
    Seconds,
    /// A part of 1.
    #[serde(rename = "share")]
    Share,
    /// Bytes.
    #[serde(rename = "bytes")]
    Bytes,
    /// Bytes a point.
    #[serde(rename = "bytes/point")]
    BytesPerPoint,
    /// Processor cores.
    #[serde(rename = "cores")]
    Cores,
    /// Processor seconds a million points.
    #[serde(rename = "CPU s/million points")]
    CpuPerMillion,
    /// A ratio of two equal units.
    #[serde(rename = "ratio")]
    Ratio,
}

/// A unit as a column shows it: values are divided by `divisor`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scale {
    pub(crate) divisor: f64,
    pub(crate) name: &'static str,
}

impl Unit {
    /// The unit by its whole name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Unit::Points => "points/s",
            Unit::Rows => "rows/s",
            Unit::Operations => "operations/s",
            Unit::Seconds => "s",
            Unit::Share => "share",
            Unit::Bytes => "bytes",
            Unit::BytesPerPoint => "bytes/point",
            Unit::Cores => "cores",
            Unit::CpuPerMillion => "CPU s/million points",
            Unit::Ratio => "ratio",
        }
    }

    /// The scale at which all these values are read best: the greatest at which the least of them is still 1 or more.
    pub(crate) fn scale(self, values: impl Iterator<Item = f64>) -> Scale {
        let least = values.filter(|value| *value > 0.0).min_by(f64::total_cmp).unwrap_or(1.0);
        let steps: &[(f64, &'static str)] = match self {
            Unit::Points => &[(1e6, "M points/s"), (1e3, "k points/s"), (1.0, "points/s")],
            Unit::Rows => &[(1e6, "M rows/s"), (1e3, "k rows/s"), (1.0, "rows/s")],
            Unit::Operations => &[(1e6, "M operations/s"), (1e3, "k operations/s"), (1.0, "operations/s")],
            Unit::Seconds => &[(1.0, "s"), (1e-3, "ms"), (1e-6, "µs")],
            Unit::Share => &[(1e-2, "%")],
            Unit::Bytes => &[(1073741824.0, "GiB"), (1048576.0, "MiB"), (1024.0, "KiB"), (1.0, "bytes")],
            Unit::BytesPerPoint => &[(1.0, "bytes/point")],
            Unit::Cores => &[(1.0, "cores")],
            Unit::CpuPerMillion => &[(1.0, "CPU s/M points")],
            Unit::Ratio => &[(1.0, "×")],
        };
        // A little slack, so that 999.9 is not shown as 1,000 of the smaller unit.
        let fits = steps.iter().find(|(divisor, _)| least >= divisor * 0.9995).or(steps.last());
        fits.map_or(Scale { divisor: 1.0, name: self.name() }, |(divisor, name)| Scale { divisor: *divisor, name })
    }

    /// One value with its unit: `1.24 M points/s`.
    pub(crate) fn show(self, value: f64) -> String {
        let scale = self.scale(std::iter::once(value));
        format!("{} {}", three(value / scale.divisor), scale.name)
    }
}

/// Three significant digits: `1,230,000`, `12.3`, `0.0123`, `0`.
pub(crate) fn three(value: f64) -> String {
    significant(value, 3)
}

/// So many significant digits, thousands set apart; very small numbers with an exponent.
pub(crate) fn significant(value: f64, digits: i32) -> String {
    if value == 0.0 || !value.is_finite() {
        return if value == 0.0 { "0".to_owned() } else { "–".to_owned() };
    }
    let mut exponent = value.abs().log10().floor() as i32;
    // Rounding can carry into the next power of ten: 9.996 is 10.0.
    if (value.abs() / 10f64.powi(exponent - digits + 1)).round() >= 10f64.powi(digits) {
        exponent += 1;
    }
    if exponent < -4 {
        return format!("{value:.*e}", (digits - 1).max(0) as usize);
    }
    let decimals = digits - 1 - exponent;
    if decimals >= 0 {
        return separated(&format!("{value:.*}", decimals as usize));
    }
    let step = 10f64.powi(-decimals);
    separated(&format!("{:.0}", (value / step).round() * step))
}

/// A count with its thousands set apart.
pub(crate) fn count(value: u64) -> String {
    separated(&value.to_string())
}

/// A value as exact as it is worth pointing at: seven significant digits without trailing zeros.
pub(crate) fn exact(value: f64) -> String {
    let text = significant(value, 7);
    if text.contains('.') && !text.contains('e') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// A ratio: `1.83×`.
pub(crate) fn times(ratio: f64) -> String {
    format!("{}×", three(ratio))
}

/// A duration in seconds for sentences: `41 s`, `3 min 5 s`, `2 h 3 min`.
pub(crate) fn span(seconds: f64) -> String {
    if seconds < 60.0 {
        return Unit::Seconds.show(seconds);
    }
    let whole = seconds.round() as u64;
    match (whole / 3_600, whole / 60 % 60, whole % 60) {
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}

fn separated(number: &str) -> String {
    let (sign, rest) = number.strip_prefix('-').map_or(("", number), |rest| ("-", rest));
    let (whole, decimals) = rest.split_once('.').map_or((rest, None), |(whole, decimals)| (whole, Some(decimals)));
    let mut out = String::with_capacity(number.len() + whole.len() / 3 + 1);
    out.push_str(sign);
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    if let Some(decimals) = decimals {
        out.push('.');
        out.push_str(decimals);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_significant_digits() {
        let known = [
            (0.0, "0"),
            (1_234_567.0, "1,230,000"),
            (310_719.8, "311,000"),
            (999.9, "1,000"),
            (99.96, "100"),
            (9.996, "10.0"),
            (12.34, "12.3"),
            (1.0, "1.00"),
            (0.012_345, "0.0123"),
            (-1_234.5, "-1,230"),
            (0.000_012_34, "1.23e-5"),
            (f64::NAN, "–"),
        ];
        for (value, text) in known {
            assert_eq!(three(value), text);
        }
    }

    #[test]
    fn a_unit_fits_its_least_value() {
        assert_eq!(Unit::Points.show(1_240_000.0), "1.24 M points/s");
        assert_eq!(Unit::Seconds.show(0.0123), "12.3 ms");
        assert_eq!(Unit::Seconds.show(0.0), "0 s");
        assert_eq!(Unit::Bytes.scale([12.0, 5e9].into_iter()).name, "bytes");
        assert_eq!(Unit::Share.show(0.002), "0.200 %");
    }

    #[test]
    fn exact_numbers_keep_their_digits() {
        assert_eq!(exact(310_719.83), "310,719.8");
        assert_eq!(exact(60_000.0), "60,000");
        assert_eq!(count(1_000_000), "1,000,000");
        assert_eq!(span(185.2), "3 min 5 s");
        assert_eq!(span(7_400.0), "2 h 3 min");
    }
}
