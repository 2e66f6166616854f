//! What drivers take and give: endpoints, options, answers.
//!
//! They must not know how a server was started. Invariant: a secret is never shown by Debug or Display.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::workload::model::Schema;

/// A password or token. Debug and Display show `***`.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Secret(String);

impl Secret {
    /// Wraps the text.
    pub fn new(text: impl Into<String>) -> Self {
        Secret(text.into())
    }

    /// The text itself, for the wire only.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// Where a database listens, and how to log in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Endpoint {
    /// host:port pairs; empty for an embedded database.
    pub hosts: Vec<(String, u16)>,
    /// The user, where the protocol has one.
    pub user: Option<String>,
    /// The password.
    pub password: Option<Secret>,
    /// A token, where the protocol has one.
    pub token: Option<Secret>,
    /// The organisation, where the protocol has one.
    pub org: Option<String>,
    /// The database that the trial's data lies in.
    pub database: String,
    /// The file of an embedded database.
    pub file: Option<PathBuf>,
    /// Whether to talk TLS.
    pub tls: bool,
}

/// How a session is to write and to wait.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionOptions {
    /// The write method, one of the driver's own words (such as `copy` or `insert`); none: the driver's default.
    pub write_method: Option<String>,
    /// Further settings of the driver, by its own words (such as blackhole's `encode`).
    pub settings: BTreeMap<String, String>,
    /// Statements sent when a session has connected (such as PRAGMAs and SETs).
    pub on_connect: Vec<String>,
    /// The most bytes that one request may have; larger batches are split.
    pub max_request_bytes: Option<u64>,
    /// How long a write may take.
    pub write_timeout: Duration,
    /// How long a query may take.
    pub query_timeout: Duration,
    /// How long connecting may take.
    pub connect_timeout: Duration,
    /// The data's shape; none for sessions that only ask and administer.
    pub schema: Option<Arc<Schema>>,
}

impl Default for SessionOptions {
    fn default() -> Self {
        SessionOptions {
            write_method: None,
            settings: BTreeMap::new(),
            on_connect: Vec::new(),
            max_request_bytes: None,
            write_timeout: Duration::from_secs(120),
            query_timeout: Duration::from_secs(300),
            connect_timeout: Duration::from_secs(10),
            schema: None,
        }
    }
}

/// What became of a write.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Points that the server acknowledged.
    pub ok_points: u64,
    /// Points that it refused, where part of a batch was refused; `error` says why.
    pub failed_points: u64,
    /// The server's words about the refused part.
    pub error: Option<super::error::DriverError>,
    /// Bytes sent, as encoded.
    pub bytes: u64,
}

/// One cell of an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// No value.
    Null,
    /// True or false.
    Boolean(bool),
    /// A whole number. Time stamps come so, in the schema's precision.
    Integer(i64),
    /// A floating-point number.
    Float(f64),
    /// Text.
    Text(String),
}

/// As people read it.
impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cell::Null => f.write_str("null"),
            Cell::Boolean(value) => value.fmt(f),
            Cell::Integer(value) => value.fmt(f),
            Cell::Float(value) => value.fmt(f),
            Cell::Text(value) => value.fmt(f),
        }
    }
}

/// A query's whole answer. Columns called `time` and `device` identify a row; all others are values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The columns' names.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<Cell>>,
}

impl Answer {
    /// How many values that are not null, identifying columns apart.
    pub fn points(&self) -> u64 {
        let value: Vec<bool> = self.columns.iter().map(|c| c != "time" && c != "device").collect();
        let count =
            |row: &Vec<Cell>| row.iter().zip(&value).filter(|(cell, value)| **value && **cell != Cell::Null).count();
        self.rows.iter().map(|row| count(row) as u64).sum()
    }

    /// Empties it, keeping its memory.
    pub fn clear(&mut self) {
        self.columns.clear();
        self.rows.clear();
    }
}
