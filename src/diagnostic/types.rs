//! The types: spans into source files, and diagnostics made of them.
//!
//! They must not know how a diagnostic is shown. Invariant: byte ranges lie on character boundaries.

use std::ops::Range;

/// A file among the sources of one reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// A byte range in a source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The byte range.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Nothing is run.
    Error,
    /// It is run, but look.
    Warning,
    /// For information.
    Note,
}

/// A place that a diagnostic points at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What is to be said there; may be empty.
    pub text: String,
}

/// One finding about the user's input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// A stable code, such as `unknown-key`.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, naming the values.
    pub message: String,
    /// Where: the first is the primary place. Empty for what has no place (a command line flag).
    pub labels: Vec<Label>,
    /// How to mend it, a line each.
    pub help: Vec<String>,
}

impl Diagnostic {
    /// An error with its code and message; add places and help.
    pub fn error(code: &'static str, message: impl Into<String>) -> Self {
        Diagnostic { code, severity: Severity::Error, message: message.into(), labels: Vec::new(), help: Vec::new() }
    }

    /// A warning with its code and message.
    pub fn warning(code: &'static str, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, message) }
    }

    /// A note with its code and message.
    pub fn note(code: &'static str, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Note, ..Diagnostic::error(code, message) }
    }

    /// Adds a place, with what is to be said there.
    #[must_use]
    pub fn at(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// Adds a line that says how to mend it.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(text.into());
        self
    }
}

/// The texts of all files read, by id.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<(String, String)>,
}

impl SourceMap {
    /// Adds a file by the name that diagnostics show.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        self.files.push((name.into(), text.into()));
        FileId((self.files.len() - 1) as u32)
    }

    /// Adds a line to a file's end, and gives back where it stands. For texts that grow while they are read: command lines.
    pub fn append(&mut self, file: FileId, line: &str) -> Span {
        let text = &mut self.files[file.0 as usize].1;
        let start = text.len() as u32;
        text.push_str(line);
        text.push('\n');
        Span { file, start, end: start + line.len() as u32 }
    }

    /// Overwrites a place with asterisks, byte by byte: what is masked is never shown, whichever diagnostic shows the line.
    pub fn mask(&mut self, span: Span) {
        let text = &mut self.files[span.file.0 as usize].1;
        let masked: String = text[span.range()]
            .chars()
            .map(|c| if c == '\n' { "\n".into() } else { "*".repeat(c.len_utf8()) })
            .collect();
        text.replace_range(span.range(), &masked);
    }

    /// The file whose name diagnostics show so.
    pub fn find(&self, name: &str) -> Option<FileId> {
        self.files.iter().position(|(known, _)| known == name).map(|index| FileId(index as u32))
    }

    /// The name that diagnostics show.
    pub fn name(&self, file: FileId) -> &str {
        &self.files[file.0 as usize].0
    }

    /// The whole text.
    pub fn text(&self, file: FileId) -> &str {
        &self.files[file.0 as usize].1
    }
}
