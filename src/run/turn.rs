//! A trial's turn: what its data needs is there before it begins, and what nobody needs any more goes after it.
//!
//! It must not write the journal. Invariant: data loaded again for others to stand on is measured by nobody.

use std::collections::BTreeMap;

use super::data::Cases;
use super::journal::trial::{FailureReason, FailureRecord, Phase, Status, TrialRecord};
use super::progress::Tracker;
use super::stage::{Held, Stage};
use super::trial::context::{End, Trial};
use super::trial::execute::execute;
use super::trial::phases::Phases;
use super::trial::schema::release;
use super::trial::setup::{setup, workload};
use super::trial::watch::Limits;
use super::world::World;
use crate::plan::types::{Case, Plan};
use crate::provision::databases;
use crate::provision::types::{Place, ProvisionError};
use crate::suite::model::Reset;

/// All turns of a run.
pub struct Turns<'a> {
    plan: &'a Plan,
    cases: &'a Cases<'a>,
    world: &'a World,
    /// The place of each case in the plan, for databases' names.
    numbers: BTreeMap<&'a str, u32>,
}

/// One trial's turn.
pub struct Turn<'a> {
    /// Its place in the plan's order.
    pub index: usize,
    /// Its case.
    pub case: &'a Case,
    /// Its round.
    pub round: u32,
    /// What can end it from outside.
    pub limits: Limits<'a>,
    /// The trials that have ended.
    pub done: &'a BTreeMap<(String, u32), TrialRecord>,
    /// Whether the trial at a place of the plan is still to come.
    pub to_do: &'a dyn Fn(usize) -> bool,
}

impl<'a> Turns<'a> {
    /// Of a plan.
    pub fn of(plan: &'a Plan, cases: &'a Cases<'a>, world: &'a World) -> Self {
        Turns { plan, cases, world, numbers: plan.cases.iter().map(|case| case.id.as_str()).zip(0..).collect() }
    }

    /// Runs the trial, its tear-down with it.
    pub async fn take(&self, turn: Turn<'_>, stage: &mut Stage<'_>, tracker: &Tracker) -> TrialRecord {
        let mut phases = Phases::begin(tracker);
        let mut record = match self.stand(&turn, stage, &phases, tracker).await {
            Ok(()) => self.one(turn.case, &turn, stage, &mut phases, tracker).await,
            Err(end) => failed(turn.case, turn.round, end, &phases),
        };
        phases.enter(Phase::TearDown);
        let gone = turn.limits.stops.wait_now();
        tokio::select! {
            left = self.leave(&turn, stage) => {
                if let Err(error) = left {
                    tracker.warn(&format!("{error}; it is removed by its label at the end of the run"));
                }
            }
            () = gone => {}
        }
        record.phases = phases.end();
        record
    }

    /// Sees to it that the data that a case stands on is there: loads again what is not.
    async fn stand(
        &self,
        turn: &Turn<'_>,
        stage: &mut Stage<'_>,
        phases: &Phases<'_>,
        tracker: &Tracker,
    ) -> Result<(), End> {
        let root = self.cases.root(turn.case);
        let writes_again = turn.case.writes && turn.case.on.is_some();
        if let Some(held) = stage.holding(&turn.case.target, &root.id)
            && writes_again
            && held.data.get(&root.id).is_some_and(|data| data.loaded.contains(&turn.case.id))
        {
            // Of an earlier round: the group begins from a reset.
            held.data.remove(&root.id);
        }
        for below in self.cases.writers_below(turn.case) {
            self.must_have_loaded(turn, below)?;
            let held = stage.holding(&turn.case.target, &root.id);
            if held.and_then(|held| held.data.get(&root.id)).is_some_and(|data| data.loaded.contains(&below.id)) {
                continue;
            }
            tracker.tell(&format!("the data of {} is loaded again for {} to stand on", below.id, turn.case.id));
            // Its phases are nobody's; to the trial all of it is provisioning.
            let record = self.one(below, turn, stage, &mut Phases::begin(tracker), tracker).await;
            tracker.phase(phases.now());
            if !record.status.counts() {
                return Err(End::Verdict(super::trial::verdict::Verdict {
                    status: record.status,
                    what: Some(format!("the data of {} could not be loaded again: {}", below.id, words(&record))),
                }));
            }
        }
        Ok(())
    }

    /// A case whose data is bad can't be stood on.
    fn must_have_loaded(&self, turn: &Turn<'_>, below: &Case) -> Result<(), End> {
        let latest = (1..=self.plan.rounds).rev().find_map(|round| turn.done.get(&(below.id.clone(), round)));
        match latest {
            Some(record) if !record.status.counts() && record.status != Status::Interrupted => {
                let what = format!("it stands on the data of {}, which {}", below.id, words(record));
                Err(End::Failed(FailureReason::NoData, what))
            }
            _ => Ok(()),
        }
    }

