//! The order of a trial's phases.
//!
//! It must not know how a phase does its work. Invariant: the record that comes back has a status, whatever happened.

use super::context::{End, Trial};
use super::failure::{self, Incident};
use super::load::{self, Loaded};
use super::marks::{Circumstances, marks};
use super::phases::Phases;
use super::verdict::{Verdict, with_stored};
use super::{records, schema, settle, verify, watch};
use crate::provision::admin::Admin;
use crate::provision::ready::{patience, ready};
use crate::provision::types::{Place, ProvisionError};
use crate::run::journal::trial::{FailureReason, Phase, ServerRecord, Status, StoredRecord, TrialRecord};
use crate::run::stage::{Held, Stage};
use crate::suite::model::{Reset, State};

/// Runs a trial on the stage, all but its tear-down. `wanted` says whether the data under a loading case is still to be
/// stood on.
pub async fn execute(
    trial: &Trial<'_>,
    stage: &mut Stage<'_>,
    phases: &mut Phases<'_>,
    wanted: impl Fn(&str) -> bool,
) -> TrialRecord {
    let mut record = TrialRecord::new(&trial.case.id, &trial.case.hash, trial.round);
    record.cores = trial.setup.cores.clone();
    let ended = through(trial, stage, phases, &mut record, wanted).await;
    let verdict = ended.unwrap_or_else(End::verdict);
    let phase = phases.now();
    let held = stage.awake(&trial.case.target);
    let incident = Incident { phase, after: phases.elapsed(), verdict };
    failure::conclude(trial, held.as_deref(), &mut record, incident).await;
    if record.elapsed_s.is_some() {
        record.marks = marks(&record, circumstances(trial, &record));
    }
    if let Some(data) = stage.holding(&trial.case.target, &trial.root.id).and_then(|h| h.data.get_mut(&trial.root.id)) {
        data.stored = record.stored.as_ref().map(|stored| stored.stored);
        if trial.case.writes {
            data.loaded.push(trial.case.id.clone());
            data.broken = (!record.status.counts()).then(|| record.status.words());
        }
    }
    record
}

/// The phases in order, until one ends the trial.
async fn through(
    trial: &Trial<'_>,
    stage: &mut Stage<'_>,
    phases: &mut Phases<'_>,
    record: &mut TrialRecord,
    wanted: impl Fn(&str) -> bool,
) -> Result<Verdict, End> {
    let held = trial.limits.step(provide(trial, stage, wanted)).await??;
    phases.enter(Phase::Ready);
    trial.limits.step(wake(trial, held)).await??;
    record.server = server(held);
    phases.enter(Phase::Schema);
    let before = trial.limits.step(prepare(trial, held, record)).await??;
    phases.enter(if trial.case.load.warmup.is_some() { Phase::Warmup } else { Phase::Measure });
    let loaded = load::run(trial, held.instance.as_ref()).await?;
    let warmed = trial.case.load.warmup.and(loaded.outcome.as_ref()).map(|outcome| outcome.warmup_elapsed);
    phases.loaded(warmed.unwrap_or_default());
    let (verdict, stored) = keep(trial, record, &loaded, before);
    let admin = trial.admin(held.instance.as_ref());
    let mut settled = Ok(None);
    if trial.case.writes && verdict.status.counts() {
        settled = trial.limits.step(settle::settle(trial, held.instance.as_ref(), &admin)).await;
    }
    (record.server_readings, record.client_readings) = loaded.samplers.stop();
    if !verdict.status.counts() {
        return Ok(verdict);
    }
    record.disk = settled?;
    phases.enter(Phase::Verify);
    trial.limits.step(check(trial, &admin, record, verdict, stored)).await?
}

/// Brings the database up, or wakes it.
async fn provide<'s>(
    trial: &Trial<'_>,
    stage: &'s mut Stage<'_>,
    wanted: impl Fn(&str) -> bool,
) -> Result<&'s mut Held, End> {
    let fresh = trial.loads() && (trial.parts.embedded() || trial.case.policy.reset == Reset::Target);
    let keeps = matches!(trial.case.policy.reset, Reset::Truncate | Reset::Never);
    let fresh = fresh && !(keeps && stage.holding(&trial.case.target, &trial.root.id).is_some());
    let mut how = trial.setup.how.clone();
    let entered = stage.enter(trial.parts, how.clone(), &trial.root.id, fresh, &wanted).await;
    if let Err(error) = entered {
        let tuned = failure::start(error, &how, FailureReason::Refused);
        if !trial.case.policy.refused_to_default || how.tuning.is_empty() {
            return Err(tuned);
        }
        trial
            .tracker
            .warn(&format!("{}: the start with its tuning was refused; started with the defaults", trial.case.id));
        how.tuning.clear();
        stage.enter(trial.parts, how, &trial.root.id, fresh, &wanted).await?;
    }
    // Asked for anew: a borrow that an error may give back can't be kept.
    stage.awake(&trial.case.target).ok_or_else(|| {
        End::Failed(FailureReason::Refused, format!("{} is not there after it was started", trial.case.target))
    })
}

