//! Facts about the host that this process runs on.
//!
//! It must not know who asks. Invariant: what the host does not tell is none.

use std::fs;
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::cores;
use super::disk;

/// A host, as journals and reports keep it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Host {
    /// Its name.
    pub name: String,
    /// The processor's model.
    pub processor: Option<String>,
    /// Logical cores, whether or not this process may use them.
    pub cores: Option<u32>,
    /// Memory, bytes.
    pub memory_bytes: Option<u64>,
    /// The kernel's release.
    pub kernel: Option<String>,
    /// The distribution.
    pub system: Option<String>,
    /// The frequency governor of its first core.
    pub governor: Option<String>,
    /// Load average of the last minute.
    pub load_average: Option<String>,
    /// Free bytes of the file system that the path given lies on.
    pub disk_free_bytes: Option<u64>,
    /// That file system's size, bytes.
    pub disk_bytes: Option<u64>,
}

/// Reads the facts; `path` says which file system is meant.
pub fn facts(path: &Path) -> Host {
    let read = |path: &str| fs::read_to_string(path).ok();
    let line = |path: &str| read(path).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    let cpuinfo = read("/proc/cpuinfo").unwrap_or_default();
    let space = disk::space(path);
    Host {
        name: line("/proc/sys/kernel/hostname").unwrap_or_else(|| "unknown".to_owned()),
        processor: processor(&cpuinfo),
        cores: Some(cores::count(&cpuinfo)).filter(|count| *count > 0),
        memory_bytes: read("/proc/meminfo").and_then(|text| memory(&text)),
        kernel: line("/proc/sys/kernel/osrelease"),
        system: read("/etc/os-release").and_then(|text| system(&text)),
        governor: line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
        load_average: read("/proc/loadavg").and_then(|text| Some(text.split_whitespace().next()?.to_owned())),
        disk_free_bytes: space.map(|space| space.free),
        disk_bytes: space.map(|space| space.whole),
    }
}

/// The model in /proc/cpuinfo; other architectures than x86 name it otherwise, or not at all.
fn processor(cpuinfo: &str) -> Option<String> {
    ["model name", "Model", "cpu model", "Hardware"].iter().find_map(|key| {
        cpuinfo.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            (name.trim() == *key && !value.trim().is_empty()).then(|| value.trim().to_owned())
        })
    })
}

fn memory(meminfo: &str) -> Option<u64> {
    let value = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    Some(value.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}

fn system(os_release: &str) -> Option<String> {
    let value = os_release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="))?;
    Some(value.trim().trim_matches(['"', '\'']).to_owned()).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_the_kernel_are_understood() {
        assert_eq!(
            processor("processor\t: 0\nmodel name\t: Fast CPU @ 3.00GHz\n").as_deref(),
            Some("Fast CPU @ 3.00GHz")
        );
        assert_eq!(processor("processor : 0\nBogoMIPS : 50\n"), None);
        assert_eq!(memory("MemTotal:        8041584 kB\nMemFree: 1 kB\n"), Some(8_041_584 * 1024));
        assert_eq!(
            system("ID=debian\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n").unwrap(),
            "Debian GNU/Linux 12 (bookworm)"
        );
    }

    #[test]
    fn this_host_tells_the_essentials() {
        let facts = facts(&std::env::temp_dir());
        assert!(facts.cores.unwrap() >= 1 && facts.memory_bytes.unwrap() > 0 && facts.disk_bytes.unwrap() > 0);
        assert!(facts.kernel.is_some() && facts.load_average.is_some());
    }
}
