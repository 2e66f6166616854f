//! adapter.yaml as typed values, and an adapter: that file with the texts of its folder.
//!
//! They must not know who is asking. Invariant: every template named in the file exists in the folder.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use super::parameter::{Apply, TuningParameter, TuningType};

/// adapter.yaml: all that Velodrome knows of one database.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AdapterFile {
    /// The format of this file: 1.
    pub format: u32,
    /// The name in suites.
    pub name: String,
    /// The name for people.
    pub title: String,
    /// One sentence about how it is driven.
    pub about: String,
    /// Its home page.
    #[serde(default)]
    pub homepage: Option<String>,
    /// Its licence.
    #[serde(default)]
    pub licence: Option<String>,
    /// The driver (protocol) that speaks to it.
    pub driver: String,
    /// Another adapter, known before this one, whose templates and tuning parameters stand in for those that this one does not
    /// have.
    #[serde(default)]
    pub based_on: Option<String>,
    /// Which versions there are.
    pub versions: Versions,
    /// What it was proven on; empty: not verified against a server.
    #[serde(default)]
    pub verified: Vec<Verified>,
    /// Runs inside this process; the file's name.
    #[serde(default)]
    pub embedded: Option<Embedded>,
    /// Runs in a container.
    #[serde(default)]
    pub docker: Option<DockerPart>,
    /// Runs on a server that is there already, with these defaults.
    #[serde(default)]
    pub existing: Option<Login>,
    /// Runs on a host reached by ssh.
    #[serde(default)]
    pub ssh: Option<HostPart>,
    /// Runs on this host, by commands.
    #[serde(default)]
    pub local: Option<HostPart>,
    /// When it is ready.
    #[serde(default)]
    pub ready: Option<Ready>,
    /// A statement that answers the server's version in its first cell.
    #[serde(default)]
    pub server_version: Option<String>,
    /// How a trial's own database is made and removed.
    #[serde(default)]
    pub database: DatabasePart,
    /// Tuning parameters by name.
    #[serde(default)]
    pub tuning: BTreeMap<String, TuningParameter>,
    /// The write methods that suites may name, by the driver's words; the first is the default.
    #[serde(default)]
    pub write_methods: Vec<String>,
    /// Statements sent by every session when it has connected, in this order; templates over `tuning`. One that comes out
    /// empty is left out.
    #[serde(default)]
    pub on_connect: Vec<String>,
    /// The name of each type in DDL, by DataType's names; the templates get it as `types`. A type that is not named can't be
    /// stored; none at all: every type can, and nothing declares it.
    #[serde(default)]
    pub types: BTreeMap<String, String>,
    /// The aggregates' names where they differ from SQL's (`avg: mean`).
    #[serde(default)]
    pub aggregates: BTreeMap<String, String>,
    /// Schema, count and queries for each workload, by its name.
    #[serde(default)]
    pub workloads: BTreeMap<String, WorkloadPart>,
    /// Statements that bring everything acknowledged to disk.
    #[serde(default)]
    pub flush: Vec<String>,
    /// How many bytes the trial's data takes.
    #[serde(default)]
    pub disk: Option<Disk>,
    /// What the server can take at most.
    #[serde(default)]
    pub limits: Limits,
    /// What acknowledged means here, for the report's fairness findings; a template over `tuning`.
    #[serde(default)]
    pub durability: Option<String>,
    /// Things to warn of in the plan.
    #[serde(default)]
    pub cautions: Vec<Caution>,
    /// What it can't do, and why.
    #[serde(default)]
    pub unsupported: Vec<Unsupported>,
}

/// Which versions there are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Versions {
    /// The one taken where a suite names none.
    pub default: String,
    /// All that this adapter is written for.
    #[serde(default)]
    pub known: Vec<String>,
}

/// One server that this adapter was proven on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Verified {
    /// The server's version.
    pub version: String,
    /// How it was had.
    pub by: String,
    /// When, as YYYY-MM-DD.
    pub date: String,
}

/// How an embedded database is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Embedded {
    /// The name of its file in the instance's folder; none: it keeps nothing.
    #[serde(default)]
    pub file: Option<String>,
}

/// How it runs in a container. Texts are templates over `version`, `tuning`, `login` and `memory_bytes`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DockerPart {
    /// The public image, a template over `version`.
    pub image: String,
    /// The port inside that the driver talks to.
    pub port: u16,
    /// Environment.
    #[serde(default)]
    pub environment: BTreeMap<String, String>,
    /// The server's command, where the image's own does not do.
    #[serde(default)]
    pub command: Vec<String>,
    /// Where its data lies inside.
    pub data: String,
    /// Files made from templates of the folder.
    #[serde(default)]
    pub files: Vec<ConfigFile>,
    /// Bytes of /dev/shm, where the image needs more than Docker's own.
    #[serde(default)]
    pub shm_bytes: Option<u64>,
    /// How long a clean stop may take, in seconds.
    #[serde(default = "default_stop_seconds")]
    pub stop_seconds: u32,
    /// How to log in.
    pub login: Login,
}

