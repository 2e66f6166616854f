//! Diagnostics: what is wrong with a user's input, where, and how to mend it.
//!
//! It must not know what the input means. Invariant: a span always lies inside the file it names.

mod nearest;
mod place;
mod render;
mod sources;
mod types;

pub use nearest::nearest;
pub use place::{line_and_column, offset_of};
pub use render::render;
pub use sources::Sources;
pub use types::{Diagnostic, FileId, Label, Severity, SourceMap, Span};
