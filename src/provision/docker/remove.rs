//! Finding and removing what runs have made.
//!
//! It must not go by names. Invariant: only what carries the label of the run that is named is touched.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::time::Duration;

use bollard::Docker;
use bollard::errors::Error;
use bollard::models::ContainerSummary;
use bollard::query_parameters::{
    ListContainersOptionsBuilder, ListNetworksOptionsBuilder, ListVolumesOptionsBuilder, RemoveContainerOptionsBuilder,
};

use super::connect::{is_missing, refused, words};
use super::recipe::{FOLDER, RUN};
use super::volume;
use crate::provision::types::{ProvisionError, RunLabel};

const TRIES: u32 = 100;
const BETWEEN: Duration = Duration::from_millis(100);

/// Kills and removes a container with its nameless volumes; one that is gone is fine.
pub(super) async fn container(docker: &Docker, id: &str) -> Result<(), String> {
    let mut last = String::new();
    for _ in 0..TRIES {
        let options = RemoveContainerOptionsBuilder::new().force(true).v(true).build();
        match docker.remove_container(id, Some(options)).await {
            Ok(()) => return Ok(()),
            Err(error) if is_missing(&error) => return Ok(()),
            // Somebody else is removing it: wait until it has gone.
            Err(Error::DockerResponseServerError { status_code: 409, message }) => last = message,
            Err(error) => return Err(format!("container {id}: {}", words(&error))),
        }
        tokio::time::sleep(BETWEEN).await;
    }
    Err(format!("container {id}: {last}"))
}

/// Removes everything that carries a run's label; answers a line for each.
pub(super) async fn run(docker: &Docker, run: &str) -> Result<Vec<String>, ProvisionError> {
    let label = format!("{RUN}={run}");
    let mut removed = Vec::new();
    let mut left = Vec::new();
    let mut note = |what: String, result: Result<(), String>| match result {
        Ok(()) => removed.push(what),
        Err(cause) => left.push(cause),
    };
    for found in containers(docker, &label).await? {
        let id = found.id.unwrap_or_default();
        let name = found.names.unwrap_or_default().first().map_or_else(|| id.clone(), |name| name.replace('/', ""));
        note(format!("container {name}"), container(docker, &id).await);
    }
    for (name, _) in volumes(docker, &label).await? {
        let result = volume::remove(docker, &name).await;
        note(format!("volume {name}"), result);
    }
    for (name, _) in networks(docker, &label).await? {
        let result = match docker.remove_network(&name).await {
            Err(error) if !is_missing(&error) => Err(format!("network {name}: {}", words(&error))),
            _ => Ok(()),
        };
        note(format!("network {name}"), result);
    }
    if left.is_empty() {
        Ok(removed)
    } else {
        Err(ProvisionError::Other { step: format!("removing what run {run} made"), cause: left.join("; ") })
    }
}

/// The labels of all runs that something is here of.
pub(super) async fn labelled(docker: &Docker) -> Result<Vec<RunLabel>, ProvisionError> {
    let mut found = BTreeMap::new();
    let mut note = |labels: &HashMap<String, String>| {
        if let Some(run) = labels.get(RUN) {
            let folder = labels.get(FOLDER).map(PathBuf::from).unwrap_or_default();
            found.insert((run.clone(), folder.clone()), RunLabel { run: run.clone(), folder });
        }
    };
    containers(docker, RUN).await?.iter().filter_map(|container| container.labels.as_ref()).for_each(&mut note);
    volumes(docker, RUN).await?.iter().for_each(|(_, labels)| note(labels));
    networks(docker, RUN).await?.iter().for_each(|(_, labels)| note(labels));
    Ok(found.into_values().collect())
}

fn by_label(label: &str) -> HashMap<String, Vec<String>> {
    HashMap::from([("label".to_owned(), vec![label.to_owned()])])
}

async fn containers(docker: &Docker, label: &str) -> Result<Vec<ContainerSummary>, ProvisionError> {
    let options = ListContainersOptionsBuilder::new().all(true).filters(&by_label(label)).build();
    docker.list_containers(Some(options)).await.map_err(|error| refused("listing containers", &error))
}

type Named = (String, HashMap<String, String>);

async fn volumes(docker: &Docker, label: &str) -> Result<Vec<Named>, ProvisionError> {
    let options = ListVolumesOptionsBuilder::new().filters(&by_label(label)).build();
    let found = docker.list_volumes(Some(options)).await.map_err(|error| refused("listing volumes", &error))?;
    Ok(found.volumes.unwrap_or_default().into_iter().map(|volume| (volume.name, volume.labels)).collect())
}

async fn networks(docker: &Docker, label: &str) -> Result<Vec<Named>, ProvisionError> {
    let options = ListNetworksOptionsBuilder::new().filters(&by_label(label)).build();
    let found = docker.list_networks(Some(options)).await.map_err(|error| refused("listing networks", &error))?;
    let named = |network: bollard::models::Network| Some((network.name?, network.labels.unwrap_or_default()));
    Ok(found.into_iter().filter_map(named).collect())
}
