//! Reads the files of a group again and again.
//!
//! It must not know what runs in the group. Invariant: counters only grow, even while processes of the group come and go.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::files::{Memory, Transfers, keyed, memory_of_texts, single, transfers_v1, transfers_v2};
use super::locate::{Hierarchy, locate};
use crate::observe::process::{self, Traffic};
use crate::observe::reading::Reading;

/// A group, by one process in it.
#[derive(Debug)]
pub struct GroupReader {
    proc: PathBuf,
    pid: u32,
    hierarchy: Hierarchy,
    /// The most that was seen, where the processes' own counters are added up: a process that ends takes its part with it
    /// until its parent has asked for it.
    read_bytes: AtomicU64,
    written_bytes: AtomicU64,
}

impl GroupReader {
    /// The group of the process `pid`; none where it can't be found, or where its path does not hold `mark` (the container's
    /// id): then the process id belongs to another host or another space of process ids.
    pub fn of_process(pid: u32, mark: &str) -> Option<Self> {
        Self::with_proc(Path::new("/proc"), pid, mark)
    }

    fn with_proc(proc: &Path, pid: u32, mark: &str) -> Option<Self> {
        let cgroup = fs::read_to_string(proc.join(pid.to_string()).join("cgroup")).ok()?;
        if !cgroup.contains(mark) {
            return None;
        }
        let hierarchy = locate(&cgroup, &fs::read_to_string(proc.join("self/mountinfo")).ok()?)?;
        let (read_bytes, written_bytes) = (AtomicU64::new(0), AtomicU64::new(0));
        Some(GroupReader { proc: proc.into(), pid, hierarchy, read_bytes, written_bytes })
    }

    /// Reads everything now; none once the group is gone.
    pub fn read(&self) -> Option<Reading> {
        let mut reading = Reading { cpu_seconds: Some(self.cpu_seconds()?), ..Reading::default() };
        if let Some(Memory { used, cache }) = self.memory() {
            reading.memory_bytes = Some(used);
            reading.cache_bytes = Some(cache);
        }
        let (bytes, operations) = self.transfers();
        if let Some(bytes) = bytes.or_else(|| self.processes_transfers()) {
            reading.disk_read_bytes = Some(self.read_bytes.fetch_max(bytes.read, Ordering::Relaxed).max(bytes.read));
            reading.disk_write_bytes =
                Some(self.written_bytes.fetch_max(bytes.written, Ordering::Relaxed).max(bytes.written));
        }
        reading.disk_reads = operations.map(|operations| operations.read);
        reading.disk_writes = operations.map(|operations| operations.written);
        if let Some(Traffic { received, sent }) = self.network() {
            reading.network_in_bytes = Some(received);
            reading.network_out_bytes = Some(sent);
        }
        Some(reading)
    }

    fn cpu_seconds(&self) -> Option<f64> {
        match &self.hierarchy {
            Hierarchy::V1 { cpu, .. } => Some(single(&text(cpu.as_ref()?, "cpuacct.usage")?)? as f64 / 1e9),
            Hierarchy::V2(folder) => Some(keyed(&text(folder, "cpu.stat")?, "usage_usec")? as f64 / 1e6),
        }
    }

    fn memory(&self) -> Option<Memory> {
        match &self.hierarchy {
            Hierarchy::V1 { memory, .. } => {
                let folder = memory.as_ref()?;
                memory_of_texts(&text(folder, "memory.usage_in_bytes")?, &text(folder, "memory.stat")?)
            }
            Hierarchy::V2(folder) => memory_of_texts(&text(folder, "memory.current")?, &text(folder, "memory.stat")?),
        }
    }

    /// Bytes and operations by the kernel's block accounting.
    fn transfers(&self) -> (Option<Transfers>, Option<Transfers>) {
        match &self.hierarchy {
            Hierarchy::V1 { blkio, .. } => {
                let of = |name: &str| {
                    let folder = blkio.as_ref()?;
                    let whole = text(folder, &format!("{name}_recursive")).or_else(|| text(folder, name))?;
                    transfers_v1(&whole)
                };
                (of("blkio.throttle.io_service_bytes"), of("blkio.throttle.io_serviced"))
            }
            Hierarchy::V2(folder) => text(folder, "io.stat").and_then(|text| transfers_v2(&text)).unzip(),
        }
    }

    /// Bytes by the processes' own accounting, where the kernel has none for the group.
    fn processes_transfers(&self) -> Option<Transfers> {
        let folder = match &self.hierarchy {
            Hierarchy::V1 { cpu, .. } => cpu.as_ref()?,
            Hierarchy::V2(folder) => folder,
        };
        let mut sum = Transfers::default();
        let mut readable = false;
        for pid in text(folder, "cgroup.procs")?.lines() {
            let Some(io) = text(&self.proc.join(pid), "io") else { continue };
            let Some((read, written)) = process::disk_bytes(&io) else { continue };
            sum.read += read;
            sum.written += written;
            readable = true;
        }
        readable.then_some(sum)
    }

