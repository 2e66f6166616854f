//! Where the names in a block's templates get their values from, and the values of its texts in a row.
//!
//! It must not know what a value is for. Invariant: names are resolved once, when a block is made; a row only looks values up,
//! and a template is evaluated once for equal values of the axes that it depends on.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::axes::{Meaning, path_of};
use super::rows::{ABSENT, ValueIndex};
use crate::diagnostic::{Diagnostic, Span, nearest};
use crate::suite::model::{Entry, Text};
use crate::suite::parameter;
use crate::suite::template::{Template, place};
use crate::workload::kind::{ParameterRole, WorkloadKind};

/// Where a value comes from.
#[derive(Clone, Debug)]
pub(super) enum Source {
    /// It is written down.
    Fixed(Arc<Text>),
    /// It is a template: its position among the programs.
    Program(usize),
    /// An axis sets it; where a row does not, it comes from elsewhere.
    Axis(usize, Option<Box<Source>>),
    /// A parameter's default.
    Default(&'static str),
    /// The data that a reader stands on says it: a parameter's canonical name.
    Data(&'static str),
}

/// A value of an axis.
#[derive(Clone, Debug)]
pub(super) struct AxisValue {
    /// As typed.
    pub(super) text: Text,
    /// The value, templates in it evaluated.
    pub(super) value: Arc<Text>,
    /// As ids and selectors have it.
    pub(super) label: String,
}

/// An axis of a block.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    /// As typed.
    pub(super) name: Text,
    /// What it changes.
    pub(super) meaning: Meaning,
    /// Its name in ids and selectors.
    pub(super) label: String,
    /// Its values.
    pub(super) values: Vec<AxisValue>,
    /// It is an axis of the data that a reader stands on: a label, and a variable's value.
    pub(super) inherited: bool,
}

/// A compiled template with where its names lead.
#[derive(Clone, Debug)]
struct Program {
    text: Arc<Text>,
    template: Template,
    sources: Vec<Source>,
    /// The axes that it depends on, ascending.
    axes: Vec<usize>,
    /// Whether it asks for parameters of the data that a reader stands on.
    asks_data: bool,
}

/// A row in which texts are evaluated.
#[derive(Clone, Copy)]
pub(super) struct Row<'a> {
    /// The value of each axis.
    pub(super) values: &'a [ValueIndex],
    /// The parameters of the data that a reader stands on.
    pub(super) data: Option<&'a BTreeMap<String, String>>,
}

/// Templates evaluated so far.
#[derive(Debug, Default)]
pub(super) struct Memo(HashMap<(usize, u64), String>);

/// A value and where it stands; none where the row does not set it.
type Valued<'a> = Option<(Cow<'a, str>, Option<Span>)>;

/// More combinations of values than these are not remembered.
const REMEMBERED: u64 = 1 << 16;

/// The names that templates of a block may use.
#[derive(Clone, Debug)]
pub(super) struct Scope {
    /// The block's axes.
    pub(super) axes: Vec<Axis>,
    programs: Vec<Program>,
}

/// What names a scope is built over.
#[derive(Clone, Copy)]
pub(super) struct Names<'a> {
    /// The suite's variables.
    pub(super) vars: &'a [Entry],
    /// The workload's kind.
    pub(super) kind: &'static dyn WorkloadKind,
    /// The scenario's parameters.
    pub(super) parameters: &'a [Entry],
    /// The scenario's load.
    pub(super) load: &'a [Entry],
    /// Whether the block's cases stand on data.
    pub(super) reads: bool,
}

impl Scope {
    /// A scope over axes, whose values have no templates left.
    pub(super) fn new(axes: Vec<Axis>) -> Self {
        Scope { axes, programs: Vec::new() }
    }

    /// Resolves a text.
    ///
    /// # Errors
    /// A template with a syntax error, a name that is not defined, or names that lead back to themselves.
    pub(super) fn text(&mut self, text: &Text, names: Names<'_>) -> Result<Source, Box<Diagnostic>> {
        self.resolve(text, names, &mut Vec::new())
    }

