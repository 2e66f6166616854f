//! From a sweep to the axes and rows that it gives one scenario on one target.
//!
//! It must not evaluate a workload. Invariant: an axis multiplies only what it changes; one that changes nothing anywhere is
//! found by its [`Fate`].

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::axes::{Meaning, meaning};
use super::draw::Drawn;
use super::findings::Findings;
use super::rows::{Section, ValueIndex};
use super::scope::{Axis, AxisValue};
use crate::diagnostic::Diagnostic;
use crate::suite::model::{self, Cell, Cells, Entry, Sweep, Text};
use crate::value::Quantity;
use crate::workload::kind::WorkloadKind;

/// A sweep with more cells than this is surely a mistake.
pub(super) const MOST_CELLS: u64 = 10_000_000;

/// What became of an axis over all scenarios and targets that it was offered to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fate {
    /// Nothing is called so.
    #[default]
    Unknown,
    /// A variable that no template uses.
    Unused,
    /// A tuning parameter that no target has.
    NoTuning,
    /// It changes something.
    Known,
}

/// An axis as a sweep names it.
#[derive(Clone, Debug)]
pub(super) struct Named {
    /// Its name.
    pub(super) name: Text,
    /// Its values; a routine's are those of all tests.
    pub(super) values: Vec<Text>,
}

/// The axes that a sweep names, a routine's settings among them, in order of first appearance.
pub(super) fn named(sweep: &Sweep, key: &dyn Fn(&Text) -> String) -> Vec<Named> {
    let of_axes = |axes: &[model::Axis]| {
        axes.iter().map(|axis| Named { name: axis.name.clone(), values: axis.values.clone() }).collect()
    };
    match &sweep.cells {
        Cells::Matrix(axes) => of_axes(axes),
        Cells::Zip(axes) => {
            let named = |axis: &model::Axis| Named { name: axis.name.clone(), values: distinct(&axis.values).0 };
            axes.iter().map(named).collect()
        }
        Cells::Routine(tests) => gathered(tests.iter().map(|test| &test.settings), key),
        Cells::None => gathered(sweep.include.iter().map(|(cell, _)| cell), key),
    }
}

/// The different ones among values, and the position of each value among those.
pub(super) fn distinct(values: &[Text]) -> (Vec<Text>, Vec<ValueIndex>) {
    let mut known: HashMap<String, ValueIndex> = HashMap::new();
    let mut different = Vec::new();
    let mut position = |value: &Text| {
        *known.entry(label(&value.text)).or_insert_with(|| {
            different.push(value.clone());
            (different.len() - 1) as ValueIndex
        })
    };
    let positions = values.iter().map(&mut position).collect();
    (different, positions)
}

/// The axes of cells that are written out.
fn gathered<'a>(cells: impl Iterator<Item = &'a Cell>, key: &dyn Fn(&Text) -> String) -> Vec<Named> {
    let mut axes: Vec<(String, Named)> = Vec::new();
    for entry in cells.flatten() {
        let wanted = key(&entry.key);
        let position = axes.iter().position(|(known, _)| *known == wanted).unwrap_or_else(|| {
            axes.push((wanted, Named { name: entry.key.clone(), values: Vec::new() }));
            axes.len() - 1
        });
        let values = &mut axes[position].1.values;
        if !values.iter().any(|known| Quantity::same(&known.text, &entry.value.text)) {
            values.push(entry.value.clone());
        }
    }
    axes.into_iter().map(|(_, axis)| axis).collect()
}

/// Who is asking: a scenario on a target.
pub(super) struct Asker<'a> {
    /// The workload's kind.
    pub(super) kind: &'static dyn WorkloadKind,
    /// The suite's variables.
    pub(super) vars: &'a [Entry],
    /// The variables that texts of the scenario on this target use.
    pub(super) used: &'a HashSet<String>,
    /// The variables that texts of the scenario on some target use.
    pub(super) used_anywhere: &'a HashSet<String>,
    /// The variables that texts of the scenario on every target use.
    pub(super) used_everywhere: &'a HashSet<String>,
    /// Whether the target's adapter has a tuning parameter.
    pub(super) has_tuning: &'a dyn Fn(&str) -> bool,
    /// Whether all targets' adapters have it.
    pub(super) all_have_tuning: &'a dyn Fn(&str) -> bool,
}

/// An axis that means something to the asker.
pub(super) struct Taken {
    /// Its position among the sweep's axes.
    pub(super) index: usize,
    meaning: Meaning,
    /// Whether it is an axis for all targets.
    pub(super) shared: bool,
}

