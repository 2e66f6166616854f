//! A run's folder: its id, where things lie in it, its lock, and how one is found.
//!
//! It must not know what is written in the files. Invariant: one process at a time holds a run's lock; who can take it knows
//! that the run is not going on.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::workload::model::mix;

/// A run's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    /// The run's id, such as `20261201-122233-a1b2`: ids sort by time (UTC).
    pub id: String,
    /// The folder, absolute.
    pub path: PathBuf,
}

/// What is wrong with a run's folder.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// It can't be made or read.
    #[error("{what} {}: {cause}", path.display())]
    Io {
        /// The step.
        what: &'static str,
        /// The path.
        path: PathBuf,
        /// The system's words.
        cause: io::Error,
    },
    /// There is no such run.
    #[error("no run {name:?} in {}: {known}", reports.display())]
    Unknown {
        /// As asked.
        name: String,
        /// Where it was sought.
        reports: PathBuf,
        /// What there is.
        known: String,
    },
    /// Another process holds its lock.
    #[error("run {0} is going on in another process; `velodrome status {0}` shows how far it is")]
    Held(String),
}

/// A held lock: given back when dropped, or when the process ends in whatever way.
#[derive(Debug)]
pub struct RunLock {
    _file: File,
}

impl Folder {
    /// Makes the folder of a new run below `reports`, at this time. `salt` tells apart runs that start in one second.
    ///
    /// # Errors
    /// When it can't be made or written to.
    pub fn create(reports: &Path, now: Timestamp, salt: u64) -> Result<Self, FolderError> {
        let fail = |what, path: &Path| {
            let path = path.to_owned();
            move |cause| FolderError::Io { what, path, cause }
        };
        std::fs::create_dir_all(reports).map_err(fail("can't make the folder for runs", reports))?;
        let reports = std::path::absolute(reports).map_err(fail("can't find", reports))?;
        let mut salt = salt;
        loop {
            let id = run_id(now, salt);
            let path = reports.join(&id);
            match std::fs::create_dir(&path) {
                Ok(()) => {
                    let trials = path.join("trials");
                    std::fs::create_dir(&trials).map_err(fail("can't make", &trials))?;
                    return Ok(Folder { id, path });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => salt = mix(salt),
                Err(error) => return Err(fail("can't make the run's folder", &path)(error)),
            }
        }
    }

    /// The run called `name`: a folder that holds a run, or the id of one below `reports`.
    ///
    /// # Errors
    /// When there is none; names the latest that there are.
    pub fn find(reports: &Path, name: &str) -> Result<Self, FolderError> {
        let given = Path::new(name);
        let below = reports.join(name);
        for path in [given, below.as_path()] {
            if !name.is_empty() && path.join("journal.jsonl").is_file() {
                return Folder::at(path);
            }
        }
        let known = match Folder::all(reports) {
            runs if runs.is_empty() => "there are no runs".to_owned(),
            runs => {
                let ids: Vec<&str> = runs.iter().rev().take(3).map(|run| run.id.as_str()).collect();
                format!("the latest are {}", ids.join(", "))
            }
        };
        Err(FolderError::Unknown { name: name.to_owned(), reports: reports.to_owned(), known })
    }

    /// The run in this folder.
    fn at(path: &Path) -> Result<Self, FolderError> {
        let path = path.canonicalize().map_err(|cause| FolderError::Io {
            what: "can't find",
            path: path.to_owned(),
            cause,
        })?;
        let id = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        Ok(Folder { id, path })
    }

    /// All runs below `reports`, oldest first; none where there is no such folder.
    pub fn all(reports: &Path) -> Vec<Self> {
        let entries = std::fs::read_dir(reports).into_iter().flatten().flatten();
        let mut runs: Vec<Folder> = entries
            .filter(|entry| entry.path().join("journal.jsonl").is_file())
            .filter_map(|entry| Folder::at(&entry.path()).ok())
            .collect();
        runs.sort_by(|a, b| a.id.cmp(&b.id));
        runs
    }

    /// Takes the lock.
    ///
    /// # Errors
    /// When another process holds it, or the file can't be made.
    pub fn lock(&self) -> Result<RunLock, FolderError> {
        let path = self.path.join("lock");
        let fail = |cause| FolderError::Io { what: "can't lock", path: path.clone(), cause };
        let file = OpenOptions::new().create(true).append(true).open(&path).map_err(fail)?;
        match file.try_lock() {
            Ok(()) => Ok(RunLock { _file: file }),
            Err(TryLockError::WouldBlock) => Err(FolderError::Held(self.id.clone())),
            Err(TryLockError::Error(cause)) => Err(fail(cause)),
        }
    }

    /// The plan as it is executed.
    pub fn plan(&self) -> PathBuf {
        self.path.join("plan.json")
    }

    /// The journal.
    pub fn journal(&self) -> PathBuf {
        self.path.join("journal.jsonl")
    }

    /// The log.
    pub fn log(&self) -> PathBuf {
        self.path.join("run.log")
    }

    /// The folder of the trial at `index` (from 0) of the plan's order.
    pub fn trial(&self, index: usize, case: &str, round: u32) -> PathBuf {
        let plain = |c: char| if c.is_ascii_alphanumeric() || "=.-".contains(c) { c } else { '_' };
        let name: String = case.chars().map(plain).take(100).collect();
        self.path.join("trials").join(format!("{:04}-{name}-r{round}", index + 1))
    }
}

/// The id of a run that starts now.
fn run_id(now: Timestamp, salt: u64) -> String {
    let time = now.strftime("%Y%m%d-%H%M%S");
    format!("{time}-{:04x}", mix(salt) & 0xffff)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("velodrome-folder-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        path
    }

    #[test]
    fn runs_of_one_second_have_folders_of_their_own() {
        let reports = scratch("twice");
        let now: Timestamp = "2026-12-01T12:22:33Z".parse().unwrap();
        let first = Folder::create(&reports, now, 7).unwrap();
        let second = Folder::create(&reports, now, 7).unwrap();
        assert_ne!(first.id, second.id);
        assert!(first.id.starts_with("20261201-122233-") && first.id.len() == 20, "{}", first.id);
        std::fs::remove_dir_all(&reports).unwrap();
    }

    #[test]
    fn a_run_is_found_by_id_and_by_folder() {
        let reports = scratch("find");
        let run = Folder::create(&reports, Timestamp::UNIX_EPOCH, 1).unwrap();
        std::fs::write(run.journal(), "").unwrap();
        let run = Folder { path: run.path.canonicalize().unwrap(), ..run };
        assert_eq!(Folder::find(&reports, &run.id).unwrap(), run);
        assert_eq!(Folder::find(&reports, &run.path.to_string_lossy()).unwrap(), run);
        let error = Folder::find(&reports, "nosuch").unwrap_err().to_string();
        assert!(error.contains("no run \"nosuch\"") && error.contains(&run.id), "{error}");
        std::fs::remove_dir_all(&reports).unwrap();
    }

    #[test]
    fn the_lock_is_held_until_it_is_dropped() {
        let reports = scratch("lock");
        let run = Folder::create(&reports, Timestamp::UNIX_EPOCH, 1).unwrap();
        let lock = run.lock().unwrap();
        assert!(matches!(run.lock(), Err(FolderError::Held(_))));
        drop(lock);
        run.lock().unwrap();
        std::fs::remove_dir_all(&reports).unwrap();
    }

    #[test]
    fn where_no_folder_can_be_made_the_error_names_it() {
        let reports = scratch("file");
        std::fs::write(&reports, "").unwrap();
        let error = Folder::create(&reports, Timestamp::UNIX_EPOCH, 1).unwrap_err().to_string();
        assert!(error.contains(&*reports.to_string_lossy()), "{error}");
        std::fs::remove_file(&reports).unwrap();
    }
}
