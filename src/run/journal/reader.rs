//! Reads journals of this version and the one before.
//!
//! It must not know what an event means. Invariant: every line that was whole when it was written is given back or named in
//! the error.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::events::{JOURNAL_VERSION, Line};

/// Why a journal can't be read.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file can't be read.
    #[error("{}: {cause}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's words.
        cause: std::io::Error,
    },
    /// A line is torn or holds something unknown.
    #[error("{}:{line}: not a journal line: {cause}; the journal was changed by something else than Velodrome", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line's number, from 1.
        line: usize,
        /// What is wrong with it.
        cause: String,
    },
    /// A line has a version that this program does not read.
    #[error(
        "{}:{line}: journal version {found}; this velodrome reads {} to {JOURNAL_VERSION}: use the velodrome that wrote it",
        path.display(),
        oldest()
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// The line's number, from 1.
        line: usize,
        /// The version found.
        found: u32,
    },
}

/// A journal as read.
#[derive(Clone, Debug, Default)]
pub struct Journal {
    /// Its lines in order.
    pub lines: Vec<Line>,
    /// The bytes that whole lines take; a torn last line lies behind them.
    pub whole_bytes: u64,
}

/// The oldest version that is read.
fn oldest() -> u32 {
    JOURNAL_VERSION.saturating_sub(1).max(1)
}

/// The version alone, whatever else the line holds.
#[derive(Deserialize)]
struct Versioned {
    v: u32,
}

/// Reads a journal's lines.
///
/// # Errors
/// See [`JournalError`]; a torn last line is none.
pub fn read(path: &Path) -> Result<Vec<Line>, JournalError> {
    Ok(read_journal(path)?.lines)
}

/// Reads a journal's lines, and how far they reach.
///
/// # Errors
/// See [`JournalError`]; a torn last line is none.
pub fn read_journal(path: &Path) -> Result<Journal, JournalError> {
    let bytes = std::fs::read(path).map_err(|cause| JournalError::Read { path: path.to_owned(), cause })?;
    parse(path, &bytes)
}

/// Reads the bytes of a journal; `path` is for messages.
pub(crate) fn parse(path: &Path, bytes: &[u8]) -> Result<Journal, JournalError> {
    let last = bytes.trim_ascii_end().len();
    let mut journal = Journal::default();
    let mut start = 0;
    for (index, raw) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
        let end = start + raw.len();
        let text = raw.trim_ascii();
        // Whole only with its line break: without, more may have been meant to follow.
        let is_last = end >= last;
        match parse_line(path, index + 1, text) {
            _ if text.is_empty() => {}
            Err(JournalError::Line { .. }) if is_last && is_torn(text) => break,
            Ok(_) if !raw.ends_with(b"\n") => break,
            Ok(line) => {
                journal.lines.push(line);
                journal.whole_bytes = end as u64;
            }
            Err(error) => return Err(error),
        }
        start = end;
    }
    Ok(journal)
}

/// Whether the text is no JSON at all, as opposed to JSON that says something unknown.
fn is_torn(text: &[u8]) -> bool {
    serde_json::from_slice::<serde::de::IgnoredAny>(text).is_err()
}

fn parse_line(path: &Path, line: usize, text: &[u8]) -> Result<Line, JournalError> {
    let bad = |cause: serde_json::Error| JournalError::Line { path: path.to_owned(), line, cause: cause.to_string() };
    let version = serde_json::from_slice::<Versioned>(text).map_err(bad)?.v;
    if version < oldest() || version > JOURNAL_VERSION {
        return Err(JournalError::Version { path: path.to_owned(), line, found: version });
    }
    serde_json::from_slice(text).map_err(bad)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MESSAGE: &str =
        r#"{"v":1,"at":"2026-12-01T12:00:00.000Z","event":{"message":{"severity":"note","text":"one"}}}"#;

    fn parsed(text: &str) -> Result<Journal, JournalError> {
        parse(Path::new("journal.jsonl"), text.as_bytes())
    }

    #[test]
    fn a_torn_last_line_is_forgiven() {
        for cut in 1..MESSAGE.len() {
            let journal = parsed(&format!("{MESSAGE}\n{}", &MESSAGE[..cut])).unwrap();
            assert_eq!(journal.lines.len(), 1, "cut at {cut}");
            assert_eq!(journal.whole_bytes, MESSAGE.len() as u64 + 1);
            let with_break = parsed(&format!("{MESSAGE}\n{}\n", &MESSAGE[..cut])).unwrap();
            assert_eq!(with_break.lines.len(), 1, "cut at {cut}, with a line break");
        }
    }

    #[test]
    fn zeros_after_a_power_cut_are_forgiven() {
        assert_eq!(parsed(&format!("{MESSAGE}\n\0\0\0\0")).unwrap().lines.len(), 1);
    }

    #[test]
    fn a_torn_middle_line_is_an_error_that_names_it() {
        let error = parsed(&format!("{MESSAGE}\n{}\n{MESSAGE}\n", &MESSAGE[..20])).unwrap_err();
        assert!(error.to_string().starts_with("journal.jsonl:2: not a journal line"), "{error}");
    }

    #[test]
    fn an_unknown_event_is_an_error_even_at_the_end() {
        let error = parsed(r#"{"v":1,"at":"2026-12-01T12:00:00Z","event":{"party":{}}}"#).unwrap_err();
        assert!(error.to_string().contains("journal.jsonl:1: not a journal line: unknown variant `party`"), "{error}");
    }

    #[test]
    fn other_versions_are_refused_by_name() {
        let error = parsed(&MESSAGE.replace("\"v\":1", "\"v\":3")).unwrap_err();
        assert!(error.to_string().contains("journal version 3; this velodrome reads 1 to 1"), "{error}");
        assert!(matches!(parsed(&MESSAGE.replace("\"v\":1", "\"v\":0")), Err(JournalError::Version { found: 0, .. })));
    }

    #[test]
    fn what_was_torn_is_cut_off_before_more_is_appended() {
        let folder = std::env::temp_dir().join(format!("velodrome-journal-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("journal.jsonl");
        std::fs::write(&path, format!("{MESSAGE}\n{}", &MESSAGE[..30])).unwrap();
        let whole = read_journal(&path).unwrap().whole_bytes;
        let mut writer = super::super::writer::JournalWriter::append(&path, whole).unwrap();
        let event = super::super::events::Event::Message { severity: "note".into(), text: "two".into() };
        writer.write(jiff::Timestamp::UNIX_EPOCH, event).unwrap();
        let lines = read(&path).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[1].at, "1970-01-01T00:00:00.000Z");
    }
}
