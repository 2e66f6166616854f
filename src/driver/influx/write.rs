//! What became of a write, by status and body.
//!
//! It must not know what was sent. Invariant: points are counted as dropped only when the server says how many.

use hyper::StatusCode;
use serde::Deserialize;

use crate::driver::error::{DriverError, ErrorClass};
use crate::driver::network::{shown_hosts, words};
use crate::driver::types::Endpoint;

/// What became of a write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Became {
    /// All is stored.
    Stored,
    /// All but some rows is stored.
    Partly {
        /// How many rows the server dropped.
        dropped: u64,
        /// Its words, shortened.
        message: String,
    },
}

#[derive(Debug, Default, Deserialize)]
struct Body {
    #[serde(default)]
    error: Option<String>,
}

/// Reads a write's answer.
///
/// # Errors
/// When nothing, or an unknown part, was stored.
pub(super) fn became(endpoint: &Endpoint, status: StatusCode, body: &[u8]) -> Result<Became, DriverError> {
    let error = serde_json::from_slice::<Body>(body).unwrap_or_default().error;
    if status.is_success() && error.is_none() {
        return Ok(Became::Stored);
    }
    let said = error.unwrap_or_else(|| String::from_utf8_lossy(body).into_owned());
    match dropped(&said) {
        Some(dropped) if dropped > 0 => Ok(Became::Partly { dropped, message: words(endpoint, &said) }),
        _ => Err(refused(endpoint, status, &said)),
    }
}

/// A failure by its status, in the server's words.
pub(super) fn refused(endpoint: &Endpoint, status: StatusCode, said: &str) -> DriverError {
    let said = words(endpoint, said);
    if said.contains("query-timeout limit exceeded") {
        return DriverError::new(ErrorClass::Timeout, said);
    }
    match status.as_u16() {
        401 | 403 => {
            let host = shown_hosts(endpoint);
            DriverError::new(ErrorClass::Refused, format!("{host} refused the login: {status}: {said}"))
        }
        429 | 500..=599 => DriverError::new(ErrorClass::Transient, format!("{status}: {said}")),
        200..=299 => DriverError::new(ErrorClass::Rejected, said),
        _ => DriverError::new(ErrorClass::Rejected, format!("{status}: {said}")),
    }
}

/// The N of `dropped=N` at the end of a partial write's message.
fn dropped(said: &str) -> Option<u64> {
    if !said.starts_with("partial write") {
        return None;
    }
    said.rsplit_once("dropped=")?.1.trim().parse().ok()
}

/// The points of `dropped` rows among `lines` rows that have `points` together: rows of a batch have equally many.
pub(super) fn points_of(dropped: u64, lines: u64, points: u64) -> u64 {
    if dropped >= lines { points } else { (points * dropped).div_ceil(lines) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARTIAL: &str = r#"{"error":"partial write: max-values-per-tag limit exceeded (100000/100000): measurement=\"g_0\" tag=\"device\" value=\"d_100000\" dropped=3"}"#;

    fn of(status: u16, body: &str) -> Result<Became, DriverError> {
        became(&Endpoint::default(), StatusCode::from_u16(status).unwrap(), body.as_bytes())
    }

    #[test]
    fn e15_a_partial_write_counts_what_was_dropped() {
        let Ok(Became::Partly { dropped: 3, message }) = of(400, PARTIAL) else { panic!() };
        assert!(message.starts_with("partial write: max-values-per-tag limit exceeded (100000/100000)"), "{message}");
        assert_eq!(points_of(3, 100, 1000), 30);
        assert_eq!(points_of(100, 100, 1000), 1000);
    }

    #[test]
    fn anything_else_is_a_failure_of_its_class() {
        assert_eq!(of(204, ""), Ok(Became::Stored));
        for (status, body, class) in [
            (200, r#"{"error":"no"}"#, ErrorClass::Rejected),
            (400, r#"{"error":"unable to parse 'x': missing fields"}"#, ErrorClass::Rejected),
            (400, r#"{"error":"partial write: unable to parse 'x': missing fields dropped=0"}"#, ErrorClass::Rejected),
            (401, r#"{"error":"authorization failed"}"#, ErrorClass::Refused),
            (404, r#"{"error":"database not found: \"x\""}"#, ErrorClass::Rejected),
            (413, r#"{"error":"Request Entity Too Large"}"#, ErrorClass::Rejected),
            (500, r#"{"error":"timeout"}"#, ErrorClass::Transient),
            (503, "busy", ErrorClass::Transient),
            (200, r#"{"error":"query-timeout limit exceeded"}"#, ErrorClass::Timeout),
        ] {
            assert_eq!(of(status, body).unwrap_err().class, class, "{status} {body}");
        }
    }
}
