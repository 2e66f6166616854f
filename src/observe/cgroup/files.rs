//! The texts of a control group's files, as numbers.
//!
//! They must not open anything. Invariant: a text that is not understood gives none.

use std::collections::BTreeMap;

/// Memory of a group, bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Everything but page cache: anonymous and shared memory, and the kernel's own for it.
    pub used: u64,
    /// Page cache.
    pub cache: u64,
}

/// What went to and came from block devices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Transfers {
    /// Of reads.
    pub(super) read: u64,
    /// Of writes.
    pub(super) written: u64,
}

/// A file that holds one number.
pub(super) fn single(text: &str) -> Option<u64> {
    text.trim().parse().ok()
}

/// The value of `key` in a file of `key value` lines.
pub(super) fn keyed(text: &str, key: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' ')?.trim().parse().ok())
}

/// Divides the memory used by the values of `memory.stat`, of either version. Shared memory is counted there as cache, but
/// no page cache it is: a database's shared buffers lie in it.
pub fn memory(usage: u64, stat: impl Fn(&str) -> Option<u64>) -> Option<Memory> {
    let of = |name: &str| stat(&format!("total_{name}")).or_else(|| stat(name));
    let cached = of("cache").or_else(|| of("file"));
    let cache = match (cached, of("shmem")) {
        (Some(cached), Some(shared)) => cached.saturating_sub(shared),
        _ => of("inactive_file")? + of("active_file")?,
    };
    Some(Memory { used: usage.saturating_sub(cache), cache })
}

/// The same of the two files' texts: `memory.usage_in_bytes` or `memory.current`, and `memory.stat`.
pub(super) fn memory_of_texts(usage: &str, stat: &str) -> Option<Memory> {
    memory(single(usage)?, |name| keyed(stat, name))
}

/// Version 1: `blkio.throttle.io_service_bytes` or `io_serviced`, lines of `8:0 Read 4096`. None where no device is listed:
/// then the kernel does not account for them, or nothing has happened yet.
pub(super) fn transfers_v1(text: &str) -> Option<Transfers> {
    let mut sum = Transfers::default();
    let mut listed = false;
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let (Some(device), Some(kind), Some(value)) = (words.next(), words.next(), words.next()) else { continue };
        let (true, Ok(value)) = (device.contains(':'), value.parse::<u64>()) else { continue };
        match kind {
            "Read" => sum.read += value,
            "Write" => sum.written += value,
            _ => continue,
        }
        listed = true;
    }
    listed.then_some(sum)
}

/// Version 2: `io.stat`, lines of `8:0 rbytes=1 wbytes=2 rios=3 wios=4 dbytes=0 dios=0`; bytes, then operations. None where
/// no device is listed.
pub(super) fn transfers_v2(text: &str) -> Option<(Transfers, Transfers)> {
    let (mut bytes, mut operations) = (Transfers::default(), Transfers::default());
    let mut listed = false;
    for line in text.lines() {
        let values: BTreeMap<&str, u64> = line
            .split_whitespace()
            .filter_map(|pair| pair.split_once('='))
            .filter_map(|(key, value)| Some((key, value.parse().ok()?)))
            .collect();
        let (Some(read), Some(written)) = (values.get("rbytes"), values.get("wbytes")) else { continue };
        bytes.read += read;
        bytes.written += written;
        operations.read += values.get("rios").unwrap_or(&0);
        operations.written += values.get("wios").unwrap_or(&0);
        listed = true;
    }
    listed.then_some((bytes, operations))
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAT_V1: &str = "cache 115191808\nrss 4288512\nshmem 12218368\ninactive_file 72912896\nactive_file 30060544\n\
        total_cache 115191808\ntotal_rss 4288512\ntotal_shmem 12218368\ntotal_inactive_file 72912896\n\
        total_active_file 30060544\n";

    #[test]
    fn memory_of_version_1_counts_shared_buffers_as_memory() {
        let memory = memory_of_texts("124698624\n", STAT_V1).unwrap();
        assert_eq!(memory, Memory { used: 21_725_184, cache: 102_973_440 });
    }

    #[test]
    fn memory_of_an_old_kernel_without_shmem_takes_the_file_lists() {
        let stat = "cache 900\nrss 300\ninactive_file 500\nactive_file 100\n";
        assert_eq!(memory_of_texts("1200", stat), Some(Memory { used: 600, cache: 600 }));
    }

    #[test]
    fn memory_of_version_2() {
        let stat = "anon 4000\nfile 9000\nkernel 500\nshmem 2000\nfile_mapped 100\n";
        assert_eq!(memory_of_texts("13500\n", stat), Some(Memory { used: 6500, cache: 7000 }));
        assert_eq!(memory_of_texts("max\n", stat), None);
        assert_eq!(memory_of_texts("13500\n", "anon 1\nfile 9\n"), None);
    }

    #[test]
    fn transfers_of_version_1_add_up_over_devices() {
        let text = "8:0 Read 4096\n8:0 Write 100\n8:0 Sync 1\n8:0 Async 2\n8:0 Discard 0\n8:0 Total 4196\n8:16 Read 4\n\
            8:16 Write 6\nTotal 4206\n";
        assert_eq!(transfers_v1(text), Some(Transfers { read: 4100, written: 106 }));
    }

    #[test]
    fn transfers_that_are_not_accounted_are_none_and_not_zero() {
        assert_eq!(transfers_v1("Total 0\n"), None);
        assert_eq!(transfers_v2(""), None);
    }

    #[test]
    fn transfers_of_version_2_add_up_over_devices() {
        let text =
            "254:0 rbytes=10 wbytes=20 rios=1 wios=2 dbytes=0 dios=0\n7:0 \n8:0 rbytes=5 wbytes=5 rios=1 wios=1\n";
        let (bytes, operations) = transfers_v2(text).unwrap();
        assert_eq!((bytes.read, bytes.written, operations.read, operations.written), (15, 25, 2, 3));
    }

    #[test]
    fn a_key_is_taken_whole() {
        assert_eq!(keyed("usage_usec_x 1\nusage_usec 482494\n", "usage_usec"), Some(482_494));
    }
}
