//! A suite's cases, found on demand.
//!
//! It must not read a suite's text or touch a server. Invariant: a case made from it is the same each time.

use std::collections::BTreeMap;

use super::block::Block;
use super::cases::Cases;
use super::cell::{Cell, NONE};
use super::hash::{Hash, plan_hash};
use super::ids;
use super::rows::{ABSENT, ValueIndex};
use super::targets::Resolved;
use super::types::{Case, PLAN_VERSION, Plan, Target, Trial};
use crate::diagnostic::Diagnostic;
use crate::suite::model::Suite;
use crate::workload::kind::ParameterRole;

/// A suite's cases and trials.
#[derive(Debug)]
pub struct Expansion {
    pub(super) suite: Suite,
    pub(super) targets: Vec<Resolved>,
    pub(super) blocks: Vec<Block>,
    pub(super) cells: Vec<Cell>,
    pub(super) reasons: Vec<String>,
    pub(super) journal_version: u32,
    pub(super) trials: Vec<(u32, u32)>,
    /// What is worth knowing though nothing is wrong.
    pub warnings: Vec<Diagnostic>,
}

/// What a case does and needs, without its texts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// Its hash.
    pub hash: Hash,
    /// Write operations.
    pub writes: u64,
    /// Queries.
    pub queries: u64,
    /// Points that its writes hold.
    pub points: u64,
    /// Raw bytes of those points.
    pub bytes: u64,
    /// About how much memory the client needs.
    pub memory: u64,
    /// Seconds that its pace takes at least.
    pub least_seconds: f64,
    /// Seconds after which it ends, if not before by itself; infinite where nothing says so.
    pub most_seconds: f64,
    /// Seconds of its warm-up.
    pub warmup_seconds: f64,
    /// Operations of its warm-up; 0 where a time ends it, or there is none.
    pub warmup_operations: u32,
    /// The loading case whose data it stands on; none: it loads its own.
    pub head: Option<usize>,
    /// Whether the target can do it.
    pub supported: bool,
}

impl Expansion {
    pub(super) fn new(
        suite: Suite,
        targets: Vec<Resolved>,
        blocks: Vec<Block>,
        cells: Vec<Cell>,
        reasons: Vec<String>,
        journal_version: u32,
    ) -> Self {
        let (trials, warnings) = (Vec::new(), Vec::new());
        Expansion { suite, targets, blocks, cells, reasons, journal_version, trials, warnings }
    }

    /// How many cases there are.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether there is no case; an expansion that was made without complaint has some.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The suite.
    pub fn suite(&self) -> &Suite {
        &self.suite
    }

    /// The targets that have cases, in suite order.
    pub fn targets(&self) -> impl Iterator<Item = &Target> {
        let mut used = vec![false; self.targets.len()];
        self.cells.iter().for_each(|cell| used[self.blocks[cell.block as usize].target] = true);
        self.targets.iter().zip(used).filter(|(_, used)| *used).map(|(resolved, _)| &resolved.target)
    }

    /// The trials in order: a case's position and a round, from 1.
    pub fn trials(&self) -> &[(u32, u32)] {
        &self.trials
    }

    /// Target and scenario of a case, by their positions in the suite.
    pub fn place(&self, case: usize) -> (usize, usize) {
        let block = &self.blocks[self.cells[case].block as usize];
        (block.target, block.scenario)
    }

    /// What a case does and needs.
    pub fn summary(&self, case: usize) -> Summary {
        let cell = &self.cells[case];
        Summary {
            hash: cell.hash,
            writes: cell.writes,
            queries: cell.queries,
            points: cell.points,
            bytes: cell.bytes,
            memory: cell.memory,
            least_seconds: f64::from(cell.least),
            most_seconds: f64::from(cell.most),
            warmup_seconds: f64::from(cell.warmup),
            warmup_operations: cell.warmup_operations,
            head: (cell.head != NONE).then_some(cell.head as usize),
            supported: cell.reason == NONE,
        }
    }

    /// Why a case is not supported; none: it is.
    pub fn not_supported(&self, case: usize) -> Option<&str> {
        self.reasons.get(self.cells[case].reason as usize).map(String::as_str)
    }

    /// The plan's hash.
    pub fn hash(&self) -> Hash {
        plan_hash(self.cells.iter().map(|cell| cell.hash), self.suite.rounds, self.trials.iter().copied())
    }

