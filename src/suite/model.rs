//! A checked suite: what the user asked for, before it is expanded into cases.
//!
//! It must not know adapters' data or what a parameter means to its workload. Invariant: every value that can still be wrong
//! keeps the span it came from.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::diagnostic::{SourceMap, Span};

/// A secret by reference; the text itself is never in a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SecretRef {
    /// An environment variable.
    Env(String),
    /// A file, absolute or relative to the suite's folder; read at the run's start.
    File(String),
}

/// A container's limits and settings, as a suite gives them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DockerSettings {
    /// The image in place of the adapter's.
    pub image: Option<String>,
    /// A tarball to load it from.
    pub image_tar: Option<String>,
    /// The port on 127.0.0.1 that the server is published on; none: a free one.
    pub port: Option<u16>,
    /// Processors' worth of time.
    pub cpus: Option<f64>,
    /// Cores, as Docker writes them.
    pub cpuset: Option<String>,
    /// Memory, bytes.
    pub memory: Option<u64>,
    /// Further environment.
    pub environment: BTreeMap<String, String>,
    /// Bind mounts.
    pub volumes: Vec<String>,
    /// Further arguments of the server's command.
    pub command: Vec<String>,
}

/// An existing server, as a suite gives it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ExistingSettings {
    /// `host:port`, at least one.
    pub hosts: Vec<String>,
    /// The user.
    pub user: Option<String>,
    /// The password.
    pub password: Option<SecretRef>,
    /// The token.
    pub token: Option<SecretRef>,
    /// The organisation.
    pub org: Option<String>,
    /// The database to use in place of a new one.
    pub database: Option<String>,
    /// That database may be emptied.
    pub drop_existing: bool,
    /// Whether to talk TLS.
    pub tls: bool,
}

/// Where a target runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// Inside this process.
    Embedded,
    /// In a container.
    Docker(DockerSettings),
    /// On a server that is there already.
    Existing(ExistingSettings),
}

/// When a trial's database is made new.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reset {
    /// A new empty database in the running server, each trial of a loading case.
    #[default]
    Case,
    /// A new container and volume each time the target's turn comes.
    Target,
    /// The tables are emptied; the schema stays.
    Truncate,
    /// The data stays.
    Never,
}

/// What a reader finds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// As the load left the server.
    #[default]
    Warm,
    /// The server restarted, the page cache dropped where allowed.
    Cold,
}

/// How answers are checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerCheck {
    /// Not at all.
    None,
    /// Some.
    #[default]
    Sample,
    /// Each.
    All,
}

/// What is done about failures, and how long things may take. [`Policy::default`] holds what a suite that says nothing gets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    /// Stop a trial at its first failed operation.
    pub abort: bool,
    /// Stop a trial when more than this share of its operations has failed.
    pub threshold: f64,
    /// How often a transient failure is tried again.
    pub retries: u32,
    /// A trial may take this long in all.
    pub timeout: Option<Duration>,
    /// One write may take this long.
    pub write_timeout: Duration,
    /// One query may take this long.
    pub query_timeout: Duration,
    /// A trial without any progress for this long is ended.
    pub stall_timeout: Duration,
    /// The whole suite may take this long.
    pub suite_timeout: Option<Duration>,
    /// When the database is made new.
    pub reset: Reset,
    /// A refused tuning value falls back to the default in place of failing the cell.
    pub refused_to_default: bool,
}

impl Default for Policy {
    fn default() -> Self {
        Policy {
            abort: false,
            threshold: 0.05,
            retries: 3,
            timeout: None,
            write_timeout: Duration::from_secs(120),
            query_timeout: Duration::from_secs(300),
            stall_timeout: Duration::from_secs(600),
            suite_timeout: None,
            reset: Reset::Case,
            refused_to_default: false,
        }
    }
}

/// What a report is to show.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReportSettings {
    /// The baseline target's name.
    pub baseline: Option<String>,
    /// html, md, csv, json.
    pub formats: Vec<String>,
}

/// One parsed assertion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Assertion {
    /// As written.
    pub text: String,
    /// The measure: throughput, mean, p50, p90, p95, p99, p999, max, errors, stored, disk …
    pub measure: String,
    /// Selectors: `target`, `scenario`, `operation` or an axis name, with the value it must have.
    pub selectors: Vec<(String, String)>,
    /// `<=`, `<`, `>=`, `>` or `==`.
    pub comparison: String,
    /// The number compared with, in the measure's base unit (seconds, points/s, share, bytes); or the factor.
    pub value: f64,
    /// Whether `value` is a factor of the baseline's.
    pub of_baseline: bool,
}

/// A scalar as typed, perhaps with templates in it, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The text as typed, quotes and escapes resolved.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

impl Text {
    /// Whether `{{ … }}` stands in it.
    pub fn is_template(&self) -> bool {
        self.text.contains("{{")
    }
}

