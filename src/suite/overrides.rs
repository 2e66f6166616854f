//! What the command line changes: `--set`, `--targets`, `--rounds`, `--only`.
//!
//! It must not know clap. Invariant: a flag that changes nothing is an error that says what there is to change.

use super::fields::{REPORT, SUITE, VERIFY};
use super::files::Files;
use super::known::{Known, parameter};
use super::lower::{same_effect, with_nearest};
use super::model::Text;
use super::node::{Key, Kind, Node, Scalar, Style, read};
use crate::diagnostic::{Diagnostic, Span};
use crate::workload::kind::{ParameterRole, WorkloadKind};

/// What the command line changes, as typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    /// `KEY=VALUE` of each `--set`; later ones win.
    pub set: Vec<String>,
    /// What each `--only` holds: selectors joined by commas.
    pub only: Vec<String>,
    /// What `--targets` holds: names joined by commas.
    pub targets: Option<String>,
    /// What `--rounds` holds.
    pub rounds: Option<String>,
}

impl Overrides {
    /// All of them as they would be typed, for plans and reports.
    pub fn typed(&self) -> Vec<String> {
        let set = self.set.iter().map(|text| format!("--set {text}"));
        let only = self.only.iter().map(|text| format!("--only {text}"));
        let targets = self.targets.iter().map(|text| format!("--targets {text}"));
        let rounds = self.rounds.iter().map(|text| format!("--rounds {text}"));
        set.chain(only).chain(targets).chain(rounds).collect()
    }
}

/// An axis that `--set` gives one value.
#[derive(Clone, Debug)]
pub(super) struct Pinned {
    pub(super) name: String,
    pub(super) value: Text,
}

/// Applies `--set` and `--rounds` to the tree; gives back the axes that have one value now.
pub(super) fn apply(
    root: &mut Node,
    overrides: &Overrides,
    files: &mut Files<'_>,
    known: &Known,
    found: &mut Vec<Diagnostic>,
) -> Vec<Pinned> {
    let rounds = overrides.rounds.iter().map(|value| ("--rounds".to_owned(), "rounds", value.as_str()));
    let mut pinned = Vec::new();
    for text in &overrides.set {
        match text.split_once('=').map(|(key, value)| (key.trim(), value.trim())) {
            Some((key, value)) if !key.is_empty() && !value.is_empty() => {
                let Some(value) = value_node(&format!("--set {key}"), value, files, found) else { continue };
                pinned.extend(
                    value.text().map(|value| Pinned { name: key.trim_start_matches("vars.").to_owned(), value }),
                );
                if let Err(error) = set(root, key, value, known) {
                    found.push(*error);
                }
            }
            // What was typed is not repeated: it may hold a secret.
            _ => found.push(Diagnostic::error("override", "`--set` takes KEY=VALUE, such as LOOP=7 or load.clients=4")),
        }
    }
    for (name, key, value) in rounds {
        if let Some(value) = value_node(&name, value, files, found) {
            put(root, &[key], value);
        }
    }
    pinned
}

/// A flag's value as a node: YAML where it begins like a list, a map or a quoted text, else a plain scalar.
fn value_node(name: &str, value: &str, files: &mut Files<'_>, found: &mut Vec<Diagnostic>) -> Option<Node> {
    let (file, text) = files.add(name, value.to_owned());
    if value.starts_with(['[', '{', '"', '\'']) && !value.starts_with("{{") {
        return read(file, &text, found);
    }
    let span = Span { file, start: 0, end: text.len() as u32 };
    Some(Node { span, kind: Kind::Scalar(Scalar { text, style: Style::Plain }) })
}

