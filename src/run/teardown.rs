//! Removes everything that a run made: of this run at its end, and of dead runs before another begins.
//!
//! It must not remove by name. Invariant: what belongs to a run that is going on is left alone.

use std::time::Duration;

use super::folder::{Folder, FolderError};
use super::progress::Tracker;
use super::signals::Stops;
use super::stage::{Held, Stage};
use super::trial::schema::{release, remove_run};
use super::world::{TargetParts, World};
use crate::driver::types::SessionOptions;
use crate::provision::admin::Admin;
use crate::provision::databases::Databases;
use crate::provision::types::{Place, ProvisionError, Provisioner};

/// How long an orderly removal may take after a signal.
const AFTER_SIGNAL: Duration = Duration::from_secs(60);
/// How long removal may take after the second signal.
const AT_ONCE: Duration = Duration::from_secs(10);

/// Before the first trial: the folder that says that this run has things to remove; and, of a run that is resumed, what its
/// dead process left.
pub async fn begin(world: &World, resumed: bool, tracker: &Tracker) {
    if resumed {
        sweep(world, tracker).await;
    }
    let work = world.folder.path.join("work");
    if let Err(error) = std::fs::create_dir_all(&work) {
        tracker.warn(&format!("{}: {error}", work.display()));
    }
}

/// A database that the suite names on an existing server must be the run's to fill. A server that can't be reached says
/// nothing here: its trials will fail.
///
/// # Errors
/// When it is not.
pub async fn named_database_is_free(parts: &TargetParts) -> Result<(), ProvisionError> {
    let Place::Existing(spec) = &parts.place else { return Ok(()) };
    if !spec.named_database {
        return Ok(());
    }
    let options = SessionOptions::default();
    let admin = Admin { driver: parts.driver.clone(), endpoint: spec.endpoint.clone(), options };
    let databases = Databases::new(admin, parts.adapter.clone(), "");
    match databases.with_named(&spec.endpoint.database, spec.drop_existing).check().await {
        Err(error @ ProvisionError::NotOurs { .. }) => Err(error),
        _ => Ok(()),
    }
}

/// Removes all that the stage holds, then whatever else bears the run's label. What could not be removed is said.
pub async fn all(world: &World, stage: &mut Stage<'_>, tracker: &Tracker, stops: &Stops) {
    let orderly = async {
        for held in stage.all().iter_mut() {
            let Some(parts) = world.targets.get(&held.target) else { continue };
            // All other databases go with their instance.
            if matches!(parts.place, Place::Existing(_)) {
                release_all(parts, world, held, tracker).await;
            }
        }
        if let Err(error) = stage.leave(|_| false).await {
            tracker.warn(&error.to_string());
        }
    };
    let limit = if stops.stopping() { AFTER_SIGNAL } else { Duration::MAX };
    tokio::select! {
        _ = tokio::time::timeout(limit, orderly) => {}
        () = stops.wait_now() => {}
    }
    let limit = if stops.stopping() { AT_ONCE } else { AFTER_SIGNAL };
    if tokio::time::timeout(limit, sweep(world, tracker)).await.is_err() {
        tracker.warn("not everything could be removed in time; the next run or `velodrome clean` removes it");
    }
    // Whatever is left in it belongs to nobody any more.
    let _ = std::fs::remove_dir_all(world.folder.path.join("work"));
}

async fn release_all(parts: &TargetParts, world: &World, held: &mut Held, tracker: &Tracker) {
    let run = &world.folder.id;
    for root in held.data.keys().cloned().collect::<Vec<_>>() {
        if let Err(error) = release(parts, run, held, &root).await {
            tracker.warn(&error.to_string());
        }
    }
    // What an earlier process of this run left, before it was killed and the run resumed.
    match remove_run(parts, run, held.instance.endpoint()).await {
        Ok(removed) => removed.iter().for_each(|name| tracker.note(&format!("removed database {name}"))),
        Err(error) => tracker.warn(&error.to_string()),
    }
}

/// Removes by label what slipped through, such as a container whose start a signal cut short.
async fn sweep(world: &World, tracker: &Tracker) {
    let mut seen: Vec<*const ()> = Vec::new();
    for parts in world.targets.values().filter(|parts| !parts.embedded()) {
        let provisioner = std::sync::Arc::as_ptr(&parts.provisioner).cast::<()>();
        if seen.contains(&provisioner) {
            continue;
        }
        seen.push(provisioner);
        match parts.provisioner.remove_run(&world.folder.id).await {
            Ok(removed) => removed.iter().for_each(|line| tracker.note(&format!("removed {line}"))),
            Err(error) => tracker.warn(&error.to_string()),
        }
    }
}

/// What was removed of dead runs.
#[derive(Debug, Default)]
pub struct Removed {
    /// A line for each thing removed.
    pub removed: Vec<String>,
    /// A line for each run that was left alone, and why.
    pub left_alone: Vec<String>,
    /// A line for each thing that could not be removed.
    pub problems: Vec<String>,
}

/// Removes what dead runs left with this provisioner: of runs whose folder is there and whose lock can be taken; of unknown
/// folders too where `orphans` says so.
///
/// # Errors
/// When nothing can be listed.
pub async fn dead_runs(provisioner: &dyn Provisioner, orphans: bool) -> Result<Removed, ProvisionError> {
    let Removed { mut removed, mut left_alone, mut problems } = Removed::default();
    for label in provisioner.labelled().await? {
        let folder = Folder { id: label.run.clone(), path: label.folder.clone() };
        // Held while its things are removed, so that nobody resumes it meanwhile.
        let lock = if folder.path.join("journal.jsonl").is_file() {
            match folder.lock() {
                Ok(lock) => Some(lock),
                Err(FolderError::Held(_)) => continue,
                Err(error) => {
                    problems.push(error.to_string());
                    continue;
                }
            }
        } else if orphans {
            None
        } else {
            let folder = folder.path.display();
            left_alone.push(format!(
                "run {} is left alone: its folder {folder} is gone; `velodrome clean --orphans` removes it",
                label.run
            ));
            continue;
        };
        match provisioner.remove_run(&label.run).await {
            Ok(lines) => removed.extend(lines.into_iter().map(|line| format!("{line} (run {})", label.run))),
            Err(error) => problems.push(error.to_string()),
        }
        drop(lock);
    }
    Ok(Removed { removed, left_alone, problems })
}
