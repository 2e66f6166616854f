//! The trial's own database: made, emptied, tuned, given its tables; and what it takes away again.
//!
//! It must not load. Invariant: what is dropped here was made by this run, or its user allowed it by name.

use super::context::{End, Trial};
use crate::adapter::tuning::TuningStatement;
use crate::driver::types::{Endpoint, SessionOptions};
use crate::provision::admin::{Admin, StatementError};
use crate::provision::databases::Databases;
use crate::provision::types::{Place, ProvisionError};
use crate::run::journal::trial::{FailureReason, TuningRecord};
use crate::run::stage::{Dataset, Held};
use crate::run::world::TargetParts;
use crate::suite::model::Reset;

/// Brings the database into the state that the trial begins from: for a loading case, by its reset.
///
/// # Errors
/// When the server refuses.
pub async fn prepare(trial: &Trial<'_>, held: &mut Held) -> Result<(), End> {
    if !trial.loads() {
        return Ok(());
    }
    match (held.data.contains_key(&trial.root.id), trial.case.policy.reset) {
        (true, Reset::Never) => Ok(()),
        (true, Reset::Truncate) => truncate(trial, held).await,
        _ => renew(trial, held).await,
    }
}

async fn truncate(trial: &Trial<'_>, held: &mut Held) -> Result<(), End> {
    let statements =
        trial.parts.adapter.truncate_statements(&trial.case.workload, &trial.schema, &trial.setup.tuning)?;
    trial.admin(held.instance.as_ref()).execute(statements).await?;
    held.data.insert(trial.root.id.clone(), Dataset::new(&trial.database));
    Ok(())
}

async fn renew(trial: &Trial<'_>, held: &mut Held) -> Result<(), End> {
    let admin = trial.admin(held.instance.as_ref());
    held.data.insert(trial.root.id.clone(), Dataset::new(&trial.database));
    databases(trial.parts, &trial.world.folder.id, held).renew(&trial.database).await?;
    tune(trial, &admin, &trial.tuning_plan.database).await?;
    let adapter = &trial.parts.adapter;
    let statements = adapter.schema_statements(&trial.case.workload, &trial.schema, &trial.setup.tuning)?;
    Ok(admin.execute(statements).await?)
}

/// Sends the tuning values that the running server takes, once an instance.
///
/// # Errors
/// When one is refused and the suite does not let it fall back.
pub async fn tune_server(trial: &Trial<'_>, held: &mut Held) -> Result<(), End> {
    if held.tuned {
        return Ok(());
    }
    let maintenance = trial.parts.adapter.file.database.maintenance.clone().unwrap_or_default();
    let admin = trial.admin(held.instance.as_ref()).in_database(&maintenance);
    tune(trial, &admin, &trial.tuning_plan.server).await?;
    held.tuned = true;
    Ok(())
}

async fn tune(trial: &Trial<'_>, admin: &Admin, statements: &[TuningStatement]) -> Result<(), End> {
    for tuning in statements {
        if let Err(StatementError { error, .. }) = admin.execute(vec![tuning.statement.clone()]).await {
            let refused = ProvisionError::Tuning {
                target: trial.case.target.clone(),
                parameter: tuning.parameter.clone(),
                value: tuning.asked.clone(),
                cause: error.to_string(),
            };
            if !trial.case.policy.refused_to_default {
                return Err(refused.into());
            }
            trial.tracker.warn(&format!("{refused}; the default stays"));
        }
    }
    Ok(())
}

/// Reads every tuning value back and compares it with what was asked.
///
/// # Errors
/// When one did not take and the suite does not let it fall back; the records come back in any case.
pub async fn read_back(trial: &Trial<'_>, admin: &Admin) -> (Vec<TuningRecord>, Result<(), End>) {
    let backs = match trial.parts.adapter.read_backs(&trial.setup.tuning, &trial.schema) {
        Ok(backs) => backs,
        Err(error) => return (Vec::new(), Err(error.into())),
    };
    let mut records = Vec::with_capacity(backs.len());
    let mut result = Ok(());
    for back in backs {
        let (name, asked) = (back.parameter.clone(), back.asked.clone());
        let mut record = TuningRecord { name, asked, read_back: None, agrees: None };
        if let Some(statement) = &back.statement {
            match admin.ask(vec![statement.clone()]).await {
                Ok(answers) => {
                    let cell = answers.first().and_then(super::verify::first_cell).map(ToString::to_string);
                    record.agrees = cell.as_deref().map(|cell| back.agrees(cell));
                    record.read_back = cell.map(|cell| back.shown(&cell));
                }
                Err(error) => result = result.and(Err(End::from(error))),
            }
        }
        if record.agrees == Some(false) && !trial.case.policy.refused_to_default {
            let has = record.read_back.as_deref().unwrap_or("nothing");
            let what = format!("{}={} was asked, the server has {has}", record.name, record.asked);
            result = result.and(Err(End::Failed(FailureReason::TuningRefused, what)));
        }
        records.push(record);
    }
    (records, result)
}

/// The run's databases on an instance. Those of an existing server are kept with it: what may be done to a database that
/// the suite names hangs on what was found there first. Others are reached where they listen now.
fn databases<'h>(parts: &TargetParts, run: &str, held: &'h mut Held) -> &'h mut Databases {
    let known = held.databases.take().filter(|_| matches!(parts.place, Place::Existing(_)));
    held.databases.insert(known.unwrap_or_else(|| {
        let admin = Admin {
            driver: parts.driver.clone(),
            endpoint: held.instance.endpoint(),
            options: SessionOptions::default(),
        };
        let databases = Databases::new(admin, parts.adapter.clone(), run);
        match &parts.place {
            Place::Existing(spec) if spec.named_database => {
                databases.with_named(&spec.endpoint.database, spec.drop_existing)
            }
            _ => databases,
        }
    }))
}

/// Removes the database under a loading case, as far as this run made it.
///
/// # Errors
/// When the server refuses.
pub async fn release(parts: &TargetParts, run: &str, held: &mut Held, root: &str) -> Result<(), ProvisionError> {
    match held.data.remove(root) {
        Some(data) => databases(parts, run, held).release(&data.database).await,
        None => Ok(()),
    }
}

/// Removes all databases that bear the run's name on an existing server, such as those of a process that was killed.
///
/// # Errors
/// When the server can't be asked or refuses.
pub async fn remove_run(parts: &TargetParts, run: &str, endpoint: Endpoint) -> Result<Vec<String>, ProvisionError> {
    let admin = Admin { driver: parts.driver.clone(), endpoint, options: SessionOptions::default() };
    Databases::new(admin, parts.adapter.clone(), run).remove_run().await
}
