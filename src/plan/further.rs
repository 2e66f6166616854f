//! What the cases say of a suite that something is wrong with already.
//!
//! It must not make plans. Invariant: nothing is told that could be a mere consequence of what is known.

use super::expand::expand;
use super::targets::Adapters;
use crate::diagnostic::{Diagnostic, Severity};
use crate::suite::Rest;

/// What is wrong besides with a suite that something has been found wrong with already. Where that is about the cases, only
/// such findings are given that can't be its consequences.
pub fn further(rest: &Rest, adapters: &dyn Adapters, journal_version: u32) -> Vec<Diagnostic> {
    let Err(mut found) = expand(&rest.suite, adapters, journal_version) else { return Vec::new() };
    // What was left out of the suite can leave these behind.
    let consequences = ["no-case", "not-supported", "no-place", "assertion", "override"];
    found.retain(|found| match rest.has_all_cases {
        true => found.severity == Severity::Error && !consequences.contains(&found.code),
        false => matches!(found.code, "unknown-tuning" | "tuning-value"),
    });
    found
}
