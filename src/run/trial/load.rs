//! Drives the load: the engine on threads of its own, watched from here.
//!
//! It must not judge what was measured. Invariant: the load ends when it is told to, and is waited for no longer than it may
//! take.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::context::{End, Trial};
use super::verdict::{Cause, Verdict};
use super::watch::{stop_kind, tell};
use crate::adapter::queries::Queries;
use crate::driver::error::{DriverError, ErrorClass};
use crate::driver::types::Endpoint;
use crate::engine::types::{Control, ErrorPolicy, Job, Outcome, Statements, StopKind};
use crate::observe::process;
use crate::observe::reading::Reading;
use crate::observe::sampler::{Sampler, thin};
use crate::provision::types::Instance;
use crate::run::journal::trial::FailureReason;
use crate::run::signals::GRACE;
use crate::workload::operation::Query;

/// A share of failures is judged only from this many operations on; a trial that is shorter is judged at its end.
const JUDGED_AFTER: u64 = 50;
/// How long the engine may take to come back after it was told to leave at once.
const LEAVE: Duration = Duration::from_secs(10);
/// How often resources are read.
const SAMPLE: Duration = Duration::from_millis(500);
/// How many readings a journal keeps of each side.
const KEPT: usize = 1000;

/// A load's outcome, what ended it from outside, and the readings meanwhile.
pub struct Loaded {
    /// What the engine says; none: it did not come back.
    pub outcome: Option<Outcome>,
    /// What ended it; none: itself.
    pub cause: Option<Cause>,
    /// Whoever still reads resources.
    pub samplers: Samplers,
}

/// Reads the server's and the client's resources from the load's beginning until it is stopped, settling included.
pub struct Samplers {
    began: Instant,
    measured: Option<Instant>,
    server: Option<Sampler>,
    client: Option<Sampler>,
}

impl Samplers {
    fn start(instance: &dyn Instance) -> Self {
        let began = Instant::now();
        let server = instance.reader().and_then(|reader| Sampler::start(began, SAMPLE, move || reader()));
        let client = Sampler::start(began, SAMPLE, || Some(process::read_self()));
        Samplers { began, measured: None, server, client }
    }

    /// The server's and the client's readings, counted from the measured part's beginning.
    pub fn stop(self) -> (Vec<Reading>, Vec<Reading>) {
        let shift = self.measured.map_or(0, |at| at.saturating_duration_since(self.began).as_millis());
        let shift = i64::try_from(shift).unwrap_or(0);
        let readings = |sampler: Option<Sampler>| relative(sampler.map(Sampler::stop).unwrap_or_default(), shift);
        (readings(self.server), readings(self.client))
    }
}

/// Runs the trial's load on an instance.
///
/// # Errors
/// When it can't even begin.
pub async fn run(trial: &Trial<'_>, instance: &dyn Instance) -> Result<Loaded, End> {
    let job = job(trial, instance)?;
    let control = Arc::new(Control::default());
    trial.measuring(control.clone());
    let mut samplers = Samplers::start(instance);
    let (engine, seen) = (trial.world.engine.clone(), control.clone());
    let mut running = tokio::task::spawn_blocking(move || engine(job, seen));
    let (ended, cause) = tokio::select! {
        biased;
        ended = &mut running => (Some(ended), None),
        cause = trial.limits.watch(instance, &control) => (end(trial, &control, &cause, &mut running).await, Some(cause)),
    };
    let outcome = match ended {
        Some(Ok(outcome)) => Some(outcome),
        Some(Err(error)) => return Err(End::Failed(FailureReason::Refused, format!("the engine panicked: {error}"))),
        None => None,
    };
    samplers.measured = outcome.as_ref().and_then(|outcome| outcome.started);
    Ok(Loaded { outcome, cause, samplers })
}

type Running = tokio::task::JoinHandle<Outcome>;

/// Tells the engine to end and waits as long as that may take.
async fn end(
    trial: &Trial<'_>,
    control: &Control,
    cause: &Cause,
    running: &mut Running,
) -> Option<Result<Outcome, tokio::task::JoinError>> {
    let kind = stop_kind(cause);
    tell(control, kind);
    if kind == StopKind::Graceful {
        tokio::select! {
            ended = &mut *running => return Some(ended),
            () = tokio::time::sleep(GRACE) => {}
            () = trial.limits.stops.wait_now() => {}
        }
        tell(control, StopKind::Now);
    }
    // A driver that blocks may not come back at all; its thread ends with the process.
    tokio::time::timeout(LEAVE, running).await.ok()
}

/// Readings counted from the measured part's beginning, thinned.
fn relative(readings: Vec<Reading>, shift_ms: i64) -> Vec<Reading> {
    thin(readings, KEPT).into_iter().map(|reading| Reading { at_ms: reading.at_ms - shift_ms, ..reading }).collect()
}

fn job(trial: &Trial<'_>, instance: &dyn Instance) -> Result<Job, End> {
    let case = trial.case;
    let queries = Queries::new(&trial.parts.adapter, &case.workload, trial.schema.clone())?;
    Ok(Job {
        workload: trial.workload.build(),
        driver: trial.parts.driver.clone(),
        endpoint: Endpoint { database: trial.database.clone(), ..instance.endpoint() },
        options: trial.session_options(),
        statements: Arc::new(AdapterStatements(queries)),
        load: trial.setup.load.clone(),
        errors: ErrorPolicy {
            abort: case.policy.abort,
            threshold: case.policy.threshold,
            after: JUDGED_AFTER,
            retries: case.policy.retries,
        },
        seed: trial.world.seed,
    })
}

/// An adapter's queries, as the engine asks for them.
struct AdapterStatements(Queries);

impl Statements for AdapterStatements {
    fn statement(&self, query: &Query) -> Result<String, DriverError> {
        self.0.statement(query).map_err(|error| DriverError::new(ErrorClass::Rejected, error.to_string()))
    }
}

/// The verdict on a load: what ended it from outside, else what the engine says.
pub fn verdict(loaded: &Loaded, threshold: f64) -> Verdict {
    match (&loaded.cause, &loaded.outcome) {
        (Some(cause), _) => super::verdict::of_cause(cause),
        (None, Some(outcome)) => super::verdict::of_outcome(outcome, threshold),
        (None, None) => End::Failed(FailureReason::NoData, "the engine gave nothing back".to_owned()).verdict(),
    }
}
