//! What all lowering shares: the findings, the files, and one helper for each kind of value.
//!
//! It must not know a particular key. Invariant: whoever gets none back need not say why: it has been said.

use crate::diagnostic::{Diagnostic, Span, nearest};
use crate::suite::fields::{Field, Table};
use crate::suite::files::Files;
use crate::suite::known::{Known, parameter};
use crate::suite::model::Text;
use crate::suite::node::{Key, Kind, Node};
use crate::suite::template::{Template, place};
use crate::value::ValueError;
use crate::workload::kind::WorkloadKind;

/// The state of lowering one suite.
pub(crate) struct Lower<'a, 'f> {
    /// What has been found.
    pub(crate) found: Vec<Diagnostic>,
    /// The files.
    pub(crate) files: &'a mut Files<'f>,
    /// What may be named.
    pub(crate) known: &'a Known,
    /// The kinds of workload that this suite's scenarios have.
    pub(super) kinds: Vec<&'static dyn WorkloadKind>,
    /// The names in `vars:` that may be used.
    pub(super) vars: Vec<String>,
    /// The names of all targets and of their adapters.
    pub(super) owners: Vec<String>,
    /// The workloads whose parameters templates may use, where they may be used now.
    pub(super) scope: Vec<&'static dyn WorkloadKind>,
    /// Something is wrong with what cases are made of: what is found over the cases could be a mere consequence.
    pub(crate) cases_are_wrong: bool,
}

/// The entries of a map whose keys a table knows.
pub(super) struct Fields<'n> {
    table: &'static Table,
    entries: &'n [(Key, Node)],
}

impl<'n> Fields<'n> {
    /// The value of a key; none where it is not given or empty.
    pub(super) fn get(&self, name: &str) -> Option<&'n Node> {
        self.entry(name).map(|(_, node)| node).filter(|node| !node.is_null())
    }

    /// The key with its value, which may be empty.
    pub(super) fn entry(&self, name: &str) -> Option<(&'n Key, &'n Node)> {
        debug_assert!(self.table.fields.iter().any(|field| field.name == name), "{name} is in no table");
        self.entries.iter().find(|(key, _)| key.text == name).map(|(key, node)| (key, node))
    }
}

impl<'a, 'f> Lower<'a, 'f> {
    pub(crate) fn new(files: &'a mut Files<'f>, known: &'a Known) -> Self {
        Lower {
            found: Vec::new(),
            files,
            known,
            kinds: Vec::new(),
            vars: Vec::new(),
            owners: Vec::new(),
            cases_are_wrong: false,
            scope: Vec::new(),
        }
    }

    /// The kinds of workload that the suite's scenarios have.
    pub(crate) fn kinds(&self) -> &[&'static dyn WorkloadKind] {
        &self.kinds
    }

    /// Says what was found.
    pub(super) fn say(&mut self, diagnostic: Diagnostic) {
        self.found.push(diagnostic);
    }

    /// The entries of a map that a table describes: unknown keys and missing ones are told.
    pub(super) fn fields<'n>(&mut self, node: &'n Node, table: &'static Table) -> Option<Fields<'n>> {
        self.fields_but(node, table, &[])
    }

