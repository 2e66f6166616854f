//! The volume that a container's data lies in.
//!
//! It must not remove what it did not make. Invariant: a volume carries the labels of what it was made for.

use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use bollard::Docker;
use bollard::exec::{CreateExecOptions, StartExecResults};
use bollard::models::VolumeCreateRequest;
use bollard::query_parameters::RemoveVolumeOptionsBuilder;
use futures_util::StreamExt;

use super::connect::{is_missing, refused, words};
use crate::observe::disk;
use crate::provision::types::ProvisionError;

/// A volume stays in use for a moment after its container has gone.
const TRIES: u32 = 20;
const BETWEEN: Duration = Duration::from_millis(100);

/// Makes a volume.
pub(super) async fn create(docker: &Docker, name: &str, labels: HashMap<String, String>) -> Result<(), ProvisionError> {
    let request =
        VolumeCreateRequest { name: Some(name.to_owned()), labels: Some(labels), ..VolumeCreateRequest::default() };
    docker.create_volume(request).await.map_err(|error| refused("volume", &error))?;
    Ok(())
}

/// Removes a volume; one that is gone is fine.
pub(super) async fn remove(docker: &Docker, name: &str) -> Result<(), String> {
    let mut last = String::new();
    for _ in 0..TRIES {
        let options = RemoveVolumeOptionsBuilder::new().force(true).build();
        match docker.remove_volume(name, Some(options)).await {
            Ok(()) => return Ok(()),
            Err(error) if is_missing(&error) => return Ok(()),
            Err(error) => last = words(&error),
        }
        tokio::time::sleep(BETWEEN).await;
    }
    Err(format!("volume {name}: {last}"))
}

/// Bytes of the files at `path` in a container: from the host where the volume can be read there, else asked inside.
pub(super) async fn size(docker: &Docker, container: &str, volume: Option<&str>, path: &str) -> Option<u64> {
    if let Some(volume) = volume
        && let Ok(found) = docker.inspect_volume(volume).await
        && let Ok(Ok(size)) = tokio::task::spawn_blocking(move || disk::size(Path::new(&found.mountpoint))).await
    {
        return Some(size);
    }
    size_inside(docker, container, path).await
}

async fn size_inside(docker: &Docker, container: &str, path: &str) -> Option<u64> {
    let command = ["du", "-sb", path].map(str::to_owned).to_vec();
    let options =
        CreateExecOptions { cmd: Some(command), attach_stdout: Some(true), ..CreateExecOptions::<String>::default() };
    let exec = docker.create_exec(container, options).await.ok()?;
    let StartExecResults::Attached { mut output, .. } = docker.start_exec(&exec.id, None).await.ok()? else {
        return None;
    };
    let mut text = String::new();
    while let Some(Ok(piece)) = output.next().await {
        text.push_str(&piece.to_string());
    }
    text.split_whitespace().next()?.parse().ok()
}
