//! What a server or the client used, from its readings: during the load, and while it settled.
//!
//! It must not know whose readings they are. Invariant: a counter that was not read gives none, never zero.

use schemars::JsonSchema;
use serde::Serialize;

use crate::run::journal::trial::Reading;

/// Readings closer together than this give no rate: the clock's and the counter's grain would show.
const LEAST_GAP_MS: i64 = 200;

/// Resources used in one trial.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Usage {
    /// Processor seconds during the measured part.
    pub cpu_load_s: Option<f64>,
    /// Processor seconds after the last acknowledgement, until it was at rest.
    pub cpu_settle_s: Option<f64>,
    /// Cores used on average during the measured part.
    pub cpu_mean: Option<f64>,
    /// Most cores used between two readings.
    pub cpu_peak: Option<f64>,
    /// Most memory without page cache, bytes.
    pub memory_peak: Option<f64>,
    /// Most memory with page cache, bytes.
    pub memory_with_cache_peak: Option<f64>,
    /// Bytes read from disk, from the first measured operation to rest.
    pub disk_read_bytes: Option<f64>,
    /// Bytes written to disk.
    pub disk_write_bytes: Option<f64>,
    /// Read operations on disk.
    pub disk_reads: Option<f64>,
    /// Write operations on disk.
    pub disk_writes: Option<f64>,
    /// Bytes received.
    pub network_in_bytes: Option<f64>,
    /// Bytes sent.
    pub network_out_bytes: Option<f64>,
}

/// A counter among a reading's.
pub(crate) type Counter = fn(&Reading) -> Option<f64>;

/// Reads usage out of readings in time order; the measured part lasted `elapsed_s`.
pub(crate) fn usage(readings: &[Reading], elapsed_s: f64) -> Usage {
    let end = (elapsed_s * 1e3).round() as i64;
    let cpu: Counter = |reading| reading.cpu_seconds;
    let whole = |counter: Counter| used(readings, counter, 0, i64::MAX);
    let cpu_load_s = used(readings, cpu, 0, end);
    let greatest =
        |of: Counter| readings.iter().filter(|reading| reading.at_ms >= 0).filter_map(of).max_by(f64::total_cmp);
    Usage {
        cpu_load_s,
        cpu_settle_s: used(readings, cpu, end, i64::MAX),
        cpu_mean: cpu_load_s.filter(|_| elapsed_s > 0.0).map(|seconds| seconds / elapsed_s),
        cpu_peak: rates(readings, cpu)
            .into_iter()
            .filter(|(at, _)| *at >= 0.0)
            .map(|(_, rate)| rate)
            .max_by(f64::total_cmp),
        memory_peak: greatest(|reading| reading.memory_bytes.map(|bytes| bytes as f64)),
        memory_with_cache_peak: greatest(|reading| Some((reading.memory_bytes? + reading.cache_bytes?) as f64)),
        disk_read_bytes: whole(|reading| reading.disk_read_bytes.map(|bytes| bytes as f64)),
        disk_write_bytes: whole(|reading| reading.disk_write_bytes.map(|bytes| bytes as f64)),
        disk_reads: whole(|reading| reading.disk_reads.map(|count| count as f64)),
        disk_writes: whole(|reading| reading.disk_writes.map(|count| count as f64)),
        network_in_bytes: whole(|reading| reading.network_in_bytes.map(|bytes| bytes as f64)),
        network_out_bytes: whole(|reading| reading.network_out_bytes.map(|bytes| bytes as f64)),
    }
}

/// A counter's growth between two times; none with fewer than two readings of it, or when it fell (the server was restarted).
fn used(readings: &[Reading], counter: Counter, from_ms: i64, to_ms: i64) -> Option<f64> {
    let points: Vec<(i64, f64)> =
        readings.iter().filter_map(|reading| counter(reading).map(|value| (reading.at_ms, value))).collect();
    let last = points.last()?.0;
    if points.len() < 2 || points.windows(2).any(|pair| pair[1].1 < pair[0].1) || last < from_ms {
        return None;
    }
    Some(value_at(&points, to_ms.min(last)) - value_at(&points, from_ms))
}