    /// The value of each axis of a cell's block.
    pub(super) fn values(&self, cell: &Cell, values: &mut Vec<ValueIndex>) {
        let block = &self.blocks[cell.block as usize];
        values.clear();
        values.resize(block.scope.axes.len(), ABSENT);
        if let Some(below) = block.on {
            let below = &self.blocks[below];
            let row = u64::from(self.cells[cell.head as usize].row);
            below.rows.fill(row, &mut values[..below.scope.axes.len()]);
        }
        block.rows.fill(u64::from(cell.row), values);
    }

    /// The id of a case.
    pub fn id(&self, case: usize) -> String {
        let cell = &self.cells[case];
        let block = &self.blocks[cell.block as usize];
        let target = &self.targets[block.target].target.name;
        let scenario = &self.suite.scenarios[block.scenario].name.text;
        let labels = self.labels(case);
        let repeat = block.repeats.get(&cell.row).copied().unwrap_or(1);
        ids::id(target, scenario, &labels, repeat)
    }

    /// The axis values of a case as labels, in the axes' order.
    pub fn labels(&self, case: usize) -> Vec<(String, String)> {
        let cell = &self.cells[case];
        let mut values = Vec::new();
        self.values(cell, &mut values);
        let axes = self.blocks[cell.block as usize].scope.axes.iter().zip(values);
        let set = axes.filter(|(_, value)| *value != ABSENT);
        set.map(|(axis, value)| (axis.label.clone(), axis.values[value as usize].label.clone())).collect()
    }

    /// A whole case; none where it can't be evaluated, which it could when the suite was expanded.
    pub fn case(&self, case: usize) -> Option<Case> {
        Cases::of(self).case(case)
    }

    /// The parameters of a case as `plan` shows them: the workload's, and the number of clients by its parameter's name.
    pub fn shown_parameters(&self, case: &Case) -> BTreeMap<String, String> {
        let mut shown = case.parameters.clone();
        let kind = crate::workload::kind::find(&case.workload);
        let clients = kind.and_then(|kind| {
            kind.parameters().iter().find(|spec| spec.role == ParameterRole::SuitePath("load.clients"))
        });
        shown.extend(clients.map(|spec| (spec.name.to_owned(), case.load.clients.to_string())));
        shown
    }

    /// All cases, in suite order.
    pub fn cases(&self) -> impl Iterator<Item = Case> + '_ {
        let mut cases = Cases::of(self);
        (0..self.len()).filter_map(move |case| cases.case(case))
    }

    /// Why some scenarios need not send the same bytes each time: a reason, and the scenarios' names.
    pub fn exceptions(&self) -> Vec<(String, Vec<&str>)> {
        let mut present = vec![false; self.suite.scenarios.len()];
        let mut timed = present.clone();
        for cell in &self.cells {
            let scenario = self.blocks[cell.block as usize].scenario;
            present[scenario] = true;
            timed[scenario] |= cell.most.is_finite();
        }
        let mut found: Vec<(String, Vec<&str>)> = Vec::new();
        let scenarios = self.suite.scenarios.iter().zip(present.into_iter().zip(timed));
        for (scenario, (_, timed)) in scenarios.filter(|(_, (present, _))| *present) {
            let retries = Some(scenario.policy.retries).filter(|retries| *retries > 0);
            let retried = retries.map(|retries| format!("a transient failure is tried again, up to {retries} times"));
            let timed = timed.then(|| "time can end it before its operations do".to_owned());
            for why in retried.into_iter().chain(timed) {
                match found.iter_mut().find(|(known, _)| *known == why) {
                    Some((_, names)) => names.push(&scenario.name.text),
                    None => found.push((why, vec![&scenario.name.text])),
                }
            }
        }
        found
    }

    /// The whole plan, as a run stores it.
    pub fn plan(&self) -> Plan {
        let cases: Vec<Case> = self.cases().collect();
        let trial = |(case, round): &(u32, u32)| Trial { case: cases[*case as usize].id.clone(), round: *round };
        let trials = self.trials.iter().map(trial).collect();
        Plan {
            version: PLAN_VERSION,
            hash: self.hash().to_string(),
            suite: self.suite.name.clone(),
            description: self.suite.description.clone(),
            seed: self.suite.seed,
            rounds: self.suite.rounds,
            overrides: self.suite.overrides.clone(),
            targets: self.targets().cloned().collect(),
            trials,
            report: self.suite.report.clone(),
            assertions: self.suite.assertions.iter().map(|(assertion, _)| assertion.clone()).collect(),
            source: self.suite.sources.text(crate::diagnostic::FileId(0)).to_owned(),
            cases,
        }
    }
}
