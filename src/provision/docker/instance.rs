//! One database in a container.
//!
//! It must not know whether it is ready. Invariant: the endpoint is the one that is published now.

use std::path::Path;
use std::time::Duration;

use async_trait::async_trait;
use bollard::models::{ContainerInspectResponse, ContainerState};
use bollard::query_parameters::{StopContainerOptionsBuilder, UploadToContainerOptionsBuilder};
use bollard::{Docker, body_full};

use super::archive::archive;
use super::connect::{is_missing, refused, words};
use super::meter::Meter;
use super::recipe::port_key;
use super::{logs, remove, volume};
use crate::adapter::statements::DockerStart;
use crate::driver::types::{Endpoint, Secret};
use crate::provision::ready;
use crate::provision::types::{Identity, Instance, Life, ProvisionError, Reader};

/// What was made for an instance.
#[derive(Clone, Debug)]
pub(super) struct Made {
    pub(super) container: String,
    pub(super) volume: Option<String>,
}

/// A container that runs, or has run.
pub(super) struct DockerInstance {
    docker: Docker,
    target: String,
    made: Made,
    start: DockerStart,
    identity: Identity,
    endpoint: Endpoint,
    meter: Option<Meter>,
}

impl DockerInstance {
    /// An instance that has been created and not started.
    pub(super) fn new(docker: Docker, target: &str, made: Made, start: DockerStart, identity: Identity) -> Self {
        let login = &start.login;
        let endpoint = Endpoint {
            user: login.user.clone(),
            password: login.password.clone().map(Secret::new),
            token: login.token.clone().map(Secret::new),
            org: login.org.clone(),
            ..Endpoint::default()
        };
        DockerInstance { docker, target: target.to_owned(), made, start, identity, endpoint, meter: None }
    }

    /// Puts its config files there and starts it.
    pub(super) async fn first_launch(&mut self) -> Result<(), ProvisionError> {
        if !self.start.files.is_empty() {
            let options = UploadToContainerOptionsBuilder::new().path("/").build();
            let body = body_full(archive(&self.start.files)?.into());
            let put = self.docker.upload_to_container(&self.made.container, Some(options), body).await;
            put.map_err(|error| refused("config files", &error))?;
        }
        self.launch().await
    }

    /// Starts it, finds its port, and says so if it ends at once.
    async fn launch(&mut self) -> Result<(), ProvisionError> {
        let id = self.made.container.clone();
        if let Err(error) = self.docker.start_container(&id, None).await {
            return Err(self.not_started(start_cause(&words(&error))));
        }
        let inspected = self.inspect().await.map_err(|error| refused("container", &error))?;
        let state = inspected.state.clone().unwrap_or_default();
        if state.running != Some(true) {
            return Err(self.not_started(self.ended(&state).await));
        }
        let Some(port) = published(&inspected, self.start.port) else {
            return Err(self.not_started(format!("port {} was not published", self.start.port)));
        };
        self.endpoint.hosts = vec![("127.0.0.1".to_owned(), port)];
        self.meter = Some(Meter::new(&self.docker, &id, state.pid));
        Ok(())
    }

    async fn inspect(&self) -> Result<ContainerInspectResponse, bollard::errors::Error> {
        self.docker.inspect_container(&self.made.container, None).await
    }

    fn not_started(&self, cause: String) -> ProvisionError {
        ProvisionError::Start { target: self.target.clone(), cause }
    }

    /// In words how it ended, with its log's last lines.
    async fn ended(&self, state: &ContainerState) -> String {
        let life = ended(state);
        let words = logs::last_words(&self.docker, &self.made.container).await;
        ready::death(&life, &words)
    }

    async fn stop(&mut self) -> Result<(), ProvisionError> {
        self.meter = None;
        let seconds = self.start.stop_seconds;
        let options = StopContainerOptionsBuilder::new().t(i32::try_from(seconds).unwrap_or(i32::MAX)).build();
        let patient = self.docker.clone().with_timeout(Duration::from_secs(u64::from(seconds) + 60));
        patient.stop_container(&self.made.container, Some(options)).await.map_err(|error| refused("stopping", &error))
    }
}