fn set(root: &mut Node, key: &str, value: Node, known: &Known) -> Result<(), Box<Diagnostic>> {
    let path: Vec<&str> = key.split('.').collect();
    match path.as_slice() {
        [name] => set_bare(root, name, value, known),
        ["vars", name] if root.get("vars").is_none_or(|vars| vars.get(name).is_none()) => {
            Err(no_variable(key, name, root))
        }
        ["vars" | "verify" | "report" | "policy", ..] => {
            if path[0] == "policy" {
                each_scenario(root, |scenario| {
                    remove(scenario, &path);
                    remove_parameters(scenario, key, known);
                });
            }
            put(root, &path, value);
            Ok(())
        }
        ["load", ..] => {
            each_scenario(root, |scenario| {
                remove_parameters(scenario, key, known);
                put(scenario, &path, value.clone());
            });
            Ok(())
        }
        [list @ ("targets" | "scenarios"), name, rest @ ..] if !rest.is_empty() => {
            let names = names(root, list);
            let Some(node) = item_mut(root, list, name) else {
                let one = list.trim_end_matches('s');
                let found = Diagnostic::error("override", format!("`--set {key}`: there is no {one} `{name}`"));
                let found = with_nearest(found, name, names.iter().map(String::as_str));
                return Err(Box::new(found.help(format!("the {list} are: {}", names.join(", ")))));
            };
            put(node, rest, value);
            Ok(())
        }
        _ => Err(unknown(key, root, known)),
    }
}

fn set_bare(root: &mut Node, name: &str, value: Node, known: &Known) -> Result<(), Box<Diagnostic>> {
    if root.get("vars").is_some_and(|vars| vars.get(name).is_some()) {
        put(root, &["vars", name], value);
        return Ok(());
    }
    let mut took = false;
    each_scenario(root, |scenario| took |= set_parameter(scenario, name, &value, known));
    if took {
        return Ok(());
    }
    // A list or map of the suite is no value that a flag could hold.
    let is_scalar = !matches!(
        name,
        "extends" | "vars" | "targets" | "scenarios" | "sweep" | "policy" | "verify" | "report" | "assert"
    );
    if is_scalar && SUITE.fields.iter().any(|field| field.name == name) {
        put(root, &[name], value);
        return Ok(());
    }
    Err(unknown(name, root, known))
}

/// Sets a parameter of a scenario whose workload knows it, and takes away what else says the same.
fn set_parameter(scenario: &mut Node, name: &str, value: &Node, known: &Known) -> bool {
    let Some((kind, workload)) = workload_of(scenario, known) else { return false };
    let Some(spec) = parameter(kind, name) else { return false };
    remove_parameters(scenario, name, known);
    if let ParameterRole::SuitePath(path) = spec.role {
        remove(scenario, &path.split('.').collect::<Vec<_>>());
    }
    put(scenario, &["workload", &workload, name], value.clone());
    true
}

/// Takes away the parameters of a scenario that say the same as a name: itself in any spelling, or a path that it is.
fn remove_parameters(scenario: &mut Node, name: &str, known: &Known) {
    let Some((kind, workload)) = workload_of(scenario, known) else { return };
    let parameters = scenario.get("workload").and_then(|node| node.get(&workload)).and_then(Node::map);
    let typed: Vec<String> = parameters.unwrap_or_default().iter().map(|(key, _)| key.text.clone()).collect();
    for other in typed.iter().filter(|other| same_effect(other, name, &[kind])) {
        remove(scenario, &["workload", &workload, other]);
    }
}

/// The kind of a scenario's workload, and its name as typed.
fn workload_of(scenario: &Node, known: &Known) -> Option<(&'static dyn WorkloadKind, String)> {
    let workload = scenario.get("workload")?;
    let name = workload.text().map(|text| text.text).or_else(|| Some(workload.map()?.first()?.0.text.clone()))?;
    known.kind(&name).map(|kind| (kind, name))
}

fn variables(root: &Node) -> impl Iterator<Item = &str> {
    root.get("vars").and_then(Node::map).unwrap_or_default().iter().map(|(key, _)| key.text.as_str())
}