    fn network(&self) -> Option<Traffic> {
        process::traffic(&text(&self.proc.join(self.pid.to_string()), "net/dev")?)
    }
}

fn text(folder: &Path, name: &str) -> Option<String> {
    fs::read_to_string(folder.join(name)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A made-up /proc and cgroup tree in a folder of its own.
    struct Tree(PathBuf);

    impl Tree {
        fn new(name: &str) -> Self {
            let folder = std::env::temp_dir().join(format!("velodrome-cgroup-{}-{name}", std::process::id()));
            let _ = fs::remove_dir_all(&folder);
            Tree(folder)
        }

        fn put(&self, path: &str, text: &str) -> &Self {
            let path = self.0.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
            self
        }

        fn reader(&self) -> Option<GroupReader> {
            GroupReader::with_proc(&self.0.join("proc"), 7, "ab12")
        }

        fn mounted(&self, lines: &str) -> &Self {
            self.put("proc/self/mountinfo", &lines.replace("ROOT", &self.0.display().to_string()))
        }
    }

    impl Drop for Tree {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    const NET: &str = "Inter-| Receive\n face |bytes\n    lo: 9 1 0 0 0 0 0 0 9 1 0 0 0 0 0 0\n  \
        eth0: 736 8 0 0 0 0 0 0 100 2 0 0 0 0 0 0\n";

    #[test]
    fn a_version_2_group_is_read_whole() {
        let tree = Tree::new("v2");
        tree.mounted("30 23 0:26 / ROOT/cg rw - cgroup2 cgroup2 rw\n").put("proc/7/cgroup", "0::/docker-ab12.scope\n");
        tree.put("proc/7/net/dev", NET).put("cg/docker-ab12.scope/cpu.stat", "usage_usec 1500000\nuser_usec 1\n");
        tree.put("cg/docker-ab12.scope/memory.current", "5000\n")
            .put("cg/docker-ab12.scope/memory.stat", "file 900\nshmem 100\n");
        tree.put("cg/docker-ab12.scope/io.stat", "8:0 rbytes=1 wbytes=2 rios=3 wios=4 dbytes=0 dios=0\n");
        let reading = tree.reader().unwrap().read().unwrap();
        let whole = Reading {
            at_ms: 0,
            cpu_seconds: Some(1.5),
            memory_bytes: Some(4200),
            cache_bytes: Some(800),
            disk_read_bytes: Some(1),
            disk_write_bytes: Some(2),
            disk_reads: Some(3),
            disk_writes: Some(4),
            network_in_bytes: Some(736),
            network_out_bytes: Some(100),
        };
        assert_eq!(reading, whole);
    }

    #[test]
    fn a_version_1_group_without_block_accounting_adds_up_its_processes_and_never_shrinks() {
        let tree = Tree::new("v1");
        tree.mounted(
            "1 2 0:1 / ROOT/cpu rw - cgroup cgroup rw,cpuacct\n1 2 0:1 / ROOT/blk rw - cgroup cgroup rw,blkio\n",
        );
        tree.put("proc/7/cgroup", "3:blkio:/docker/ab12\n2:cpuacct:/docker/ab12\n");
        tree.put("cpu/docker/ab12/cpuacct.usage", "2000000000\n").put("cpu/docker/ab12/cgroup.procs", "7\n8\n");
        tree.put("blk/docker/ab12/blkio.throttle.io_service_bytes", "Total 0\n");
        tree.put("proc/7/io", "read_bytes: 10\nwrite_bytes: 20\n").put("proc/8/io", "read_bytes: 1\nwrite_bytes: 2\n");
        let reader = tree.reader().unwrap();
        let first = reader.read().unwrap();
        assert_eq!((first.disk_read_bytes, first.disk_write_bytes), (Some(11), Some(22)));
        assert_eq!((first.cpu_seconds, first.memory_bytes, first.disk_reads), (Some(2.0), None, None));
        tree.put("cpu/docker/ab12/cgroup.procs", "7\n");
        assert_eq!(reader.read().unwrap().disk_write_bytes, Some(22));
    }

    #[test]
    fn a_process_of_another_container_is_not_read() {
        let tree = Tree::new("other");
        tree.mounted("30 23 0:26 / ROOT/cg rw - cgroup2 cgroup2 rw\n").put("proc/7/cgroup", "0::/init.scope\n");
        assert!(tree.reader().is_none());
    }

    #[test]
    fn a_group_that_is_gone_gives_none() {
        let tree = Tree::new("gone");
        tree.mounted("30 23 0:26 / ROOT/cg rw - cgroup2 cgroup2 rw\n").put("proc/7/cgroup", "0::/docker-ab12\n");
        assert_eq!(tree.reader().unwrap().read(), None);
    }
}
