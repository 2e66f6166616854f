//! Reports: journals in, one model, rendered as HTML, Markdown, CSV, JSON and for the terminal.
//!
//! They know the journal's types and statistics; nothing else. Invariant: nothing is computed in a template.

mod csv;
mod files;
mod html;
mod json;
mod markdown;
mod model;
mod number;
mod svg;
mod terminal;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod view;

pub use files::{Format, ReportError, write};
pub use model::assertion::{AssertionResult, assertions};
#[cfg(test)]
pub(crate) use model::measure::{CASE, OPERATION};
pub use model::report::{Options, ReportModel, render};
pub use terminal::comparison::terminal;
pub use terminal::matrix::terminal_trial;
