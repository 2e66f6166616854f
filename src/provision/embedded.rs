//! Databases inside this process: a file, or nothing at all.
//!
//! It must not open the database. Invariant: it starts without a file of an earlier trial, and leaves none.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;

use super::types::{Identity, Instance, Life, ProvisionError, Provisioner, Reader, Request, RunLabel};
use crate::driver::types::Endpoint;
use crate::observe::{disk, process};

/// What SQLite and its like keep beside the file itself.
const BESIDE: [&str; 4] = ["", "-wal", "-shm", "-journal"];

/// Brings up databases inside this process.
#[derive(Clone, Copy, Debug, Default)]
pub struct EmbeddedProvisioner;

#[async_trait]
impl Provisioner for EmbeddedProvisioner {
    async fn check(&self) -> Result<(), ProvisionError> {
        Ok(())
    }

    async fn start(&self, request: &Request) -> Result<Box<dyn Instance>, ProvisionError> {
        let refuse = |cause: String| ProvisionError::Start { target: request.target.clone(), cause };
        let Some(embedded) = &request.adapter.file.embedded else {
            return Err(refuse(format!("{} does not run inside this process", request.adapter.file.name)));
        };
        let instance = EmbeddedInstance { file: embedded.file.as_ref().map(|name| request.work.join(name)) };
        if instance.file.is_some() {
            let work = &request.work;
            fs::create_dir_all(work).map_err(|error| refuse(format!("{}: {error}", work.display())))?;
            instance.delete()?;
        }
        Ok(Box::new(instance))
    }

    /// Nothing is found by labels: the files lie in the run's own folder.
    async fn remove_run(&self, _run: &str) -> Result<Vec<String>, ProvisionError> {
        Ok(Vec::new())
    }

    async fn labelled(&self) -> Result<Vec<RunLabel>, ProvisionError> {
        Ok(Vec::new())
    }
}

/// A database inside this process.
#[derive(Debug)]
struct EmbeddedInstance {
    file: Option<PathBuf>,
}

impl EmbeddedInstance {
    fn files(&self) -> impl Iterator<Item = PathBuf> {
        let beside = |file: &PathBuf| {
            BESIDE.map(|end| {
                let mut name = file.clone().into_os_string();
                name.push(end);
                PathBuf::from(name)
            })
        };
        self.file.as_ref().map(beside).into_iter().flatten()
    }

    fn delete(&self) -> Result<(), ProvisionError> {
        for file in self.files() {
            match fs::remove_file(&file) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    let step = format!("removing {}", file.display());
                    return Err(ProvisionError::Other { step, cause: error.to_string() });
                }
                _ => {}
            }
        }
        Ok(())
    }
}

#[async_trait]
impl Instance for EmbeddedInstance {
    fn endpoint(&self) -> Endpoint {
        Endpoint { file: self.file.clone(), ..Endpoint::default() }
    }

    fn identity(&self) -> Identity {
        Identity::default()
    }

    async fn life(&self) -> Life {
        Life::Running
    }

    fn reader(&self) -> Option<Reader> {
        Some(Arc::new(|| Some(process::read_self())))
    }

    async fn restart(&mut self) -> Result<(), ProvisionError> {
        Ok(())
    }

    async fn pause(&mut self) -> Result<(), ProvisionError> {
        Ok(())
    }

    async fn resume(&mut self) -> Result<(), ProvisionError> {
        Ok(())
    }

    async fn disk_bytes(&self) -> Option<u64> {
        disk::size(self.file.as_ref()?).ok()?;
        Some(self.files().filter_map(|file| disk::size(&file).ok()).sum())
    }

    async fn save_logs(&self, _to: &Path) -> Result<Vec<String>, ProvisionError> {
        Ok(Vec::new())
    }

    async fn remove(&mut self) -> Result<(), ProvisionError> {
        self.delete()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::adapter;
    use super::super::types::Place;
    use super::*;

    fn request(name: &str, lines: &str) -> Request {
        let work = std::env::temp_dir().join(format!("velodrome-embedded-{}-{name}", std::process::id()));
        Request {
            adapter: adapter(lines),
            target: "lite".to_owned(),
            version: "1".to_owned(),
            place: Place::Embedded,
            tuning: Default::default(),
            label: RunLabel { run: "r".to_owned(), folder: work.clone() },
            work,
        }
    }

    #[tokio::test]
    async fn a_file_begins_anew_is_measured_with_what_lies_beside_it_and_goes() {
        let request = request("file", "embedded: {file: data.db}\n");
        let file = request.work.join("data.db");
        fs::create_dir_all(&request.work).unwrap();
        fs::write(&file, "of an earlier trial").unwrap();
        let mut instance = EmbeddedProvisioner.start(&request).await.unwrap();
        assert_eq!(instance.endpoint().file.as_ref(), Some(&file));
        assert!(!file.exists());
        assert_eq!(instance.disk_bytes().await, None);
        fs::write(&file, [0; 4096]).unwrap();
        fs::write(request.work.join("data.db-wal"), [0; 100]).unwrap();
        assert_eq!(instance.disk_bytes().await, Some(4196));
        assert!(instance.read().unwrap().cpu_seconds.unwrap() > 0.0);
        instance.remove().await.unwrap();
        instance.remove().await.unwrap();
        fs::remove_dir(&request.work).unwrap();
    }

    #[tokio::test]
    async fn what_keeps_nothing_has_no_file_and_no_size() {
        let request = request("none", "embedded: {}\n");
        let instance = EmbeddedProvisioner.start(&request).await.unwrap();
        assert_eq!((instance.endpoint().file, instance.disk_bytes().await), (None, None));
        assert!(!request.work.exists());
    }

    #[tokio::test]
    async fn a_server_is_no_embedded_database() {
        let error = EmbeddedProvisioner.start(&request("server", "")).await.err().unwrap();
        assert_eq!(error.to_string(), "lite did not start: db does not run inside this process");
    }
}
