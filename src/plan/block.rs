//! A block: one scenario on one target, with its axes, rows, and where every value comes from.
//!
//! It must not evaluate a row. Invariant: a block holds everything that its cells have in common, so that a cell is a row
//! number.

use std::collections::{HashMap, HashSet};

use super::findings::Findings;
use super::rows::{ABSENT, Rows};
use super::scope::{Axis, Names, Scope, Source};
use super::sweep::{Asker, Fate};
use super::targets::Resolved;
use super::texts::Texts;
use crate::diagnostic::Span;
use crate::suite::model::{Axis as TypedAxis, Cells, Entry, Scenario, Suite, Sweep, Text};
use crate::workload::kind::{ParameterSpec, WorkloadKind};

/// A parameter that the scenario or an axis gives.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    /// Its name as typed.
    pub(super) name: Text,
    /// What it is.
    pub(super) spec: &'static ParameterSpec,
    /// Its value.
    pub(super) source: Source,
}

/// One entry of load, policy or tuning; later ones win over earlier ones.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// The path below `load.`, `policy.` or `tuning.`.
    pub(super) path: String,
    /// The parameter whose values are meant, where one named it.
    pub(super) spec: Option<&'static ParameterSpec>,
    /// Where the name stands.
    pub(super) span: Span,
    /// Its value.
    pub(super) source: Source,
}

/// One scenario on one target.
#[derive(Clone)]
pub(super) struct Block {
    /// The scenario's position.
    pub(super) scenario: usize,
    /// The target's position.
    pub(super) target: usize,
    /// The block of the loading cases that its cases stand on.
    pub(super) on: Option<usize>,
    /// The workload's kind.
    pub(super) kind: &'static dyn WorkloadKind,
    /// Its axes and templates.
    pub(super) scope: Scope,
    /// Its rows, over the axes that are its own.
    pub(super) rows: Rows,
    /// The parameters.
    pub(super) slots: Vec<Slot>,
    /// The load's entries.
    pub(super) load: Vec<Part>,
    /// What axes set of the policy.
    pub(super) policy: Vec<Part>,
    /// Tuning values.
    pub(super) tuning: Vec<Part>,
    /// The write method.
    pub(super) write_method: Option<String>,
    /// Rows with the labels of an earlier row: how often those labels have come with it.
    pub(super) repeats: HashMap<u32, u32>,
}

impl std::fmt::Debug for Block {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let parts = (self.scenario, self.target, self.on, self.kind.name());
        f.debug_tuple("Block").field(&parts).field(&self.scope).finish()
    }
}

impl Block {
    /// Counts rows whose labels have come before: a routine may repeat a test.
    fn counted(mut self) -> Self {
        if !self.rows.is_listed() {
            return self;
        }
        let mut values = vec![ABSENT; self.scope.axes.len()];
        let mut seen: HashMap<Vec<Option<&str>>, u32> = HashMap::new();
        for row in 0..self.rows.len() {
            self.rows.fill(row, &mut values);
            let labels = self
                .scope
                .axes
                .iter()
                .zip(&values)
                .map(|(axis, value)| axis.values.get(*value as usize).map(|value| value.label.as_str()));
            let count = seen.entry(labels.collect()).or_default();
            *count += 1;
            if *count > 1 {
                self.repeats.insert(row as u32, *count);
            }
        }
        self
    }
}

/// What became of all sweeps.
#[derive(Debug, Default)]
pub(super) struct AllFates {
    /// Of the axes of the sweep at the top.
    pub(super) top: Vec<Fate>,
    /// Of those of each scenario's own.
    pub(super) own: Vec<Vec<Fate>>,
}

/// Makes blocks of one suite.
pub(super) struct Maker<'a> {
    /// The suite.
    pub(super) suite: &'a Suite,
    /// Its targets, as far as they are good.
    pub(super) targets: &'a [Option<Resolved>],
}

