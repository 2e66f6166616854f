//! Readings of this process: an embedded database, and the client itself.
//!
//! It must not know which of them is meant. Invariant: what can't be read is none, never zero.

use std::fs;

use rustix::time::{ClockId, clock_gettime};

use super::reading::Reading;

/// Bytes through a network name space, loopback apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Traffic {
    /// Received.
    pub(super) received: u64,
    /// Sent.
    pub(super) sent: u64,
}

/// Reads this process. Network and disk operations are none: the kernel does not count them for a process.
pub fn read_self() -> Reading {
    let io = fs::read_to_string("/proc/self/io").unwrap_or_default();
    let (read, written) = disk_bytes(&io).unzip();
    Reading {
        cpu_seconds: Some(cpu_seconds()),
        memory_bytes: fs::read_to_string("/proc/self/status").ok().and_then(|status| memory_bytes(&status)),
        disk_read_bytes: read,
        disk_write_bytes: written,
        ..Reading::default()
    }
}

/// Processor seconds that this process has used in all its threads, user and system, by the kernel's own clock for that.
pub fn cpu_seconds() -> f64 {
    let used = clock_gettime(ClockId::ProcessCPUTime);
    used.tv_sec as f64 + used.tv_nsec as f64 / 1e9
}

/// Anonymous and shared memory in /proc/PID/status, bytes; mapped files are page cache.
fn memory_bytes(status: &str) -> Option<u64> {
    let of = |name: &str| {
        let value = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
        value.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()
    };
    Some((of("RssAnon")? + of("RssShmem")?) * 1024)
}

/// Bytes read from and written to devices in /proc/PID/io, those of children that were waited for among them.
pub(super) fn disk_bytes(io: &str) -> Option<(u64, u64)> {
    let of = |name: &str| io.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok());
    Some((of("read_bytes:")?, of("write_bytes:")?))
}

/// The sum over the interfaces in /proc/PID/net/dev; none where there is only loopback.
pub(super) fn traffic(dev: &str) -> Option<Traffic> {
    let mut sum = Traffic::default();
    let mut found = false;
    for line in dev.lines() {
        let Some((name, counters)) = line.split_once(':') else { continue };
        if name.trim() == "lo" {
            continue;
        }
        let mut counters = counters.split_whitespace();
        let (Some(Ok(received)), Some(Ok(sent))) =
            (counters.next().map(str::parse::<u64>), counters.nth(7).map(str::parse::<u64>))
        else {
            continue;
        };
        sum.received += received;
        sum.sent += sent;
        found = true;
    }
    found.then_some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interfaces_add_up_without_loopback() {
        let dev = "Inter-|   Receive                                                |  Transmit\n \
            face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls\n    \
            lo:      50       1    0    0    0     0          0         0       50       1    0    0    0     0       0          0\n  \
            eth0:     736       8    0    0    0     0          0         0      100       2    0    0    0     0       0          0\n\
            wlan0:4 1 0 0 0 0 0 0 5 1 0 0 0 0 0 0\n";
        assert_eq!(traffic(dev), Some(Traffic { received: 740, sent: 105 }));
        assert_eq!(traffic("    lo: 50 1 0 0 0 0 0 0 50 1 0 0 0 0 0 0\n"), None);
    }

    #[test]
    fn memory_is_without_mapped_files() {
        let status = "VmRSS:\t   900 kB\nRssAnon:\t     500 kB\nRssFile:\t     300 kB\nRssShmem:\t     100 kB\n";
        assert_eq!(memory_bytes(status), Some(600 * 1024));
        assert_eq!(memory_bytes("VmRSS:\t 900 kB\n"), None);
    }

    #[test]
    fn transfers_are_those_that_reached_devices() {
        let io = "rchar: 1\nwchar: 2\nread_bytes: 63295488\nwrite_bytes: 40996864\ncancelled_write_bytes: 98304\n";
        assert_eq!(disk_bytes(io), Some((63_295_488, 40_996_864)));
        assert_eq!(disk_bytes(""), None);
    }

    #[test]
    fn this_process_uses_processor_and_memory() {
        let before = read_self();
        let memory = vec![1u8; 32 << 20];
        while cpu_seconds() < before.cpu_seconds.unwrap() + 0.02 {
            std::hint::black_box(memory.iter().map(|byte| u64::from(*byte)).sum::<u64>());
        }
        let after = read_self();
        assert!(after.cpu_seconds > before.cpu_seconds);
        assert!(after.memory_bytes.unwrap() > memory.len() as u64);
    }
}