    /// Runs one case's trial, all but the tear-down.
    async fn one(
        &self,
        case: &Case,
        turn: &Turn<'_>,
        stage: &mut Stage<'_>,
        phases: &mut Phases<'_>,
        tracker: &Tracker,
    ) -> TrialRecord {
        let wanted = |root: &str| self.needed_now(turn, root);
        match self.trial(case, turn, tracker) {
            Ok(trial) => execute(&trial, stage, phases, wanted).await,
            Err(end) => failed(case, turn.round, end, phases),
        }
    }

    fn trial<'t>(&'t self, case: &'t Case, turn: &'t Turn<'_>, tracker: &'t Tracker) -> Result<Trial<'t>, End> {
        let missing = || End::Failed(FailureReason::Refused, format!("the plan has no target {}", case.target));
        let parts = self.world.targets.get(&case.target).ok_or_else(missing)?;
        let root = self.cases.root(case);
        let configured = workload(case, self.plan.seed)?;
        let setup = setup(self.world, parts, case)?;
        let database = self.database(root);
        let folder = self.world.folder.trial(turn.index, &turn.case.id, turn.round);
        std::fs::create_dir_all(&folder)
            .map_err(|error| End::Failed(FailureReason::Refused, format!("{}: {error}", folder.display())))?;
        Ok(Trial {
            world: self.world,
            case,
            root,
            round: turn.round,
            parts,
            schema: configured.schema(),
            workload: configured,
            tuning_plan: parts.adapter.tuning_plan(&setup.tuning, &database)?,
            setup,
            database,
            folder,
            limits: turn.limits.clone(),
            tracker,
        })
    }

    /// The database of a loading case: the one that the suite names, else one that bears the run's id.
    fn database(&self, root: &Case) -> String {
        match self.world.targets.get(&root.target).map(|parts| &parts.place) {
            Some(Place::Existing(spec)) if spec.named_database => spec.endpoint.database.clone(),
            _ => databases::name(&self.world.folder.id, self.numbers.get(root.id.as_str()).copied().unwrap_or(0)),
        }
    }

    /// Whether data is needed by this trial or one after it.
    fn needed_now(&self, turn: &Turn<'_>, root: &str) -> bool {
        self.cases.root(turn.case).id == root && turn.case.on.is_some() || self.needed_after(turn, root)
    }

    fn needed_after(&self, turn: &Turn<'_>, root: &str) -> bool {
        self.cases.data_needed_after(turn.index, root, turn.to_do)
    }

    /// Gives up what no later trial needs: databases, then whole instances.
    async fn leave(&self, turn: &Turn<'_>, stage: &mut Stage<'_>) -> Result<(), ProvisionError> {
        let mut result = Ok(());
        let interrupted = turn.limits.stops.stopping();
        for held in stage.all().iter_mut().filter(|held| held.awake) {
            let Some(parts) = self.world.targets.get(&held.target) else { continue };
            let roots: Vec<String> = held.data.keys().cloned().collect();
            for root in roots.iter().filter(|root| interrupted || !self.needed_after(turn, root)) {
                // Where the whole instance goes, or is gone, its databases go with it.
                let existing = matches!(parts.place, Place::Existing(_));
                if existing || self.used_again(turn, held) {
                    result = result.and(release(parts, &self.world.folder.id, held, root).await);
                } else {
                    held.data.remove(root);
                }
            }
        }
        let left = stage.leave(|held| !interrupted && (!held.data.is_empty() || self.used_again(turn, held))).await;
        result.and(left)
    }

    /// Whether a later trial will find this instance useful.
    fn used_again(&self, turn: &Turn<'_>, held: &Held) -> bool {
        let next = (turn.index + 1..self.plan.trials.len())
            .filter(|later| (turn.to_do)(*later))
            .filter_map(|later| self.cases.get(&self.plan.trials[later].case))
            .find(|case| case.target == held.target && case.not_supported.is_none());
        let Some((next, parts)) = next.zip(self.world.targets.get(&held.target)) else { return false };
        let anew = next.on.is_none() && (parts.embedded() || next.policy.reset == Reset::Target);
        !anew && setup(self.world, parts, next).is_ok_and(|setup| setup.how == held.how)
    }
}

fn words(record: &TrialRecord) -> String {
    let what = record.failure.as_ref().map_or_else(String::new, |failure| format!(" ({})", failure.what));
    format!("{}{what}", record.status.words())
}

fn failed(case: &Case, round: u32, end: End, phases: &Phases<'_>) -> TrialRecord {
    let verdict = end.verdict();
    TrialRecord {
        status: verdict.status,
        failure: verdict.what.map(|what| FailureRecord {
            what,
            phase: Some(phases.now().words().to_owned()),
            after_ms: u64::try_from(phases.elapsed().as_millis()).unwrap_or(u64::MAX),
            ..FailureRecord::default()
        }),
        ..TrialRecord::new(&case.id, &case.hash, round)
    }
}
