//! Diagnostics found over many cells, each told once.
//!
//! It must not judge. Invariant: a finding with the same code, place and message is kept once, with the number of cells.

use std::collections::HashMap;

use crate::diagnostic::{Diagnostic, Severity, Span};

/// At one place, with one code, no more different messages than this are kept.
const MESSAGES: usize = 10;

/// Findings so far.
#[derive(Debug, Default)]
pub(super) struct Findings {
    kept: Vec<(Diagnostic, u64)>,
    places: HashMap<(&'static str, Option<Span>), Vec<usize>>,
}

impl Findings {
    /// Adds one.
    pub(super) fn push(&mut self, found: Diagnostic) {
        let place = found.labels.first().map(|label| label.span);
        let here = self.places.entry((found.code, place)).or_default();
        let same = here.iter().copied().find(|index| self.kept[*index].0.message == found.message);
        match same.or_else(|| here.last().copied().filter(|_| here.len() >= MESSAGES)) {
            Some(index) => self.kept[index].1 += 1,
            None => {
                here.push(self.kept.len());
                self.kept.push((found, 1));
            }
        }
    }

    /// Adds several.
    pub(super) fn extend(&mut self, found: impl IntoIterator<Item = Diagnostic>) {
        found.into_iter().for_each(|diagnostic| self.push(diagnostic));
    }

    /// Adds one that differs from an earlier one at most in its numbers only if there is no such earlier one.
    pub(super) fn once(&mut self, found: Diagnostic) {
        let without = |text: &str| text.split(|c: char| c.is_ascii_digit()).collect::<String>();
        let like = |known: &Diagnostic| {
            (known.code, &known.labels) == (found.code, &found.labels)
                && without(&known.message) == without(&found.message)
        };
        if !self.kept.iter().any(|(known, _)| like(known)) {
            self.push(found);
        }
    }

    /// How many errors there are among them.
    pub(super) fn errors(&self) -> usize {
        self.kept.iter().filter(|(found, _)| found.severity == Severity::Error).count()
    }

    /// Whether there is an error among them.
    pub(super) fn has_errors(&self) -> bool {
        self.kept.iter().any(|(found, _)| found.severity == Severity::Error)
    }

    /// All of them, in the order they were found.
    pub(super) fn into_vec(self) -> Vec<Diagnostic> {
        let told = |(found, count): (Diagnostic, u64)| match count {
            1 => found,
            _ => found.help(format!("the same in {count} cells")),
        };
        self.kept.into_iter().map(told).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_finding_is_told_once_with_its_count() {
        let mut findings = Findings::default();
        (0..3).for_each(|_| findings.push(Diagnostic::error("code", "same")));
        (0..20).for_each(|number| findings.push(Diagnostic::warning("other", format!("number {number}"))));
        assert!(findings.has_errors());
        let told = findings.into_vec();
        assert_eq!(told.len(), 1 + MESSAGES);
        assert_eq!(told[0].help, ["the same in 3 cells"]);
    }
}
