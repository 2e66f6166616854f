//! Plain numbers, rates, shares and switches.
//!
//! They must not know durations and sizes. Invariant: no text is read as a number that is not wholly one.

use super::{Exact, ValueError};

const INTEGER: &str = "an integer, such as 1000, 1_000, 1e3 or 10k";
const DECIMAL: &str = "a number, such as 0.5, 1_000 or 1e3";
const RATE: &str = "a rate, such as 2000/s or 2k/s";
const SHARE: &str = "a share, such as 1% or 0.01";
const SWITCH: &str = "on or off (true, false, yes, no)";

/// Splits a text into its leading number (sign, digits, `_`, point, exponent) and what follows it.
pub(super) fn split_number(text: &str) -> (&str, &str) {
    let bytes = text.as_bytes();
    let mut end = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    while end < bytes.len() && (bytes[end].is_ascii_digit() || matches!(bytes[end], b'_' | b'.')) {
        end += 1;
    }
    let exponent = &bytes[end..];
    if matches!(exponent.first(), Some(b'e' | b'E')) {
        let signed = usize::from(matches!(exponent.get(1), Some(b'+' | b'-')));
        let digits = exponent[1 + signed..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits > 0 {
            end += 1 + signed + digits;
        }
    }
    text.split_at(end)
}

/// The exact value of a number as [`split_number`] cuts it.
pub(super) fn exact_number(text: &str) -> Option<Exact> {
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => (&text[..at], text[at + 1..].parse::<i32>().ok().filter(|power| power.abs() <= 30)?),
        None => (text, 0),
    };
    let (negative, digits) = match mantissa.as_bytes().first()? {
        b'-' => (true, &mantissa[1..]),
        b'+' => (false, &mantissa[1..]),
        _ => (false, mantissa),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let has_point = whole.len() != digits.len();
    if !are_digits(whole) || (has_point && !are_digits(part)) {
        return None;
    }
    let mut value: i128 = 0;
    for byte in whole.bytes().chain(part.bytes()).filter(|byte| *byte != b'_') {
        value = value.checked_mul(10)?.checked_add(i128::from(byte - b'0'))?;
    }
    let decimals = part.bytes().filter(|byte| *byte != b'_').count();
    let power = exponent - i32::try_from(decimals).ok()?;
    let scale = 10_i128.checked_pow(power.unsigned_abs())?;
    let signed = if negative { -value } else { value };
    if power >= 0 { Some(Exact::whole(signed.checked_mul(scale)?)) } else { Exact::fraction(signed, scale) }
}

/// Digits with single `_` between them.
fn are_digits(text: &str) -> bool {
    let bytes = text.as_bytes();
    !bytes.is_empty()
        && bytes.iter().all(|byte| byte.is_ascii_digit() || *byte == b'_')
        && bytes[0] != b'_'
        && bytes[bytes.len() - 1] != b'_'
        && !bytes.windows(2).any(|pair| pair == b"__")
}

/// The exact value of a number without unit; `k`, `M` and `G` count thousands.
pub fn exact(text: &str) -> Option<Exact> {
    let (number, suffix) = split_number(text);
    let scale = match suffix {
        "" => return exact_number(number),
        "k" | "K" => 1_000,
        "M" => 1_000_000,
        "G" => 1_000_000_000,
        _ => return None,
    };
    exact_number(number)?.times(Exact::whole(scale))
}

/// An integer as people write them: `1000`, `1_000`, `1e3`, `10k`, `-5`, `10.0`.
///
/// # Errors
/// What is no whole number or does not fit.
pub fn integer(text: &str) -> Result<i64, ValueError> {
    let value = exact(text).and_then(Exact::as_whole).ok_or_else(|| ValueError::malformed(text, INTEGER))?;
    i64::try_from(value).map_err(|_| ValueError::range(text, "an integer of 64 bits"))
}

/// An integer that is not below 0.
///
/// # Errors
/// What is no whole number, is below 0 or does not fit.
pub fn unsigned(text: &str) -> Result<u64, ValueError> {
    let value = exact(text).and_then(Exact::as_whole).ok_or_else(|| ValueError::malformed(text, INTEGER))?;
    u64::try_from(value).map_err(|_| ValueError::range(text, "an integer from 0 on"))
}

/// A decimal number.
///
/// # Errors
/// What is no number.
pub fn decimal(text: &str) -> Result<f64, ValueError> {
    exact(text).map(Exact::as_f64).ok_or_else(|| ValueError::malformed(text, DECIMAL))
}

/// A rate, in units a second: `2000/s`, `2k/s`, `120/m`.
///
/// # Errors
/// What is no rate, or none above 0.
pub fn rate(text: &str) -> Result<f64, ValueError> {
    let malformed = || ValueError::malformed(text, RATE);
    let (number, unit) = text.split_once('/').ok_or_else(malformed)?;
    let seconds = match unit.trim() {
        "s" => 1,
        "m" | "min" => 60,
        "h" => 3600,
        other => return Err(ValueError::unit(text, other, RATE)),
    };
    let value = exact(number.trim()).and_then(|value| value.over(Exact::whole(seconds))).ok_or_else(malformed)?;
    if value > Exact::ZERO { Ok(value.as_f64()) } else { Err(ValueError::range(text, "a rate above 0")) }
}

/// A share, from 0 to 1: `1%`, `0.01`.
///
/// # Errors
/// What is no share, or beyond 0 to 100 %.
pub fn share(text: &str) -> Result<f64, ValueError> {
    let value = match text.strip_suffix('%') {
        Some(percent) => exact(percent.trim_end()).and_then(|value| value.over(Exact::whole(100))),
        None => exact(text),
    };
    let value = value.ok_or_else(|| ValueError::malformed(text, SHARE))?;
    let inside = value >= Exact::ZERO && value <= Exact::whole(1);
    if inside { Ok(value.as_f64()) } else { Err(ValueError::range(text, "a share from 0 to 1 (100%)")) }
}

/// A switch: on, off, true, false, yes, no, in any case.
///
/// # Errors
/// Any other word.
pub fn switch(text: &str) -> Result<bool, ValueError> {
    match text.to_ascii_lowercase().as_str() {
        "on" | "true" | "yes" => Ok(true),
        "off" | "false" | "no" => Ok(false),
        _ => Err(ValueError::malformed(text, SWITCH)),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn integers_as_people_write_them() {
        for (text, value) in [("1000", 1000), ("1_000", 1000), ("1e3", 1000), ("1.5e3", 1500), ("10k", 10_000)] {
            assert_eq!(integer(text), Ok(value), "{text}");
        }
        for (text, value) in [("2M", 2_000_000), ("-5", -5), ("+5", 5), ("10.0", 10), ("017", 17), ("1.5k", 1500)] {
            assert_eq!(integer(text), Ok(value), "{text}");
        }
    }

    #[test]
    fn what_is_no_integer_is_refused() {
        for text in
            ["", "ten", "1.5", "1e-3", "_1", "1_", "1__0", "0x10", "1e", "1m", ".5", "5.", "1 000", "--1", "1e99"]
        {
            assert!(matches!(integer(text), Err(ValueError::Malformed { .. })), "{text}");
        }
        assert!(matches!(integer("9223372036854775808"), Err(ValueError::Range { .. })));
        assert!(matches!(unsigned("-1"), Err(ValueError::Range { .. })));
        assert_eq!(unsigned("18446744073709551615"), Ok(u64::MAX));
    }

    #[test]
    fn the_message_names_what_was_typed() {
        let said = integer("ten").unwrap_err().to_string();
        assert_eq!(said, "`ten` is not an integer, such as 1000, 1_000, 1e3 or 10k");
    }

    #[test]
    fn rates_shares_and_switches() {
        assert_eq!([rate("2000/s"), rate("2k/s"), rate("120/m")], [Ok(2000.0), Ok(2000.0), Ok(2.0)]);
        assert!(rate("2000").is_err() && rate("0/s").is_err() && rate("5/day").is_err());
        assert_eq!([share("1%"), share("0.01"), share("100%")], [Ok(0.01), Ok(0.01), Ok(1.0)]);
        assert!(share("101%").is_err() && share("-1%").is_err() && share("x%").is_err());
        assert_eq!([switch("on"), switch("No"), switch("TRUE")], [Ok(true), Ok(false), Ok(true)]);
        assert!(switch("ture").is_err());
    }

    proptest! {
        #[test]
        fn every_integer_reads_back(value: i64) {
            prop_assert_eq!(integer(&value.to_string()), Ok(value));
        }

        #[test]
        fn decimals_read_as_rust_reads_them(value in -1e9_f64..1e9) {
            let text = format!("{value}");
            let read = decimal(&text).unwrap();
            prop_assert!((read - value).abs() <= value.abs() * 1e-15, "{} {}", text, read);
        }

        #[test]
        fn nothing_panics(text in "\\PC*") {
            let _ = (integer(&text), decimal(&text), rate(&text), share(&text), switch(&text));
        }
    }
}
