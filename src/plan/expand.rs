//! From a suite to all its cases: every block made, every row evaluated once, everything that is wrong told at once.
//!
//! It must not print or read files. Invariant: equal suites, adapters and overrides give equal expansions.

use std::collections::HashMap;

use super::block::{AllFates, Block, Maker};
use super::cell::{Cell, NONE};
use super::evaluate::{Evaluated, Evaluator, Ground};
use super::expansion::Expansion;
use super::findings::Findings;
use super::rows::{ABSENT, ValueIndex};
use super::support::Support;
use super::sweep::MOST_CELLS;
use super::targets::{self, Adapters, Resolved};
use super::{checks, order, select};
use crate::diagnostic::{Diagnostic, nearest};
use crate::suite::model::{Place, Reset, Suite};
use crate::workload::kind::{self, WorkloadKind};

/// Expands a suite into its cases. `journal_version` is the version of the lines that results will be kept in; it is part of
/// each case's hash.
///
/// # Errors
/// Everything that is wrong with the suite as far as its adapters and workloads can tell, each with its place.
pub fn expand(suite: &Suite, adapters: &dyn Adapters, journal_version: u32) -> Result<Expansion, Vec<Diagnostic>> {
    let mut findings = Findings::default();
    let mut warnings = Vec::new();
    let targets: Vec<Option<Resolved>> = suite
        .targets
        .iter()
        .map(|spec| targets::resolve(spec, adapters, &mut warnings).map_err(|error| findings.push(*error)).ok())
        .collect();
    findings.extend(warnings);
    let kinds = kinds(suite, &mut findings);
    let mut work = Work {
        suite,
        targets: &targets,
        journal_version,
        blocks: Vec::new(),
        found: Vec::new(),
        reasons: Vec::new(),
        findings,
        is_whole: true,
    };
    let mut fates = AllFates { top: Vec::new(), own: vec![Vec::new(); suite.scenarios.len()] };
    work.loading(&kinds, &mut fates);
    work.reading(&kinds, &mut fates);
    let is_whole = work.is_whole && targets.iter().all(Option::is_some) && kinds.iter().all(Option::is_some);
    checks::axes(suite, &fates, &kinds, &mut work.findings);
    let Work { blocks, found, reasons, mut findings, .. } = work;
    // Where a case is missing, what is said of all of them could be a mere consequence.
    if findings.has_errors() && !is_whole {
        return Err(findings.into_vec());
    }
    let mut cells = assemble(&blocks, found);
    order::stand(&blocks, &mut cells);
    let targets: Vec<Resolved> = targets.into_iter().flatten().collect();
    let mut expansion = Expansion::new(suite.clone(), targets, blocks, cells, reasons, journal_version);
    checks::whole(&expansion, &mut findings);
    let is_set = suite.overrides.iter().any(|typed| typed.starts_with("--set"));
    checks::assertions(&mut expansion, is_set, &mut findings);
    select::keep_only(&mut expansion, &mut findings);
    checks::assertions(&mut expansion, true, &mut findings);
    checks::throughputs(&expansion, &mut findings);
    if findings.has_errors() {
        return Err(findings.into_vec());
    }
    expansion.trials = order::trials(&expansion);
    expansion.warnings = findings.into_vec();
    Ok(expansion)
}

/// The kind of each scenario's workload.
fn kinds(suite: &Suite, findings: &mut Findings) -> Vec<Option<&'static dyn WorkloadKind>> {
    let find = |name: &crate::suite::model::Text| {
        let found = kind::find(&name.text);
        if found.is_none() {
            let known: Vec<&str> = kind::kinds().iter().map(|kind| kind.name()).collect();
            let error = Diagnostic::error("unknown-workload", format!("there is no workload `{}`", name.text));
            let error = error.at(name.span, "");
            let near = nearest(&name.text, known.iter().copied());
            let error = near.into_iter().fold(error, |error, near| error.help(format!("perhaps `{near}`")));
            findings.push(error.help(format!("there are: {}", known.join(", "))));
        }
        found
    };
    suite.scenarios.iter().map(|scenario| &scenario.workload).map(find).collect()
}

