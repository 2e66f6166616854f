//! run.log: what happened, with times; what repeats is counted, not repeated.
//!
//! It must not know secrets. Invariant: a log that can't be written ends the words, not the run.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;

/// A run's log.
#[derive(Debug)]
pub struct Log {
    inner: Mutex<Inner>,
}

#[derive(Debug)]
struct Inner {
    file: Option<File>,
    last: String,
    repeats: u64,
}

impl Log {
    /// Opens the log for appending; where that fails nothing is logged.
    pub fn open(path: &Path) -> Self {
        let file = OpenOptions::new().create(true).append(true).open(path).ok();
        Log { inner: Mutex::new(Inner { file, last: String::new(), repeats: 0 }) }
    }

    /// Adds a line; the same line again is only counted until another comes.
    pub fn line(&self, text: &str) {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        if inner.last == text {
            inner.repeats += 1;
            return;
        }
        inner.flush_repeats();
        inner.write(text);
        text.clone_into(&mut inner.last);
    }
}

impl Inner {
    fn flush_repeats(&mut self) {
        if self.repeats > 0 {
            let text = format!("(the last line came {} more times)", self.repeats);
            self.repeats = 0;
            self.write(&text);
        }
    }

    fn write(&mut self, text: &str) {
        if let Some(file) = &mut self.file {
            let line = format!("{:.3} {text}\n", Timestamp::now());
            // There is nowhere left to say that the log can't be written.
            let _ = file.write_all(line.as_bytes());
        }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.flush_repeats();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_line_is_counted() {
        let path = std::env::temp_dir().join(format!("velodrome-log-{}", std::process::id()));
        let log = Log::open(&path);
        for _ in 0..1000 {
            log.line("refused");
        }
        log.line("done");
        drop(log);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        let lines: Vec<&str> = text.lines().map(|line| line.split_once(' ').unwrap().1).collect();
        assert_eq!(lines, ["refused", "(the last line came 999 more times)", "done"]);
    }
}
