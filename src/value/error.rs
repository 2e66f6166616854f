//! Why a text is not the value that is wanted.
//!
//! It must not know where the text stands. Invariant: each message names what was typed and what was expected.

/// Why a text is not the value that is wanted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ValueError {
    /// It does not read as one.
    #[error("`{typed}` is not {expected}")]
    Malformed {
        /// What was typed.
        typed: String,
        /// What was expected, with an example: `an integer, such as 1000, 1_000, 1e3 or 10k`.
        expected: &'static str,
    },
    /// It reads as a number with a unit that is not known.
    #[error("`{typed}` has the unknown unit `{unit}`: {expected} is expected")]
    Unit {
        /// What was typed.
        typed: String,
        /// The unit as typed.
        unit: String,
        /// What was expected.
        expected: &'static str,
    },
    /// It is below or beyond what can be held.
    #[error("`{typed}` is out of range: {expected} is expected")]
    Range {
        /// What was typed.
        typed: String,
        /// What was expected.
        expected: &'static str,
    },
}

impl ValueError {
    /// What was expected, with an example.
    pub fn expected(&self) -> &'static str {
        match self {
            ValueError::Malformed { expected, .. }
            | ValueError::Unit { expected, .. }
            | ValueError::Range { expected, .. } => expected,
        }
    }

    pub(super) fn malformed(typed: &str, expected: &'static str) -> Self {
        ValueError::Malformed { typed: typed.to_owned(), expected }
    }

    pub(super) fn unit(typed: &str, unit: &str, expected: &'static str) -> Self {
        ValueError::Unit { typed: typed.to_owned(), unit: unit.to_owned(), expected }
    }

    pub(super) fn range(typed: &str, expected: &'static str) -> Self {
        ValueError::Range { typed: typed.to_owned(), expected }
    }
}
