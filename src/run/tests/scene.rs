//! A run in a folder of its own.
//!
//! It must not look inside the runner. Invariant: the folder goes with the scene.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use jiff::Timestamp;

use super::fakes::{Fake, FakeDriver, FakeProvisioner};
use crate::adapter::catalogue::Catalogue;
use crate::driver::types::Secret;
use crate::plan::types::Plan;
use crate::provision::types::{DockerSpec, Place};
use crate::run::folder::Folder;
use crate::run::journal::reader;
use crate::run::journal::state::{RunState, TrialKey};
use crate::run::journal::trial::TrialRecord;
use crate::run::journal::writer::JournalWriter;
use crate::run::log::Log;
use crate::run::progress::{Show, Snapshot, Tracker};
use crate::run::runner::{Run, RunEnd, run};
use crate::run::scrub::Scrub;
use crate::run::signals::Stops;
use crate::run::world::{TargetParts, World};

/// Keeps the lines.
#[derive(Default)]
pub(crate) struct Lines(pub(crate) Mutex<Vec<String>>);

impl Show for Lines {
    fn say(&self, text: &str) {
        self.0.lock().unwrap().push(text.to_owned());
    }
    fn update(&self, _: &Snapshot) {}
    fn ended(&self, _: &TrialRecord) {}
    fn end(&self) {}
}

/// A run that can be run.
pub(crate) struct Scene {
    pub(crate) plan: Plan,
    pub(crate) world: World,
    pub(crate) stops: Stops,
    pub(crate) lines: Arc<Lines>,
    pub(crate) done: BTreeMap<TrialKey, TrialRecord>,
    reports: PathBuf,
}

impl Scene {
    /// A plan whose targets are all this fake.
    pub(crate) fn fake(plan: Plan, fake: &Arc<Fake>) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let reports = std::env::temp_dir().join(format!("velodrome-scene-{}-{number}", std::process::id()));
        let folder = Folder::create(&reports, Timestamp::now(), number.into()).unwrap();
        let catalogue = Catalogue::builtin(&["blackhole", "influx", "postgres", "sqlite"]).unwrap();
        let mut adapter = (**catalogue.get("sqlite").unwrap()).clone();
        adapter.file.ready = None;
        let parts = |target: &crate::plan::types::Target| TargetParts {
            target: target.clone(),
            adapter: Arc::new(adapter.clone()),
            driver: Arc::new(FakeDriver(fake.clone())),
            provisioner: Arc::new(FakeProvisioner(fake.clone())),
            place: Place::Docker(DockerSpec::default()),
        };
        let world = World {
            targets: plan.targets.iter().map(|target| (target.name.clone(), parts(target))).collect(),
            folder,
            engine: Arc::new(crate::engine::run),
            seed: 1,
            cores: crate::observe::cores::available(),
            disks: Vec::new(),
            scrub: Scrub::new(vec![Secret::new("s3cr3t-Pw")], &BTreeSet::new()),
            command: Some("velodrome run suite.yaml".into()),
        };
        let (stops, lines) = (Stops::default(), Arc::new(Lines::default()));
        Scene { plan, world, stops, lines, done: BTreeMap::new(), reports }
    }

    /// Runs it; answers how it ended and what the journal says.
    pub(crate) async fn run(&self) -> (RunEnd, RunState) {
        self.run_shown(self.lines.clone()).await
    }

    /// The same, shown to someone else.
    pub(crate) async fn run_shown(&self, show: Arc<dyn Show>) -> (RunEnd, RunState) {
        let path = self.world.folder.journal();
        let _ = std::fs::remove_file(&path);
        let tracker = Tracker::new(show, Log::open(&self.world.folder.log()), &self.plan, self.world.scrub.clone());
        let end = run(Run {
            plan: &self.plan,
            world: &self.world,
            journal: JournalWriter::create(&path).unwrap(),
            done: self.done.clone(),
            tracker: &tracker,
            stops: &self.stops,
        })
        .await
        .unwrap();
        (end, RunState::of(&reader::read(&path).unwrap()))
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.reports);
    }
}