    /// As [`Lower::fields`], for keys of which something has been said already.
    pub(super) fn fields_but<'n>(
        &mut self,
        node: &'n Node,
        table: &'static Table,
        told: &[&str],
    ) -> Option<Fields<'n>> {
        let Kind::Map(entries) = &node.kind else {
            self.wrong(node, &format!("{} is a map", table.name));
            return None;
        };
        let names = || table.fields.iter().map(|field| field.name);
        let known = |key: &Key| told.contains(&key.text.as_str()) || names().any(|name| name == key.text);
        let mut meant = Vec::new();
        for (key, _) in entries.iter().filter(|(key, _)| !known(key)) {
            meant.extend(nearest(&key.text, names()));
            let message = format!("`{}` is not a key of {}", key.text, table.name);
            let found = with_nearest(Diagnostic::error("unknown-key", message).at(key.span, ""), &key.text, names());
            self.say(found.help(format!("its keys are: {}", names().collect::<Vec<_>>().join(", "))));
        }
        let fields = Fields { table, entries };
        // A key that was misspelt has been told of, and is not missing besides.
        let is_missing = |field: &&Field| {
            field.required && fields.get(field.name).is_none() && !meant.iter().any(|name| name == field.name)
        };
        for field in table.fields.iter().filter(is_missing) {
            let at = fields.entry(field.name).map_or(node.span, |(key, _)| key.span);
            let message = format!("{} needs `{}`", table.name, field.name);
            self.say(Diagnostic::error("missing-key", message).at(at, "").help(field.about));
        }
        Some(fields)
    }

    /// Says that a node is not what is expected.
    pub(super) fn wrong(&mut self, node: &Node, expected: &str) {
        let message = format!("{} stands here, and {expected}", node.describe());
        self.say(Diagnostic::error("wrong-type", message).at(node.span, ""));
    }

    /// A scalar's text, in which templates may stand: what is wrong with one is told.
    pub(super) fn text(&mut self, node: &Node, expected: &str) -> Option<Text> {
        let text = self.scalar(node, expected)?;
        if text.is_template() {
            self.template(&text);
        }
        Some(text)
    }

    fn scalar(&mut self, node: &Node, expected: &str) -> Option<Text> {
        let text = node.text();
        if text.is_none() {
            self.wrong(node, expected);
        }
        text
    }

    /// Says what is wrong with a template that can be known without a case: its syntax, and undefined names.
    fn template(&mut self, text: &Text) {
        let template = match Template::compile(&text.text) {
            Ok(template) => template,
            Err(error) => {
                let found = Diagnostic::error("template", error.message.clone());
                return self.say(found.at(place(text, &error.range), ""));
            }
        };
        for (name, range) in template.names().iter().zip(template.name_ranges()) {
            let is_parameter = self.scope.iter().any(|kind| parameter(*kind, name).is_some());
            if is_parameter || self.vars.contains(name) {
                continue;
            }
            let found =
                Diagnostic::error("undefined-name", format!("`{name}` is not defined")).at(place(text, range), "");
            let parameters = self.scope.iter().flat_map(|kind| kind.parameters()).map(|spec| spec.name);
            let found = with_nearest(found, name, parameters.chain(self.vars.iter().map(String::as_str)));
            self.say(found.help(match self.scope.is_empty() {
                true => "in `vars:` a template may use the variables before it",
                false => "a template may use the names in `vars:` and the workload's parameters",
            }));
        }
    }

    /// A scalar's text where no template may stand.
    pub(super) fn fixed(&mut self, node: &Node, expected: &str) -> Option<Text> {
        let text = self.scalar(node, expected)?;
        if !text.is_template() {
            return Some(text);
        }
        let message = format!("no template may stand here, and `{}` holds one", text.text);
        let help = "templates may stand in workload parameters, load, tuning, axis values and vars";
        self.say(Diagnostic::error("template-not-here", message).at(node.span, "").help(help));
        None
    }

    /// A scalar read by one of the value parsers.
    pub(super) fn value<T>(
        &mut self,
        node: &Node,
        expected: &str,
        read: impl Fn(&str) -> Result<T, ValueError>,
    ) -> Option<T> {
        let text = self.fixed(node, expected)?;
        self.read(&text, read)
    }

    /// A text read by one of the value parsers.
    pub(super) fn read<T>(&mut self, text: &Text, read: impl Fn(&str) -> Result<T, ValueError>) -> Option<T> {
        match read(&text.text) {
            Ok(value) => Some(value),
            Err(error) => {
                self.say(Diagnostic::error("wrong-type", error.to_string()).at(text.span, ""));
                None
            }
        }
    }

    /// One of some words.
    pub(super) fn word<T: Copy>(&mut self, node: &Node, words: &[(&str, T)]) -> Option<T> {
        self.word_meant(node, words, &[])
    }

    /// One of some words; `meant` are other words with the one that each means, which is suggested for it.
    pub(super) fn word_meant<T: Copy>(
        &mut self,
        node: &Node,
        words: &[(&str, T)],
        meant: &[(&str, &str)],
    ) -> Option<T> {
        let names: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let expected = format!("one of these words is expected: {}", names.join(", "));
        let text = self.fixed(node, &expected)?;
        if let Some((_, value)) = words.iter().find(|(word, _)| *word == text.text) {
            return Some(*value);
        }
        let message = format!("`{}` is not one of: {}", text.text, names.join(", "));
        let found = Diagnostic::error("unknown-word", message).at(node.span, "");
        let meant = meant.iter().find(|(other, _)| *other == text.text);
        self.say(match meant {
            Some((_, word)) => found.help(format!("perhaps `{word}`")),
            None => with_nearest(found, &text.text, names),
        });
        None
    }

    /// The items of a list; one alone is a list of one.
    pub(super) fn one_or_more<'n>(&mut self, node: &'n Node) -> &'n [Node] {
        match &node.kind {
            Kind::List(nodes) => nodes,
            _ => std::slice::from_ref(node),
        }
    }

    /// The items of a list.
    pub(super) fn list<'n>(&mut self, node: &'n Node, expected: &str) -> Option<&'n [Node]> {
        match &node.kind {
            Kind::List(nodes) => Some(nodes),
            _ => {
                self.wrong(node, expected);
                None
            }
        }
    }

    /// The entries of a map with free keys; an empty value is an empty map.
    pub(super) fn entries<'n>(&mut self, node: &'n Node, expected: &str) -> &'n [(Key, Node)] {
        match &node.kind {
            Kind::Map(entries) => entries,
            _ if node.is_null() => &[],
            _ => {
                self.wrong(node, expected);
                &[]
            }
        }
    }

    /// A path, as seen from the folder of the file that holds it.
    pub(super) fn path(&mut self, node: &Node, expected: &str) -> Option<String> {
        let text = self.fixed(node, expected)?;
        Some(self.files.resolve(text.span.file, &text.text))
    }

    /// Checks that a name can stand in ids and selectors.
    pub(super) fn name(&mut self, text: Text) -> Option<Text> {
        let fits = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-');
        if text.text.chars().all(fits) {
            return Some(text);
        }
        let message =
            format!("`{}` can't be a name: letters, digits, `.`, `_` and `-` are what names are made of", text.text);
        self.say(Diagnostic::error("bad-name", message).at(text.span, ""));
        None
    }

    /// Says that two places give the same thing.
    pub(super) fn twice(&mut self, message: String, again: Span, first: Span, help: &str) {
        let found = Diagnostic::error("given-twice", message);
        self.say(found.at(again, "again here").at(first, "first given here").help(help));
    }
}

/// Adds the nearest name, where one is near.
pub(crate) fn with_nearest<'n>(found: Diagnostic, typed: &str, names: impl IntoIterator<Item = &'n str>) -> Diagnostic {
    nearest(typed, names).into_iter().fold(found, |found, near| found.help(format!("perhaps `{near}`")))
}

/// A key as a text with its place.
pub(super) fn key_text(key: &Key) -> Text {
    Text { text: key.text.clone(), span: key.span }
}
