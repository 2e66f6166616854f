//! What a case's hash is over: its content, as entries.
//!
//! It must not know a case's names. Invariant: equal content has equal entries, however it was written in a suite.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use super::block::Block;
use super::hash::{Content, Part};
use super::load::Shape;
use super::targets::Resolved;
use crate::diagnostic::Diagnostic;
use crate::suite::model::{Policy, Suite};
use crate::workload::kind::Configured;

/// A workload that others of the block are made from by changes.
pub(super) struct Base {
    /// The workload.
    pub(super) configured: Arc<dyn Configured>,
    parts: HashMap<String, Part>,
    content: Content,
}

impl Base {
    /// Of a workload, with its content.
    pub(super) fn of(configured: &Arc<dyn Configured>) -> Base {
        let canonical = configured.canonical();
        let part = |(name, value): (String, String)| {
            let part = Part::of("workload", &name, &value);
            (name, part)
        };
        let parts: HashMap<String, Part> = canonical.into_iter().map(part).collect();
        let mut content = Content::default();
        parts.values().for_each(|part| content.add(*part));
        Base { configured: Arc::clone(configured), parts, content }
    }
}

impl Base {
    /// The content of a workload that differs from this one.
    pub(super) fn content_of(&self, configured: &dyn Configured, recent: &mut Recent) -> Content {
        let mut content = self.content;
        for (index, (name, value)) in configured.difference(&*self.configured).into_iter().enumerate() {
            self.parts.get(&name).into_iter().for_each(|part| content.remove(*part));
            content.add(recent.workload(index, name, value));
        }
        content
    }
}

/// The parts of the last row: the next one mostly has some of them again.
#[derive(Default)]
pub(super) struct Recent {
    workload: Vec<(String, String, Part)>,
    clients: Option<(u32, Part)>,
}

impl Recent {
    /// The part of a parameter that is the `index`-th to differ from the base.
    fn workload(&mut self, index: usize, name: String, value: String) -> Part {
        if let Some((_, _, part)) = self.workload.get(index).filter(|(n, v, _)| (n, v) == (&name, &value)) {
            return *part;
        }
        let part = Part::of("workload", &name, &value);
        match self.workload.get_mut(index) {
            Some(known) => *known = (name, value, part),
            None => self.workload.push((name, value, part)),
        }
        part
    }

    /// The part of the number of clients.
    pub(super) fn clients(&mut self, clients: u32) -> Part {
        if let Some((_, part)) = self.clients.filter(|(known, _)| *known == clients) {
            return part;
        }
        let part = Part::of("load", "clients", itoa::Buffer::new().format(clients));
        self.clients = Some((clients, part));
        part
    }
}

/// What all rows of a block have in common.
pub(super) fn common(block: &Block, suite: &Suite, target: &Resolved, journal_version: u32) -> Content {
    let scenario = &suite.scenarios[block.scenario];
    let methods = &target.adapter.file.write_methods;
    let method = block.write_method.as_ref().or(methods.first()).map_or("", String::as_str);
    let mut content = target.content;
    for (key, value) in [
        ("journal", journal_version.to_string()),
        ("workload", block.kind.name().to_owned()),
        ("write_method", method.to_owned()),
        ("state", format!("{:?}", scenario.state)),
        ("seed", suite.seed.to_string()),
        ("verify.counts", suite.verify.counts.to_string()),
        ("verify.answers", format!("{:?}", suite.verify.answers)),
    ] {
        content.add(Part::of("case", key, &value));
    }
    content
}

/// What load, policy and tuning add. The clients' number and the point step are added a row.
///
/// # Errors
/// None but what serde can say of plain data.
pub(super) fn of_variant(
    shape: &Shape,
    policy: &Policy,
    tuning: &BTreeMap<String, String>,
) -> Result<Content, Diagnostic> {
    let failed = |error: serde_json::Error| Diagnostic::error("hash", error.to_string());
    let load = serde_json::to_string(&shape.load(0, Duration::ZERO)).map_err(failed)?;
    let policy = serde_json::to_string(&Policy { suite_timeout: None, ..policy.clone() }).map_err(failed)?;
    let mut content = Content::default();
    content.add(Part::of("case", "load", &load));
    content.add(Part::of("case", "policy", &policy));
    for (name, value) in tuning {
        content.add(Part::of("tuning", name, value));
    }
    Ok(content)
}
