//! Evaluates the rows of one block: parameters, load, policy, tuning, and the content that its hash is over.
//!
//! It must not know the order of cases. Invariant: a row costs what its axes change; what all rows share is read once.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use super::axes::Meaning;
use super::block::{Block, Part, Slot};
use super::content::{self, Base, Recent};
use super::hash::Content;
use super::load::{Shape, set_policy};
use super::rows::ValueIndex;
use super::scope::{Memo, Row, Scope};
use super::targets::Resolved;
use super::tuning::Wrong;
use crate::diagnostic::{Diagnostic, Span};
use crate::suite::model::{Policy, Reset, Scenario, Suite};
use crate::workload::kind::{Configured, ParameterRole, Surroundings};
use crate::workload::load::Load;
use crate::workload::parameters::RawParameter;

/// What load, policy and tuning are in a row.
#[derive(Clone, Debug)]
pub(super) struct Variant {
    shape: Shape,
    /// The policy.
    pub(super) policy: Policy,
    /// Tuning values.
    pub(super) tuning: BTreeMap<String, String>,
    content: Content,
}

/// The loading case that a row stands on.
#[derive(Clone)]
pub(super) struct Ground {
    /// Its workload.
    pub(super) configured: Arc<dyn Configured>,
    /// Its parameters.
    pub(super) canonical: Arc<BTreeMap<String, String>>,
    /// Its tuning values.
    pub(super) tuning: BTreeMap<String, String>,
}

impl Ground {
    /// The ground that a row makes.
    pub(super) fn of(evaluated: &Evaluated) -> Self {
        let configured = Arc::clone(&evaluated.configured);
        let canonical = Arc::new(configured.canonical());
        Ground { configured, canonical, tuning: evaluated.variant.tuning.clone() }
    }
}

/// A row, evaluated.
#[derive(Clone)]
pub(super) struct Evaluated {
    /// The workload.
    pub(super) configured: Arc<dyn Configured>,
    /// Load, policy and tuning.
    pub(super) variant: Arc<Variant>,
    /// How many clients there are.
    pub(super) clients: u32,
    /// What its hash is over, but for the case that it stands on.
    pub(super) content: Content,
}

impl Evaluated {
    /// The load shape.
    pub(super) fn load(&self) -> Load {
        let shape = &self.variant.shape;
        let step = if shape.needs_point_step() { point_step(&*self.configured) } else { Duration::ZERO };
        shape.load(self.clients, step)
    }
}

/// The time between two rows of a device.
fn point_step(configured: &dyn Configured) -> Duration {
    let canonical = configured.canonical();
    let steps: u64 = canonical.get("POINT_STEP").and_then(|text| text.parse().ok()).unwrap_or_default();
    let a_second = configured.outline().precision.per_second().unsigned_abs();
    Duration::from_secs(steps / a_second) + Duration::from_nanos(steps % a_second * (1_000_000_000 / a_second))
}

/// Evaluates the rows of a block.
pub(super) struct Evaluator<'a> {
    block: &'a Block,
    scenario: &'a Scenario,
    target: &'a Resolved,
    seed: u64,
    /// What all rows of the block have in common.
    content: Content,
    /// The slots whose values differ between rows.
    varying: Vec<&'a Slot>,
    /// Some row leaves a parameter out, so that rows can't be made from one another.
    rows_lack: bool,
    /// The axes that load, policy and tuning hang on.
    variant_axes: Vec<usize>,
    memo: Memo,
    variants: HashMap<u64, Arc<Variant>>,
    base: Option<Base>,
    /// Changes from the base, kept for their memory.
    changes: Vec<RawParameter>,
    recent: Recent,
    /// What is wrong with policies and tuning: told beside the row, so that it hides nothing else.
    pub(super) beside: Vec<Diagnostic>,
}

impl<'a> Evaluator<'a> {
    /// For a block of a suite.
    pub(super) fn new(block: &'a Block, suite: &'a Suite, target: &'a Resolved, journal_version: u32) -> Self {
        let scope = &block.scope;
        let varying: Vec<&Slot> = block.slots.iter().filter(|slot| !scope.is_constant(&slot.source)).collect();
        let rows_lack = block.rows.routine.is_some() && varying.iter().any(|slot| Scope::may_lack(&slot.source));
        let parts = block.load.iter().chain(&block.policy).chain(&block.tuning);
        let mut variant_axes: Vec<usize> = parts.flat_map(|part| scope.axes_of(&part.source)).collect();
        variant_axes.sort_unstable();
        variant_axes.dedup();
        let scenario = &suite.scenarios[block.scenario];
        Evaluator {
            content: content::common(block, suite, target, journal_version),
            block,
            scenario,
            target,
            seed: suite.seed,
            varying,
            rows_lack,
            variant_axes,
            memo: Memo::default(),
            variants: HashMap::new(),
            base: None,
            changes: Vec::new(),
            recent: Recent::default(),
            beside: Vec::new(),
        }
    }

