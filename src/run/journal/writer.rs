//! Appends events to a journal.
//!
//! It must not know what an event means. Invariant: when `write` returns, the line is the kernel's, and for the events that
//! close something it is on the disk.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use jiff::Timestamp;

use super::events::{Event, JOURNAL_VERSION, Line};

/// A journal open for appending.
#[derive(Debug)]
pub struct JournalWriter {
    file: File,
}

impl JournalWriter {
    /// Begins a new journal.
    ///
    /// # Errors
    /// When the file can't be made, or is there already.
    pub fn create(path: &Path) -> io::Result<Self> {
        Ok(JournalWriter { file: OpenOptions::new().append(true).create_new(true).open(path)? })
    }

    /// Goes on with a journal whose first `whole_bytes` bytes are whole lines; what is torn behind them is cut off, so that
    /// it never becomes a torn middle.
    ///
    /// # Errors
    /// When the file can't be opened or cut.
    pub fn append(path: &Path, whole_bytes: u64) -> io::Result<Self> {
        let file = OpenOptions::new().append(true).open(path)?;
        if file.metadata()?.len() > whole_bytes {
            file.set_len(whole_bytes)?;
            file.sync_all()?;
        }
        Ok(JournalWriter { file })
    }

    /// Appends one event. Starts and ends are on the disk when this returns.
    ///
    /// # Errors
    /// When the file can't be written, such as on a full disk.
    pub fn write(&mut self, at: Timestamp, event: Event) -> io::Result<()> {
        let sync = !matches!(event, Event::TrialStarted { .. } | Event::Message { .. });
        let line = Line { v: JOURNAL_VERSION, at: format!("{at:.3}"), event };
        let mut text = serde_json::to_vec(&line)?;
        text.push(b'\n');
        // One call: a line is not torn by a kill between two writes.
        self.file.write_all(&text)?;
        if sync { self.file.sync_data() } else { Ok(()) }
    }
}