/// What a scenario's texts use on each target.
struct Used {
    here: HashSet<String>,
    anywhere: HashSet<String>,
    everywhere: HashSet<String>,
}

impl<'a> Maker<'a> {
    /// The block of a scenario on a target; `on` is the loading block that it stands on.
    pub(super) fn block(
        &self,
        (scenario, target): (usize, usize),
        on: Option<(usize, &Block)>,
        kind: &'static dyn WorkloadKind,
        fates: &mut AllFates,
        findings: &mut Findings,
    ) -> Option<Block> {
        let resolved = self.targets[target].as_ref()?;
        let typed = &self.suite.scenarios[scenario];
        let used = self.used(typed, target);
        let has = |name: &str| resolved.adapter.file.tuning.contains_key(name);
        let all_have =
            |name: &str| self.targets.iter().flatten().all(|target| target.adapter.file.tuning.contains_key(name));
        let asker = Asker {
            kind,
            vars: &self.suite.vars,
            used: &used.here,
            used_anywhere: &used.anywhere,
            used_everywhere: &used.everywhere,
            has_tuning: &has,
            all_have_tuning: &all_have,
        };
        let mut axes: Vec<Axis> = on.map_or_else(Vec::new, |(_, ground)| inherited(ground));
        let rows = self.rows(&asker, (scenario, target), &mut axes, fates, findings);
        distinguish(&mut axes, typed.on.as_ref());
        let names = Names {
            vars: &self.suite.vars,
            kind,
            parameters: &typed.parameters,
            load: &typed.load.entries,
            reads: on.is_some(),
        };
        let mut texts = Texts { scope: Scope::new(axes), names, findings };
        texts.axis_values();
        let write_method = &self.suite.targets[target].write_method;
        let block = Block {
            scenario,
            target,
            on: on.map(|(index, _)| index),
            kind,
            rows,
            slots: texts.slots(&typed.parameters),
            load: texts.parts("load.", typed.load.entries.iter(), &typed.parameters),
            policy: texts.parts("policy.", std::iter::empty(), &typed.parameters),
            tuning: texts.parts("tuning.", self.tuning(typed, target), &[]),
            write_method: write_method.as_ref().and_then(|text| texts.write_method(text, &resolved.adapter.file)),
            repeats: HashMap::new(),
            scope: texts.scope,
        };
        Some(block.counted())
    }

    /// The sweeps that apply to a scenario: the one at the top, and its own.
    fn sweeps(&self, scenario: &'a Scenario) -> [Option<&'a Sweep>; 2] {
        [self.suite.sweep.as_ref().filter(|_| scenario.on.is_none()), scenario.sweep.as_ref()]
    }

    /// The rows of a scenario on a target; their axes are appended.
    fn rows(
        &self,
        asker: &Asker<'_>,
        (scenario, target): (usize, usize),
        axes: &mut Vec<Axis>,
        fates: &mut AllFates,
        findings: &mut Findings,
    ) -> Rows {
        let sweeps = self.sweeps(&self.suite.scenarios[scenario]);
        let [top, own] = sweeps;
        let of_target: Vec<&TypedAxis> =
            [top, own].into_iter().flatten().flat_map(|s| self.per_target(s, target)).collect();
        // What is more particular replaces an axis of the same meaning.
        let mut replaced: HashSet<String> = of_target.iter().map(|axis| asker.key(&axis.name)).collect();
        let own_replaced = replaced.clone();
        if let Some(own) = own {
            let named = super::sweep::named(own, &|name| asker.key(name));
            replaced.extend(named.iter().map(|axis| asker.key(&axis.name)));
        }
        let top = top.and_then(|sweep| asker.section(sweep, &replaced, axes, &mut fates.top, findings));
        let own_fates = &mut fates.own[scenario];
        let own = own.and_then(|sweep| asker.section(sweep, &own_replaced, axes, own_fates, findings));
        let particular = asker.own_section(&of_target, axes, findings);
        let is_routine = |sweep: Option<&Sweep>| sweep.is_some_and(|sweep| matches!(sweep.cells, Cells::Routine(_)));
        let [top_sweep, own_sweep] = sweeps;
        let routine = [top.is_some() && is_routine(top_sweep), own.is_some() && is_routine(own_sweep)];
        Rows { sections: [top, own, particular], routine: routine.iter().position(|is| *is) }
    }

