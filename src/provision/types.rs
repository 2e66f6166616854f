//! The provisioner and instance traits, and what they are given.
//!
//! They must not know which trial is on. Invariant: everything made carries the run's labels.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;

use crate::adapter::types::Adapter;
use crate::driver::types::Endpoint;
use crate::observe::reading::Reading;

/// Reads an instance's resources from another thread, for as long as it runs; none where nothing can be read now.
pub type Reader = Arc<dyn Fn() -> Option<Reading> + Send + Sync>;

/// The run that something is made for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunLabel {
    /// The run's id.
    pub run: String,
    /// The run's folder, absolute.
    pub folder: PathBuf,
}

/// Limits and settings of a container.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DockerSpec {
    /// The image; none: the adapter's for the version.
    pub image: Option<String>,
    /// A tarball to load the image from.
    pub image_tar: Option<PathBuf>,
    /// Processors' worth of time.
    pub cpus: Option<f64>,
    /// Cores, as Docker writes them (`0`, `0-1`).
    pub cpuset: Option<String>,
    /// Memory, bytes.
    pub memory: Option<u64>,
    /// Further environment.
    pub environment: BTreeMap<String, String>,
    /// Bind mounts, `host:container[:ro]`.
    pub volumes: Vec<String>,
    /// Further arguments of the server's command.
    pub command: Vec<String>,
    /// The port on 127.0.0.1; none: a free one.
    pub port: Option<u16>,
}

/// An existing server.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExistingSpec {
    /// Where it listens.
    pub endpoint: Endpoint,
    /// The database was named by the user rather than by us.
    pub named_database: bool,
    /// A named database that is not empty may be emptied.
    pub drop_existing: bool,
}

/// Where a target runs.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// Inside this process.
    Embedded,
    /// In a container.
    Docker(DockerSpec),
    /// On a server that is there already.
    Existing(ExistingSpec),
}

/// What to bring up.
#[derive(Clone, Debug)]
pub struct Request {
    /// The adapter.
    pub adapter: Arc<Adapter>,
    /// The target's name.
    pub target: String,
    /// The version wanted.
    pub version: String,
    /// Where.
    pub place: Place,
    /// Tuning values to be applied at start, by parameter name; already checked against the adapter.
    pub tuning: BTreeMap<String, String>,
    /// For whom.
    pub label: RunLabel,
    /// A folder of the run for files that the instance needs (an embedded database's file, config files).
    pub work: PathBuf,
}

/// What is running, for the journal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// The image as named.
    pub image: Option<String>,
    /// Its digest or id.
    pub digest: Option<String>,
    /// The version that the server itself says.
    pub server_version: Option<String>,
    /// The container's id.
    pub container: Option<String>,
}

/// Whether an instance lives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Life {
    /// It runs.
    Running,
    /// It has ended.
    Ended {
        /// The exit code, where one is known.
        exit_code: Option<i64>,
        /// Whether the kernel killed it for want of memory.
        out_of_memory: bool,
    },
}

/// What kept a provisioner from doing its work.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProvisionError {
    /// No Docker (or ssh) at all: found before anything is touched. Names the socket and the cause.
    #[error("{0}")]
    Unavailable(String),
    /// The image can't be had.
    #[error("image {image}: {cause}")]
    Image {
        /// The image.
        image: String,
        /// Docker's words.
        cause: String,
    },
    /// It did not start; names the port if that was it.
    #[error("{target} did not start: {cause}")]
    Start {
        /// The target.
        target: String,
        /// The words of whoever refused.
        cause: String,
    },
    /// It started and did not become ready in time.
    #[error("{target} was not ready after {seconds} s: {cause}")]
    NotReady {
        /// The target.
        target: String,
        /// How long was waited.
        seconds: u64,
        /// What the last try said.
        cause: String,
    },
    /// It refused a tuning value.
    #[error("{target} refused tuning {parameter}={value}: {cause}")]
    Tuning {
        /// The target.
        target: String,
        /// The parameter.
        parameter: String,
        /// The value.
        value: String,
        /// The server's words.
        cause: String,
    },
    /// A database that is there is not this run's to drop or fill.
    #[error("database {database}: {cause}")]
    NotOurs {
        /// Its name.
        database: String,
        /// Why, and how to mend it.
        cause: String,
    },
    /// Anything else, with the step that failed.
    #[error("{step}: {cause}")]
    Other {
        /// The step.
        step: String,
        /// What was said.
        cause: String,
    },
}

/// Brings targets up.
#[async_trait]
pub trait Provisioner: Send + Sync {
    /// Whether it can work at all here (a Docker daemon answers, …), before anything is touched.
    ///
    /// # Errors
    /// [`ProvisionError::Unavailable`].
    async fn check(&self) -> Result<(), ProvisionError>;
    /// Starts what is asked for and returns when it runs; readiness is asked for apart.
    ///
    /// # Errors
    /// After having removed whatever it made.
    async fn start(&self, request: &Request) -> Result<Box<dyn Instance>, ProvisionError>;
    /// Removes everything that carries the label of a run. Answers what was removed, a line each.
    ///
    /// # Errors
    /// When something could not be removed; goes on with the others first.
    async fn remove_run(&self, run: &str) -> Result<Vec<String>, ProvisionError>;
    /// The labels of all runs that something exists for.
    ///
    /// # Errors
    /// When it can't be listed.
    async fn labelled(&self) -> Result<Vec<RunLabel>, ProvisionError>;
}

/// One running database.
#[async_trait]
pub trait Instance: Send + Sync {
    /// Where to connect, the database's name left for the caller to set.
    fn endpoint(&self) -> Endpoint;
    /// What it is.
    fn identity(&self) -> Identity;
    /// Whether it lives.
    async fn life(&self) -> Life;
    /// Reads its resources, for a sampler; none where nothing can ever be read. Made anew after each start.
    fn reader(&self) -> Option<Reader>;
    /// Reads its resources now; none where nothing can be read.
    fn read(&self) -> Option<Reading> {
        self.reader().and_then(|reader| reader())
    }
    /// Stops and starts it again with its data (for cold states and tunings).
    ///
    /// # Errors
    /// When it does not come back.
    async fn restart(&mut self) -> Result<(), ProvisionError>;
    /// Stops it, keeping its data, so that another target can be tested.
    ///
    /// # Errors
    /// When it can't be stopped.
    async fn pause(&mut self) -> Result<(), ProvisionError>;
    /// Starts it again after `pause`.
    ///
    /// # Errors
    /// When it does not come back.
    async fn resume(&mut self) -> Result<(), ProvisionError>;
    /// Bytes that its data takes on disk, where that can be measured from outside.
    async fn disk_bytes(&self) -> Option<u64>;
    /// The last lines of its log; empty where it has none that can be had.
    async fn last_words(&self) -> Vec<String> {
        Vec::new()
    }
    /// Writes its log to a file; answers the last lines.
    ///
    /// # Errors
    /// When the log can't be had.
    async fn save_logs(&self, to: &Path) -> Result<Vec<String>, ProvisionError>;
    /// Stops it and removes everything that was made for it.
    ///
    /// # Errors
    /// When something is left; says what.
    async fn remove(&mut self) -> Result<(), ProvisionError>;
}
