//! Targets.
//!
//! They must not know adapters' data. Invariant: names are unique, and every adapter is known.

use super::context::{Lower, key_text, with_nearest};
use crate::diagnostic::Diagnostic;
use crate::suite::fields::TARGET;
use crate::suite::model::{Entry, TargetSpec, Text};
use crate::suite::node::{Kind, Node};

/// Ways to run a target that the language has and this version has not.
const NOT_YET: [&str; 2] = ["ssh", "local"];

impl Lower<'_, '_> {
    /// All targets, with unique names.
    pub(super) fn targets(&mut self, node: &Node) -> Vec<TargetSpec> {
        let nodes = self.list(node, "a list of targets is expected").unwrap_or_default();
        if nodes.is_empty() && matches!(node.kind, Kind::List(_)) {
            let found = Diagnostic::error("missing-key", "a suite needs a target, and this list is empty");
            self.say(found.at(node.span, ""));
        }
        let mut targets: Vec<TargetSpec> = Vec::new();
        for node in nodes {
            let Some(target) = self.target(node) else { continue };
            match targets.iter().find(|earlier| earlier.name.text == target.name.text) {
                Some(earlier) => {
                    let message = format!("two targets are called `{}`", target.name.text);
                    let (again, first) = (target.name.span, earlier.name.span);
                    self.twice(message, again, first, "give each a `name:` of its own");
                }
                None => targets.push(target),
            }
        }
        targets
    }

    fn target(&mut self, node: &Node) -> Option<TargetSpec> {
        if node.scalar().is_some() {
            let adapter = self.fixed(node, "an adapter's name is expected")?;
            self.adapter(&adapter)?;
            let (name, span) = (adapter.clone(), node.span);
            return Some(TargetSpec {
                name,
                adapter,
                version: None,
                place: None,
                tuning: Vec::new(),
                write_method: None,
                span,
            });
        }
        self.not_yet(node);
        let fields = self.fields_but(node, &TARGET, &NOT_YET)?;
        let adapter = fields.get("adapter").and_then(|node| self.fixed(node, "an adapter's name is expected"));
        let known = adapter.as_ref().and_then(|adapter| self.adapter(adapter));
        let name = match fields.get("name") {
            Some(node) => self.fixed(node, "a name is expected").and_then(|text| self.name(text)),
            None => adapter.clone(),
        };
        let place = self.place(&fields, known.as_ref());
        let version = fields.get("version").and_then(|node| self.fixed(node, "a version is expected"));
        let tuning = fields.get("tuning").map(|node| self.values(node, "tuning values by name")).unwrap_or_default();
        let method = "the name of a write method is expected";
        let write_method = fields.get("write_method").and_then(|node| self.fixed(node, method));
        known?;
        Some(TargetSpec { name: name?, adapter: adapter?, version, place, tuning, write_method, span: node.span })
    }

    /// Says of ways to run a target that are known words but can't be had, so that they are no mere unknown keys.
    fn not_yet(&mut self, node: &Node) {
        for word in NOT_YET {
            let Some((key, _)) = node.map().and_then(|entries| entries.iter().find(|(key, _)| key.text == word)) else {
                continue;
            };
            let message = format!("`{word}:` is not supported by this version");
            let found = Diagnostic::error("unsupported-place", message).at(key.span, "");
            self.say(found.help("use `docker:`, or start the server yourself and use `existing:`"));
        }
    }

    /// The known adapter by a name; an unknown one is told with all that there are.
    fn adapter(&mut self, name: &Text) -> Option<crate::suite::known::KnownAdapter> {
        if let Some(adapter) = self.known.adapter(&name.text) {
            return Some(adapter.clone());
        }
        let names: Vec<&str> = self.known.adapters.iter().map(|adapter| adapter.name.as_str()).collect();
        let found = Diagnostic::error("unknown-adapter", format!("there is no adapter `{}`", name.text));
        let found = with_nearest(found.at(name.span, ""), &name.text, names.iter().copied());
        let found = found.help(format!("the adapters are: {}", names.join(", ")));
        self.say(found);
        None
    }

    /// A map of free keys to scalars.
    pub(super) fn values(&mut self, node: &Node, expected: &str) -> Vec<Entry> {
        let entries = self.entries(node, &format!("a map of {expected} is expected"));
        let mut values = Vec::with_capacity(entries.len());
        for (key, node) in entries {
            let expected = format!("`{}` takes one value", key.text);
            if let Some(value) = self.text(node, &expected) {
                values.push(Entry { key: key_text(key), value });
            }
        }
        values
    }
}
