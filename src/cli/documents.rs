//! From journals on disk to a report's model, and from there to its files: what `run` and `report` have in common.
//!
//! It must not decide what a report shows. Invariant: only journals are read.

use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::report::{self, Format, Options, ReportModel};
use crate::run::folder::Folder;
use crate::run::journal::reader::read;

/// The model of one or several runs.
///
/// # Errors
/// When a journal can't be read.
pub(super) fn model(folders: &[Folder], baseline: Option<&str>) -> anyhow::Result<ReportModel> {
    let journals = folders.iter().map(|folder| Ok(read(&folder.journal())?)).collect::<anyhow::Result<Vec<_>>>()?;
    Ok(report::render(&journals, &Options { baseline: baseline.map(str::to_owned) }))
}

/// Writes the report's files in the formats of these names, all where there are none.
///
/// # Errors
/// When a name is no format, or a file can't be written.
pub(super) fn write(model: &ReportModel, folder: &Path, names: &[String]) -> anyhow::Result<Vec<PathBuf>> {
    let formats = names.iter().map(|name| format(name)).collect::<anyhow::Result<Vec<_>>>()?;
    let formats = if formats.is_empty() { Format::ALL.to_vec() } else { formats };
    Ok(report::write(model, folder, &formats)?)
}

fn format(name: &str) -> anyhow::Result<Format> {
    Format::find(name).with_context(|| format!("there is no report format `{name}`; there are html, md, csv and json"))
}

/// The comparison for the terminal.
pub(super) fn comparison(model: &ReportModel) -> String {
    use std::io::IsTerminal;
    let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let terminal = std::io::stdout().is_terminal();
    report::terminal(model, width(), terminal && !plain)
}

/// The width of standard output's terminal in columns, 100 where there is none.
fn width() -> usize {
    width_of(std::io::stdout())
}

/// The width of a stream's terminal in columns, 100 where there is none.
pub(super) fn width_of(stream: impl std::os::fd::AsFd) -> usize {
    let size = rustix::termios::tcgetwinsize(stream).ok();
    let asked = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    size.map(|size| usize::from(size.ws_col)).filter(|columns| *columns > 0).or(asked).unwrap_or(100)
}

/// The path that a user opens: the page where there is one.
pub(super) fn shown(written: &[PathBuf], folder: &Path) -> PathBuf {
    written
        .iter()
        .find(|path| path.extension().is_some_and(|end| end == "html"))
        .map_or(folder, |path| path)
        .to_path_buf()
}
