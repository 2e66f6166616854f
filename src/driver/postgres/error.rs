//! Errors of the server and of the connection, classed by their SQLSTATE.
//!
//! It must not know what was asked. Invariant: a message holds the server's words and its SQLSTATE.

use tokio_postgres::error::SqlState;

use crate::driver::error::{DriverError, ErrorClass};
use crate::driver::network::{shown_hosts, words};
use crate::driver::types::Endpoint;

/// An error while connecting: names the host.
pub(super) fn connecting(endpoint: &Endpoint, error: &tokio_postgres::Error) -> DriverError {
    let class = match error.code() {
        Some(&SqlState::CANNOT_CONNECT_NOW) => ErrorClass::Transient,
        Some(_) => ErrorClass::Refused,
        None if error.is_closed() || is_io(error) => ErrorClass::LostConnection,
        None => ErrorClass::Refused,
    };
    DriverError::new(class, format!("{}: {}", shown_hosts(endpoint), said(endpoint, error)))
}

/// An error of a statement.
pub(super) fn classed(endpoint: &Endpoint, error: &tokio_postgres::Error) -> DriverError {
    let class = match error.code() {
        Some(code) => class_of(code),
        None if error.is_closed() || is_io(error) => ErrorClass::LostConnection,
        None => ErrorClass::Rejected,
    };
    DriverError::new(class, said(endpoint, error))
}

fn class_of(code: &SqlState) -> ErrorClass {
    match code.code() {
        // Serialisation failure, deadlock, lock not available, out of memory, cannot connect now.
        "40001" | "40P01" | "55P03" | "53200" | "57P03" => ErrorClass::Transient,
        // Statement timeout, or cancelled because it took too long.
        "57014" => ErrorClass::Timeout,
        code if code.starts_with("57P") || code.starts_with("08") => ErrorClass::LostConnection,
        code if code.starts_with("28") => ErrorClass::Refused,
        _ => ErrorClass::Rejected,
    }
}

fn is_io(error: &tokio_postgres::Error) -> bool {
    std::error::Error::source(error).is_some_and(|source| source.is::<std::io::Error>())
}

fn said(endpoint: &Endpoint, error: &tokio_postgres::Error) -> String {
    let text = match error.as_db_error() {
        Some(db) => {
            let hint = db.hint().map(|hint| format!("; {hint}")).unwrap_or_default();
            format!("{}{hint} (SQLSTATE {})", db.message(), db.code().code())
        }
        None => match std::error::Error::source(error) {
            Some(source) => format!("{error}: {source}"),
            None => error.to_string(),
        },
    };
    words(endpoint, &text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn e26_deadlocks_and_serialisation_failures_are_transient() {
        for (code, class) in [
            ("40P01", ErrorClass::Transient),
            ("40001", ErrorClass::Transient),
            ("57P03", ErrorClass::Transient),
            ("57014", ErrorClass::Timeout),
            ("57P01", ErrorClass::LostConnection),
            ("28P01", ErrorClass::Refused),
            ("42601", ErrorClass::Rejected),
            ("23505", ErrorClass::Rejected),
        ] {
            assert_eq!(class_of(&SqlState::from_code(code)), class, "{code}");
        }
    }
}
