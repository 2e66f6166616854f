//! What the drivers of servers share: opening a connection, time limits, tasks that end with their session.
//!
//! It must not know a protocol. Invariant: no message holds a password, token or URL with a login in it.

use std::future::Future;
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::task::JoinHandle;

use super::error::{DriverError, ErrorClass};
use super::types::Endpoint;

/// The most of a server's words that a message keeps.
const MESSAGE: usize = 400;

/// A task that ends when this is dropped.
#[derive(Debug)]
pub(super) struct Guarded(pub JoinHandle<()>);

impl Drop for Guarded {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Opens a connection to the first host that takes one. Answers it with the host as messages name it.
///
/// # Errors
/// Refused, or Timeout; the message names each host and its cause.
pub(super) async fn open(endpoint: &Endpoint, allowed: Duration) -> Result<(TcpStream, String), DriverError> {
    let mut causes = Vec::new();
    let mut class = ErrorClass::Refused;
    for (host, port) in &endpoint.hosts {
        let shown = shown_host(host, *port);
        match tokio::time::timeout(allowed, TcpStream::connect((host.as_str(), *port))).await {
            Ok(Ok(stream)) => {
                // Requests are whole when they are sent; waiting for more would only delay them.
                let _ = stream.set_nodelay(true);
                return Ok((stream, shown));
            }
            Ok(Err(error)) => causes.push(format!("{shown}: {error}")),
            Err(_) => {
                class = ErrorClass::Timeout;
                causes.push(format!("{shown}: no connection within {allowed:?}"));
            }
        }
    }
    if causes.is_empty() {
        causes.push("the endpoint names no host".to_owned());
    }
    Err(DriverError::new(class, causes.join("; ")))
}

/// The host as messages name it: without a scheme, and without a login in front of it.
fn shown_host(host: &str, port: u16) -> String {
    let bare = host.rsplit_once("://").map_or(host, |(_, rest)| rest);
    let bare = bare.rsplit_once('@').map_or(bare, |(_, rest)| rest);
    format!("{bare}:{port}")
}

/// All hosts as messages name them.
pub(super) fn shown_hosts(endpoint: &Endpoint) -> String {
    endpoint.hosts.iter().map(|(host, port)| shown_host(host, *port)).collect::<Vec<_>>().join(", ")
}

/// Waits for at most `allowed`.
///
/// # Errors
/// The operation's own, or Timeout.
pub(super) async fn within<T>(
    allowed: Duration,
    doing: &str,
    work: impl Future<Output = Result<T, DriverError>>,
) -> Result<T, DriverError> {
    match tokio::time::timeout(allowed, work).await {
        Ok(done) => done,
        Err(_) => Err(DriverError::new(ErrorClass::Timeout, format!("{doing}: no whole answer within {allowed:?}"))),
    }
}

/// A server's words, shortened, on one line, without the endpoint's secrets.
pub(super) fn words(endpoint: &Endpoint, text: &str) -> String {
    let mut line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for secret in [&endpoint.password, &endpoint.token].into_iter().flatten() {
        if !secret.expose().is_empty() {
            line = line.replace(secret.expose(), "***");
        }
    }
    match line.char_indices().nth(MESSAGE) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// That a protocol has no TLS here.
pub(super) fn no_tls(endpoint: &Endpoint, driver: &str) -> Result<(), DriverError> {
    if endpoint.tls {
        let said = format!("the driver {driver} does not speak TLS yet: leave out tls, or connect through a tunnel");
        return Err(DriverError::new(ErrorClass::Refused, said));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::types::Secret;

    #[test]
    fn t10_no_message_holds_a_secret() {
        assert_eq!(shown_host("http://u:s3cr3t-Pw@h", 1), "h:1");
        let (password, token) = (Some(Secret::new("s3cr3t-Pw")), Some(Secret::new("tok-123")));
        let endpoint = Endpoint { password, token, ..Endpoint::default() };
        assert_eq!(words(&endpoint, "bad login u:s3cr3t-Pw\nor  tok-123"), "bad login u:*** or ***");
        assert_eq!(words(&endpoint, &"é".repeat(500)).chars().count(), MESSAGE + 1);
    }

    #[tokio::test]
    async fn nobody_listening_names_the_host() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        drop(listener);
        let endpoint = Endpoint { hosts: vec![("127.0.0.1".to_owned(), port)], ..Endpoint::default() };
        let error = open(&endpoint, Duration::from_secs(5)).await.unwrap_err();
        assert_eq!(error.class, ErrorClass::Refused);
        assert!(error.message.starts_with(&format!("127.0.0.1:{port}: Connection refused")), "{error}");
    }
}
