//! A workload's parameters: each name looked up in its kind, and what becomes of it by its role.
//!
//! It must not read a parameter's value for the workload. Invariant: what is left is the workload's own, each once; what is
//! the same value as a path of the suite has become that path.

use std::time::Duration;

use super::context::{Lower, key_text, with_nearest};
use crate::diagnostic::{Diagnostic, Span};
use crate::suite::known::parameter;
use crate::suite::model::{Entry, LoadSpec, Policy, Reset, Text};
use crate::suite::node::{Key, Node};
use crate::value::{self, Quantity, ValueError};
use crate::workload::kind::{BAD_VALUE, ParameterRole, ParameterSpec, Surroundings, WorkloadKind};
use crate::workload::parameters::RawParameter;

/// What a scenario gives beside its workload, which parameters can be another way to say.
pub(super) struct Beside<'n> {
    pub(super) load: &'n mut LoadSpec,
    pub(super) policy: &'n mut Policy,
    /// The scenario's own `policy:`, as typed.
    pub(super) policy_node: Option<&'n Node>,
}

impl Lower<'_, '_> {
    /// The parameters of one workload.
    pub(super) fn parameters(
        &mut self,
        kind: &'static dyn WorkloadKind,
        node: &Node,
        mut beside: Beside<'_>,
    ) -> Vec<Entry> {
        let mut seen: Vec<(&'static str, Entry)> = Vec::new();
        let mut kept = Vec::new();
        for (key, node) in self.entries(node, &format!("the parameters of `{}` are expected", kind.name())) {
            let name = key_text(key);
            let Some(spec) = parameter(kind, &key.text) else {
                self.unknown_parameter(kind, &name);
                continue;
            };
            if spec.role == ParameterRole::Connection {
                self.connection(key, node);
                continue;
            }
            let Some(value) = self.text(node, &format!("`{}` takes one value: {}", key.text, spec.kind)) else {
                continue;
            };
            let entry = Entry { key: name, value };
            if let Some((_, earlier)) = seen.iter().find(|(canonical, _)| *canonical == spec.name) {
                self.same_parameter(&entry, &earlier.clone());
                continue;
            }
            seen.push((spec.name, entry.clone()));
            match self.role(spec, &entry) {
                Some(path) if !entry.value.is_template() => self.suite_path(path, &entry, &mut beside),
                Some(_) => kept.push(entry),
                None if matches!(spec.role, ParameterRole::Data | ParameterRole::Own) => kept.push(entry),
                None => {}
            }
        }
        self.bad_values(kind, &kept);
        kept
    }

    /// Says of values that are wrong whatever axes and templates make of the others; the plan checks how they go together.
    fn bad_values(&mut self, kind: &dyn WorkloadKind, entries: &[Entry]) {
        let plain = entries.iter().filter(|entry| !entry.value.is_template());
        let raw: Vec<RawParameter> = plain
            .map(|Entry { key, value }| RawParameter {
                name: key.text.clone(),
                name_span: key.span,
                value: value.text.clone(),
                value_span: value.span,
            })
            .collect();
        if let Err(found) = kind.configure(&raw, Surroundings { clients: None, seed: 0 }) {
            self.found.extend(found.into_iter().filter(|found| found.code == BAD_VALUE));
        }
    }

    /// Says what is to be said of a parameter's role; gives back the path of the suite that it is the same as.
    pub(super) fn role(&mut self, spec: &ParameterSpec, entry: &Entry) -> Option<&'static str> {
        match spec.role {
            ParameterRole::Data | ParameterRole::Own | ParameterRole::Connection => None,
            ParameterRole::SuitePath(path) => Some(path),
            ParameterRole::NoEffect(why) => {
                let found = Diagnostic::note("no-effect", format!("`{}` has no effect: {why}", entry.key.text));
                self.say(found.at(entry.key.span, ""));
                None
            }
            ParameterRole::Unsupported(why) => {
                if !spec.default.is_some_and(|default| means_the_same(default, &entry.value.text)) {
                    let message = format!("`{}` is not supported yet: {why}", entry.key.text);
                    let found = Diagnostic::error("unsupported-parameter", message).at(entry.key.span, "");
                    let default =
                        spec.default.map(|default| format!("leave it out, or give it its default: {default}"));
                    self.say(default.into_iter().fold(found, Diagnostic::help));
                }
                None
            }
        }
    }

    /// Says that a workload has no such parameter.
    pub(super) fn unknown_parameter(&mut self, kind: &dyn WorkloadKind, name: &Text) {
        let message = format!("`{}` has no parameter `{}`", kind.name(), name.text);
        let found = Diagnostic::error("unknown-parameter", message).at(name.span, "");
        let names =
            kind.parameters().iter().flat_map(|spec| std::iter::once(spec.name).chain(spec.aliases.iter().copied()));
        self.say(with_nearest(found, &name.text, names));
    }

