//! Starts databases in containers.
//!
//! It must not wait for them to be ready. Invariant: a start that fails leaves nothing behind.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use async_trait::async_trait;
use bollard::Docker;
use bollard::query_parameters::CreateContainerOptionsBuilder;
use tokio::sync::OnceCell;

use super::connect::{self, Address, words};
use super::image::{self, Image, Progress};
use super::instance::{DockerInstance, Made, discard};
use super::{recipe, remove, volume};
use crate::adapter::statements::DockerStart;
use crate::provision::types::{DockerSpec, Identity, Instance, Place, ProvisionError, Provisioner, Request, RunLabel};

/// Brings databases up in containers of the daemon on this host.
pub struct DockerProvisioner {
    address: Address,
    docker: OnceCell<Docker>,
    progress: Progress,
    made: AtomicU64,
}

impl DockerProvisioner {
    /// For the daemon at an address; nothing is asked of it yet. `progress` gets a line now and then while an image comes.
    pub fn new(address: Address, progress: Progress) -> Self {
        DockerProvisioner { address, docker: OnceCell::new(), progress, made: AtomicU64::new(0) }
    }

    async fn docker(&self) -> Result<&Docker, ProvisionError> {
        self.docker.get_or_try_init(|| connect::connect(&self.address)).await
    }

    /// A number that no other container of this run has, of this process or an earlier one.
    fn nonce(&self) -> u64 {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64);
        (now << 8) | (self.made.fetch_add(1, Ordering::Relaxed) & 0xff)
    }

    /// Makes the volume and the container.
    async fn create(
        &self,
        request: &Request,
        spec: &DockerSpec,
        start: DockerStart,
    ) -> Result<DockerInstance, ProvisionError> {
        let refuse = |cause: String| ProvisionError::Start { target: request.target.clone(), cause };
        let docker = self.docker().await?;
        let wanted = spec.image.as_ref().unwrap_or(&start.image);
        let image = image::provide(docker, wanted, spec.image_tar.as_deref(), &self.progress).await?;
        let labels = recipe::labels(&request.label, &request.target);
        let name = recipe::name(&request.label, &request.target, self.nonce());
        let volume = (!recipe::binds_data(spec, &start.data)).then(|| name.clone());
        let body = recipe::body(&start, spec, &image, labels.clone(), volume.as_deref()).map_err(refuse)?;
        if let Some(volume) = &volume {
            volume::create(docker, volume, labels).await?;
        }
        let options = CreateContainerOptionsBuilder::new().name(&name).build();
        match docker.create_container(Some(options), body).await {
            Ok(created) => {
                let identity = identity(&image, &created.id);
                let made = Made { container: created.id, volume };
                Ok(DockerInstance::new(docker.clone(), &request.target, made, start, identity))
            }
            Err(error) => {
                let left = discard(docker, None, volume.as_deref()).await;
                Err(and_left(refuse(words(&error)), left))
            }
        }
    }
}

fn identity(image: &Image, container: &str) -> Identity {
    Identity {
        image: Some(image.name.clone()),
        digest: image.digest.clone(),
        server_version: None,
        container: Some(container.to_owned()),
    }
}

/// An error, with what could not be removed after it.
fn and_left(error: ProvisionError, removed: Result<(), ProvisionError>) -> ProvisionError {
    match removed {
        Ok(()) => error,
        Err(left) => ProvisionError::Other { step: error.to_string(), cause: left.to_string() },
    }
}

/// The adapter's settings for a request.
fn rendered(request: &Request, spec: &DockerSpec) -> Result<DockerStart, ProvisionError> {
    let wrong = |cause: String| ProvisionError::Start { target: request.target.clone(), cause };
    let tuning = request
        .adapter
        .tuning(&request.tuning)
        .map_err(|errors| wrong(errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")))?;
    request.adapter.docker_start(&request.version, &tuning, spec.memory).map_err(|error| wrong(error.to_string()))
}

#[async_trait]
impl Provisioner for DockerProvisioner {
    async fn check(&self) -> Result<(), ProvisionError> {
        self.docker().await.map(|_| ())
    }

    async fn start(&self, request: &Request) -> Result<Box<dyn Instance>, ProvisionError> {
        let Place::Docker(spec) = &request.place else {
            return Err(ProvisionError::Start {
                target: request.target.clone(),
                cause: "it is not meant to run in a container".to_owned(),
            });
        };
        let mut instance = self.create(request, spec, rendered(request, spec)?).await?;
        match instance.first_launch().await {
            Ok(()) => Ok(Box::new(instance)),
            Err(error) => Err(and_left(error, instance.remove().await)),
        }
    }

    async fn remove_run(&self, run: &str) -> Result<Vec<String>, ProvisionError> {
        remove::run(self.docker().await?, run).await
    }

    async fn labelled(&self) -> Result<Vec<RunLabel>, ProvisionError> {
        remove::labelled(self.docker().await?).await
    }
}
