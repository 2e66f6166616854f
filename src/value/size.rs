//! Sizes: `4GiB`, `128MB`, `512`.
//!
//! They must not know what is stored. Invariant: KiB counts 1024 and kB counts 1000; a bare number counts bytes.

use super::number::{exact_number, split_number};
use super::{Exact, ValueError};

const SIZE: &str = "a size, such as 4GiB, 128MiB, 64MB or 512B";

/// Units that are printed, the largest first.
const BINARY: [(&str, i128); 5] = [("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("B", 1)];

fn bytes(unit: &str) -> Option<i128> {
    let decimal = match unit {
        "kB" | "KB" => 1_000,
        "MB" => 1_000_000,
        "GB" => 1_000_000_000,
        "TB" => 1_000_000_000_000,
        _ => return BINARY.iter().find(|(name, _)| *name == unit).map(|(_, scale)| *scale),
    };
    Some(decimal)
}

/// A size in exact bytes; with `bare`, a number without unit counts bytes.
fn read(text: &str, bare: bool) -> Result<Exact, ValueError> {
    let malformed = || ValueError::malformed(text, SIZE);
    let (number, unit) = split_number(text);
    let amount = exact_number(number).ok_or_else(malformed)?;
    let unit = unit.trim_start();
    if unit.is_empty() {
        return if bare { Ok(amount) } else { Err(malformed()) };
    }
    let scale = bytes(unit).ok_or_else(|| ValueError::unit(text, unit, SIZE))?;
    amount.times(Exact::whole(scale)).ok_or_else(malformed)
}

/// A size with its unit, in exact bytes.
///
/// # Errors
/// What is no size, or has no unit.
pub fn exact_size(text: &str) -> Result<Exact, ValueError> {
    read(text, false)
}

/// A size in bytes; a number without unit counts bytes.
///
/// # Errors
/// What is no size, is below 0, is no whole number of bytes, or does not fit.
pub fn size(text: &str) -> Result<u64, ValueError> {
    let whole = read(text, true)?.as_whole().ok_or_else(|| ValueError::malformed(text, SIZE))?;
    u64::try_from(whole).map_err(|_| ValueError::range(text, "a size from 0 on"))
}

/// Prints bytes in the largest of TiB, GiB, MiB, KiB, B that holds them exactly.
pub fn size_text(bytes: i128) -> String {
    if bytes == 0 {
        return "0B".to_owned();
    }
    let fit = BINARY.iter().find(|(_, scale)| bytes % scale == 0);
    fit.map_or_else(|| format!("{bytes}B"), |(unit, scale)| format!("{}{unit}", bytes / scale))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn sizes_as_people_write_them() {
        assert_eq!(size("4GiB"), Ok(4 << 30));
        assert_eq!(
            [size("64MB"), size("1.5KiB"), size("512"), size("8kB")],
            [Ok(64_000_000), Ok(1536), Ok(512), Ok(8000)]
        );
        assert_eq!(size("10 MB"), Ok(10_000_000));
    }

    #[test]
    fn what_is_no_size_is_refused() {
        assert!(matches!(size("big"), Err(ValueError::Malformed { .. })));
        assert!(matches!(size("4g"), Err(ValueError::Unit { .. })));
        assert!(matches!(size("0.3B"), Err(ValueError::Malformed { .. })));
        assert!(matches!(size("-4KiB"), Err(ValueError::Range { .. })));
        assert!(exact_size("512").is_err());
    }

    proptest! {
        #[test]
        fn printed_sizes_read_back(bytes: u64) {
            prop_assert_eq!(size(&size_text(i128::from(bytes))), Ok(bytes));
        }

        #[test]
        fn nothing_panics(text in "\\PC*") {
            let _ = size(&text);
        }
    }
}
