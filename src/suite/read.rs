//! From a path to a checked suite: read, merged, overridden, lowered, filtered.
//!
//! It must not do I/O: texts come through [`Sources`]. Invariant: an error among the findings means that there is no suite.

use super::files::Files;
use super::known::Known;
use super::lower::Lower;
use super::model::Suite;
use super::overrides::{self, Overrides};
use super::{choose, merge};
use crate::diagnostic::{Diagnostic, Severity, SourceMap, Sources};

/// What became of reading a suite.
#[derive(Debug)]
pub struct Reading {
    /// The suite; none where something is wrong.
    pub suite: Option<Suite>,
    /// What could be read of it where something is wrong: good for finding more at once, and for nothing else.
    pub rest: Option<Rest>,
    /// Everything that was found.
    pub diagnostics: Vec<Diagnostic>,
    /// The texts that the findings point into.
    pub sources: SourceMap,
}

/// A suite without what is wrong with it.
#[derive(Debug)]
pub struct Rest {
    /// What is left.
    pub suite: Suite,
    /// Whether all that cases are made of is there: what is found over them is no mere consequence.
    pub has_all_cases: bool,
}

/// Reads the suite at a path, with all that it names, and checks it against what is known.
pub fn load(sources: &dyn Sources, path: &str, known: &Known, overrides: &Overrides) -> Reading {
    let mut files = Files::new(sources);
    let mut found = Vec::new();
    let suite = read(&mut files, path, known, overrides, &mut found);
    // A part that an alias repeats is looked at twice, and told once.
    let mut diagnostics: Vec<Diagnostic> = Vec::with_capacity(found.len());
    for one in found {
        if !diagnostics.contains(&one) {
            diagnostics.push(one);
        }
    }
    let failed = diagnostics.iter().any(|found| found.severity == Severity::Error);
    let sources = files.map;
    let suite = suite.map(|rest| Rest { suite: Suite { sources: sources.clone(), ..rest.suite }, ..rest });
    let (suite, rest) = if failed { (None, suite) } else { (suite.map(|whole| whole.suite), None) };
    Reading { suite, rest, diagnostics, sources }
}

fn read(
    files: &mut Files<'_>,
    path: &str,
    known: &Known,
    overrides: &Overrides,
    found: &mut Vec<Diagnostic>,
) -> Option<Rest> {
    let mut root = merge::read_merged(path, files, found)?;
    let pinned = overrides::apply(&mut root, overrides, files, known, found);
    let has_errors = found.iter().any(|found| found.severity == Severity::Error);
    let mut lower = Lower::new(files, known);
    let suite = lower.suite(&root);
    let suite = suite.map(|mut suite| {
        suite.overrides = overrides.typed();
        choose::pin(&mut suite, &pinned, lower.kinds());
        suite.only = lower.only(&overrides.only, &suite);
        choose::targets(&mut suite, overrides.targets.as_deref(), &mut lower.found);
        suite
    });
    let has_all_cases = !has_errors && !lower.cases_are_wrong;
    found.append(&mut lower.found);
    suite.map(|suite| Rest { suite, has_all_cases })
}
