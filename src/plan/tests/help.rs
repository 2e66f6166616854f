//! Suites from texts, expanded with the adapters compiled in.

use crate::adapter::catalogue::Catalogue;
use crate::diagnostic::{Diagnostic, SourceMap, Sources, render};
use crate::plan::{Expansion, expand};
use crate::suite::{Known, KnownAdapter, Overrides, load};
use crate::workload::kind;

struct OneText<'a>(&'a str);

impl Sources for OneText<'_> {
    fn read(&self, path: &str) -> Result<String, String> {
        if path == "suite.yaml" { Ok(self.0.to_owned()) } else { Err(format!("no {path} in a test")) }
    }
}

/// What a suite's text expands to; else all that is wrong with it.
pub(super) fn expanded_with(text: &str, overrides: &Overrides) -> Result<Expansion, (Vec<Diagnostic>, SourceMap)> {
    let catalogue = Catalogue::builtin(&["blackhole", "influx", "postgres", "sqlite"]).unwrap();
    let known = |adapter: &std::sync::Arc<crate::adapter::types::Adapter>| KnownAdapter {
        name: adapter.file.name.clone(),
        embedded: adapter.file.embedded.is_some(),
        docker: adapter.file.docker.is_some(),
        existing: adapter.file.existing.is_some(),
    };
    let known = Known { adapters: catalogue.iter().map(known).collect(), kinds: kind::kinds().to_vec() };
    let reading = load(&OneText(text), "suite.yaml", &known, overrides);
    let Some(suite) = reading.suite else { return Err((reading.diagnostics, reading.sources)) };
    expand(&suite, &catalogue, 1).map_err(|found| (found, reading.sources))
}

/// What a good suite's text expands to.
pub(super) fn expanded(text: &str) -> Expansion {
    expanded_with(text, &Overrides::default()).unwrap_or_else(|(found, sources)| {
        panic!("{}", render(&found, &sources, false));
    })
}

/// What is said of a bad suite, as users see it.
pub(super) fn refused(text: &str) -> String {
    refused_with(text, &Overrides::default())
}

/// The same with overrides.
pub(super) fn refused_with(text: &str, overrides: &Overrides) -> String {
    match expanded_with(text, overrides) {
        Ok(expansion) => panic!("{} cases, though the suite is bad", expansion.len()),
        Err((found, sources)) => render(&found, &sources, false),
    }
}

/// A suite of one scenario `a` on some targets; `more` is further YAML at the top.
pub(super) fn one(targets: &str, parameters: &str, more: &str) -> String {
    let scenario = format!("  - name: a\n    workload:\n      iot: {{ {parameters} }}\n");
    format!("suite: test\ntargets: [{targets}]\nscenarios:\n{scenario}{more}\n")
}

/// The ids of all cases, in order.
pub(super) fn ids(expansion: &Expansion) -> Vec<String> {
    (0..expansion.len()).map(|case| expansion.id(case)).collect()
}

/// One parameter of all cases, in order.
pub(super) fn parameter(expansion: &Expansion, name: &str) -> Vec<String> {
    expansion.cases().map(|case| case.parameters[name].clone()).collect()
}

/// The trials as `id round`, in order.
pub(super) fn trials(expansion: &Expansion) -> Vec<String> {
    let shown = |(case, round): &(u32, u32)| format!("{} {round}", expansion.id(*case as usize));
    expansion.trials().iter().map(shown).collect()
}
