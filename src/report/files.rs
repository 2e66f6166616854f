//! Where a report's files are written: the only place in it that touches the disk.
//!
//! It must not make a text. Invariant: a file is whole or not there: it is written beside its place and renamed.

use std::path::{Path, PathBuf};

use super::model::report::ReportModel;
use super::{csv, html, json, markdown};

/// What a report can be written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    /// report.html.
    Html,
    /// report.md.
    Markdown,
    /// csv/.
    Csv,
    /// report.json.
    Json,
}

impl Format {
    /// All, in the order they are written.
    pub const ALL: [Format; 4] = [Format::Html, Format::Markdown, Format::Csv, Format::Json];

    /// The format by its name in suites and on the command line.
    pub fn find(name: &str) -> Option<Format> {
        match name {
            "html" => Some(Format::Html),
            "md" | "markdown" => Some(Format::Markdown),
            "csv" => Some(Format::Csv),
            "json" => Some(Format::Json),
            _ => None,
        }
    }
}

/// Why a report could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A file could not be written.
    #[error("can't write {path}: {source}")]
    Write {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The model could not be turned into text.
    #[error("can't make {name}: {reason}")]
    Make {
        /// Which file.
        name: &'static str,
        /// Why.
        reason: String,
    },
}

/// Writes the model in these formats into a folder, which is made where it is missing; gives back the paths written.
///
/// # Errors
/// When a file can't be written, with its path.
pub fn write(model: &ReportModel, folder: &Path, formats: &[Format]) -> Result<Vec<PathBuf>, ReportError> {
    let mut written = Vec::new();
    for format in formats {
        match format {
            Format::Html => {
                let text = html::html(model)
                    .map_err(|e| ReportError::Make { name: "report.html", reason: format!("{e:#}") })?;
                written.push(put(folder, "report.html", &text)?);
            }
            Format::Csv => {
                for (name, text) in csv::files(model) {
                    written.push(put(&folder.join("csv"), &name, &text)?);
                }
            }
            Format::Markdown => written.push(put(folder, "report.md", &markdown::markdown(model))?),
            Format::Json => {
                let text =
                    json::json(model).map_err(|e| ReportError::Make { name: "report.json", reason: e.to_string() })?;
                written.push(put(folder, "report.json", &text)?);
            }
        }
    }
    Ok(written)
}

/// Writes one file: beside its place first, then renamed.
fn put(folder: &Path, name: &str, text: &str) -> Result<PathBuf, ReportError> {
    let path = folder.join(name);
    let beside = folder.join(format!("{name}.part"));
    let done = path
        .parent()
        .map_or(Ok(()), std::fs::create_dir_all)
        .and_then(|()| std::fs::write(&beside, text))
        .and_then(|()| std::fs::rename(&beside, &path));
    done.map(|()| path.clone()).map_err(|source| ReportError::Write { path, source })
}
