//! Bytes on disk: of folders, and free in a file system.
//!
//! It must not know whose they are. Invariant: a file with several names is counted once.

use std::collections::HashSet;
use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::fs::statvfs;

/// A file system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Space {
    /// Bytes that a user without privileges can still write.
    pub free: u64,
    /// Bytes in all.
    pub whole: u64,
}

/// The space of the file system that a path lies on; none where it can't be told.
pub fn space(path: &Path) -> Option<Space> {
    let found = statvfs(path).ok()?;
    Some(Space { free: found.f_bavail * found.f_frsize, whole: found.f_blocks * found.f_frsize })
}

/// The sizes of all files below a path (or of the file itself), added up. Files that vanish meanwhile count nothing.
///
/// # Errors
/// When the path itself is not there, or a folder can't be read.
pub fn size(path: &Path) -> io::Result<u64> {
    let mut seen = HashSet::new();
    let mut folders = Vec::new();
    let mut sum = 0;
    let top = fs::symlink_metadata(path)?;
    if !top.is_dir() {
        return Ok(top.len());
    }
    folders.push(path.to_path_buf());
    while let Some(folder) = folders.pop() {
        for entry in forgive(fs::read_dir(&folder))?.into_iter().flatten() {
            let Some(entry) = forgive(entry)? else { continue };
            let Some(meta) = forgive(entry.metadata())? else { continue };
            if meta.is_dir() {
                folders.push(entry.path());
            } else if meta.is_file() && (meta.nlink() == 1 || seen.insert((meta.dev(), meta.ino()))) {
                sum += meta.len();
            }
        }
    }
    Ok(sum)
}

/// What has vanished since it was listed is no error.
fn forgive<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_below_add_up_and_hard_links_count_once() {
        let folder = std::env::temp_dir().join(format!("velodrome-size-{}", std::process::id()));
        fs::create_dir_all(folder.join("a/b")).unwrap();
        fs::write(folder.join("a/one"), [0; 1000]).unwrap();
        fs::write(folder.join("a/b/two"), [0; 234]).unwrap();
        fs::hard_link(folder.join("a/one"), folder.join("again")).unwrap();
        assert_eq!(size(&folder).unwrap(), 1234);
        assert_eq!(size(&folder.join("a/b/two")).unwrap(), 234);
        fs::remove_dir_all(&folder).unwrap();
        assert!(size(&folder).is_err());
    }

    #[test]
    fn a_file_system_has_space() {
        let space = space(&std::env::temp_dir()).unwrap();
        assert!(space.whole > 0 && space.free <= space.whole);
    }
}
