//! Images: the local one, else one from a tarball, else one pulled.
//!
//! It must not print: progress goes to whoever asked for it. Invariant: an image that is here is used as it is.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bollard::Docker;
use bollard::models::CreateImageInfo;
use bollard::query_parameters::{CreateImageOptionsBuilder, ImportImageOptionsBuilder};
use bytes::Bytes;
use futures_util::{StreamExt, stream};

use super::connect::{is_missing, words};
use crate::provision::types::ProvisionError;

/// Takes lines of progress of what takes long, such as pulling an image.
pub type Progress = Arc<dyn Fn(&str) + Send + Sync>;

/// An image that is here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Image {
    /// As named.
    pub(super) name: String,
    /// The registry's digest (`name@sha256:…`) where it has one, else its id.
    pub(super) digest: Option<String>,
    /// Its own command.
    pub(super) command: Vec<String>,
}

/// Pulling and loading take as long as they take.
const LONG: Duration = Duration::from_secs(6 * 3600);
const LINE_EACH: Duration = Duration::from_secs(2);
const CHUNK: usize = 1 << 20;

/// Makes sure that an image is here.
///
/// # Errors
/// [`ProvisionError::Image`] with the daemon's words.
pub(super) async fn provide(
    docker: &Docker,
    name: &str,
    tar: Option<&Path>,
    progress: &Progress,
) -> Result<Image, ProvisionError> {
    let name = with_tag(name);
    let failed = |cause: String| ProvisionError::Image { image: name.clone(), cause };
    if let Some(image) = inspect(docker, &name).await.map_err(&failed)? {
        return Ok(image);
    }
    let patient = docker.clone().with_timeout(LONG);
    let source = match tar {
        Some(tar) => {
            let loaded = load(&patient, tar, progress).await.map_err(&failed)?;
            format!("the tarball {} holds {}", tar.display(), loaded)
        }
        None => {
            pull(&patient, &name, progress).await.map_err(&failed)?;
            "it was pulled, and is not here".to_owned()
        }
    };
    inspect(docker, &name).await.map_err(&failed)?.ok_or_else(|| failed(source))
}

/// The name with a tag: without one the daemon would pull all tags.
fn with_tag(name: &str) -> String {
    let last = name.rsplit_once('/').map_or(name, |(_, last)| last);
    if last.contains(':') || name.contains('@') { name.to_owned() } else { format!("{name}:latest") }
}

async fn inspect(docker: &Docker, name: &str) -> Result<Option<Image>, String> {
    match docker.inspect_image(name).await {
        Ok(found) => {
            let repository = name.split('@').next().unwrap_or(name);
            let repository =
                repository.rsplit_once(':').filter(|(_, tag)| !tag.contains('/')).map_or(repository, |r| r.0);
            let digests = found.repo_digests.unwrap_or_default();
            let own = digests.iter().find(|digest| digest.split('@').next() == Some(repository));
            Ok(Some(Image {
                name: name.to_owned(),
                digest: own.or(digests.first()).cloned().or(found.id),
                command: found.config.and_then(|config| config.cmd).unwrap_or_default(),
            }))
        }
        Err(error) if is_missing(&error) => Ok(None),
        Err(error) => Err(words(&error)),
    }
}

/// Pulls an image, with a line of progress now and then.
async fn pull(docker: &Docker, name: &str, progress: &Progress) -> Result<(), String> {
    progress(&format!("pulling {name}"));
    let options = CreateImageOptionsBuilder::new().from_image(name).build();
    let mut layers = Layers::default();
    let mut told = Instant::now();
    let mut events = std::pin::pin!(docker.create_image(Some(options), None, None));
    while let Some(event) = events.next().await {
        let event = event.map_err(|error| pull_cause(&words(&error)))?;
        layers.note(&event);
        if told.elapsed() >= LINE_EACH {
            told = Instant::now();
            if let Some(line) = layers.line() {
                progress(&format!("pulling {name}: {line}"));
            }
        }
    }
    progress(&format!("pulled {name}"));
    Ok(())
}

