//! What trials are run with: each target's adapter, driver, provisioner and place, resolved before the first trial.
//!
//! It must not start anything. Invariant: secrets are resolved here and nowhere later, so a missing one is found at once.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::folder::Folder;
use super::scrub::Scrub;
use crate::adapter::types::Adapter;
use crate::driver::protocol::Driver;
use crate::engine::types::{Control, Job, Outcome};
use crate::plan::types::Target;
use crate::provision::types::{Place, Provisioner, RunLabel};

/// Runs one trial's load to its end.
pub type Engine = Arc<dyn Fn(Job, Arc<Control>) -> Outcome + Send + Sync>;

/// A target, ready to be brought up.
#[derive(Clone)]
pub struct TargetParts {
    /// As the plan has it.
    pub target: Target,
    /// Its adapter.
    pub adapter: Arc<Adapter>,
    /// Its driver.
    pub driver: Arc<dyn Driver>,
    /// Who brings it up.
    pub provisioner: Arc<dyn Provisioner>,
    /// Where, with secrets resolved.
    pub place: Place,
}

impl TargetParts {
    /// Whether it runs inside this process.
    pub fn embedded(&self) -> bool {
        matches!(self.place, Place::Embedded)
    }
}

/// Everything outside the plan that a run works with.
#[derive(Clone)]
pub struct World {
    /// The targets by name.
    pub targets: BTreeMap<String, TargetParts>,
    /// The run's folder.
    pub folder: Folder,
    /// The load engine.
    pub engine: Engine,
    /// The plan's seed.
    pub seed: u64,
    /// The cores that this process may use.
    pub cores: Vec<u32>,
    /// Folders whose file systems must not fill up.
    pub disks: Vec<PathBuf>,
    /// The run's secrets.
    pub scrub: Scrub,
    /// The command that runs the suite again, for the hint how to run one cell alone; none: not known.
    pub command: Option<String>,
}

impl World {
    /// The label of everything that the run makes.
    pub fn label(&self) -> RunLabel {
        RunLabel { run: self.folder.id.clone(), folder: self.folder.path.clone() }
    }

    /// The name of the database of the loading case with this number in the plan; it holds the run's id.
    pub fn database(&self, number: usize) -> String {
        format!("{}_{number}", database_prefix(&self.folder.id))
    }
}

/// What the names of all databases of a run start with: letters, digits and underscores, as every database takes them.
pub fn database_prefix(run: &str) -> String {
    let plain: String =
        run.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect();
    format!("velodrome_{plain}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn databases_are_named_by_the_run() {
        assert_eq!(database_prefix("20261201-122233-a1b2"), "velodrome_20261201_122233_a1b2");
    }
}