/// Waits until it answers; a cold state is a restart.
async fn wake(trial: &Trial<'_>, held: &mut Held) -> Result<(), End> {
    if trial.case.state == State::Cold && !trial.parts.embedded() {
        held.instance.restart().await?;
        held.ready = false;
        drop_page_cache(trial);
    }
    if held.ready || trial.parts.embedded() {
        // An embedded database is there as soon as it is opened; only its version is asked, once.
        if held.version.is_none() {
            held.version = embedded_version(trial, held).await;
        }
        return Ok(());
    }
    let name = &trial.case.target;
    let adapter = &trial.parts.adapter.file;
    let limit = patience(adapter, &trial.parts.place);
    let version = ready(held.instance.as_ref(), trial.parts.driver.clone(), adapter, name, limit).await;
    held.version = version.map_err(|error| {
        let reason = match &error {
            ProvisionError::Start { .. } => FailureReason::ServerDied,
            _ => FailureReason::Refused,
        };
        failure::start(error, &held.how, reason)
    })?;
    held.ready = true;
    Ok(())
}

async fn embedded_version(trial: &Trial<'_>, held: &Held) -> Option<String> {
    let statement = trial.parts.adapter.file.server_version.clone()?;
    let answers = trial.admin(held.instance.as_ref()).ask(vec![statement]).await.ok()?;
    verify::first_cell(answers.first()?).map(ToString::to_string)
}

/// Asks the kernel to forget what it has read; where that is not allowed, the log says so.
fn drop_page_cache(trial: &Trial<'_>) {
    if let Err(error) = std::fs::write("/proc/sys/vm/drop_caches", "3") {
        trial.tracker.note(&format!("the page cache was not dropped: {error}"));
    }
}

fn server(held: &Held) -> ServerRecord {
    let identity = held.instance.identity();
    ServerRecord {
        image: identity.image,
        digest: identity.digest,
        version: held.version.clone().or(identity.server_version),
        container: identity.container,
    }
}

/// Makes the database and reads its tuning back; answers how many points it holds.
async fn prepare(trial: &Trial<'_>, held: &mut Held, record: &mut TrialRecord) -> Result<u64, End> {
    let stands = trial.case.on.is_some();
    if stands && !matches!(trial.parts.place, Place::Existing(_)) && held.how.tuning != trial.setup.how.tuning {
        let what = "a tuning that only a start of the server applies can't differ from that of the data it stands on";
        return Err(End::Failed(FailureReason::TuningRefused, what.to_owned()));
    }
    schema::tune_server(trial, held).await?;
    schema::prepare(trial, held).await?;
    let admin = trial.admin(held.instance.as_ref());
    let (tuning, read) = schema::read_back(trial, &admin).await;
    record.tuning = tuning;
    read?;
    let data = held.data.get(&trial.root.id);
    let holds = data.is_some_and(|data| !data.loaded.is_empty());
    if !(trial.case.writes && trial.case.verify_counts && holds) {
        return Ok(0);
    }
    Ok(verify::count(trial, &admin).await?.unwrap_or(0))
}

/// Puts what was measured into the record; the verdict on it, and what must be stored now, where the trial writes.
fn keep(trial: &Trial<'_>, record: &mut TrialRecord, loaded: &Loaded, before: u64) -> (Verdict, Option<StoredRecord>) {
    let verdict = load::verdict(loaded, trial.case.policy.threshold);
    let Some(outcome) = &loaded.outcome else { return (verdict, None) };
    records::fill(record, outcome);
    record.warmup_s = trial.case.load.warmup.and(record.warmup_s);
    let counts = trial.case.writes && trial.case.verify_counts;
    (verdict, counts.then(|| verify::expected(trial, outcome, before)))
}

/// Counts what is stored, and reads the facts.
async fn check(
    trial: &Trial<'_>,
    admin: &Admin,
    record: &mut TrialRecord,
    verdict: Verdict,
    stored: Option<StoredRecord>,
) -> Result<Verdict, End> {
    record.facts = verify::facts(trial, admin).await;
    let Some(stored) = stored else { return Ok(verdict) };
    let Some(count) = verify::count(trial, admin).await? else { return Ok(verdict) };
    let stored = StoredRecord { stored: count, ..stored };
    let verdict = with_stored(verdict, &stored);
    let failed: u64 = record.operations.iter().map(|o| o.failed_operations + o.failed_points).sum();
    if count > stored.expected && failed == 0 && verdict.status == Status::Valid && trial.loads() {
        let expected = stored.expected;
        trial.tracker.warn(&format!("{}: the database holds {count} points, {expected} were expected", trial.case.id));
    }
    record.stored = Some(stored);
    Ok(verdict)
}

fn circumstances<'a>(trial: &'a Trial<'_>, record: &TrialRecord) -> Circumstances<'a> {
    let keeps = trial.parts.adapter.file.embedded.as_ref().is_some_and(|embedded| embedded.file.is_some());
    let asks = record.operations.iter().any(|operation| operation.operation != "INGESTION");
    Circumstances {
        load: &trial.setup.load,
        client_cores: trial.setup.client_cores,
        embedded: trial.parts.embedded() && keeps,
        checked: (!trial.case.writes || record.stored.is_some()) && (!asks || record.answers.is_some()),
    }
}

/// Whether the instance has ended, and how. `soon`: it is asked for a while, because Docker tells of a death a moment after
/// the connection broke.
pub(super) async fn death(held: &Held, soon: bool) -> Option<super::verdict::Cause> {
    for _ in 0..if soon { 10 } else { 1 } {
        if let Some(cause) = watch::ended(held.instance.as_ref()).await {
            return Some(cause);
        }
        if soon {
            tokio::time::sleep(std::time::Duration::from_millis(150)).await;
        }
    }
    None
}