fn pull_cause(words: &str) -> String {
    format!(
        "{words} (without a registry: `docker load` it, or give `docker: {{image: …}}` or `docker: {{image_tar: …}}`)"
    )
}

/// How far each layer is: bytes here and bytes in all.
#[derive(Debug, Default)]
struct Layers(BTreeMap<String, (i64, i64)>);

impl Layers {
    fn note(&mut self, event: &CreateImageInfo) {
        let (Some(id), Some(status)) = (&event.id, &event.status) else { return };
        match (status.as_str(), &event.progress_detail) {
            ("Downloading", Some(detail)) => {
                if let (Some(current), Some(total)) = (detail.current, detail.total) {
                    self.0.insert(id.clone(), (current, total));
                }
            }
            ("Download complete" | "Pull complete", _) => {
                if let Some(layer) = self.0.get_mut(id) {
                    layer.0 = layer.1;
                }
            }
            _ => {}
        }
    }

    fn line(&self) -> Option<String> {
        let (here, all) = self.0.values().fold((0, 0), |sum, layer| (sum.0 + layer.0, sum.1 + layer.1));
        let megabytes = |bytes: i64| bytes as f64 / 1e6;
        (all > 0).then(|| format!("{:.1} of {:.1} MB", megabytes(here), megabytes(all)))
    }
}

/// Loads the images of a tarball; answers their names.
async fn load(docker: &Docker, tar: &Path, progress: &Progress) -> Result<String, String> {
    let file = File::open(tar).map_err(|error| format!("{}: {error}", tar.display()))?;
    progress(&format!("loading {}", tar.display()));
    let options = ImportImageOptionsBuilder::new().quiet(true).build();
    let mut events = std::pin::pin!(docker.import_image_stream(options, stream::iter(Chunks(file)), None));
    let mut names = Vec::new();
    while let Some(event) = events.next().await {
        let said = event.map_err(|error| format!("{}: {}", tar.display(), words(&error)))?.stream.unwrap_or_default();
        names.extend(said.lines().filter_map(|line| Some(line.split_once(": ")?.1.trim().to_owned())));
    }
    Ok(if names.is_empty() { "no image".to_owned() } else { names.join(", ") })
}

/// A file in pieces.
struct Chunks(File);

impl Iterator for Chunks {
    type Item = std::io::Result<Bytes>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut buffer = vec![0; CHUNK];
        match self.0.read(&mut buffer) {
            Ok(0) => None,
            Ok(length) => {
                buffer.truncate(length);
                Some(Ok(Bytes::from(buffer)))
            }
            Err(error) => Some(Err(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use bollard::models::ProgressDetail;

    use super::*;

    #[test]
    fn a_name_without_a_tag_gets_one() {
        assert_eq!(with_tag("postgres"), "postgres:latest");
        assert_eq!(with_tag("host:5000/db"), "host:5000/db:latest");
        assert_eq!(with_tag("host:5000/db:1.10"), "host:5000/db:1.10");
        assert_eq!(with_tag("db@sha256:00"), "db@sha256:00");
    }

    #[test]
    fn layers_add_up() {
        let event = |id: &str, status: &str, bytes: Option<(i64, i64)>| CreateImageInfo {
            id: Some(id.to_owned()),
            status: Some(status.to_owned()),
            progress_detail: bytes
                .map(|(current, total)| ProgressDetail { current: Some(current), total: Some(total) }),
            ..CreateImageInfo::default()
        };
        let mut layers = Layers::default();
        layers.note(&event("17", "Pulling from library/postgres", None));
        assert_eq!(layers.line(), None);
        layers.note(&event("a", "Downloading", Some((1_000_000, 4_000_000))));
        layers.note(&event("b", "Downloading", Some((500_000, 1_000_000))));
        layers.note(&event("b", "Download complete", None));
        layers.note(&event("b", "Extracting", Some((1, 1_000_000))));
        assert_eq!(layers.line().unwrap(), "2.0 of 5.0 MB");
    }
}