/// The cases of one block; `on` is a position in the block that it stands on, or in itself for a routine.
struct Found {
    block: usize,
    cells: Vec<Cell>,
}

/// An expansion being made.
struct Work<'a> {
    suite: &'a Suite,
    targets: &'a [Option<Resolved>],
    journal_version: u32,
    blocks: Vec<Block>,
    found: Vec<Found>,
    reasons: Vec<String>,
    findings: Findings,
    /// No case is missing because something is wrong with it.
    is_whole: bool,
}

impl<'a> Work<'a> {
    /// Makes and evaluates the blocks that load data.
    fn loading(&mut self, kinds: &[Option<&'static dyn WorkloadKind>], fates: &mut AllFates) {
        for (scenario, kind) in kinds.iter().enumerate() {
            let Some(kind) = kind.filter(|_| self.suite.scenarios[scenario].on.is_none()) else { continue };
            for target in 0..self.targets.len() {
                let Some(block) = self.make((scenario, target), None, kind, fates) else {
                    self.is_whole = false;
                    continue;
                };
                self.blocks.push(block);
                self.evaluate(self.blocks.len() - 1, None);
            }
        }
    }

    /// Makes and evaluates the blocks that stand on data.
    fn reading(&mut self, kinds: &[Option<&'static dyn WorkloadKind>], fates: &mut AllFates) {
        for (scenario, kind) in kinds.iter().enumerate() {
            let typed = &self.suite.scenarios[scenario];
            let (Some(kind), Some(on)) = (*kind, &typed.on) else { continue };
            let Some(ground) = self.suite.scenarios.iter().position(|other| other.name.text == on.text) else {
                let error = Diagnostic::error("unknown-scenario", format!("there is no scenario `{}`", on.text));
                self.findings.push(error.at(on.span, "").help("`on:` names the scenario that loads the data"));
                continue;
            };
            if self.suite.scenarios[ground].on.is_some() {
                let message = format!("`{}` loads no data: it stands on data itself", on.text);
                let error = Diagnostic::error("on-reader", message).at(on.span, "");
                self.findings.push(error.help("name the scenario that loads them"));
                continue;
            }
            for target in 0..self.targets.len() {
                let is = |block: &Block| block.scenario == ground && block.target == target;
                let Some(below) = self.blocks.iter().position(is) else { continue };
                let Some(block) = self.make((scenario, target), Some(below), kind, fates) else {
                    self.is_whole = false;
                    continue;
                };
                self.blocks.push(block);
                self.evaluate(self.blocks.len() - 1, Some(below));
            }
        }
    }

    /// A block without complaints; none where there are some.
    fn make(
        &mut self,
        place: (usize, usize),
        below: Option<usize>,
        kind: &'static dyn WorkloadKind,
        fates: &mut AllFates,
    ) -> Option<Block> {
        let maker = Maker { suite: self.suite, targets: self.targets };
        let errors = self.findings.errors();
        let on = below.map(|index| (index, &self.blocks[index]));
        let block = maker.block(place, on, kind, fates, &mut self.findings)?;
        let rows = block.rows.len();
        if rows > MOST_CELLS {
            let scenario = &self.suite.scenarios[place.0];
            let message = format!("`{}` has {rows} cells on one target, more than {MOST_CELLS}", scenario.name.text);
            self.findings.push(Diagnostic::error("too-many-cells", message).at(scenario.name.span, ""));
        }
        (self.findings.errors() == errors).then_some(block)
    }

    /// Evaluates all rows of a block.
    fn evaluate(&mut self, index: usize, below: Option<usize>) {
        let Some(target) = &self.targets[self.blocks[index].target] else { return };
        // Blocks and cells of the data are read while findings are added.
        let blocks = std::mem::take(&mut self.blocks);
        let found = std::mem::take(&mut self.found);
        let block = &blocks[index];
        let mut rows = BlockRows {
            block,
            index,
            suite: self.suite,
            target,
            evaluator: Evaluator::new(block, self.suite, target, self.journal_version),
            support: Support::new(&target.adapter, block.kind.name()),
            reasons: &mut self.reasons,
            findings: &mut self.findings,
            failed: false,
            values: vec![ABSENT; block.scope.axes.len()],
            cells: Vec::with_capacity(if below.is_none() { block.rows.len() as usize } else { 0 }),
        };
        match below {
            None if block.rows.routine.is_some() => rows.routine(),
            None => rows.alone(),
            Some(below) => {
                let ground = found.iter().find(|found| found.block == below);
                let cells = ground.map_or(&[][..], |found| &found.cells);
                rows.on(&blocks[below], cells, self.journal_version);
            }
        }
        let side = std::mem::take(&mut rows.evaluator.beside);
        rows.findings.extend(side);
        let (cells, failed) = (rows.cells, rows.failed);
        self.is_whole &= !failed;
        (self.blocks, self.found) = (blocks, found);
        self.found.push(Found { block: index, cells });
    }
}

/// The rows of one block, being evaluated.
struct BlockRows<'a> {
    block: &'a Block,
    index: usize,
    suite: &'a Suite,
    target: &'a Resolved,
    evaluator: Evaluator<'a>,
    support: Support,
    reasons: &'a mut Vec<String>,
    findings: &'a mut Findings,
    /// A row could not be evaluated.
    failed: bool,
    values: Vec<ValueIndex>,
    cells: Vec<Cell>,
}

impl BlockRows<'_> {
    /// Rows that each load data of their own.
    fn alone(&mut self) {
        for row in 0..self.block.rows.len() {
            self.block.rows.fill(row, &mut self.values);
            match self.evaluator.row(&self.values, None, None) {
                Ok(evaluated) => {
                    self.must_load(&evaluated);
                    self.add(row, &evaluated, None);
                }
                Err(errors) => self.fail(errors),
            }
        }
    }

