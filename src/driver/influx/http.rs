//! One kept-alive HTTP/1.1 connection: a request out, a whole answer in.
//!
//! It must not know what is asked. Invariant: after an answer that did not come whole the connection is closed, and the next
//! request opens a new one.

use std::time::Duration;

use base64::Engine;
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HOST, HeaderValue};
use hyper::{Request, StatusCode};
use hyper_util::rt::TokioIo;

use crate::driver::error::{DriverError, ErrorClass};
use crate::driver::network::{self, Guarded};
use crate::driver::types::Endpoint;

/// A connection, opened when it is needed.
#[derive(Debug)]
pub(super) struct Http {
    endpoint: Endpoint,
    connect_timeout: Duration,
    authorization: Option<HeaderValue>,
    live: Option<Live>,
}

#[derive(Debug)]
struct Live {
    sender: SendRequest<Full<Bytes>>,
    host: HeaderValue,
    /// Moves the bytes; ends with the session.
    _task: Guarded,
}

impl Http {
    /// Opens the connection.
    pub(super) async fn connect(endpoint: &Endpoint, connect_timeout: Duration) -> Result<Self, DriverError> {
        network::no_tls(endpoint, "influx")?;
        let authorization = authorization(endpoint);
        let mut http = Http { endpoint: endpoint.clone(), connect_timeout, authorization, live: None };
        http.open().await?;
        Ok(http)
    }

    /// Where this talks to.
    pub(super) fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    async fn open(&mut self) -> Result<(), DriverError> {
        let (stream, shown) = network::open(&self.endpoint, self.connect_timeout).await?;
        let broken = |error: hyper::Error| DriverError::new(ErrorClass::LostConnection, format!("{shown}: {error}"));
        let (sender, connection) = handshake(TokioIo::new(stream)).await.map_err(broken)?;
        // What ends the connection is told to the request that is under way.
        let task = tokio::spawn(async move { drop(connection.await) });
        let host = HeaderValue::from_str(&shown).unwrap_or(HeaderValue::from_static("localhost"));
        self.live = Some(Live { sender, host, _task: Guarded(task) });
        Ok(())
    }

    /// Posts a body and reads the whole answer.
    ///
    /// # Errors
    /// Refused (no connection to be had), LostConnection, or Timeout.
    pub(super) async fn post(
        &mut self,
        path: &str,
        content: &'static str,
        body: Bytes,
        allowed: Duration,
    ) -> Result<(StatusCode, Bytes), DriverError> {
        if self.live.as_ref().is_none_or(|live| live.sender.is_closed()) {
            self.open().await?;
        }
        // Taken out, so that whatever ends this early closes the connection.
        let Some(mut live) = self.live.take() else {
            return Err(DriverError::new(ErrorClass::LostConnection, "no connection"));
        };
        let mut request = Request::post(path).header(HOST, &live.host).header(CONTENT_TYPE, content);
        if let Some(authorization) = &self.authorization {
            request = request.header(AUTHORIZATION, authorization);
        }
        let bad = |e: hyper::http::Error| DriverError::new(ErrorClass::Rejected, format!("request {path}: {e}"));
        let request = request.body(Full::new(body)).map_err(bad)?;
        let answered = network::within(allowed, path_only(path), exchange(&mut live.sender, request)).await?;
        self.live = Some(live);
        Ok(answered)
    }
}

async fn exchange(
    sender: &mut SendRequest<Full<Bytes>>,
    request: Request<Full<Bytes>>,
) -> Result<(StatusCode, Bytes), DriverError> {
    let lost = |error: hyper::Error| DriverError::new(ErrorClass::LostConnection, with_cause(&error));
    sender.ready().await.map_err(lost)?;
    let response = sender.send_request(request).await.map_err(lost)?;
    let status = response.status();
    let body = response.into_body().collect().await.map_err(lost)?;
    Ok((status, body.to_bytes()))
}

/// hyper's words with those of the system.
fn with_cause(error: &hyper::Error) -> String {
    let cause = std::error::Error::source(error);
    cause.map_or_else(|| error.to_string(), |cause| format!("{error}: {cause}"))
}

fn path_only(path: &str) -> &str {
    path.split('?').next().unwrap_or(path)
}

/// `Basic …` for a user, `Token …` for a token.
fn authorization(endpoint: &Endpoint) -> Option<HeaderValue> {
    let text = match (&endpoint.user, &endpoint.token) {
        (Some(user), _) => {
            let password = endpoint.password.as_ref().map_or("", |password| password.expose());
            format!("Basic {}", base64::engine::general_purpose::STANDARD.encode(format!("{user}:{password}")))
        }
        (None, Some(token)) => format!("Token {}", token.expose()),
        (None, None) => return None,
    };
    let mut value = HeaderValue::from_str(&text).ok()?;
    value.set_sensitive(true);
    Some(value)
}
