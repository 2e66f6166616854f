//! Where words to the user go: results to standard output, status and errors to standard error.
//!
//! The only place that prints. Invariant: a closed pipe ends the words, not the run.

use std::io::Write;

/// Writes a result.
pub(crate) fn out(text: &str) {
    // A reader that went away (`| head`) is no error.
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
}

/// Writes status or an error.
pub(crate) fn err(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}