    /// The tests of a routine: one that does not write, or keeps the data, stands on the last that loaded.
    fn routine(&mut self) {
        let name = self.suite.scenarios[self.block.scenario].name.text.clone();
        let mut heads: HashMap<u64, (u32, Ground)> = HashMap::new();
        for row in 0..self.block.rows.len() {
            self.block.rows.fill(row, &mut self.values);
            let evaluated = match self.evaluator.row(&self.values, None, None) {
                Ok(evaluated) => evaluated,
                Err(errors) => {
                    self.fail(errors);
                    continue;
                }
            };
            let keeps = evaluated.variant.policy.reset == Reset::Never;
            let chain = self.block.rows.beside_routine(row);
            match heads.get(&chain) {
                Some((head, ground)) if keeps || !evaluated.configured.writes() => {
                    self.findings.extend(self.evaluator.unlike(&evaluated, ground, &name));
                    match self.evaluator.row(&self.values, Some(ground), Some(Reset::Never)) {
                        Ok(evaluated) => self.add(row, &evaluated, Some(*head)),
                        Err(errors) => self.fail(errors),
                    }
                }
                _ => {
                    self.must_load(&evaluated);
                    heads.insert(chain, (self.cells.len() as u32, Ground::of(&evaluated)));
                    // There is nothing to keep yet: each round begins with an empty database.
                    let first =
                        if keeps { self.evaluator.row(&self.values, None, Some(Reset::Case)) } else { Ok(evaluated) };
                    match first {
                        Ok(evaluated) => self.add(row, &evaluated, None),
                        Err(errors) => self.fail(errors),
                    }
                }
            }
        }
    }

    /// Rows that stand on each loading case of another block.
    fn on(&mut self, below: &Block, loaded: &[Cell], journal_version: u32) {
        let name = self.suite.scenarios[below.scenario].name.text.clone();
        let width = below.scope.axes.len();
        let mut evaluator = Evaluator::new(below, self.suite, self.target, journal_version);
        for (position, cell) in loaded.iter().enumerate().filter(|(_, cell)| cell.head == NONE) {
            below.rows.fill(u64::from(cell.row), &mut self.values[..width]);
            let Ok(ground) = evaluator.row(&self.values[..width], None, None) else { continue };
            let ground = Ground::of(&ground);
            for row in 0..self.block.rows.len() {
                self.block.rows.fill(row, &mut self.values);
                match self.evaluator.row(&self.values, Some(&ground), Some(Reset::Never)) {
                    Ok(evaluated) => {
                        self.findings.extend(self.evaluator.unlike(&evaluated, &ground, &name));
                        self.add_on(row, &evaluated, (position as u32, cell));
                    }
                    Err(errors) => self.fail(errors),
                }
            }
        }
    }

