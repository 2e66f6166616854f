//! `extends:`: a suite's tree over that of the one it changes.
//!
//! It must not know what keys mean, but for the lists that merge by name. Invariant: each node keeps the file it came from.

use super::files::Files;
use super::node::{Key, Kind, Node, read};
use crate::diagnostic::{Diagnostic, Span};

/// No suite needs to extend one that extends one … so often.
const LONGEST_CHAIN: usize = 16;

/// Reads a file and all that it extends; none where one of them is no YAML or can't be read.
pub(super) fn read_merged(path: &str, files: &mut Files<'_>, found: &mut Vec<Diagnostic>) -> Option<Node> {
    let mut layers = Vec::new();
    let mut chain: Vec<(String, Option<Span>)> = vec![(path.to_owned(), None)];
    while let Some((path, named_at)) = chain.last().cloned() {
        let (file, text) = match files.read(&path, named_at) {
            Ok(read) => read,
            Err(error) => {
                found.push(error);
                return None;
            }
        };
        let node = read(file, &text, found)?;
        let extends = node.get("extends").and_then(Node::text);
        layers.push(node);
        let Some(extends) = extends else { break };
        let next = files.resolve(file, &extends.text);
        // The same file may have many names (`x/../a.yaml`), so that a chain without end is a circle too.
        if chain.len() >= LONGEST_CHAIN || chain.iter().any(|(known, _)| *known == next) {
            let names: Vec<&str> = chain.iter().map(|(name, _)| name.as_str()).take(4).collect();
            let message = format!("suites extend one another in a circle: {} → {next}", names.join(" → "));
            found.push(Diagnostic::error("extends-cycle", message).at(extends.span, ""));
            return None;
        }
        chain.push((next, Some(extends.span)));
    }
    let base = layers.pop()?;
    Some(layers.into_iter().rev().fold(base, |base, over| merge(base, over, At::Top)))
}

/// Where in a suite two nodes are merged.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    /// The suite itself.
    Top,
    /// The list of targets or scenarios.
    Named,
    /// A map whose keys are names of the user's own.
    Own,
    /// Anything else: keys may be parameters, which are one in either case.
    Other,
}

fn merge(base: Node, over: Node, at: At) -> Node {
    let span = over.span;
    match (base.kind, over.kind) {
        (Kind::Map(base), Kind::Map(over)) => Node { span, kind: Kind::Map(merge_maps(base, over, at)) },
        (Kind::List(base), Kind::List(over)) if at == At::Named => {
            Node { span, kind: Kind::List(merge_named(base, over)) }
        }
        (_, kind) => Node { span, kind },
    }
}

fn merge_maps(mut base: Vec<(Key, Node)>, over: Vec<(Key, Node)>, at: At) -> Vec<(Key, Node)> {
    for (key, node) in over {
        let same = |known: &Key| match at {
            At::Own => known.text == key.text,
            _ => known.text.eq_ignore_ascii_case(&key.text),
        };
        match base.iter().position(|(known, _)| same(known)) {
            Some(index) if node.is_null() => {
                base.remove(index);
            }
            Some(index) => {
                let inner = below(at, &key.text);
                let (known, beneath) = base.remove(index);
                // The order is the base's, so that axes keep their order.
                let key = if at == At::Own || known.text == key.text { known } else { key };
                base.insert(index, (key, merge(beneath, node, inner)));
            }
            None => base.push((key, node)),
        }
    }
    base
}

fn below(at: At, key: &str) -> At {
    match (at, key) {
        (At::Top, "targets" | "scenarios") => At::Named,
        (_, "vars" | "tuning" | "environment") => At::Own,
        (At::Own, _) => At::Own,
        _ => At::Other,
    }
}

fn merge_named(mut base: Vec<Node>, over: Vec<Node>) -> Vec<Node> {
    for node in over {
        let same = name_of(&node).and_then(|name| base.iter().position(|known| name_of(known) == Some(name)));
        match same {
            // A name alone changes nothing.
            Some(_) if node.scalar().is_some() => {}
            Some(index) => {
                let beneath = as_map(base.remove(index));
                base.insert(index, merge(beneath, node, At::Other));
            }
            None => base.push(node),
        }
    }
    base
}

/// The name of a target or scenario; a target without one has its adapter's.
pub(super) fn name_of(node: &Node) -> Option<&str> {
    let scalar = node.scalar().or_else(|| node.get("name")?.scalar()).or_else(|| node.get("adapter")?.scalar());
    scalar.map(|scalar| scalar.text.as_str())
}

/// `- sqlite` as `- adapter: sqlite`.
pub(super) fn as_map(node: Node) -> Node {
    if node.scalar().is_none() {
        return node;
    }
    let span = node.span;
    let key = Key { text: "adapter".to_owned(), span };
    Node { span, kind: Kind::Map(vec![(key, node)]) }
}
