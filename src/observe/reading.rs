//! Readings, under the same names and units wherever they come from.
//!
//! They must not know who is observed. Invariant: counters only grow; the difference of two readings is what was used.

use serde::{Deserialize, Serialize};

/// One reading. Counters are since the observed thing started; none: could not be read here.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Reading {
    /// When, in milliseconds of the client's monotonic clock since the trial's measured part began (negative: before).
    pub at_ms: i64,
    /// Processor seconds used, user and system.
    pub cpu_seconds: Option<f64>,
    /// Memory without page cache, bytes.
    pub memory_bytes: Option<u64>,
    /// Page cache accounted to it, bytes.
    pub cache_bytes: Option<u64>,
    /// Bytes read from disk.
    pub disk_read_bytes: Option<u64>,
    /// Bytes written to disk.
    pub disk_write_bytes: Option<u64>,
    /// Read operations on disk.
    pub disk_reads: Option<u64>,
    /// Write operations on disk.
    pub disk_writes: Option<u64>,
    /// Bytes received over the network.
    pub network_in_bytes: Option<u64>,
    /// Bytes sent over the network.
    pub network_out_bytes: Option<u64>,
}
