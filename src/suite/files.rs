//! The files of one reading: read through [`Sources`], kept with their masked texts.
//!
//! It must not know what a text means. Invariant: a text is in the source map, secrets masked, before anything is said of it.

use super::secrets;
use crate::diagnostic::{Diagnostic, FileId, SourceMap, Sources, Span};

/// The files of one reading.
pub(super) struct Files<'a> {
    sources: &'a dyn Sources,
    /// The texts as they were read, by file; only what reads them again may see them.
    originals: Vec<String>,
    /// All files read.
    pub(super) map: SourceMap,
}

impl<'a> Files<'a> {
    pub(super) fn new(sources: &'a dyn Sources) -> Self {
        Files { sources, originals: Vec::new(), map: SourceMap::default() }
    }

    /// Reads a file. `named_at` is where the file that names it does so; none for the command line.
    pub(super) fn read(&mut self, path: &str, named_at: Option<Span>) -> Result<(FileId, String), Diagnostic> {
        match self.sources.read(path) {
            Ok(text) => Ok(self.add(path, text)),
            Err(reason) => {
                let found = Diagnostic::error("file-not-read", format!("{path} can't be read: {reason}"));
                Err(named_at.into_iter().fold(found, |found, span| found.at(span, "named here")))
            }
        }
    }

    /// Adds a text that is no file, such as what a flag holds.
    pub(super) fn add(&mut self, name: &str, text: String) -> (FileId, String) {
        let text = text.strip_prefix('\u{feff}').map_or(text.clone(), str::to_owned);
        let file = self.map.add(name, text.clone());
        self.originals.push(text.clone());
        for range in secrets::plain(&text) {
            self.map.mask(Span { file, start: range.start as u32, end: range.end as u32 });
        }
        (file, text)
    }

    /// What stands at a place, unmasked.
    pub(super) fn original(&self, span: Span) -> &str {
        &self.originals[span.file.0 as usize][span.range()]
    }

    /// The path of `name` as seen from the file that holds it.
    pub(super) fn resolve(&self, from: FileId, name: &str) -> String {
        self.sources.resolve(self.map.name(from), name)
    }
}
