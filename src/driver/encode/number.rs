//! Numbers as text, without the standard formatter: integers, and decimals kept as scaled integers.
//!
//! They must not know a protocol. Invariant: a decimal's text has exactly its scale's digits after the point.

use super::buffer::Buffer;

/// The most bytes that a number takes: sign, 19 digits, a leading zero and a point.
pub(super) const NUMBER: usize = 24;

const PAIRS: [[u8; 2]; 100] = pairs();

const fn pairs() -> [[u8; 2]; 100] {
    let mut table = [[0u8; 2]; 100];
    let mut n = 0;
    while n < 100 {
        table[n] = [b'0' + (n / 10) as u8, b'0' + (n % 10) as u8];
        n += 1;
    }
    table
}

const POWERS: [u64; 16] = {
    let mut table = [1u64; 16];
    let mut n = 1;
    while n < 16 {
        table[n] = table[n - 1] * 10;
        n += 1;
    }
    table
};

/// Writes a whole number. There must be room for [`NUMBER`] bytes.
#[inline]
pub(super) fn push_integer(out: &mut Buffer, value: i64) {
    if value < 0 {
        out.push_byte(b'-');
    }
    push_unsigned(out, value.unsigned_abs());
}

#[inline]
fn push_unsigned(out: &mut Buffer, value: u64) {
    if value < 100 {
        let pair = PAIRS[value as usize];
        if value < 10 {
            out.push_byte(pair[1]);
        } else {
            out.push_padded(&pair, 2);
        }
    } else if value < 10_000 {
        let (high, low) = (PAIRS[(value / 100) as usize], PAIRS[(value % 100) as usize]);
        if value < 1_000 {
            out.push_padded(&[high[1], low[0], low[1]], 3);
        } else {
            out.push_padded(&[high[0], high[1], low[0], low[1]], 4);
        }
    } else {
        out.push(itoa::Buffer::new().format(value).as_bytes());
    }
}

/// Writes scaled / 10^scale with exactly `scale` digits after the point. There must be room for [`NUMBER`] bytes.
#[inline]
pub(super) fn push_decimal(out: &mut Buffer, scaled: i64, scale: u8) {
    if scaled < 0 {
        out.push_byte(b'-');
    }
    let value = scaled.unsigned_abs();
    match scale {
        0 => push_unsigned(out, value),
        // By far the most common: the division is by a constant.
        2 => {
            push_unsigned(out, value / 100);
            let pair = PAIRS[(value % 100) as usize];
            out.push_padded(&[b'.', pair[0], pair[1]], 3);
        }
        _ => {
            let power = POWERS[usize::from(scale)];
            push_unsigned(out, value / power);
            push_fraction(out, value % power, scale);
        }
    }
}

fn push_fraction(out: &mut Buffer, fraction: u64, scale: u8) {
    out.push_byte(b'.');
    let mut digits = [b'0'; 16];
    let mut rest = fraction;
    for digit in digits[..usize::from(scale)].iter_mut().rev() {
        *digit = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    out.push_padded(&digits, usize::from(scale));
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn text(write: impl Fn(&mut Buffer)) -> String {
        let mut out = Buffer::default();
        out.reserve(NUMBER);
        write(&mut out);
        String::from_utf8(out.as_bytes().to_vec()).unwrap()
    }

    proptest! {
        #[test]
        fn integers_read_back(value: i64) {
            prop_assert_eq!(text(|out| push_integer(out, value)), value.to_string());
        }

        #[test]
        fn small_integers_read_back(value in -20_000i64..20_000) {
            prop_assert_eq!(text(|out| push_integer(out, value)), value.to_string());
        }

        #[test]
        fn decimals_read_back(value: i64, scale in 0u8..=15) {
            let written = text(|out| push_decimal(out, value, scale));
            let digits: String = written.chars().filter(char::is_ascii_digit).collect();
            prop_assert_eq!(digits.parse::<u64>().unwrap(), value.unsigned_abs());
            let after = written.split_once('.').map_or(0, |(_, fraction)| fraction.len());
            prop_assert_eq!(after, usize::from(scale));
            prop_assert_eq!(written.starts_with('-'), value < 0);
            prop_assert!(written.len() <= NUMBER);
        }
    }
}
