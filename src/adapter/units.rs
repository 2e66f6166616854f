//! Sizes as databases write them.
//!
//! It must not know what a size is for. Invariant: all units are powers of 1024: a server that says 128MB means 134217728 bytes.

use crate::value::{self, Exact};

/// The bytes of a size such as `128MB`, `4GiB`, `512k`, `8kB` or `1048576`.
pub(super) fn size_bytes(text: &str) -> Option<u64> {
    let text = text.trim();
    let (number, unit) = text.split_at(text.find(|c: char| c.is_alphabetic()).unwrap_or(text.len()));
    let power = match unit.to_ascii_lowercase().as_str() {
        "" | "b" | "bytes" => 0,
        "k" | "kb" | "kib" => 1,
        "m" | "mb" | "mib" => 2,
        "g" | "gb" | "gib" => 3,
        "t" | "tb" | "tib" => 4,
        _ => return None,
    };
    let bytes = value::exact(number.trim_end())?.times(Exact::whole(1 << (10 * power)))?;
    u64::try_from(bytes.as_whole()?).ok()
}

/// The whole nanoseconds of a duration.
pub(super) fn duration_ns(text: &str) -> Option<i64> {
    i64::try_from(value::exact_duration(text.trim()).ok()?.as_whole()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_databases_mean_them() {
        assert_eq!(size_bytes("128MB"), Some(134_217_728));
        assert_eq!(size_bytes("4GiB"), Some(4 << 30));
        assert_eq!(size_bytes("1.5g"), Some(3 << 29));
        assert_eq!(size_bytes("8kB"), Some(8192));
        assert_eq!(size_bytes("8 kB"), Some(8192));
        assert_eq!(size_bytes("134217728"), Some(134_217_728));
        for bad in ["", "MB", "1.5", "-1MB", "1 furlong", "1.2.3k"] {
            assert_eq!(size_bytes(bad), None, "{bad}");
        }
    }

    #[test]
    fn durations_are_read_as_servers_print_them() {
        assert_eq!(duration_ns("2.58d"), Some(222_912_000_000_000));
        assert_eq!(duration_ns("4h0m0s"), Some(14_400_000_000_000));
        assert_eq!(duration_ns("5min"), Some(300_000_000_000));
        assert_eq!(duration_ns("0.1ns"), None);
    }
}