impl Asker<'_> {
    /// The key of a name: names that mean the same share it.
    pub(super) fn key(&self, name: &Text) -> String {
        let known = meaning(name, self.kind, self.vars);
        known.map_or_else(|| name.text.clone(), |meaning| meaning.key(&name.text))
    }

    /// What an axis means here, and what became of it; `side_by_side` axes multiply nothing, and stay for every target.
    fn take(&self, index: usize, name: &Text, side_by_side: bool) -> (Option<Taken>, Fate) {
        let Some(meaning) = meaning(name, self.kind, self.vars) else { return (None, Fate::Unknown) };
        let (here, shared, otherwise) = match meaning {
            Meaning::Variable if side_by_side => (self.used_anywhere.contains(&name.text), true, Fate::Unused),
            Meaning::Variable => {
                (self.used.contains(&name.text), self.used_everywhere.contains(&name.text), Fate::Unused)
            }
            Meaning::Tuning => {
                let parameter = name.text.split_once('.').map_or("", |(_, parameter)| parameter);
                ((self.has_tuning)(parameter), (self.all_have_tuning)(parameter), Fate::NoTuning)
            }
            _ => (true, true, Fate::Known),
        };
        let taken = here.then_some(Taken { index, meaning, shared });
        (taken, if here { Fate::Known } else { otherwise })
    }

    /// The axes and rows of a sweep, without those whose key is in `replaced`; axes are appended to `axes`.
    pub(super) fn section(
        &self,
        sweep: &Sweep,
        replaced: &HashSet<String>,
        axes: &mut Vec<Axis>,
        fates: &mut Vec<Fate>,
        findings: &mut Findings,
    ) -> Option<Section> {
        let named = named(sweep, &|name| self.key(name));
        fates.resize(named.len(), Fate::Unknown);
        let side_by_side = matches!(sweep.cells, Cells::Zip(_) | Cells::Routine(_));
        let mut taken = Vec::new();
        for (index, axis) in named.iter().enumerate() {
            let (axis, fate) = self.take(index, &axis.name, side_by_side);
            fates[index] = fates[index].max(fate);
            taken.extend(axis);
        }
        taken.retain(|axis| !replaced.contains(&axis.meaning.key(&named[axis.index].name.text)));
        // Axes that only some targets have come last, so that rows of all targets keep step.
        taken.sort_by_key(|axis| !axis.shared);
        let first = axes.len();
        axes.extend(taken.iter().map(|axis| made(&named[axis.index], axis.meaning)));
        let mut rows = Drawn { asker: self, sweep, axes: &mut axes[first..], first, taken: &taken };
        rows.section(findings)
    }

    /// Axes of this target alone, as one matrix.
    pub(super) fn own_section(
        &self,
        own: &[&model::Axis],
        axes: &mut Vec<Axis>,
        findings: &mut Findings,
    ) -> Option<Section> {
        let first = axes.len();
        for axis in own {
            let named = Named { name: axis.name.clone(), values: axis.values.clone() };
            match self.take(0, &axis.name, false) {
                (Some(taken), _) => axes.push(made(&named, taken.meaning)),
                (None, fate) => findings.push(no_such_axis(&axis.name, fate)),
            }
        }
        let sizes: Vec<u32> = axes[first..].iter().map(|axis| axis.values.len() as u32).collect();
        let inner = sizes.len();
        (inner > 0).then(|| Section::matrix(first..axes.len(), sizes, inner, None))
    }
}

/// An axis that changes nothing, though its name is known.
pub(super) fn no_such_axis(name: &Text, fate: Fate) -> Diagnostic {
    let why = match fate {
        Fate::Unused => "no template that it is for uses this variable",
        Fate::NoTuning => "no target has this tuning parameter",
        Fate::Unknown | Fate::Known => "no scenario knows it",
    };
    let message = format!("the axis `{}` changes nothing: {why}", name.text);
    let error = Diagnostic::error("unknown-axis", message).at(name.span, "");
    error.help("a sweep at the top is for scenarios that load data; one that asks has its own")
}

fn made(named: &Named, meaning: Meaning) -> Axis {
    Axis {
        label: meaning.label(&named.name.text),
        name: named.name.clone(),
        meaning,
        values: named.values.iter().map(axis_value).collect(),
        inherited: false,
    }
}

/// A value of an axis, as long as no template in it has been evaluated.
pub(super) fn axis_value(text: &Text) -> AxisValue {
    AxisValue { text: text.clone(), value: Arc::new(text.clone()), label: label(&text.text) }
}

/// A value as ids and selectors have it: numbers in one spelling, everything else as it is.
pub(super) fn label(text: &str) -> String {
    match Quantity::read(text) {
        Some(number @ Quantity::Number(_)) => number.to_string(),
        _ => text.to_owned(),
    }
}