/// The daemon's words about a start; a port that is taken is said first.
fn start_cause(words: &str) -> String {
    let taken = ["address already in use", "port is already allocated"].iter().any(|text| words.contains(text));
    let port = words.match_indices("127.0.0.1:").find_map(|(at, found)| {
        let digits: String = words[at + found.len()..].chars().take_while(char::is_ascii_digit).collect();
        (!digits.is_empty() && digits != "0").then_some(digits)
    });
    match port.filter(|_| taken) {
        Some(port) => format!("port 127.0.0.1:{port} is taken by another process ({words})"),
        None => words.to_owned(),
    }
}

/// The port of this host that a port inside is published on.
fn published(inspected: &ContainerInspectResponse, port: u16) -> Option<u16> {
    let ports = inspected.network_settings.as_ref()?.ports.as_ref()?;
    ports.get(&port_key(port))?.as_ref()?.iter().find_map(|binding| binding.host_port.as_ref()?.parse().ok())
}

fn ended(state: &ContainerState) -> Life {
    Life::Ended { exit_code: state.exit_code, out_of_memory: state.oom_killed == Some(true) }
}

#[async_trait]
impl Instance for DockerInstance {
    fn endpoint(&self) -> Endpoint {
        self.endpoint.clone()
    }

    fn identity(&self) -> Identity {
        self.identity.clone()
    }

    async fn life(&self) -> Life {
        match self.inspect().await.map(|inspected| inspected.state.unwrap_or_default()) {
            Ok(state) if state.running == Some(true) => Life::Running,
            Ok(state) => ended(&state),
            Err(error) if is_missing(&error) => Life::Ended { exit_code: None, out_of_memory: false },
            // The daemon does not answer, which says nothing about the container; its files do.
            Err(_) if self.read().is_some() => Life::Running,
            Err(_) => Life::Ended { exit_code: None, out_of_memory: false },
        }
    }

    fn reader(&self) -> Option<Reader> {
        self.meter.as_ref().map(Meter::reader)
    }

    async fn restart(&mut self) -> Result<(), ProvisionError> {
        self.stop().await?;
        self.launch().await
    }

    async fn pause(&mut self) -> Result<(), ProvisionError> {
        self.stop().await
    }

    async fn resume(&mut self) -> Result<(), ProvisionError> {
        self.launch().await
    }

    async fn disk_bytes(&self) -> Option<u64> {
        volume::size(&self.docker, &self.made.container, self.made.volume.as_deref(), &self.start.data).await
    }

    async fn last_words(&self) -> Vec<String> {
        logs::last_words(&self.docker, &self.made.container).await
    }

    async fn save_logs(&self, to: &Path) -> Result<Vec<String>, ProvisionError> {
        logs::save(&self.docker, &self.made.container, to).await
    }

    async fn remove(&mut self) -> Result<(), ProvisionError> {
        self.meter = None;
        discard(&self.docker, Some(&self.made.container), self.made.volume.as_deref()).await
    }
}

/// Removes a container and a volume; those that are gone are fine.
pub(super) async fn discard(
    docker: &Docker,
    container: Option<&str>,
    volume: Option<&str>,
) -> Result<(), ProvisionError> {
    let mut left = Vec::new();
    if let Some(id) = container {
        left.extend(remove::container(docker, id).await.err());
    }
    if let Some(name) = volume {
        left.extend(volume::remove(docker, name).await.err());
    }
    if left.is_empty() {
        Ok(())
    } else {
        Err(ProvisionError::Other { step: "removing".to_owned(), cause: left.join("; ") })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn v03_a_port_that_is_taken_is_named_first() {
        let words = "driver failed programming external connectivity on endpoint velodrome-x (ab): Error starting \
            userland proxy: listen tcp4 127.0.0.1:5433: bind: address already in use";
        assert!(start_cause(words).starts_with("port 127.0.0.1:5433 is taken by another process (driver failed"));
        let allocated = "Bind for 127.0.0.1:5433 failed: port is already allocated";
        assert!(start_cause(allocated).starts_with("port 127.0.0.1:5433 is taken"));
        assert_eq!(start_cause("exec: \"nope\": not found"), "exec: \"nope\": not found");
    }
}