    fn resolve(&mut self, text: &Text, names: Names<'_>, way: &mut Vec<String>) -> Result<Source, Box<Diagnostic>> {
        if !text.is_template() {
            return Ok(Source::Fixed(Arc::new(text.clone())));
        }
        if let Some(known) = self.programs.iter().position(|program| *program.text == *text) {
            return Ok(Source::Program(known));
        }
        let template = Template::compile(&text.text).map_err(|error| Box::new(template_error(text, &error)))?;
        let mut sources = Vec::with_capacity(template.names().len());
        for (name, range) in template.names().iter().zip(template.name_ranges()) {
            sources.push(self.name(name, place(text, range), names, way)?);
        }
        let mut axes: Vec<usize> = sources.iter().flat_map(|source| self.axes_of(source)).collect();
        axes.sort_unstable();
        axes.dedup();
        let asks_data = sources.iter().any(|source| self.asks_data(source));
        self.programs.push(Program { text: Arc::new(text.clone()), template, sources, axes, asks_data });
        Ok(Source::Program(self.programs.len() - 1))
    }

    /// Resolves a name that stands in a template.
    fn name(
        &mut self,
        name: &str,
        span: Span,
        names: Names<'_>,
        way: &mut Vec<String>,
    ) -> Result<Source, Box<Diagnostic>> {
        if way.iter().any(|before| before == name) {
            let round = format!("{} → {name}", way.join(" → "));
            let error = Diagnostic::error("template-circle", format!("`{name}` leads back to itself: {round}"));
            return Err(Box::new(error.at(span, "")));
        }
        way.push(name.to_owned());
        let found = self.lead(name, names, way);
        way.pop();
        found?.ok_or_else(|| Box::new(undefined(name, span, names)))
    }

    /// Where a name leads to; none where it is not defined.
    fn lead(&mut self, name: &str, names: Names<'_>, way: &mut Vec<String>) -> Result<Option<Source>, Box<Diagnostic>> {
        let (key, given, default) = if let Some(variable) = entry(names.vars, name) {
            (name.to_owned(), Some(variable), None)
        } else if let Some(spec) = parameter(names.kind, name) {
            let is = |entry: &&Entry| parameter(names.kind, &entry.key.text).is_some_and(|it| it.name == spec.name);
            let given = names.parameters.iter().find(is).map(|entry| &entry.value);
            match path_of(spec) {
                Some(path) => {
                    let below = path.strip_prefix("load.").unwrap_or_default();
                    (path.to_owned(), given.or_else(|| entry(names.load, below)), None)
                }
                None if names.reads && spec.role == ParameterRole::Data => {
                    (spec.name.to_owned(), None, Some(Source::Data(spec.name)))
                }
                None => (spec.name.to_owned(), given, spec.default.map(Source::Default)),
            }
        } else {
            return Ok(None);
        };
        let base = given.map(|text| self.resolve(text, names, way)).transpose()?;
        Ok(self.with_axes(&key, base.or(default)))
    }

    /// The source of what has this key: its axes, the last first, and then `base`.
    pub(super) fn with_axes(&self, key: &str, base: Option<Source>) -> Option<Source> {
        let mut source = base;
        for (index, axis) in self.axes.iter().enumerate() {
            let applies = !axis.inherited || matches!(axis.meaning, Meaning::Variable);
            if applies && axis.meaning.key(&axis.name.text) == key {
                source = Some(Source::Axis(index, source.map(Box::new)));
            }
        }
        source
    }

    /// The axes that a source depends on.
    pub(super) fn axes_of(&self, source: &Source) -> Vec<usize> {
        match source {
            Source::Fixed(_) | Source::Default(_) | Source::Data(_) => Vec::new(),
            Source::Program(program) => self.programs[*program].axes.clone(),
            Source::Axis(axis, otherwise) => {
                let mut axes = otherwise.as_ref().map_or_else(Vec::new, |source| self.axes_of(source));
                axes.push(*axis);
                axes
            }
        }
    }

    /// Whether a source asks for parameters of the data that a reader stands on.
    pub(super) fn asks_data(&self, source: &Source) -> bool {
        match source {
            Source::Fixed(_) | Source::Default(_) => false,
            Source::Data(_) => true,
            Source::Program(program) => self.programs[*program].asks_data,
            Source::Axis(_, otherwise) => otherwise.as_ref().is_some_and(|source| self.asks_data(source)),
        }
    }