    /// A case that stands on no data has to write some, but on a server whose own data are kept.
    fn must_load(&mut self, evaluated: &Evaluated) {
        let keeps = evaluated.variant.policy.reset == Reset::Never;
        let has_data = matches!(&self.target.target.place, Place::Existing(existing) if existing.database.is_some());
        if evaluated.configured.writes() || (keeps && has_data) {
            return;
        }
        let name = &self.suite.scenarios[self.block.scenario].name;
        let message = format!("`{}` only asks, and stands on no data", name.text);
        let error = Diagnostic::error("no-data", message).at(name.span, "");
        self.findings.push(error.help("say `on: SCENARIO` to name the one that loads the data, or let OPERATION_PROPORTION begin with a number above 0"));
    }

    fn fail(&mut self, errors: Vec<Diagnostic>) {
        self.failed = true;
        self.findings.extend(errors);
    }

    fn add_on(&mut self, row: u64, evaluated: &Evaluated, (head, below): (u32, &Cell)) {
        self.add(row, evaluated, Some(head));
        if let Some(cell) = self.cells.last_mut().filter(|cell| cell.reason == NONE && below.reason != NONE) {
            cell.reason = below.reason;
        }
    }

    fn add(&mut self, row: u64, evaluated: &Evaluated, head: Option<u32>) {
        let kinds = evaluated.configured.kinds();
        let ordinal = self.block.rows.ordinal(row);
        let hash = evaluated.content.finish();
        let mut cell = Cell::of((self.index as u32, row as u32), ordinal, evaluated, &kinds, hash);
        cell.head = head.unwrap_or(NONE);
        let outline = evaluated.configured.outline();
        let (clients, tuning) = (evaluated.clients, &evaluated.variant.tuning);
        match self.support.ask(&*evaluated.configured, &outline, &kinds, clients, tuning) {
            Ok((answer, is_new)) => {
                if let Some(reason) = &answer.not_supported {
                    cell.reason = self.reason(reason);
                }
                for caution in answer.cautions.iter().filter(|_| is_new) {
                    self.caution(caution);
                }
            }
            Err(message) => {
                let span = self.suite.targets[self.block.target].adapter.span;
                self.findings.push(Diagnostic::error("adapter", message).at(span, ""));
            }
        }
        self.cells.push(cell);
    }

    /// The position of a reason; there are few of them.
    fn reason(&mut self, reason: &str) -> u32 {
        let known = self.reasons.iter().position(|known| known == reason);
        let position = known.unwrap_or_else(|| {
            self.reasons.push(reason.to_owned());
            self.reasons.len() - 1
        });
        position as u32
    }

    fn caution(&mut self, text: &str) {
        let target = &self.suite.targets[self.block.target];
        let warning = Diagnostic::warning("caution", format!("{}: {text}", target.name.text));
        self.findings.once(warning.at(target.name.span, ""));
    }
}

/// All cells in suite order: by scenario, then target, then row; what stands on a cell points at its new position.
fn assemble(blocks: &[Block], mut found: Vec<Found>) -> Vec<Cell> {
    found.sort_by_key(|found| (blocks[found.block].scenario, blocks[found.block].target));
    let mut starts = HashMap::new();
    let mut next = 0_u32;
    for found in &found {
        starts.insert(found.block, next);
        next += found.cells.len() as u32;
    }
    for Found { block, cells } in &mut found {
        let start = starts.get(&blocks[*block].on.unwrap_or(*block)).copied().unwrap_or_default();
        cells.iter_mut().filter(|cell| cell.head != NONE).for_each(|cell| cell.head += start);
    }
    // The first block's cells are taken as they lie: a large sweep is one block, and need not be copied.
    let mut all = found.into_iter().map(|found| found.cells);
    let mut cells = all.next().unwrap_or_default();
    all.for_each(|more| cells.extend(more));
    cells
}