/// The counter at a time, on the straight line between the readings around it; the first or last reading outside.
fn value_at(points: &[(i64, f64)], at_ms: i64) -> f64 {
    let after = points.partition_point(|(at, _)| *at < at_ms);
    match (after.checked_sub(1).and_then(|before| points.get(before)), points.get(after)) {
        (Some((t0, v0)), Some((t1, v1))) => v0 + (v1 - v0) * (at_ms - t0) as f64 / (t1 - t0) as f64,
        (Some((_, value)), None) | (None, Some((_, value))) => *value,
        (None, None) => 0.0,
    }
}

/// A counter's growth a second, as (seconds since the first measured operation, rate) in the middle of each gap.
pub(crate) fn rates(readings: &[Reading], counter: Counter) -> Vec<(f64, f64)> {
    let mut rates = Vec::new();
    let mut before: Option<(i64, f64)> = None;
    for (at, value) in readings.iter().filter_map(|reading| counter(reading).map(|value| (reading.at_ms, value))) {
        match before {
            Some((t0, _)) if at - t0 < LEAST_GAP_MS => continue,
            Some((t0, v0)) if value >= v0 => {
                rates.push(((t0 + at) as f64 / 2e3, (value - v0) / ((at - t0) as f64 / 1e3)));
            }
            _ => {}
        }
        before = Some((at, value));
    }
    rates
}

/// The mean of each number over several trials, of those that have it.
pub(crate) fn mean_usage(usages: &[Usage]) -> Usage {
    let mean = |of: fn(&Usage) -> Option<f64>| {
        let values: Vec<f64> = usages.iter().filter_map(of).collect();
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    };
    Usage {
        cpu_load_s: mean(|usage| usage.cpu_load_s),
        cpu_settle_s: mean(|usage| usage.cpu_settle_s),
        cpu_mean: mean(|usage| usage.cpu_mean),
        cpu_peak: mean(|usage| usage.cpu_peak),
        memory_peak: mean(|usage| usage.memory_peak),
        memory_with_cache_peak: mean(|usage| usage.memory_with_cache_peak),
        disk_read_bytes: mean(|usage| usage.disk_read_bytes),
        disk_write_bytes: mean(|usage| usage.disk_write_bytes),
        disk_reads: mean(|usage| usage.disk_reads),
        disk_writes: mean(|usage| usage.disk_writes),
        network_in_bytes: mean(|usage| usage.network_in_bytes),
        network_out_bytes: mean(|usage| usage.network_out_bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(at_ms: i64, cpu: f64, memory: u64) -> Reading {
        Reading { at_ms, cpu_seconds: Some(cpu), memory_bytes: Some(memory), ..Reading::default() }
    }

    #[test]
    fn load_and_settling_are_told_apart() {
        let readings =
            [reading(-1_000, 1.0, 9), reading(1_000, 2.0, 10), reading(3_000, 6.0, 30), reading(5_000, 7.0, 20)];
        let usage = usage(&readings, 3.0);
        assert_eq!(usage.cpu_load_s, Some(4.5));
        assert_eq!(usage.cpu_settle_s, Some(1.0));
        assert_eq!(usage.cpu_mean, Some(1.5));
        assert_eq!(usage.cpu_peak, Some(2.0));
        assert_eq!(usage.memory_peak, Some(30.0));
    }

    #[test]
    fn what_was_not_read_is_none() {
        let usage = usage(&[reading(0, 1.0, 1), reading(1_000, 2.0, 1)], 1.0);
        assert_eq!((usage.disk_write_bytes, usage.memory_with_cache_peak), (None, None));
        assert_eq!(super::usage(&[], 1.0), Usage::default());
    }

    #[test]
    fn a_counter_that_fell_is_not_believed() {
        assert_eq!(usage(&[reading(0, 5.0, 1), reading(1_000, 1.0, 1)], 1.0).cpu_load_s, None);
    }
}