    /// The axes of a sweep that are this target's alone: its adapter's, and its own in their place.
    fn per_target<'s>(&self, sweep: &'s Sweep, target: usize) -> Vec<&'s TypedAxis> {
        let spec = &self.suite.targets[target];
        let under = |name: &str| -> Vec<&'s TypedAxis> {
            sweep.per_target.iter().filter(|(key, _)| key.text == name).flat_map(|(_, axes)| axes).collect()
        };
        let mut axes = under(&spec.adapter.text);
        if spec.name.text != spec.adapter.text {
            let own = under(&spec.name.text);
            axes.retain(|axis| !own.iter().any(|other| other.name.text == axis.name.text));
            axes.extend(own);
        }
        axes
    }

    /// Tuning of a scenario on a target: the target's own, then what the scenario needs of its adapter, then of itself.
    fn tuning(&self, scenario: &'a Scenario, target: usize) -> impl Iterator<Item = &'a Entry> {
        let spec = &self.suite.targets[target];
        let names = [Some(&spec.adapter.text), Some(&spec.name.text).filter(|name| **name != spec.adapter.text)];
        let needed = names.into_iter().flatten().flat_map(|name| {
            let under = scenario.tuning.iter().filter(move |(key, _)| key.text == *name);
            under.flat_map(|(_, entries)| entries)
        });
        spec.tuning.iter().chain(needed)
    }

    /// Which variables a scenario's texts use, on this target and on others.
    fn used(&self, scenario: &'a Scenario, target: usize) -> Used {
        let on = |target: usize| {
            let spec = &self.suite.targets[target];
            let sweeps = self.sweeps(scenario).into_iter().flatten();
            let axes = sweeps.flat_map(|sweep| {
                let written = super::sweep::named(sweep, &|name| name.text.clone()).into_iter().flat_map(|a| a.values);
                let own = self.per_target(sweep, target).into_iter().flat_map(|axis| axis.values.clone());
                written.chain(own).collect::<Vec<Text>>()
            });
            let entries = scenario.parameters.iter().chain(&scenario.load.entries).chain(self.tuning(scenario, target));
            let texts = entries.map(|entry| entry.value.clone()).chain(axes).chain(spec.write_method.clone());
            super::usage::variables(texts, &self.suite.vars)
        };
        let mut others = (0..self.targets.len()).filter(|index| self.targets[*index].is_some()).map(on);
        let first = others.next().unwrap_or_default();
        let (mut anywhere, mut everywhere) = (first.clone(), first);
        for other in others {
            everywhere.retain(|name| other.contains(name));
            anywhere.extend(other);
        }
        Used { here: on(target), anywhere, everywhere }
    }
}

/// The axes of a loading block, as labels of those that stand on it.
fn inherited(ground: &Block) -> Vec<Axis> {
    ground.scope.axes.iter().map(|axis| Axis { inherited: true, ..axis.clone() }).collect()
}

/// Gives inherited axes that are called like own ones their scenario's name too.
fn distinguish(axes: &mut [Axis], on: Option<&Text>) {
    let own: HashSet<String> = axes.iter().filter(|axis| !axis.inherited).map(|axis| axis.label.clone()).collect();
    for axis in axes.iter_mut().filter(|axis| axis.inherited && own.contains(&axis.label)) {
        axis.label = format!("{}.{}", on.map_or("on", |name| name.text.as_str()), axis.label);
    }
}
