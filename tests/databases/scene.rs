//! A test's run: what it asks for, what the daemon holds of it, seen through the daemon's own command line, and a guard that
//! removes it.

use std::process::Command;
use std::sync::Arc;

use velodrome::adapter::types::Adapter;
use velodrome::provision::docker::{Address, DockerProvisioner};
use velodrome::provision::types::{Place, Request, RunLabel};

/// A provisioner for the daemon of this host, whose progress nobody hears.
pub(crate) fn provisioner() -> DockerProvisioner {
    DockerProvisioner::new(Address::find(None, None).unwrap(), Arc::new(|_| {}))
}

/// A target of a run.
pub(crate) fn request(run: &Run, adapter: Arc<Adapter>, place: Place) -> Request {
    Request {
        target: format!("{}-here", adapter.file.name),
        version: adapter.file.versions.default.clone(),
        adapter,
        place,
        tuning: Default::default(),
        label: RunLabel { run: run.0.clone(), folder: "/reports/here".into() },
        work: std::env::temp_dir(),
    }
}

/// Runs `docker` and answers its output; fails where it fails.
pub(crate) fn docker(arguments: &[&str]) -> String {
    let output = Command::new("docker").args(arguments).output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "docker {arguments:?}: {err}");
    out.trim().to_owned()
}

/// Containers, volumes and networks that carry a label, a line each.
pub(crate) fn labelled(label: &str) -> Vec<String> {
    let filter = format!("label={label}");
    let lists: [(&str, &[&str]); 3] =
        [("container", &["ps", "-aq"]), ("volume", &["volume", "ls", "-q"]), ("network", &["network", "ls", "-q"])];
    let each = lists.iter().flat_map(|(kind, list)| {
        let arguments = [*list, &["--filter", &filter]].concat();
        docker(&arguments).lines().map(|id| format!("{kind} {id}")).collect::<Vec<_>>()
    });
    each.collect()
}

/// A run of a test: whatever it has left goes with it.
pub(crate) struct Run(pub(crate) String);

impl Run {
    /// A run whose id no other test has.
    pub(crate) fn new(test: &str) -> Self {
        Run(format!("test-{}-{test}", std::process::id()))
    }

    /// What it has left.
    pub(crate) fn left(&self) -> Vec<String> {
        labelled(&format!("velodrome.run={}", self.0))
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        let remove = |arguments: &[&str]| drop(Command::new("docker").args(arguments).output());
        for thing in self.left() {
            match thing.split_once(' ') {
                Some(("container", id)) => remove(&["rm", "--force", "--volumes", id]),
                Some((kind, id)) => remove(&[kind, "rm", id]),
                None => {}
            }
        }
    }
}
