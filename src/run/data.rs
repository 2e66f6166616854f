//! Which data lies where, and how long it is needed.
//!
//! It must not touch a database. Invariant: data that a trial still to come stands on is never given up.

use std::collections::BTreeMap;

use crate::plan::types::{Case, Plan};
use crate::suite::model::Reset;

/// The plan's cases by id, with the questions about data that the runner asks.
#[derive(Debug)]
pub struct Cases<'a> {
    plan: &'a Plan,
    by_id: BTreeMap<&'a str, &'a Case>,
}

impl<'a> Cases<'a> {
    /// Of a plan.
    pub fn of(plan: &'a Plan) -> Self {
        Cases { plan, by_id: plan.cases.iter().map(|case| (case.id.as_str(), case)).collect() }
    }

    /// The case by its id.
    pub fn get(&self, id: &str) -> Option<&'a Case> {
        self.by_id.get(id).copied()
    }

    /// The cases that a case stands on, the loading case first, itself last.
    pub fn chain(&self, case: &'a Case) -> Vec<&'a Case> {
        let mut chain = vec![case];
        let mut here = case;
        // A plan's chains end; the length is a guard against a plan that was edited.
        while let Some(below) =
            here.on.as_deref().and_then(|id| self.get(id)).filter(|_| chain.len() <= self.by_id.len())
        {
            chain.push(below);
            here = below;
        }
        chain.reverse();
        chain
    }

    /// The loading case at the bottom of a case's chain.
    pub fn root(&self, case: &'a Case) -> &'a Case {
        self.chain(case).first().copied().unwrap_or(case)
    }

    /// The cases whose writes a case finds in its database, in order.
    pub fn writers_below(&self, case: &'a Case) -> Vec<&'a Case> {
        let mut chain = self.chain(case);
        chain.pop();
        chain.retain(|below| below.writes);
        chain
    }

    /// Whether the data under the loading case `root` is needed by a trial behind the one at `index`. `to_do` says which
    /// trials will run.
    pub fn data_needed_after(&self, index: usize, root: &str, to_do: impl Fn(usize) -> bool) -> bool {
        let later = (index + 1..self.plan.trials.len()).filter(|later| to_do(*later));
        for trial in later.filter_map(|later| self.get(&self.plan.trials[later].case)) {
            if self.root(trial).id == root {
                // A loading case that comes again makes its data anew, unless it is to keep what is there.
                return trial.id != root || matches!(trial.policy.reset, Reset::Truncate | Reset::Never);
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::tests::plans::{case, plan};

    #[test]
    fn readers_keep_the_last_rounds_data() {
        let plan = plan(
            vec![case("load", None), Case { writes: false, ..case("ask", Some("load")) }],
            &[("load", 1), ("load", 2), ("ask", 1), ("ask", 2)],
        );
        let cases = Cases::of(&plan);
        let needed: Vec<bool> = (0..4).map(|index| cases.data_needed_after(index, "load", |_| true)).collect();
        assert_eq!(needed, [false, true, true, false]);
        assert!(!cases.data_needed_after(1, "load", |_| false), "trials that are done need nothing");
    }

    #[test]
    fn a_reset_that_keeps_data_keeps_it_between_rounds() {
        let mut load = case("load", None);
        load.policy.reset = Reset::Never;
        let plan = plan(vec![load], &[("load", 1), ("load", 2)]);
        let cases = Cases::of(&plan);
        assert!(cases.data_needed_after(0, "load", |_| true));
        assert!(!cases.data_needed_after(1, "load", |_| true));
    }

    #[test]
    fn a_routine_stands_on_all_writes_before_it() {
        let reader = Case { writes: false, ..case("b", Some("a")) };
        let plan = plan(vec![case("a", None), reader, case("c", Some("b")), case("d", Some("c"))], &[]);
        let cases = Cases::of(&plan);
        let below: Vec<&str> = cases.writers_below(&plan.cases[3]).iter().map(|case| case.id.as_str()).collect();
        assert_eq!(below, ["a", "c"]);
        assert_eq!(cases.root(&plan.cases[3]).id, "a");
    }
}
