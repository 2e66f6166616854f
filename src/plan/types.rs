//! A plan as it is printed, stored in a run and executed.
//!
//! It must not know what became of a trial. Invariant: a case holds everything that its trials need; no suite is read again.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::suite::model::{AnswerCheck, Assertion, Place, Policy, ReportSettings, State};
use crate::workload::load::Load;

/// The format of plan.json.
pub const PLAN_VERSION: u32 = 1;

/// A database in the suite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// Its name, one a suite.
    pub name: String,
    /// Its adapter.
    pub adapter: String,
    /// The adapter's content hash when the plan was made.
    pub adapter_hash: String,
    /// The version.
    pub version: String,
    /// The image, where it runs in a container.
    pub image: Option<String>,
    /// Where it runs.
    pub place: Place,
}

/// One cell: target × scenario × axis values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Readable, one a plan: target/scenario/LOOP=10,DEVICE_NUMBER=100.
    pub id: String,
    /// Content hash, hex.
    pub hash: String,
    /// The target's name.
    pub target: String,
    /// The scenario's name.
    pub scenario: String,
    /// The workload's name, such as `iot`.
    pub workload: String,
    /// The loading case that a reader stands on.
    pub on: Option<String>,
    /// Axis values as labels, in the axes' order (a reader: those of its data first).
    pub axes: Vec<(String, String)>,
    /// Canonical name → resolved value, all of the workload's parameters.
    pub parameters: BTreeMap<String, String>,
    /// The load shape.
    pub load: Load,
    /// Tuning values asked for.
    pub tuning: BTreeMap<String, String>,
    /// The write method, where one is chosen.
    pub write_method: Option<String>,
    /// What a reader finds.
    pub state: State,
    /// Failures and times.
    pub policy: Policy,
    /// Whether stored points are counted.
    pub verify_counts: bool,
    /// How answers are checked.
    pub verify_answers: AnswerCheck,
    /// Operations in all; none where only time ends it.
    pub operations: Option<u64>,
    /// Points that its writes hold; none where only time ends it.
    pub points: Option<u64>,
    /// Rows that its writes hold.
    pub rows: Option<u64>,
    /// Raw bytes of those points.
    pub bytes: Option<u64>,
    /// Whether the case writes (a loading case) or only reads.
    pub writes: bool,
    /// Why the target can't do it; none: it can.
    pub not_supported: Option<String>,
}

/// One execution of a case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trial {
    /// The case's id.
    pub case: String,
    /// The round, from 1.
    pub round: u32,
}

/// The whole plan, as stored in a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// [`PLAN_VERSION`].
    pub version: u32,
    /// A hash over all case hashes and the order of trials, hex.
    pub hash: String,
    /// The suite's name.
    pub suite: String,
    /// Its description.
    pub description: Option<String>,
    /// The seed.
    pub seed: u64,
    /// How many rounds.
    pub rounds: u32,
    /// Overrides given on the command line, as typed.
    pub overrides: Vec<String>,
    /// The targets.
    pub targets: Vec<Target>,
    /// The cases, in suite order.
    pub cases: Vec<Case>,
    /// The trials, in the order they run.
    pub trials: Vec<Trial>,
    /// What the report is to show.
    pub report: ReportSettings,
    /// What must hold.
    pub assertions: Vec<Assertion>,
    /// The suite's own text, for the report's last section.
    pub source: String,
}
