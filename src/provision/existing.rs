//! Databases on servers that are there already.
//!
//! It must not start, stop or remove a server. Invariant: whatever this part can't do without harm it says instead.

use std::path::Path;
use std::time::Duration;

use async_trait::async_trait;
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::types::{
    ExistingSpec, Identity, Instance, Life, Place, ProvisionError, Provisioner, Reader, Request, RunLabel,
};
use crate::driver::types::Endpoint;

const KNOCK: Duration = Duration::from_secs(3);

/// Hands out servers that are there already.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExistingProvisioner;

#[async_trait]
impl Provisioner for ExistingProvisioner {
    async fn check(&self) -> Result<(), ProvisionError> {
        Ok(())
    }

    async fn start(&self, request: &Request) -> Result<Box<dyn Instance>, ProvisionError> {
        let Place::Existing(spec) = &request.place else {
            let cause = "it is not meant to be on an existing server".to_owned();
            return Err(ProvisionError::Start { target: request.target.clone(), cause });
        };
        Ok(Box::new(ExistingInstance { spec: spec.clone() }))
    }

    /// Databases left by a run need its login: see [`super::databases::Databases::remove_run`].
    async fn remove_run(&self, _run: &str) -> Result<Vec<String>, ProvisionError> {
        Ok(Vec::new())
    }

    async fn labelled(&self) -> Result<Vec<RunLabel>, ProvisionError> {
        Ok(Vec::new())
    }
}

/// A server that is there already.
struct ExistingInstance {
    spec: ExistingSpec,
}

#[async_trait]
impl Instance for ExistingInstance {
    fn endpoint(&self) -> Endpoint {
        self.spec.endpoint.clone()
    }

    fn identity(&self) -> Identity {
        Identity::default()
    }

    /// Whether the first host takes a connection.
    async fn life(&self) -> Life {
        let Some((host, port)) = self.spec.endpoint.hosts.first() else { return Life::Running };
        match timeout(KNOCK, TcpStream::connect((host.as_str(), *port))).await {
            Ok(Ok(_)) => Life::Running,
            _ => Life::Ended { exit_code: None, out_of_memory: false },
        }
    }

    fn reader(&self) -> Option<Reader> {
        None
    }

    async fn restart(&mut self) -> Result<(), ProvisionError> {
        Err(ProvisionError::Other {
            step: "restart".to_owned(),
            cause: "an existing server is not restarted; ask for `state: warm`, or let Velodrome start the server"
                .to_owned(),
        })
    }

    async fn pause(&mut self) -> Result<(), ProvisionError> {
        Ok(())
    }

    async fn resume(&mut self) -> Result<(), ProvisionError> {
        Ok(())
    }

    async fn disk_bytes(&self) -> Option<u64> {
        None
    }

    async fn save_logs(&self, _to: &Path) -> Result<Vec<String>, ProvisionError> {
        Ok(Vec::new())
    }

    async fn remove(&mut self) -> Result<(), ProvisionError> {
        Ok(())
    }
}
