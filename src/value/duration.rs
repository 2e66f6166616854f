//! Durations: `5s`, `15m`, `1h30m`, `2.58d`.
//!
//! They must not know clocks. Invariant: a duration is a number with a unit; a bare number is none (but 0).

use std::time::Duration;

use super::number::{exact_number, split_number};
use super::{Exact, ValueError};

const DURATION: &str = "a duration, such as 500ms, 5s, 15m, 1h30m or 2.58d";

/// Units with their nanoseconds, the largest first. Months and years are none: their length is not fixed.
const UNITS: [(&str, i128); 8] = [
    ("w", 604_800_000_000_000),
    ("d", 86_400_000_000_000),
    ("h", 3_600_000_000_000),
    ("m", 60_000_000_000),
    ("s", 1_000_000_000),
    ("ms", 1_000_000),
    ("us", 1_000),
    ("ns", 1),
];

fn nanoseconds(unit: &str) -> Option<i128> {
    let unit = match unit {
        "min" => "m",
        "µs" | "μs" => "us",
        other => other,
    };
    UNITS.iter().find(|(name, _)| *name == unit).map(|(_, scale)| *scale)
}

/// A duration in exact nanoseconds; it may be below 0.
///
/// # Errors
/// What is no duration.
pub fn exact_duration(text: &str) -> Result<Exact, ValueError> {
    let malformed = || ValueError::malformed(text, DURATION);
    let (negative, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    if rest == "0" {
        return Ok(Exact::ZERO);
    }
    let mut sum = Exact::ZERO;
    while !rest.is_empty() {
        let (number, tail) = split_number(rest);
        let unit_end = tail.find(|c: char| !c.is_alphabetic()).unwrap_or(tail.len());
        let (unit, after) = tail.split_at(unit_end);
        let amount = exact_number(number).filter(|_| !number.starts_with(['+', '-'])).ok_or_else(malformed)?;
        if unit.is_empty() {
            return Err(malformed());
        }
        let scale = nanoseconds(unit).ok_or_else(|| ValueError::unit(text, unit, DURATION))?;
        let part = amount.times(Exact::whole(scale)).ok_or_else(malformed)?;
        (sum, rest) = (sum.plus(part).ok_or_else(malformed)?, after);
    }
    if text.is_empty() || text == "-" {
        return Err(malformed());
    }
    if negative { Exact::ZERO.minus(sum).ok_or_else(malformed) } else { Ok(sum) }
}

/// A duration, to the nearest nanosecond.
///
/// # Errors
/// What is no duration, is below 0 or does not fit.
pub fn duration(text: &str) -> Result<Duration, ValueError> {
    let nanoseconds = exact_duration(text)?.round();
    let out_of_range = || ValueError::range(text, "a duration from 0 on");
    let seconds = u64::try_from(nanoseconds.div_euclid(1_000_000_000)).map_err(|_| out_of_range())?;
    let rest = u32::try_from(nanoseconds.rem_euclid(1_000_000_000)).map_err(|_| out_of_range())?;
    Ok(Duration::new(seconds, rest))
}

/// Prints nanoseconds in the largest of d, h, m, s, ms, us, ns that holds them exactly: `8h`, `775m`, `18576s`.
pub fn duration_text(nanoseconds: i128) -> String {
    if nanoseconds == 0 {
        return "0s".to_owned();
    }
    // Weeks are read but not printed: databases seldom know them.
    let fit = UNITS.iter().skip(1).find(|(_, scale)| nanoseconds % scale == 0);
    fit.map_or_else(|| format!("{nanoseconds}ns"), |(unit, scale)| format!("{}{unit}", nanoseconds / scale))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn durations_as_people_write_them() {
        let cases = [("5s", 5_000), ("500ms", 500), ("15m", 900_000), ("1h30m", 5_400_000), ("2.58d", 222_912_000)];
        for (text, milliseconds) in cases {
            assert_eq!(duration(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        assert_eq!(duration("0"), Ok(Duration::ZERO));
        assert_eq!(duration("1w"), Ok(Duration::from_secs(604_800)));
        assert_eq!(duration("7µs"), Ok(Duration::from_micros(7)));
        assert_eq!(duration("1e3ms"), Ok(Duration::from_secs(1)));
    }

    #[test]
    fn what_is_no_duration_is_refused() {
        for text in ["", "5", "s", "-", "5 s", "1h-5m", "1h30", "5.s"] {
            assert!(matches!(duration(text), Err(ValueError::Malformed { .. })), "{text}");
        }
        assert!(matches!(duration("5y"), Err(ValueError::Unit { .. })));
        assert!(matches!(duration("5M"), Err(ValueError::Unit { .. })));
        assert!(matches!(duration("-5s"), Err(ValueError::Range { .. })));
    }

    #[test]
    fn printed_in_the_largest_unit_that_is_exact() {
        let text = |typed: &str| duration_text(exact_duration(typed).unwrap().round());
        let printed = ["12h55m", "8h", "24h", "2.58d", "90s", "1500ms", "0", "14d"].map(text);
        assert_eq!(printed, ["775m", "8h", "1d", "222912s", "90s", "1500ms", "0s", "14d"]);
    }

    proptest! {
        #[test]
        fn printed_durations_read_back(nanoseconds in 0_i128..10_000_000_000_000_000_000) {
            prop_assert_eq!(exact_duration(&duration_text(nanoseconds)), Ok(Exact::whole(nanoseconds)));
        }

        #[test]
        fn nothing_panics(text in "\\PC*") {
            let _ = duration(&text);
        }
    }
}
