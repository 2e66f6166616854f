//! The cores that this process may run on.
//!
//! It must not know who is to have them. Invariant: ids are the kernel's own, ascending.

use std::fs;

use rustix::thread::{CpuSet, sched_getaffinity};

/// The cores that this process may run on; what the kernel has online where it does not say.
pub fn available() -> Vec<u32> {
    match sched_getaffinity(None) {
        Ok(set) => (0..CpuSet::MAX_CPU as u32).filter(|core| set.is_set(*core as usize)).collect(),
        Err(_) => (0..fs::read_to_string("/proc/cpuinfo").map_or(1, |text| count(&text))).collect(),
    }
}

/// How many processors /proc/cpuinfo lists.
pub(super) fn count(cpuinfo: &str) -> u32 {
    cpuinfo.lines().filter(|line| line.starts_with("processor")).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_may_run_somewhere() {
        let cores = available();
        assert!(!cores.is_empty());
        assert!(cores.is_sorted());
    }

    #[test]
    fn processors_are_counted() {
        assert_eq!(count("processor\t: 0\nmodel name\t: X\n\nprocessor\t: 1\nmodel name\t: X\n"), 2);
    }
}