    /// Whether a source has the same value in every row.
    pub(super) fn is_constant(&self, source: &Source) -> bool {
        self.axes_of(source).is_empty() && !self.asks_data(source)
    }

    /// Whether some row may leave a source without a value.
    pub(super) fn may_lack(source: &Source) -> bool {
        matches!(source, Source::Axis(_, None))
    }

    /// The value of a source in a row, and where it stands; none where the row does not set it.
    ///
    /// # Errors
    /// A template that can't be evaluated with the row's values.
    pub(super) fn value<'a>(
        &'a self,
        source: &'a Source,
        row: Row<'a>,
        memo: &mut Memo,
    ) -> Result<Valued<'a>, Box<Diagnostic>> {
        Ok(match source {
            Source::Fixed(text) => Some((Cow::Borrowed(text.text.as_str()), Some(text.span))),
            Source::Default(text) => Some((Cow::Borrowed(*text), None)),
            Source::Data(name) => {
                row.data.and_then(|data| data.get(*name)).map(|text| (Cow::Borrowed(text.as_str()), None))
            }
            Source::Axis(axis, otherwise) => match (row.values[*axis], otherwise) {
                (ABSENT, None) => None,
                (ABSENT, Some(source)) => self.value(source, row, memo)?,
                (index, _) => {
                    let value = &self.axes[*axis].values[index as usize];
                    Some((Cow::Borrowed(value.value.text.as_str()), Some(value.text.span)))
                }
            },
            Source::Program(index) => {
                let span = self.programs[*index].text.span;
                Some((Cow::Owned(self.program(*index, row, memo)?), Some(span)))
            }
        })
    }

    fn program(&self, index: usize, row: Row<'_>, memo: &mut Memo) -> Result<String, Box<Diagnostic>> {
        let program = &self.programs[index];
        let key = if program.asks_data { None } else { self.key(&program.axes, row) }.map(|key| (index, key));
        if let Some(known) = key.and_then(|key| memo.0.get(&key)) {
            return Ok(known.clone());
        }
        let mut values = Vec::with_capacity(program.sources.len());
        for source in &program.sources {
            values.push(self.value(source, row, memo)?.map(|(text, _)| text));
        }
        let look_up = |name: &str| {
            let position = program.template.names().iter().position(|known| known == name)?;
            values[position].as_deref().map(str::to_owned)
        };
        let evaluated = program.template.evaluate(&look_up);
        let text = evaluated.map_err(|error| Box::new(template_error(&program.text, &error)))?;
        if let Some(key) = key {
            memo.0.insert(key, text.clone());
        }
        Ok(text)
    }

    /// The values of some axes in a row as one number; none where there are too many to be worth remembering.
    pub(super) fn key(&self, axes: &[usize], row: Row<'_>) -> Option<u64> {
        let mut combinations = 1_u64;
        let mut key = 0;
        for axis in axes {
            let size = self.axes[*axis].values.len() as u64 + 1;
            combinations = combinations.saturating_mul(size);
            // A row that does not set the axis counts as one more value.
            let value = if row.values[*axis] == ABSENT { size - 1 } else { u64::from(row.values[*axis]) };
            key = key * size + value;
            if combinations > REMEMBERED {
                return None;
            }
        }
        Some(key)
    }
}

fn entry<'a>(entries: &'a [Entry], path: &str) -> Option<&'a Text> {
    entries.iter().find(|entry| entry.key.text == path).map(|entry| &entry.value)
}

fn template_error(text: &Text, error: &crate::suite::template::TemplateError) -> Diagnostic {
    Diagnostic::error("template", error.message.clone()).at(place(text, &error.range), "")
}

fn undefined(name: &str, span: Span, names: Names<'_>) -> Diagnostic {
    let error = Diagnostic::error("undefined-name", format!("`{name}` is not defined")).at(span, "");
    let known = names.vars.iter().map(|entry| entry.key.text.as_str());
    let parameters = names.kind.parameters().iter().map(|spec| spec.name);
    if let Some(near) = nearest(name, known.chain(parameters)) {
        return error.help(format!("perhaps `{near}`"));
    }
    error.help("a template may use names in `vars:` and the workload's parameters")
}
