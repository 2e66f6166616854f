//! Resolves the texts of a block into sources of values.
//!
//! It must not know what a value is for. Invariant: what can't be resolved has been told, and is left out.

use std::collections::HashSet;
use std::sync::Arc;

use super::axes::{Meaning, path_of};
use super::block::{Part, Slot};
use super::findings::Findings;
use super::rows::ABSENT;
use super::scope::{Memo, Names, Row, Scope, Source};
use super::sweep::label;
use crate::adapter::types::AdapterFile;
use crate::diagnostic::{Diagnostic, nearest};
use crate::suite::model::{Entry, Text};
use crate::suite::parameter;
use crate::workload::kind::ParameterRole;

/// Resolves the texts of a block.
pub(super) struct Texts<'a, 'b> {
    /// What is resolved so far.
    pub(super) scope: Scope,
    /// The names that templates may use.
    pub(super) names: Names<'a>,
    /// What is wrong.
    pub(super) findings: &'b mut Findings,
}

impl Texts<'_, '_> {
    fn text(&mut self, text: &Text) -> Option<Source> {
        self.scope.text(text, self.names).map_err(|error| self.findings.push(*error)).ok()
    }

    /// Evaluates the templates in axes' values: they may hang on nothing that a row changes.
    pub(super) fn axis_values(&mut self) {
        for axis in 0..self.scope.axes.len() {
            for value in 0..self.scope.axes[axis].values.len() {
                let typed = self.scope.axes[axis].values[value].text.clone();
                if self.scope.axes[axis].inherited || !typed.is_template() {
                    continue;
                }
                let Some(evaluated) = self.constant(&typed) else { continue };
                let value = &mut self.scope.axes[axis].values[value];
                value.label = label(&evaluated);
                value.value = Arc::new(Text { text: evaluated, span: typed.span });
            }
            self.no_value_twice(axis);
        }
    }

    fn no_value_twice(&mut self, axis: usize) {
        let axis = &self.scope.axes[axis];
        let mut seen = HashSet::new();
        for value in axis.values.iter().filter(|_| !axis.inherited) {
            if !seen.insert(value.label.as_str()) {
                let message = format!("the axis `{}` has the value `{}` twice", axis.name.text, value.label);
                self.findings.push(Diagnostic::error("value-twice", message).at(value.text.span, ""));
            }
        }
    }

    /// A text that is the same in every row.
    fn constant(&mut self, text: &Text) -> Option<String> {
        let source = self.text(text)?;
        if !self.scope.is_constant(&source) {
            let message = format!("`{}` hangs on an axis, which it can't here", text.text);
            let error = Diagnostic::error("template-axis", message).at(text.span, "");
            self.findings.push(error.help("this value is one for all cells; a parameter's own value can hang on axes"));
            return None;
        }
        let nothing = vec![ABSENT; self.scope.axes.len()];
        let row = Row { values: &nothing, data: None };
        match self.scope.value(&source, row, &mut Memo::default()) {
            Ok(value) => value.map(|(text, _)| text.into_owned()),
            Err(error) => {
                self.findings.push(*error);
                None
            }
        }
    }

    /// The write method, if the adapter has it.
    pub(super) fn write_method(&mut self, typed: &Text, adapter: &AdapterFile) -> Option<String> {
        let method = self.constant(typed)?;
        if adapter.write_methods.contains(&method) {
            return Some(method);
        }
        let error = Diagnostic::error("write-method", format!("{} has no write method `{method}`", adapter.name));
        let error = error.at(typed.span, "");
        let near = nearest(&method, adapter.write_methods.iter().map(String::as_str));
        let error = near.into_iter().fold(error, |error, near| error.help(format!("perhaps `{near}`")));
        self.findings.push(match adapter.write_methods.as_slice() {
            [] => error.help("it has one way only: leave it out"),
            methods => error.help(format!("it has: {}", methods.join(", "))),
        });
        None
    }

    /// The parameters that the scenario gives, and those that only axes give.
    pub(super) fn slots(&mut self, given: &[Entry]) -> Vec<Slot> {
        let mut slots: Vec<Slot> = Vec::new();
        for entry in given {
            let Some(spec) = parameter(self.names.kind, &entry.key.text) else { continue };
            if !matches!(spec.role, ParameterRole::Data | ParameterRole::Own) {
                continue;
            }
            let Some(base) = self.text(&entry.value) else { continue };
            let source = self.scope.with_axes(spec.name, Some(base.clone())).unwrap_or(base);
            slots.push(Slot { name: entry.key.clone(), spec, source });
        }
        for axis in self.scope.axes.iter().filter(|axis| !axis.inherited) {
            let Meaning::Parameter(spec) = axis.meaning else { continue };
            if slots.iter().any(|slot| slot.spec.name == spec.name) {
                continue;
            }
            if let Some(source) = self.scope.with_axes(spec.name, None) {
                slots.push(Slot { name: axis.name.clone(), spec, source });
            }
        }
        slots
    }

    /// Entries below a root, then parameters that are the same as a path there, then the axes that set something there.
    pub(super) fn parts<'e>(
        &mut self,
        root: &str,
        entries: impl Iterator<Item = &'e Entry>,
        parameters: &[Entry],
    ) -> Vec<Part> {
        let mut parts = Vec::new();
        for entry in entries {
            let Some(source) = self.text(&entry.value) else { continue };
            parts.push(Part { path: entry.key.text.clone(), spec: None, span: entry.key.span, source });
        }
        for entry in parameters {
            let spec = parameter(self.names.kind, &entry.key.text);
            let Some(path) = spec.and_then(path_of).and_then(|path| path.strip_prefix(root)) else { continue };
            let Some(source) = self.text(&entry.value) else { continue };
            parts.push(Part { path: path.to_owned(), spec, span: entry.key.span, source });
        }
        for (index, axis) in self.scope.axes.iter().enumerate().filter(|(_, axis)| !axis.inherited) {
            let spec = match axis.meaning {
                Meaning::Suite(spec) => spec,
                Meaning::Tuning => None,
                Meaning::Parameter(_) | Meaning::Variable => continue,
            };
            if let Some(path) = axis.meaning.key(&axis.name.text).strip_prefix(root) {
                let source = Source::Axis(index, None);
                parts.push(Part { path: path.to_owned(), spec, span: axis.name.span, source });
            }
        }
        parts
    }
}