fn default_stop_seconds() -> u32 {
    30
}

/// A file made from a template of the folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConfigFile {
    /// The template, a file of the adapter's folder.
    pub template: String,
    /// Where it goes.
    pub path: String,
}

/// How to log in.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Login {
    /// The port, for existing servers.
    #[serde(default)]
    pub port: Option<u16>,
    /// The user.
    #[serde(default)]
    pub user: Option<String>,
    /// The password of a container that lives for one run only.
    #[serde(default)]
    pub password: Option<String>,
    /// The token of a container that lives for one run only.
    #[serde(default)]
    pub token: Option<String>,
    /// The organisation.
    #[serde(default)]
    pub org: Option<String>,
}

/// How it is installed and run on a host, as command templates.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HostPart {
    /// Installs it.
    #[serde(default)]
    pub install: Vec<String>,
    /// Files made from templates.
    #[serde(default)]
    pub files: Vec<ConfigFile>,
    /// Starts it.
    pub start: Vec<String>,
    /// Stops it.
    pub stop: Vec<String>,
    /// Removes its data.
    #[serde(default)]
    pub wipe: Vec<String>,
    /// Where its data lies.
    #[serde(default)]
    pub data: Option<String>,
    /// Where its log lies.
    #[serde(default)]
    pub log: Option<String>,
    /// How to log in.
    #[serde(default)]
    pub login: Login,
}

/// When a server is ready: the statement has answered twice, half a second apart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ready {
    /// A real query.
    pub statement: String,
    /// The database that it is asked in, where the protocol wants one.
    #[serde(default)]
    pub database: Option<String>,
    /// How long to wait, in seconds.
    #[serde(default = "default_ready_seconds")]
    pub seconds: u32,
}

fn default_ready_seconds() -> u32 {
    60
}

/// How a trial's own database is made and removed. Templates over `database`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DatabasePart {
    /// The database that these statements are sent in.
    #[serde(default)]
    pub maintenance: Option<String>,
    /// Makes it.
    #[serde(default)]
    pub create: Vec<String>,
    /// Removes it.
    #[serde(default)]
    pub drop: Vec<String>,
    /// Sent in the new database when it has been made (such as CREATE EXTENSION).
    #[serde(default)]
    pub prepare: Vec<String>,
    /// Removes everything of a user's from it and leaves it there; sent in it. For a database that was there before a run.
    #[serde(default)]
    pub empty: Vec<String>,
    /// Lists the names of all databases, in the first column (in any column called `name`).
    #[serde(default)]
    pub list: Option<String>,
    /// Answers rows where the database holds anything of a user's.
    #[serde(default)]
    pub contents: Option<String>,
}

/// Schema, count and queries of one workload: names of files in the adapter's folder.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WorkloadPart {
    /// Makes the tables; statements end with a line of `---` or the end of the file.
    #[serde(default)]
    pub create: Option<String>,
    /// Empties them.
    #[serde(default)]
    pub truncate: Option<String>,
    /// Statements, one a table, whose value cells add up to the stored points (not null values of distinct device and time).
    #[serde(default)]
    pub count: Option<String>,
    /// Query templates by `Q1` … `Q12`.
    #[serde(default)]
    pub queries: BTreeMap<String, String>,
    /// Statements after the load whose first cell the report shows, by name (such as chunks); templates like the schema's.
    #[serde(default)]
    pub facts: BTreeMap<String, String>,
}

/// How many bytes the trial's data takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Disk {
    /// A statement whose first cell is the number.
    Statement(String),
    /// The size of the files below the data path.
    Files,
}

/// What the server can take at most.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Bytes of one request.
    #[serde(default)]
    pub request_bytes: Option<u64>,
    /// Columns of one table.
    #[serde(default)]
    pub columns: Option<u32>,
}

/// Something to warn of in the plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Caution {
    /// An expression over `devices`, `sensors`, `tags`, `tables`, `types`, `clients`, `precision`, `parameters` and `tuning`.
    pub when: String,
    /// What to say; a template over the same.
    pub say: String,
}

/// Something that it can't do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Unsupported {
    /// An expression over what cautions have, and `operation` (`INGESTION`, `Q1` …); `types` are the names of those used.
    pub when: String,
    /// Why.
    pub reason: String,
}

/// An adapter: its file and the texts of its folder.
#[derive(Clone, Debug, PartialEq)]
pub struct Adapter {
    /// adapter.yaml.
    pub file: AdapterFile,
    /// The folder's other texts by name.
    pub texts: BTreeMap<String, String>,
    /// A hash over all texts of the folder, in hex.
    pub hash: String,
}