    /// Says that a connection setting belongs elsewhere. Its value is masked: it may be a secret.
    pub(super) fn connection(&mut self, key: &Key, node: &Node) {
        self.files.map.mask(node.span);
        self.connection_setting(&key_text(key));
    }

    pub(super) fn connection_setting(&mut self, name: &Text) {
        let message = format!("`{}` says where a database is, which is no part of a workload", name.text);
        let found = Diagnostic::error("connection-parameter", message).at(name.span, "");
        let help = "name each database under `targets:`; a server that runs already has `existing:` with hosts, user and password";
        self.say(found.help(help));
    }

    fn same_parameter(&mut self, again: &Entry, first: &Entry) {
        let same_name = again.key.text.eq_ignore_ascii_case(&first.key.text);
        if !same_name && Quantity::same(&again.value.text, &first.value.text) {
            return;
        }
        let (name, other) = (&again.key.text, &first.key.text);
        let message = format!("`{other}` and `{name}` are one parameter, and both are given");
        self.twice(message, again.key.span, first.key.span, "keep one of them");
    }

    /// Puts a parameter's value where the suite has it.
    fn suite_path(&mut self, path: &'static str, entry: &Entry, beside: &mut Beside<'_>) {
        let Some((root, rest)) = path.split_once('.') else { return };
        if root == "load" {
            return self.load_path(rest, entry, beside.load);
        }
        let given = beside.policy_node.and_then(|node| node.get(rest)).map(|node| node.span);
        match rest {
            "reset" => self.delete_data(entry, beside.policy, given),
            "write_timeout" => self.milliseconds(entry, &mut beside.policy.write_timeout, given, path),
            "query_timeout" => self.milliseconds(entry, &mut beside.policy.query_timeout, given, path),
            _ => {}
        }
    }

    fn load_path(&mut self, path: &str, entry: &Entry, load: &mut LoadSpec) {
        let Some(value) = self.read(&entry.value, |text| load_value(path, text)) else { return };
        let below = |known: &str| known == path || known.strip_prefix(path).is_some_and(|rest| rest.starts_with('.'));
        let given = load.entries.iter().find(|known| below(&known.key.text)).cloned();
        match (given, value) {
            (Some(given), Some((path, text))) if given.key.text == path && Quantity::same(&given.value.text, &text) => {
            }
            (Some(given), None) if given.value.text == "closed" => {}
            (Some(given), _) => {
                let name = &entry.key.text;
                let message = format!(
                    "`{name}` is `load.{path}`, and `{}` differs from `{}`",
                    entry.value.text, given.value.text
                );
                self.twice(message, entry.value.span, given.value.span, "keep one of them");
            }
            (None, Some((path, text))) => {
                let key = Text { text: path.to_owned(), span: entry.key.span };
                load.entries.push(Entry { key, value: Text { text, span: entry.value.span } });
            }
            (None, None) => {}
        }
    }

    fn delete_data(&mut self, entry: &Entry, policy: &mut Policy, given: Option<Span>) {
        let Some(delete) = self.read(&entry.value, value::switch) else { return };
        let fits = delete == (policy.reset != Reset::Never);
        match given.filter(|_| !fits) {
            Some(first) => self.differs(entry, "policy.reset", first),
            None if !fits => policy.reset = if delete { Reset::Case } else { Reset::Never },
            None => {}
        }
    }

    fn milliseconds(&mut self, entry: &Entry, limit: &mut Duration, given: Option<Span>, path: &str) {
        let Some(time) = self.read(&entry.value, |text| value::unsigned(text).map(Duration::from_millis)) else {
            return;
        };
        match given.filter(|_| time != *limit) {
            Some(first) => self.differs(entry, path, first),
            None => *limit = time,
        }
    }

    fn differs(&mut self, entry: &Entry, path: &str, first: Span) {
        let message = format!("`{}` is `{path}`, and both are given and different", entry.key.text);
        self.twice(message, entry.value.span, first, "keep one of them");
    }
}

/// The path below `load.` and the value there of a parameter that is the same; none where the value asks for nothing.
fn load_value(path: &str, text: &str) -> Result<Option<(&'static str, String)>, ValueError> {
    match path {
        "clients" => super::load::at_least_one(text).map(|_| Some(("clients", text.to_owned()))),
        "duration" => {
            Ok(Some(value::unsigned(text)?).filter(|time| *time > 0).map(|time| ("duration", format!("{time}ms"))))
        }
        _ => Ok(match value::integer(text)? {
            -1 => Some(("pacing.min_interval", "point_step".to_owned())),
            0 => None,
            time if time > 0 => Some(("pacing.min_interval", format!("{time}ms"))),
            _ => {
                let expected = "milliseconds from 0 on, or -1 for POINT_STEP";
                return Err(ValueError::Range { typed: text.to_owned(), expected });
            }
        }),
    }
}

/// Whether a value is a parameter's default, however it is written.
fn means_the_same(default: &str, typed: &str) -> bool {
    let switched = |text| value::switch(text).ok();
    Quantity::same(default, typed) || (switched(default).is_some() && switched(default) == switched(typed))
}
