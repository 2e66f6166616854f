//! Axes: their names and values.
//!
//! They must not combine them. Invariant: an axis that is given back has a value, and a scenario that knows it.

use std::collections::HashMap;

use super::context::{Lower, key_text, with_nearest};
use crate::diagnostic::{Diagnostic, Span};
use crate::suite::fields::{BOUNDS, LOAD, POLICY, RANGE, paths};
use crate::suite::known::parameter;
use crate::suite::model::{Axis, Cells, Sweep, Text};
use crate::suite::node::{Kind, Node};
use crate::value::{Exact, Quantity};
use crate::workload::kind::{ParameterRole, WorkloadKind};

/// No axis has more values.
const MOST_VALUES: i128 = 1_000_000;

impl Lower<'_, '_> {
    /// The axes of a map; `kinds` are those of the scenarios that it is for.
    pub(super) fn axes(&mut self, node: &Node, kinds: &[&'static dyn WorkloadKind]) -> Vec<Axis> {
        let entries = self.entries(node, "axes by name are expected, such as LOOP: [10, 20, 50]");
        let mut axes: Vec<Axis> = Vec::with_capacity(entries.len());
        for (key, node) in entries {
            let name = key_text(key);
            let known = self.axis_name(&name, kinds);
            let values = self.axis_values(&name, node);
            if let Some(earlier) = axes.iter().find(|earlier| same_axis(&earlier.name.text, &name.text, kinds)) {
                let message = format!("`{}` and `{}` are one axis", earlier.name.text, name.text);
                let first = earlier.name.span;
                self.twice(message, name.span, first, "keep one of them");
                continue;
            }
            if let (true, Some(values)) = (known, values) {
                axes.push(Axis { name, values });
            }
        }
        axes
    }

    /// Whether a name can be an axis of scenarios of these kinds; what can't is told.
    pub(super) fn axis_name(&mut self, name: &Text, kinds: &[&'static dyn WorkloadKind]) -> bool {
        if let Some((root, rest)) = name.text.split_once('.') {
            return self.dotted_axis(name, root, rest);
        }
        if self.vars.contains(&name.text) {
            return true;
        }
        let Some(spec) = kinds.iter().find_map(|kind| parameter(*kind, &name.text)) else {
            self.unknown_axis(name, kinds);
            return false;
        };
        match spec.role {
            ParameterRole::Data | ParameterRole::Own | ParameterRole::SuitePath(_) => true,
            ParameterRole::NoEffect(why) => {
                let found =
                    Diagnostic::error("unknown-axis", format!("`{}` can't be an axis: it has no effect", name.text));
                self.say(found.at(name.span, "").help(why));
                false
            }
            ParameterRole::Connection => {
                self.connection_setting(name);
                false
            }
            ParameterRole::Unsupported(why) => {
                let message = format!("`{}` is not supported yet: {why}", name.text);
                self.say(Diagnostic::error("unsupported-parameter", message).at(name.span, ""));
                false
            }
        }
    }

    fn dotted_axis(&mut self, name: &Text, root: &str, rest: &str) -> bool {
        let known = match root {
            "tuning" if !rest.is_empty() => return true,
            "load" => paths(&LOAD),
            "policy" => paths(&POLICY).into_iter().filter(|path| path != "suite_timeout").collect(),
            _ => Vec::new(),
        };
        if known.iter().any(|path| path == rest) {
            return true;
        }
        let found =
            Diagnostic::error("unknown-axis", format!("`{}` is no path in a case", name.text)).at(name.span, "");
        let all: Vec<String> = known.iter().map(|path| format!("{root}.{path}")).collect();
        let found = with_nearest(found, &name.text, all.iter().map(String::as_str));
        self.say(match all.is_empty() {
            true => with_nearest(found, root, ["load", "tuning", "policy"])
                .help("a dotted axis begins with `load.`, `tuning.` or `policy.`"),
            false => found.help(format!("there are: {}", all.join(", "))),
        });
        false
    }

    fn unknown_axis(&mut self, name: &Text, kinds: &[&'static dyn WorkloadKind]) {
        let message = format!("no scenario has the axis `{}`", name.text);
        let found = Diagnostic::error("unknown-axis", message).at(name.span, "");
        let parameters = kinds.iter().flat_map(|kind| kind.parameters()).map(|spec| spec.name);
        let found = with_nearest(found, &name.text, parameters.chain(self.vars.iter().map(String::as_str)));
        self.say(
            found.help(
                "an axis is a workload parameter, a name in `vars:`, or a path such as load.clients or tuning.NAME",
            ),
        );
    }

    fn axis_values(&mut self, name: &Text, node: &Node) -> Option<Vec<Text>> {
        let values = match &node.kind {
            Kind::Map(_) => self.range(node)?,
            _ => {
                let expected = format!(
                    "`{}` takes a list of values, such as [10, 20], or {{ range: {{ from: 10, to: 50 }} }}",
                    name.text
                );
                let nodes = self.list(node, &expected)?;
                let values: Vec<Text> =
                    nodes.iter().filter_map(|node| self.text(node, "a value of the axis is expected")).collect();
                if values.len() < nodes.len() {
                    return None;
                }
                values
            }
        };
        if values.is_empty() {
            let found = Diagnostic::error("empty-axis", format!("the axis `{}` has no values", name.text));
            self.say(found.at(node.span, "").help("give it a value, or leave it out"));
            return None;
        }
        Some(values)
    }

    /// Says of values that stand twice on an axis whose values make a cell each.
    pub(super) fn distinct(&mut self, axis: &Axis) {
        let mut seen: HashMap<String, Span> = HashMap::with_capacity(axis.values.len());
        for value in &axis.values {
            let meaning =
                Quantity::read(&value.text).map_or_else(|| value.text.clone(), |quantity| quantity.to_string());
            match seen.get(&meaning) {
                // The values of a range have one place together, and are distinct.
                Some(first) if *first != value.span => {
                    let message = format!("the axis `{}` has the value `{}` twice", axis.name.text, value.text);
                    let first = *first;
                    self.twice(message, value.span, first, "keep one of them");
                }
                Some(_) => {}
                None => {
                    seen.insert(meaning, value.span);
                }
            }
        }
    }

    /// The values of `range: { from, to, step }`.
    fn range(&mut self, node: &Node) -> Option<Vec<Text>> {
        let fields = self.fields(node, &RANGE)?;
        let node = fields.get("range")?;
        let bounds = self.fields(node, &BOUNDS)?;
        let from = bounds.get("from").and_then(|node| self.quantity(node));
        let to = bounds.get("to").and_then(|node| self.quantity(node));
        let step = match bounds.get("step") {
            Some(node) => self.quantity(node),
            None => Some(Quantity::Number(Exact::whole(1))),
        };
        let (from, to, step) = (from?, to?, step?);
        let refuse = |lower: &mut Self, message: String| {
            lower.say(Diagnostic::error("bad-range", message).at(node.span, ""));
            None
        };
        if !from.is_like(to) || !from.is_like(step) {
            let kinds = format!("{}, {} and {}", from.kind(), to.kind(), step.kind());
            return refuse(self, format!("`from`, `to` and `step` are {kinds}: all must be of one kind"));
        }
        let distance = to.amount().minus(from.amount())?;
        let steps = distance.over(step.amount()).map(Exact::floor).filter(|steps| *steps >= 0);
        let Some(steps) = steps else {
            return refuse(self, format!("steps of {step} do not lead from {from} to {to}"));
        };
        if steps >= MOST_VALUES {
            return refuse(self, format!("the range has {} values, and {MOST_VALUES} are the most", steps + 1));
        }
        let value = |index: i128| {
            let amount = step.amount().times(Exact::whole(index))?.plus(from.amount())?;
            Some(Text { text: from.with_amount(amount).to_string(), span: node.span })
        };
        (0..=steps).map(value).collect()
    }

    fn quantity(&mut self, node: &Node) -> Option<Quantity> {
        let text = self.fixed(node, "a number, duration or size is expected")?;
        let quantity = Quantity::read(&text.text);
        if quantity.is_none() {
            self.wrong(node, "a number, duration or size is expected");
        }
        quantity
    }
}

/// Whether two names are one axis: the same, or one workload parameter.
pub(crate) fn same_axis(left: &str, right: &str, kinds: &[&'static dyn WorkloadKind]) -> bool {
    left == right
        || kinds.iter().any(|kind| {
            matches!((parameter(*kind, left), parameter(*kind, right)), (Some(left), Some(right)) if left.name == right.name)
        })
}

/// Whether two names change the same: one axis, or a parameter and the path of the suite that it is another way to say.
pub(crate) fn same_effect(left: &str, right: &str, kinds: &[&'static dyn WorkloadKind]) -> bool {
    let path = |name: &str| match kinds.iter().find_map(|kind| parameter(*kind, name)).map(|spec| spec.role) {
        Some(ParameterRole::SuitePath(path)) => Some(path.to_owned()),
        Some(_) => None,
        None => name.contains('.').then(|| name.to_owned()),
    };
    let within = |inner: &str, outer: &str| {
        inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    same_axis(left, right, kinds)
        || matches!((path(left), path(right)), (Some(left), Some(right)) if within(&left, &right) || within(&right, &left))
}

/// The names of all axes of a sweep; a routine's settings are its axes.
pub(super) fn axis_names(sweep: &Sweep) -> Vec<&str> {
    let mut names = match &sweep.cells {
        Cells::Matrix(axes) | Cells::Zip(axes) => axes.iter().map(|axis| axis.name.text.as_str()).collect(),
        Cells::Routine(tests) => {
            let settings = tests.last().map(|test| test.settings.as_slice()).unwrap_or_default();
            settings.iter().map(|entry| entry.key.text.as_str()).collect()
        }
        Cells::None => Vec::new(),
    };
    names.extend(sweep.include.iter().flat_map(|(cell, _)| cell).map(|entry| entry.key.text.as_str()));
    names.extend(sweep.per_target.iter().flat_map(|(_, axes)| axes).map(|axis| axis.name.text.as_str()));
    names
}
