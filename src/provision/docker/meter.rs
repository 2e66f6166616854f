//! Readings of a container: from the kernel's files where they can be read, else from the daemon's own statistics.
//!
//! It must not know what runs inside. Invariant: what neither of them tells is none.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bollard::Docker;
use bollard::models::{ContainerBlkioStatEntry, ContainerStatsResponse};
use bollard::query_parameters::StatsOptionsBuilder;
use futures_util::StreamExt;
use tokio::task::AbortHandle;

use crate::observe::cgroup::{GroupReader, Memory, memory};
use crate::observe::reading::Reading;
use crate::provision::types::Reader;

const ASK_EACH: Duration = Duration::from_secs(1);

/// Reads one container, from its start to its stop.
pub(super) struct Meter {
    reader: Reader,
    asking: Option<AbortHandle>,
}

impl Meter {
    /// For a container whose first process is `pid`.
    pub(super) fn new(docker: &Docker, id: &str, pid: Option<i64>) -> Self {
        let group = pid.and_then(|pid| GroupReader::of_process(u32::try_from(pid).ok()?, id));
        match group {
            Some(group) => Meter { reader: Arc::new(move || group.read()), asking: None },
            None => Self::by_asking(docker.clone(), id.to_owned()),
        }
    }

    /// Asks the daemon each second: a sampler's thread can't.
    fn by_asking(docker: Docker, id: String) -> Self {
        let latest = Arc::new(Mutex::new(None));
        let told = Arc::clone(&latest);
        let task = tokio::spawn(async move {
            loop {
                let options = StatsOptionsBuilder::new().stream(false).one_shot(true).build();
                let answer = docker.stats(&id, Some(options)).next().await;
                let reading = answer.and_then(Result::ok).and_then(|stats| reading(&stats));
                *told.lock().unwrap_or_else(PoisonError::into_inner) = reading;
                tokio::time::sleep(ASK_EACH).await;
            }
        });
        let reader = Arc::new(move || latest.lock().unwrap_or_else(PoisonError::into_inner).clone());
        Meter { reader, asking: Some(task.abort_handle()) }
    }

    pub(super) fn reader(&self) -> Reader {
        Arc::clone(&self.reader)
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        if let Some(task) = &self.asking {
            task.abort();
        }
    }
}

/// The daemon's statistics as a reading; none for a container that does not run (its processor time is then zero).
fn reading(stats: &ContainerStatsResponse) -> Option<Reading> {
    let used = stats.cpu_stats.as_ref()?.cpu_usage.as_ref()?.total_usage.filter(|used| *used > 0)?;
    let mut reading = Reading { cpu_seconds: Some(used as f64 / 1e9), ..Reading::default() };
    let divided = stats.memory_stats.as_ref().and_then(|memory_stats| {
        let values = memory_stats.stats.as_ref()?;
        memory(memory_stats.usage?, |name| values.get(name).copied())
    });
    if let Some(Memory { used, cache }) = divided {
        reading.memory_bytes = Some(used);
        reading.cache_bytes = Some(cache);
    }
    if let Some(blkio) = &stats.blkio_stats {
        (reading.disk_read_bytes, reading.disk_write_bytes) = sums(blkio.io_service_bytes_recursive.as_deref()).unzip();
        (reading.disk_reads, reading.disk_writes) = sums(blkio.io_serviced_recursive.as_deref()).unzip();
    }
    if let Some(networks) = stats.networks.as_ref().filter(|networks| !networks.is_empty()) {
        reading.network_in_bytes = networks.values().map(|network| network.rx_bytes).sum();
        reading.network_out_bytes = networks.values().map(|network| network.tx_bytes).sum();
    }
    Some(reading)
}

/// Reads and writes over all devices; none where no device is listed.
fn sums(entries: Option<&[ContainerBlkioStatEntry]>) -> Option<(u64, u64)> {
    let entries = entries.filter(|entries| !entries.is_empty())?;
    let of = |kind: &str| {
        let right =
            |entry: &&ContainerBlkioStatEntry| entry.op.as_deref().is_some_and(|op| op.eq_ignore_ascii_case(kind));
        entries.iter().filter(right).filter_map(|entry| entry.value).sum()
    };
    Some((of("read"), of("write")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stats(text: &str) -> ContainerStatsResponse {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn statistics_of_version_1_without_block_accounting() {
        let stats = stats(
            r#"{"cpu_stats":{"cpu_usage":{"total_usage":482494954}},
                "memory_stats":{"usage":124698624,"stats":{"cache":115191808,"total_cache":115191808,"total_shmem":12218368,
                "shmem":12218368}},"blkio_stats":{"io_service_bytes_recursive":[],"io_serviced_recursive":null},
                "networks":{"eth0":{"rx_bytes":736,"tx_bytes":100}}}"#,
        );
        let reading = reading(&stats).unwrap();
        assert_eq!(reading.cpu_seconds, Some(0.482_494_954));
        assert_eq!((reading.memory_bytes, reading.cache_bytes), (Some(21_725_184), Some(102_973_440)));
        assert_eq!((reading.disk_read_bytes, reading.disk_writes), (None, None));
        assert_eq!((reading.network_in_bytes, reading.network_out_bytes), (Some(736), Some(100)));
    }

    #[test]
    fn statistics_of_version_2_with_block_accounting() {
        let stats = stats(
            r#"{"cpu_stats":{"cpu_usage":{"total_usage":1000000000}},
                "memory_stats":{"usage":13500,"stats":{"file":9000,"shmem":2000,"anon":4000}},
                "blkio_stats":{"io_service_bytes_recursive":[{"major":8,"minor":0,"op":"read","value":5},
                {"major":8,"minor":0,"op":"write","value":7},{"major":9,"minor":0,"op":"Write","value":1}]}}"#,
        );
        let reading = reading(&stats).unwrap();
        assert_eq!((reading.memory_bytes, reading.cache_bytes), (Some(6500), Some(7000)));
        assert_eq!((reading.disk_read_bytes, reading.disk_write_bytes), (Some(5), Some(8)));
        assert_eq!((reading.network_in_bytes, reading.disk_reads), (None, None));
    }

    #[test]
    fn a_container_that_does_not_run_gives_none() {
        let stats = stats(r#"{"cpu_stats":{"cpu_usage":{"total_usage":0}},"memory_stats":{}}"#);
        assert_eq!(reading(&stats), None);
    }
}
