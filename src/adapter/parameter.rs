//! A tuning parameter as adapter.yaml describes it.
//!
//! It must not know values that are asked for. Invariant: how a value is applied and how it is read back stand side by side.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The type of a tuning parameter's values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TuningType {
    /// A whole number.
    Integer,
    /// A decimal number.
    Number,
    /// on or off.
    Boolean,
    /// A size: 128MiB.
    Size,
    /// A duration: 15m.
    Duration,
    /// One of these words.
    OneOf(Vec<String>),
    /// Any text.
    Text,
}

/// How a tuning value is applied. Texts are templates over `value`: the text as asked, numbers, words and on/off in their canonical
/// spelling. Sizes are there as `value_bytes` too, durations as `value_ns`, `value_us`, `value_ms` and `value_seconds`,
/// booleans as `on`, and the trial's database as `database`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Apply {
    /// Arguments of the server's command: needs a start of its own.
    Command(Vec<String>),
    /// An environment variable of the container, `NAME` or `NAME=value`: needs a start of its own.
    Environment(String),
    /// A statement sent to the running server, before the database is made.
    Server(String),
    /// A statement sent in the trial's database before its schema is made.
    Database(String),
    /// Used by the schema's templates as `tuning.NAME`.
    Schema,
    /// Used by `on_connect` as `tuning.NAME`.
    Connect,
    /// A statement that every session sends.
    Session(String),
    /// Used by config file templates as `tuning.NAME`: needs a start of its own.
    Config,
    /// A setting of the driver's sessions, by this word.
    Driver(String),
}

impl Apply {
    /// Whether a running server must be started anew for it.
    pub fn needs_start(&self) -> bool {
        matches!(self, Apply::Command(_) | Apply::Environment(_) | Apply::Config)
    }
}

/// One tuning parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TuningParameter {
    /// What it does.
    pub about: String,
    /// The type of its values.
    #[serde(rename = "type")]
    pub kind: TuningType,
    /// The value in force where a suite asks for none; none: the database decides. Templates get it as `tuning.NAME`.
    #[serde(default)]
    pub default: Option<String>,
    /// How it is applied.
    pub apply: Apply,
    /// A statement whose first cell is the value in force, a template over what the schema's templates get; none: can't be
    /// read back, and the report says so.
    #[serde(default)]
    pub read_back: Option<String>,
    /// The unit that a size or duration is kept in, a template too: a bare number counts it, and less than one is rounded.
    /// `8kB`, `ms`, `us`, `bytes`.
    #[serde(default)]
    pub read_back_unit: Option<String>,
}
