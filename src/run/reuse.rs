//! Takes over trials of an earlier run whose case is the same.
//!
//! It must not judge a number. Invariant: a record that is taken over says so, and from where.

use std::collections::BTreeMap;

use super::folder::Folder;
use super::journal::reader::{JournalError, read};
use super::journal::state::{RunState, TrialKey};
use super::journal::trial::TrialRecord;
use crate::plan::types::Plan;

/// The records of `from` that stand for trials of the plan: of a case with the same hash, in the same round, and valid.
///
/// # Errors
/// When the journal can't be read.
pub fn reusable(plan: &Plan, from: &Folder) -> Result<BTreeMap<TrialKey, TrialRecord>, JournalError> {
    let state = RunState::of(&read(&from.journal())?);
    Ok(taken_over(plan, &state, &from.id))
}

fn taken_over(plan: &Plan, state: &RunState, from: &str) -> BTreeMap<TrialKey, TrialRecord> {
    let known: BTreeMap<(&str, u32), &TrialRecord> = state
        .ended
        .values()
        .filter(|record| record.status.counts())
        .map(|record| ((record.hash.as_str(), record.round), record))
        .collect();
    let hashes: BTreeMap<&str, &str> = plan.cases.iter().map(|case| (case.id.as_str(), case.hash.as_str())).collect();
    let take = |trial: &crate::plan::types::Trial| {
        let record = known.get(&(*hashes.get(trial.case.as_str())?, trial.round))?;
        let record = TrialRecord {
            // The id can have changed with a name.
            case: trial.case.clone(),
            reused_from: Some(record.reused_from.clone().unwrap_or_else(|| from.to_owned())),
            ..(*record).clone()
        };
        Some(((trial.case.clone(), trial.round), record))
    };
    plan.trials.iter().filter_map(take).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::journal::status::{FailureReason, Status};
    use crate::run::tests::plans::{case, plan};

    #[test]
    fn equal_hashes_and_rounds_that_are_valid_are_taken_over() {
        let plan = plan(vec![case("a", None), case("b", None)], &[("a", 1), ("b", 1), ("a", 2), ("b", 2)]);
        let mut state = RunState::default();
        let mut ended = |case: &str, hash: &str, round, status| {
            let record = TrialRecord { status, ..TrialRecord::new(case, hash, round) };
            state.ended.insert((case.to_owned(), round), record);
        };
        ended("renamed", "hash of a", 1, Status::Valid);
        ended("b", "another hash", 1, Status::Valid);
        ended("b", "hash of b", 2, Status::Failed(FailureReason::Refused));
        let taken = taken_over(&plan, &state, "r1");
        assert_eq!(taken.keys().cloned().collect::<Vec<_>>(), [("a".to_owned(), 1)]);
        let record = &taken[&("a".to_owned(), 1)];
        assert_eq!((record.case.as_str(), record.reused_from.as_deref()), ("a", Some("r1")));
    }
}
