//! What can be wrong with a template, and where.
//!
//! It must not know files: a place is a range in the template's text, until it is put into its scalar.
//! Invariant: a range lies on character boundaries of that text.

use std::ops::Range;

use crate::diagnostic::Span;
use crate::suite::model::Text;

/// What is wrong with a template.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct TemplateError {
    /// Where, in bytes of the template's text.
    pub range: Range<usize>,
    /// What, naming the values.
    pub message: String,
}

impl TemplateError {
    pub(super) fn new(range: Range<usize>, message: impl Into<String>) -> Self {
        TemplateError { range, message: message.into() }
    }
}

/// The place in the source of a range in a scalar's text; the whole scalar where escapes stand between the two.
pub fn place(text: &Text, range: &Range<usize>) -> Span {
    let width = (text.span.end - text.span.start) as usize;
    let quotes = match width.checked_sub(text.text.len()) {
        Some(0) => 0,
        Some(2) => 1,
        _ => return text.span,
    };
    let at = |offset: usize| text.span.start + quotes + offset as u32;
    Span { start: at(range.start), end: at(range.end), ..text.span }
}
