//! Guards against a full disk.
//!
//! It must not know what fills it. Invariant: a run stops while there is still room for its journal and its report.

use std::path::PathBuf;

use super::words::bytes;
use crate::observe::disk::space;

/// Less than this free ends the run …
const LEAST_BYTES: u64 = 1 << 30;
/// … or less than this share of a large disk, …
const LEAST_SHARE: u64 = 100;
/// … but no more than this is asked for.
const MOST_BYTES: u64 = 10 << 30;

/// The file systems that must not fill up.
#[derive(Clone, Debug, Default)]
pub struct Guard {
    paths: Vec<PathBuf>,
}

impl Guard {
    /// For the file systems that these paths lie on.
    pub fn new(paths: Vec<PathBuf>) -> Self {
        Guard { paths }
    }

    /// What to say where one of them is nearly full.
    pub fn nearly_full(&self) -> Option<String> {
        self.paths.iter().find_map(|path| {
            let space = space(path)?;
            let least = least(space.whole);
            (space.free < least).then(|| {
                format!(
                    "the disk of {} has {} free of {}; the run stops below {}",
                    path.display(),
                    bytes(space.free),
                    bytes(space.whole),
                    bytes(least)
                )
            })
        })
    }
}

/// How many bytes must stay free on a disk of this size.
fn least(whole: u64) -> u64 {
    // A disk that is itself small is not refused outright.
    (whole / LEAST_SHARE).clamp(LEAST_BYTES, MOST_BYTES).min(whole / 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_must_stay_free_follows_the_disks_size() {
        assert_eq!(least(100 << 30), 1 << 30);
        assert_eq!(least(500 << 30), 5 << 30);
        assert_eq!(least(8 << 40), 10 << 30);
        assert_eq!(least(2 << 30), (2 << 30) / 20);
    }

    #[test]
    fn a_path_that_is_not_there_says_nothing() {
        assert_eq!(Guard::new(vec![PathBuf::from("/nonexistent/velodrome")]).nearly_full(), None);
    }
}
