//! What can go wrong with one operation, classed.
//!
//! It must not know what the run does about it. Invariant: a message holds the server's own words and never a secret.

use serde::{Deserialize, Serialize};

/// The class of a failure: decides whether it is retried, and how it is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorClass {
    /// The server asks to try again: deadlock, serialisation failure, overload.
    Transient,
    /// The server understood and refuses: syntax, type, missing table, partial write.
    Rejected,
    /// Nobody listens, or the login is refused.
    Refused,
    /// The connection broke.
    LostConnection,
    /// No whole answer within the time allowed.
    Timeout,
}

impl ErrorClass {
    /// The word in reports.
    pub fn name(self) -> &'static str {
        match self {
            ErrorClass::Transient => "transient",
            ErrorClass::Rejected => "rejected",
            ErrorClass::Refused => "refused",
            ErrorClass::LostConnection => "lost connection",
            ErrorClass::Timeout => "timeout",
        }
    }
}

/// One failure.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {message}", class.name())]
pub struct DriverError {
    /// Its class.
    pub class: ErrorClass,
    /// The server's or the system's own words, shortened to a line or two.
    pub message: String,
}

impl DriverError {
    /// A failure of a class, in the server's words.
    pub fn new(class: ErrorClass, message: impl Into<String>) -> Self {
        DriverError { class, message: message.into() }
    }

    /// That of a session that was connected without the data's shape and is to write.
    pub(super) fn no_schema() -> Self {
        DriverError::new(ErrorClass::Rejected, "this session was connected without a schema: it can't write")
    }
}
