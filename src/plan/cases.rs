//! Whole cases, evaluated again from their rows.
//!
//! It must not change an expansion. Invariant: a case comes out the same whichever cases were asked for before it.

use std::collections::HashMap;

use super::cell::NONE;
use super::evaluate::{Evaluated, Evaluator, Ground};
use super::expansion::Expansion;
use super::types::Case;
use crate::suite::model::Reset;

/// Finds cases; what those of one block have in common is kept between them.
pub(super) struct Cases<'a> {
    expansion: &'a Expansion,
    evaluators: HashMap<u32, Evaluator<'a>>,
    /// The loading case that the last one stood on.
    ground: Option<(u32, Ground)>,
}

impl<'a> Cases<'a> {
    /// Those of an expansion.
    pub(super) fn of(expansion: &'a Expansion) -> Self {
        Cases { expansion, evaluators: HashMap::new(), ground: None }
    }

    /// A case; none where it can't be evaluated.
    pub(super) fn case(&mut self, case: usize) -> Option<Case> {
        let evaluated = self.evaluated(case as u32)?;
        let expansion = self.expansion;
        let cell = &expansion.cells[case];
        let block = &expansion.blocks[cell.block as usize];
        let scenario = &expansion.suite.scenarios[block.scenario];
        let verify = expansion.suite.verify;
        Some(Case {
            id: expansion.id(case),
            hash: cell.hash.to_string(),
            target: expansion.targets[block.target].target.name.clone(),
            scenario: scenario.name.text.clone(),
            workload: block.kind.name().to_owned(),
            on: (cell.on != NONE).then(|| expansion.id(cell.on as usize)),
            axes: expansion.labels(case),
            parameters: evaluated.configured.canonical(),
            load: evaluated.load(),
            tuning: evaluated.variant.tuning.clone(),
            write_method: block.write_method.clone(),
            state: scenario.state,
            policy: evaluated.variant.policy.clone(),
            verify_counts: verify.counts,
            verify_answers: verify.answers,
            operations: Some(cell.operations()),
            points: Some(cell.points),
            rows: Some(cell.rows),
            bytes: Some(cell.bytes),
            writes: cell.can_write,
            not_supported: expansion.not_supported(case).map(str::to_owned),
        })
    }

    fn evaluated(&mut self, case: u32) -> Option<Evaluated> {
        let expansion = self.expansion;
        let cell = &expansion.cells[case as usize];
        let mut values = Vec::new();
        expansion.values(cell, &mut values);
        if cell.head != NONE {
            if self.ground.as_ref().is_none_or(|(head, _)| *head != cell.head) {
                let below = self.evaluated(cell.head)?;
                self.ground = Some((cell.head, Ground::of(&below)));
            }
            let ground = self.ground.clone();
            let ground = ground.as_ref().map(|(_, ground)| ground);
            return self.evaluator(cell.block).row(&values, ground, Some(Reset::Never)).ok();
        }
        let is_routine = expansion.blocks[cell.block as usize].rows.routine.is_some();
        let evaluator = self.evaluator(cell.block);
        let evaluated = evaluator.row(&values, None, None).ok()?;
        if is_routine && evaluated.variant.policy.reset == Reset::Never {
            return evaluator.row(&values, None, Some(Reset::Case)).ok();
        }
        Some(evaluated)
    }

    fn evaluator(&mut self, block: u32) -> &mut Evaluator<'a> {
        let expansion = self.expansion;
        self.evaluators.entry(block).or_insert_with(|| {
            let block = &expansion.blocks[block as usize];
            Evaluator::new(block, &expansion.suite, &expansion.targets[block.target], expansion.journal_version)
        })
    }
}
