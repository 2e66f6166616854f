//! The events.
//!
//! They hold everything that a report needs, and nothing secret. Invariant: readers accept this version and the one before.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::trial::TrialRecord;
pub use crate::observe::host::Host;

/// The version of the journal's lines.
pub const JOURNAL_VERSION: u32 = 1;

/// One line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// [`JOURNAL_VERSION`].
    pub v: u32,
    /// Wall clock, RFC 3339 in UTC.
    pub at: String,
    /// What happened.
    pub event: Event,
}

/// What can happen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// The run began: everything known before the first trial.
    RunStarted(Box<RunStarted>),
    /// The run went on after a stop.
    RunResumed {
        /// Velodrome's version.
        velodrome: String,
        /// Trials still to do.
        remaining: u32,
    },
    /// A trial began.
    TrialStarted {
        /// The case's id.
        case: String,
        /// The round, from 1.
        round: u32,
    },
    /// A trial ended, whatever became of it.
    TrialEnded(Box<TrialRecord>),
    /// Something worth knowing, such as a warning of the plan or a clean-up that failed.
    Message {
        /// error, warning or note.
        severity: String,
        /// What.
        text: String,
    },
    /// The run ended.
    RunEnded {
        /// The exit code.
        exit_code: u8,
        /// Whether a signal ended it.
        interrupted: bool,
    },
}

/// Everything known before the first trial.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunStarted {
    /// The run's id.
    pub run: String,
    /// Velodrome's version.
    pub velodrome: String,
    /// The suite's name.
    pub suite: String,
    /// Its description.
    pub description: Option<String>,
    /// The plan's hash.
    pub plan_hash: String,
    /// The seed.
    pub seed: u64,
    /// How many rounds.
    pub rounds: u32,
    /// Overrides given on the command line, as typed.
    pub overrides: Vec<String>,
    /// The command line, without secrets.
    pub command: String,
    /// The suite's text.
    pub source: String,
    /// The host that the clients run on.
    pub host: Host,
    /// The targets.
    pub targets: Vec<TargetInfo>,
    /// The cases.
    pub cases: Vec<CaseInfo>,
    /// The trials in order: index into `cases`, round.
    pub trials: Vec<(u32, u32)>,
    /// The baseline target's name, where the suite names one.
    pub baseline: Option<String>,
    /// html, md, csv, json.
    pub formats: Vec<String>,
    /// What must hold.
    pub assertions: Vec<AssertionInfo>,
    /// Warnings of the plan, and fairness findings.
    pub findings: Vec<String>,
}

/// A target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TargetInfo {
    /// Its name.
    pub name: String,
    /// Its adapter.
    pub adapter: String,
    /// The adapter's title.
    pub title: String,
    /// The version asked for.
    pub version: String,
    /// The image asked for.
    pub image: Option<String>,
    /// embedded, docker, existing.
    pub place: String,
    /// Limits of the place, for people (`cpus 2 · memory 4 GiB`).
    pub limits: Option<String>,
    /// What acknowledged means there.
    pub durability: Option<String>,
}

/// A case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseInfo {
    /// Its id.
    pub id: String,
    /// Its hash.
    pub hash: String,
    /// The target's name.
    pub target: String,
    /// The scenario's name.
    pub scenario: String,
    /// The workload's name.
    pub workload: String,
    /// The loading case's id that it stands on.
    pub on: Option<String>,
    /// Axis values, in the axes' order.
    pub axes: Vec<(String, String)>,
    /// All parameters.
    pub parameters: BTreeMap<String, String>,
    /// Clients.
    pub clients: u32,
    /// Whether an open loop paces it: the response time differs from the service time.
    pub paced: bool,
    /// Tuning values asked for.
    pub tuning: BTreeMap<String, String>,
    /// Operations planned.
    pub operations: Option<u64>,
    /// Points planned.
    pub points: Option<u64>,
    /// Raw bytes planned.
    pub bytes: Option<u64>,
    /// Why the target can't do it.
    pub not_supported: Option<String>,
}

/// An assertion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AssertionInfo {
    /// As written.
    pub text: String,
    /// The measure.
    pub measure: String,
    /// Selectors.
    pub selectors: Vec<(String, String)>,
    /// `<=`, `<`, `>=`, `>` or `==`.
    pub comparison: String,
    /// The number, in the measure's base unit; or the factor.
    pub value: f64,
    /// Whether `value` is a factor of the baseline's.
    pub of_baseline: bool,
}