    /// Evaluates a row; `ground` is the loading case that it stands on, and `reset` is the reset that it has whatever its
    /// policy says.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub(super) fn row(
        &mut self,
        values: &[ValueIndex],
        ground: Option<&Ground>,
        reset: Option<Reset>,
    ) -> Result<Evaluated, Vec<Diagnostic>> {
        let row = Row { values, data: ground.map(|ground| &*ground.canonical) };
        let variant = self.variant(row, ground, reset)?;
        let around = Surroundings { clients: variant.shape.clients, seed: self.seed };
        let (configured, workload) = self.workload(row, ground, around)?;
        let clients = configured.clients();
        let mut content = self.content;
        content.add_all(variant.content);
        content.add_all(workload);
        content.add(self.recent.clients(clients));
        Ok(Evaluated { configured, variant, clients, content })
    }

    /// The workload of a row, and its content.
    fn workload(
        &mut self,
        row: Row<'_>,
        ground: Option<&Ground>,
        around: Surroundings,
    ) -> Result<(Arc<dyn Configured>, Content), Vec<Diagnostic>> {
        let from_base = self.base.is_some() && !self.rows_lack;
        let count = self.fill(row, ground, from_base)?;
        let given = &self.changes[..count];
        let configured = match &self.base {
            Some(base) if from_base => base.configured.with(given, around)?,
            _ => self.block.kind.configure(given, around)?,
        };
        let base = self.base.get_or_insert_with(|| Base::of(&configured));
        let content = base.content_of(&*configured, &mut self.recent);
        Ok((configured, content))
    }

    /// Writes a row's parameters into `changes`: all, or those that differ between rows. Answers how many.
    fn fill(&mut self, row: Row<'_>, ground: Option<&Ground>, varying_only: bool) -> Result<usize, Vec<Diagnostic>> {
        let block = self.block;
        let all: Vec<&Slot>;
        let slots = if varying_only {
            &self.varying
        } else {
            all = block.slots.iter().collect();
            &all
        };
        let (mut count, mut errors) = (0, Vec::new());
        for slot in slots {
            match block.scope.value(&slot.source, row, &mut self.memo) {
                Ok(Some((value, span))) => {
                    let span = span.unwrap_or(slot.name.span);
                    set(&mut self.changes, &mut count, (slot.spec.name, slot.name.span), (&value, span));
                }
                Ok(None) => {}
                Err(error) => errors.push(*error),
            }
        }
        if let Some(ground) = ground.filter(|_| block.on.is_some()) {
            // The tests of a routine have settings of their own for all data; `unlike` compares them.
            let span = self.scenario.on.as_ref().map_or(self.scenario.name.span, |on| on.span);
            for spec in block.kind.parameters().iter().filter(|spec| spec.role == ParameterRole::Data) {
                let own = block.slots.iter().any(|slot| slot.spec.name == spec.name);
                if let Some(value) = ground.canonical.get(spec.name).filter(|_| !own) {
                    set(&mut self.changes, &mut count, (spec.name, span), (value, span));
                }
            }
        }
        if errors.is_empty() { Ok(count) } else { Err(errors) }
    }

    /// Load, policy and tuning of a row.
    fn variant(
        &mut self,
        row: Row<'_>,
        ground: Option<&Ground>,
        reset: Option<Reset>,
    ) -> Result<Arc<Variant>, Vec<Diagnostic>> {
        // What stands on data takes tuning from there, too much to be a key.
        let alone = ground.is_none() && reset.is_none();
        let key = if alone { self.block.scope.key(&self.variant_axes, row) } else { None };
        if let Some(known) = key.and_then(|key| self.variants.get(&key)) {
            return Ok(Arc::clone(known));
        }
        let told = self.beside.len();
        let variant = Arc::new(self.read_variant(row, ground, reset)?);
        // What is wrong with it is counted in each row.
        if let Some(key) = key.filter(|_| self.beside.len() == told) {
            self.variants.insert(key, Arc::clone(&variant));
        }
        Ok(variant)
    }

    fn read_variant(
        &mut self,
        row: Row<'_>,
        ground: Option<&Ground>,
        reset: Option<Reset>,
    ) -> Result<Variant, Vec<Diagnostic>> {
        let block = self.block;
        let mut errors = Vec::new();
        let mut shape = Shape::default();
        self.each(&block.load, row, &mut errors, |part, text| Ok(shape.set(&part.path, text, part.spec)?));
        if !errors.is_empty() {
            return Err(errors);
        }
        let mut policy = self.scenario.policy.clone();
        self.each(&block.policy, row, &mut errors, |part, text| {
            Ok(set_policy(&mut policy, &part.path, text, part.spec)?)
        });
        policy.reset = reset.unwrap_or(policy.reset);
        let mut tuning = ground.map_or_else(BTreeMap::new, |ground| ground.tuning.clone());
        let adapter = &self.target.adapter;
        self.each(&block.tuning, row, &mut errors, |part, text| {
            super::tuning::check(adapter, &part.path, text, ground.map(|ground| &ground.tuning))?;
            tuning.insert(part.path.clone(), text.to_owned());
            Ok(())
        });
        self.beside.append(&mut errors);
        let content = content::of_variant(&shape, &policy, &tuning).map_err(|error| vec![error])?;
        Ok(Variant { shape, policy, tuning, content })
    }

    /// Hands the value of each part to `set`, in order; what is wrong with one is said at its value.
    fn each(
        &mut self,
        parts: &'a [Part],
        row: Row<'_>,
        errors: &mut Vec<Diagnostic>,
        mut set: impl FnMut(&Part, &str) -> Result<(), Wrong>,
    ) {
        for part in parts {
            match self.block.scope.value(&part.source, row, &mut self.memo) {
                Ok(Some((text, span))) => {
                    if let Err(wrong) = set(part, &text) {
                        let span = span.filter(|_| !wrong.in_name).unwrap_or(part.span);
                        let error = Diagnostic::error(wrong.code, wrong.message).at(span, "");
                        errors.push(wrong.help.into_iter().fold(error, Diagnostic::help));
                    }
                }
                Ok(None) => {}
                Err(error) => errors.push(*error),
            }
        }
    }

    /// Says which parameters that shape the data have another value than in the data that a row stands on.
    pub(super) fn unlike(&self, evaluated: &Evaluated, ground: &Ground, ground_name: &str) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for (name, value) in evaluated.configured.difference(&*ground.configured) {
            let spec = self.block.kind.parameters().iter().find(|spec| spec.name == name);
            if spec.is_none_or(|spec| spec.role != ParameterRole::Data) {
                continue;
            }
            let there = ground.canonical.get(&name).map_or("", String::as_str);
            let span = self.span_of(&name);
            let message =
                format!("{name} is {value} here and {there} in the data of `{ground_name}`, which this stands on");
            let error = Diagnostic::error("unlike-data", message).at(span, "");
            found.push(error.help("leave it out: what shapes the data comes from the case that loaded it"));
        }
        found
    }

    /// Where a parameter is given; else the scenario.
    fn span_of(&self, name: &str) -> Span {
        let slot = self.block.slots.iter().find(|slot| slot.spec.name == name);
        let axis = || {
            let is = |axis: &&super::scope::Axis| matches!(axis.meaning, Meaning::Parameter(spec) if spec.name == name);
            self.block.scope.axes.iter().rev().find(is).map(|axis| axis.name.span)
        };
        slot.map(|slot| slot.name.span).or_else(axis).unwrap_or(self.scenario.name.span)
    }
}

/// Sets the next parameter, keeping the memory of what stood there.
fn set(changes: &mut Vec<RawParameter>, count: &mut usize, name: (&str, Span), value: (&str, Span)) {
    match changes.get_mut(*count) {
        Some(known) => {
            if known.name != name.0 {
                name.0.clone_into(&mut known.name);
            }
            value.0.clone_into(&mut known.value);
            (known.name_span, known.value_span) = (name.1, value.1);
        }
        None => changes.push(RawParameter {
            name: name.0.to_owned(),
            name_span: name.1,
            value: value.0.to_owned(),
            value_span: value.1,
        }),
    }
    *count += 1;
}
