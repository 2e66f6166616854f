//! Workload parameters as they were typed, on their way to becoming typed values.
//!
//! It must not know YAML. Invariant: each entry keeps where it came from, so that every complaint can point at it.

use crate::diagnostic::{FileId, Span};

/// One parameter as typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawParameter {
    /// The name as typed, in either case.
    pub name: String,
    /// Where the name stands.
    pub name_span: Span,
    /// The value's text, templates already evaluated.
    pub value: String,
    /// Where the value stands.
    pub value_span: Span,
}

impl RawParameter {
    /// A parameter that stands in no file, such as a stored plan's.
    pub fn placeless(name: &str, value: &str) -> Self {
        let nowhere = Span { file: FileId(0), start: 0, end: 0 };
        RawParameter { name: name.to_owned(), name_span: nowhere, value: value.to_owned(), value_span: nowhere }
    }
}
