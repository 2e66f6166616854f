//! Runs the binary in a folder of its own and gives back what it said.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder that is removed at the end, to run the binary in.
pub(crate) struct Sandbox {
    folder: PathBuf,
}

impl Sandbox {
    /// A new empty folder.
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("velodrome-test-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Sandbox { folder }
    }

    /// Its path.
    pub(crate) fn path(&self) -> &Path {
        &self.folder
    }

    /// Writes a file in it.
    pub(crate) fn write(&self, name: &str, text: &str) -> &Self {
        let path = self.folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
        self
    }

    /// The command, ready for arguments.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_velodrome"));
        command.current_dir(&self.folder).stdin(std::process::Stdio::null()).env("NO_COLOR", "1");
        command
    }

    /// Runs it.
    pub(crate) fn run(&self, arguments: &[&str]) -> Said {
        let output = self.command().args(arguments).output().unwrap();
        Said::from(output)
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// What the binary said.
#[derive(Debug)]
pub(crate) struct Said {
    /// The exit code; none: a signal.
    pub(crate) code: Option<i32>,
    /// Standard output.
    pub(crate) out: String,
    /// Standard error.
    pub(crate) err: String,
}

impl From<Output> for Said {
    fn from(output: Output) -> Self {
        Said {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}