/// A key with its scalar value, both with their places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The key as typed.
    pub key: Text,
    /// The value.
    pub value: Text,
}

/// A target as the suite gives it.
#[derive(Clone, Debug, PartialEq)]
pub struct TargetSpec {
    /// Its name: the adapter's where none is given.
    pub name: Text,
    /// The adapter's name.
    pub adapter: Text,
    /// The version, where one is given.
    pub version: Option<Text>,
    /// Where it runs, where that is said; else the adapter's first way.
    pub place: Option<(Place, Span)>,
    /// Tuning values.
    pub tuning: Vec<Entry>,
    /// The write method, where one is chosen.
    pub write_method: Option<Text>,
    /// Where the target stands.
    pub span: Span,
}

/// How a load is shaped, still as typed where a template or axis can change it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LoadSpec {
    /// The entries of `load:` by dotted path, each at most once: `clients`, `cores` (`0,1,4-7`), `duration`, `warmup` (a
    /// duration), `warmup.operations`, `pacing` (the word `closed`), `pacing.rate`, `pacing.arrival`, `pacing.min_interval`
    /// (a duration, or the word `point_step`). Workload parameters that are the same value have become entries here.
    pub entries: Vec<Entry>,
}

/// One axis: its name and values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// The name as typed: a workload parameter, a name in `vars:`, or a dotted path.
    pub name: Text,
    /// Its values, at least one.
    pub values: Vec<Text>,
}

/// One whole cell of a sweep: axis names with values.
pub type Cell = Vec<Entry>;

/// One test of a routine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoutineTest {
    /// All settings in force, cumulative, in order of first appearance; a name in either case is one setting.
    pub settings: Vec<Entry>,
    /// Where its `TEST` stands.
    pub span: Span,
}

/// Which cells a sweep makes.
#[derive(Clone, Debug, PartialEq)]
pub enum Cells {
    /// Every combination; the last axis turns fastest.
    Matrix(Vec<Axis>),
    /// The axes' values side by side; all of one length.
    Zip(Vec<Axis>),
    /// A routine's tests, in order; later ones may stand on earlier ones.
    Routine(Vec<RoutineTest>),
    /// None but those included.
    None,
}

/// A sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    /// Its cells.
    pub cells: Cells,
    /// Cells left out: each must match something.
    pub exclude: Vec<(Cell, Span)>,
    /// Cells added after them.
    pub include: Vec<(Cell, Span)>,
    /// Further axes of some targets only, by a target's or an adapter's name.
    pub per_target: Vec<(Text, Vec<Axis>)>,
    /// Where it stands.
    pub span: Span,
}

/// A scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// Its name.
    pub name: Text,
    /// The scenario whose data it stands on.
    pub on: Option<Text>,
    /// What it finds there.
    pub state: State,
    /// The workload's name.
    pub workload: Text,
    /// The workload's parameters.
    pub parameters: Vec<Entry>,
    /// The load shape.
    pub load: LoadSpec,
    /// Tuning that it needs, by a target's or an adapter's name.
    pub tuning: Vec<(Text, Vec<Entry>)>,
    /// Its own sweep.
    pub sweep: Option<Sweep>,
    /// Its own policy, where it gives one (over the suite's).
    pub policy: Policy,
    /// Where it stands.
    pub span: Span,
}

/// The order of trials.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// Round by round, and in a round target by target within each cell: A B C A B C.
    #[default]
    Interleaved,
    /// All rounds of a case one after the other.
    Sequential,
}

/// What is checked after a load and in answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verify {
    /// Whether stored points are counted.
    pub counts: bool,
    /// How answers are checked.
    pub answers: AnswerCheck,
}

/// A checked suite.
#[derive(Clone, Debug)]
pub struct Suite {
    /// Its name.
    pub name: String,
    /// Its description.
    pub description: Option<String>,
    /// The seed.
    pub seed: u64,
    /// Variables for templates, in order; later ones may use earlier ones.
    pub vars: Vec<Entry>,
    /// The targets, by unique names.
    pub targets: Vec<TargetSpec>,
    /// The scenarios, by unique names that no target has.
    pub scenarios: Vec<Scenario>,
    /// The sweep at the top, for every loading scenario that knows its axes.
    pub sweep: Option<Sweep>,
    /// How many rounds.
    pub rounds: u32,
    /// The order of trials.
    pub order: Order,
    /// The policy.
    pub policy: Policy,
    /// What is checked.
    pub verify: Verify,
    /// The report's settings.
    pub report: ReportSettings,
    /// The assertions, with their places.
    pub assertions: Vec<(Assertion, Span)>,
    /// Overrides given on the command line, as typed.
    pub overrides: Vec<String>,
    /// What `--only` chooses: a case is taken when all selectors of one of these hold; none at all: every case.
    pub only: Vec<Vec<(String, String)>>,
    /// The texts of all files read; the suite's own first.
    pub sources: SourceMap,
}