fn no_variable(key: &str, name: &str, root: &Node) -> Box<Diagnostic> {
    let found = Diagnostic::error("override", format!("`--set {key}`: there is no variable `{name}`"));
    let found = with_nearest(found, name, variables(root));
    let all: Vec<&str> = variables(root).collect();
    Box::new(found.help(match all.as_slice() {
        [] => "the suite has no `vars:`".to_owned(),
        all => format!("the variables are: {}", all.join(", ")),
    }))
}

fn unknown(key: &str, root: &Node, known: &Known) -> Box<Diagnostic> {
    let found = Diagnostic::error("override", format!("`--set {key}`: nothing in this suite is called so"));
    let mut names: Vec<String> = variables(root).map(str::to_owned).collect();
    if let Some(Kind::List(scenarios)) = root.get("scenarios").map(|node| &node.kind) {
        let kinds = scenarios.iter().filter_map(|scenario| workload_of(scenario, known));
        names.extend(kinds.flat_map(|(kind, _)| kind.parameters()).map(|spec| spec.name.to_owned()));
    }
    for table in [&REPORT, &VERIFY] {
        names.extend(table.fields.iter().map(|field| format!("{}.{}", table.id, field.name)));
    }
    names.extend(["rounds", "seed", "order", "load.clients", "policy.timeout"].map(str::to_owned));
    let found = with_nearest(found, key, names.iter().map(String::as_str));
    Box::new(found.help(
        "a key is a workload parameter, a name in `vars:`, rounds, seed, order, or a path that begins with load, policy, verify, \
         report, vars, targets.NAME or scenarios.NAME",
    ))
}

fn names(root: &Node, list: &str) -> Vec<String> {
    let Some(Kind::List(nodes)) = root.get(list).map(|node| &node.kind) else { return Vec::new() };
    nodes.iter().filter_map(super::merge::name_of).map(str::to_owned).collect()
}

fn item_mut<'n>(root: &'n mut Node, list: &str, name: &str) -> Option<&'n mut Node> {
    let Kind::List(nodes) = &mut value_mut(root, list)?.kind else { return None };
    let node = nodes.iter_mut().find(|node| super::merge::name_of(node) == Some(name))?;
    *node = super::merge::as_map(node.clone());
    Some(node)
}

fn each_scenario(root: &mut Node, mut change: impl FnMut(&mut Node)) {
    if let Some(Kind::List(nodes)) = value_mut(root, "scenarios").map(|node| &mut node.kind) {
        nodes.iter_mut().for_each(&mut change);
    }
}

fn value_mut<'n>(node: &'n mut Node, name: &str) -> Option<&'n mut Node> {
    let Kind::Map(entries) = &mut node.kind else { return None };
    entries.iter_mut().find(|(key, _)| key.text == name).map(|(_, node)| node)
}

/// Puts a value at a path; what is no map on the way becomes one.
fn put(node: &mut Node, path: &[&str], value: Node) {
    let Some((first, rest)) = path.split_first() else {
        *node = value;
        return;
    };
    if !matches!(node.kind, Kind::Map(_)) {
        node.kind = Kind::Map(Vec::new());
    }
    let Kind::Map(entries) = &mut node.kind else { return };
    let index = entries.iter().position(|(key, _)| key.text == *first).unwrap_or_else(|| {
        let empty = Node { span: value.span, kind: Kind::Map(Vec::new()) };
        entries.push((Key { text: (*first).to_owned(), span: value.span }, empty));
        entries.len() - 1
    });
    put(&mut entries[index].1, rest, value);
}

fn remove(node: &mut Node, path: &[&str]) {
    let (Some((first, rest)), Kind::Map(entries)) = (path.split_first(), &mut node.kind) else { return };
    let Some(index) = entries.iter().position(|(key, _)| key.text == *first) else { return };
    if rest.is_empty() {
        entries.remove(index);
    } else {
        remove(&mut entries[index].1, rest);
    }
}
