//! What one trial is given, and how it can end before its end.
//!
//! It must not do the trial's work. Invariant: everything here is decided before the trial begins.

use std::path::PathBuf;
use std::sync::Arc;

use super::setup::Setup;
use super::verdict::{Cause, Verdict};
use super::watch::Limits;
use crate::adapter::template::RenderError;
use crate::adapter::tuning::TuningPlan;
use crate::driver::types::SessionOptions;
use crate::engine::types::Control;
use crate::plan::types::Case;
use crate::provision::admin::{Admin, StatementError};
use crate::provision::types::ProvisionError;
use crate::run::journal::trial::{FailureReason, Status};
use crate::run::progress::Tracker;
use crate::run::world::{TargetParts, World};
use crate::workload::kind::Configured;
use crate::workload::model::Schema;

/// What a trial is given.
pub struct Trial<'a> {
    /// Everything outside the plan.
    pub world: &'a World,
    /// The case.
    pub case: &'a Case,
    /// The loading case that its data belongs to: itself, or what it stands on.
    pub root: &'a Case,
    /// The round, from 1.
    pub round: u32,
    /// Its target.
    pub parts: &'a TargetParts,
    /// Its workload.
    pub workload: Arc<dyn Configured>,
    /// The shape of its data.
    pub schema: Arc<Schema>,
    /// How its database is started, its tuning values, its load and cores.
    pub setup: Setup,
    /// What is sent where for them.
    pub tuning_plan: TuningPlan,
    /// The database's name.
    pub database: String,
    /// The trial's own folder.
    pub folder: PathBuf,
    /// What can end it from outside.
    pub limits: Limits<'a>,
    /// Who is told how far it is.
    pub tracker: &'a Tracker,
}

impl Trial<'_> {
    /// Whether the trial begins with a load into a database of its own, rather than standing on another's data.
    pub fn loads(&self) -> bool {
        self.case.on.is_none()
    }

    /// How the trial's sessions behave.
    pub fn session_options(&self) -> SessionOptions {
        SessionOptions {
            write_method: self.case.write_method.clone(),
            settings: self.tuning_plan.settings.clone(),
            on_connect: self.tuning_plan.on_connect.clone(),
            max_request_bytes: self.parts.adapter.file.limits.request_bytes,
            write_timeout: self.case.policy.write_timeout,
            query_timeout: self.case.policy.query_timeout,
            schema: Some(self.schema.clone()),
            ..SessionOptions::default()
        }
    }

    /// Administration of an instance, in the trial's database.
    pub fn admin(&self, instance: &dyn crate::provision::types::Instance) -> Admin {
        let endpoint = crate::driver::types::Endpoint { database: self.database.clone(), ..instance.endpoint() };
        Admin { driver: self.parts.driver.clone(), endpoint, options: self.session_options() }
    }

    /// Tells the tracker that the load runs.
    pub fn measuring(&self, control: Arc<Control>) {
        self.tracker.measuring(control, self.case.operations, self.case.load.duration);
    }
}

/// Why a trial ends before its end.
#[derive(Clone, Debug)]
pub enum End {
    /// Something from outside.
    Cause(Cause),
    /// Something went wrong.
    Failed(FailureReason, String),
    /// The status is decided.
    Verdict(Verdict),
}

impl End {
    /// What becomes of the trial.
    pub fn verdict(self) -> Verdict {
        match self {
            End::Cause(cause) => super::verdict::of_cause(&cause),
            End::Failed(reason, what) => Verdict { status: Status::Failed(reason), what: Some(what) },
            End::Verdict(verdict) => verdict,
        }
    }
}

impl From<Cause> for End {
    fn from(cause: Cause) -> Self {
        End::Cause(cause)
    }
}

impl From<ProvisionError> for End {
    fn from(error: ProvisionError) -> Self {
        let reason = match &error {
            ProvisionError::Tuning { .. } => FailureReason::TuningRefused,
            _ => FailureReason::Refused,
        };
        End::Failed(reason, super::failure::told(&error))
    }
}

impl From<StatementError> for End {
    fn from(error: StatementError) -> Self {
        End::Failed(super::verdict::no_connection(&error.error), error.to_string())
    }
}

impl From<RenderError> for End {
    fn from(error: RenderError) -> Self {
        End::Failed(FailureReason::Refused, error.to_string())
    }
}
