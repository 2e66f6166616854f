//! Where the files of a process's control group lie.
//!
//! It must not open anything: the texts of /proc/PID/cgroup and /proc/self/mountinfo come in. Invariant: only mounts that are
//! there are named.

use std::path::PathBuf;

/// The folders of one process's group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hierarchy {
    /// Version 1: a folder a controller; none where that is not mounted.
    V1 {
        /// `cpuacct`.
        cpu: Option<PathBuf>,
        /// `memory`.
        memory: Option<PathBuf>,
        /// `blkio`.
        blkio: Option<PathBuf>,
    },
    /// Version 2: one folder.
    V2(PathBuf),
}

/// One mounted hierarchy.
struct Mount<'a> {
    root: &'a str,
    point: &'a str,
    controllers: Vec<&'a str>,
    unified: bool,
}

/// Finds the group's folders. `cgroup` is the text of /proc/PID/cgroup, `mountinfo` that of /proc/self/mountinfo. On a host
/// with both versions the controllers' own hierarchies (version 1) are taken where they account for the processor.
pub fn locate(cgroup: &str, mountinfo: &str) -> Option<Hierarchy> {
    let mounts: Vec<Mount> = mountinfo.lines().filter_map(mount).collect();
    let controller = |name: &str| {
        let path = cgroup
            .lines()
            .find_map(|line| group_path(line, |controllers| controllers.split(',').any(|c| c == name)))?;
        let mount = mounts.iter().find(|mount| !mount.unified && mount.controllers.contains(&name))?;
        Some(below(mount, path))
    };
    if let Some(cpu) = controller("cpuacct") {
        return Some(Hierarchy::V1 { cpu: Some(cpu), memory: controller("memory"), blkio: controller("blkio") });
    }
    let path = cgroup.lines().find_map(|line| group_path(line, str::is_empty))?;
    let mount = mounts.iter().find(|mount| mount.unified)?;
    Some(Hierarchy::V2(below(mount, path)))
}

/// The path in a line of /proc/PID/cgroup (`4:memory:/docker/ID`) whose controllers are the right ones.
fn group_path(line: &str, right: impl Fn(&str) -> bool) -> Option<&str> {
    let (_, rest) = line.split_once(':')?;
    let (controllers, path) = rest.split_once(':')?;
    right(controllers).then_some(path)
}

/// A line of mountinfo: `35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory`.
fn mount(line: &str) -> Option<Mount<'_>> {
    let (left, right) = line.split_once(" - ")?;
    let mut left = left.split(' ').skip(3);
    let (root, point) = (left.next()?, left.next()?);
    let mut right = right.split(' ');
    let (kind, _source, options) = (right.next()?, right.next()?, right.next()?);
    let unified = kind == "cgroup2";
    (unified || kind == "cgroup").then(|| Mount { root, point, controllers: options.split(',').collect(), unified })
}

/// A group's folder below a mount whose own root may lie deeper (as in a container).
fn below(mount: &Mount<'_>, path: &str) -> PathBuf {
    let inner = if mount.root == "/" { path } else { path.strip_prefix(mount.root).unwrap_or(path) };
    PathBuf::from(mount.point).join(inner.trim_start_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS_V1: &str = "31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755\n\
        32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:9 - cgroup cgroup rw,cpu,cpuacct\n\
        35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n\
        38 31 0:35 / /sys/fs/cgroup/blkio rw,relatime - cgroup cgroup rw,blkio\n\
        41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n";
    const MOUNTS_V2: &str = "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n";

    #[test]
    fn version_1_has_a_folder_for_each_controller() {
        let cgroup = "7:blkio:/docker/ab\n4:memory:/docker/ab\n2:cpu,cpuacct:/docker/ab\n0::/docker/ab\n";
        let found = locate(cgroup, MOUNTS_V1).unwrap();
        assert_eq!(
            found,
            Hierarchy::V1 {
                cpu: Some(PathBuf::from("/sys/fs/cgroup/cpu,cpuacct/docker/ab")),
                memory: Some(PathBuf::from("/sys/fs/cgroup/memory/docker/ab")),
                blkio: Some(PathBuf::from("/sys/fs/cgroup/blkio/docker/ab")),
            }
        );
    }

    #[test]
    fn version_2_has_one_folder() {
        let cgroup = "0::/system.slice/docker-ab.scope\n";
        let folder = PathBuf::from("/sys/fs/cgroup/system.slice/docker-ab.scope");
        assert_eq!(locate(cgroup, MOUNTS_V2), Some(Hierarchy::V2(folder)));
    }

    #[test]
    fn a_mount_whose_root_lies_deeper_is_stripped() {
        let mounts = MOUNTS_V2.replace("0:26 / ", "0:26 /kubepods ");
        assert_eq!(locate("0::/kubepods/pod1/ab\n", &mounts), Some(Hierarchy::V2("/sys/fs/cgroup/pod1/ab".into())));
    }

    #[test]
    fn without_mounts_there_is_nothing() {
        assert_eq!(locate("0::/a\n", "1 2 0:1 / / rw - ext4 /dev/sda rw\n"), None);
    }
}
