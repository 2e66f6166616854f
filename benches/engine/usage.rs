//! What a process or a thread has used.

use std::path::Path;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

fn clock(id: ClockId) -> Duration {
    let time = clock_gettime(id);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// CPU time of the whole process so far.
pub(crate) fn process_cpu() -> Duration {
    clock(ClockId::ProcessCPUTime)
}

/// CPU time of this thread so far.
pub(crate) fn thread_cpu() -> Duration {
    clock(ClockId::ThreadCPUTime)
}

/// The greatest resident memory of this process so far, bytes.
pub(crate) fn peak_memory() -> anyhow::Result<u64> {
    peak_memory_of(Path::new("/proc/self"))
}

/// The greatest resident memory of a process so far, bytes.
pub(crate) fn peak_memory_of(process: &Path) -> anyhow::Result<u64> {
    let status = std::fs::read_to_string(process.join("status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok());
    kilobytes.map(|kilobytes| kilobytes * 1024).ok_or_else(|| anyhow::anyhow!("no VmHWM in the process's status"))
}
