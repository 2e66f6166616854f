//! Why a tuning value can't be taken.
//!
//! It must not know how values are read. Invariant: each names the parameter and what was expected.

/// A tuning value that can't be taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TuningError {
    /// The adapter has no such parameter.
    #[error("{adapter} has no tuning parameter {parameter}")]
    Unknown {
        /// The adapter.
        adapter: String,
        /// The name as asked for.
        parameter: String,
    },
    /// The value is not of the parameter's type.
    #[error("{parameter}: {value:?} is not {expected}")]
    Type {
        /// The parameter.
        parameter: String,
        /// The value as asked for.
        value: String,
        /// The type in words, with an example.
        expected: String,
    },
    /// A size or a duration without its unit, which is not guessed.
    #[error("{parameter}: {value:?} has no unit: {expected} is expected")]
    Unit {
        /// The parameter.
        parameter: String,
        /// The value as asked for.
        value: String,
        /// The type in words, with an example.
        expected: String,
        /// How to mend it.
        help: String,
    },
}

impl TuningError {
    /// How to mend it, where more is to be said than what was expected.
    pub fn help(&self) -> Option<&str> {
        match self {
            TuningError::Unit { help, .. } => Some(help),
            TuningError::Unknown { .. } | TuningError::Type { .. } => None,
        }
    }
}
