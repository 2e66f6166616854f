//! Files of the file system, and behind them the suites that are compiled in.
//!
//! It must not know what a text means. Invariant: a file that is there wins over one that is compiled in.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;

use include_dir::{Dir, include_dir};

use crate::diagnostic::Sources;

static SUITES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/suites");

/// The file system, and the suites that are compiled in as `suites/NAME`.
pub(super) struct FileSystem;

impl Sources for FileSystem {
    fn read(&self, path: &str) -> Result<String, String> {
        match std::fs::read_to_string(path) {
            Ok(text) => Ok(text),
            Err(error) if error.kind() == ErrorKind::NotFound => compiled_in(path).ok_or_else(|| words(&error)),
            Err(error) => Err(words(&error)),
        }
    }
}

/// The text of a suite that ships with the binary.
fn compiled_in(path: &str) -> Option<String> {
    let name = path.strip_prefix("./").unwrap_or(path).strip_prefix("suites/")?;
    SUITES.get_file(name)?.contents_utf8().map(str::to_owned)
}

/// What the system says of a file, without its error number.
fn words(error: &std::io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "there is no such file".to_owned(),
        ErrorKind::PermissionDenied => "the permission is denied".to_owned(),
        ErrorKind::IsADirectory => "it is a folder".to_owned(),
        ErrorKind::InvalidData => "it is no UTF-8 text".to_owned(),
        _ => error.to_string(),
    }
}

/// The texts of a folder and all below it, by their path in it; files that are no text are left out.
///
/// # Errors
/// What can't be read.
pub(super) fn texts(folder: &Path) -> std::io::Result<BTreeMap<String, String>> {
    let mut texts = BTreeMap::new();
    let mut waiting = vec![folder.to_path_buf()];
    while let Some(next) = waiting.pop() {
        for entry in std::fs::read_dir(&next)? {
            let path = entry?.path();
            if path.is_dir() {
                waiting.push(path);
                continue;
            }
            if let (Ok(name), Ok(text)) = (path.strip_prefix(folder), String::from_utf8(std::fs::read(&path)?)) {
                texts.insert(name.to_string_lossy().into_owned(), text);
            }
        }
    }
    Ok(texts)
}
