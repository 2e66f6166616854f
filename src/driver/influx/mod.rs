//! InfluxDB 1: line protocol to /write and InfluxQL over /query, on one kept-alive HTTP/1.1 connection a session.
//!
//! It must not know versions or settings of the server. Invariant: an answer counts only when it is whole and holds no error.

mod answer;
mod http;
mod session;
mod split;
#[cfg(test)]
mod tests;
mod write;

use async_trait::async_trait;

use super::error::DriverError;
use super::protocol::{Driver, Session};
use super::types::{Endpoint, SessionOptions};

/// The driver.
#[derive(Clone, Copy, Debug, Default)]
pub struct Influx;

#[async_trait]
impl Driver for Influx {
    fn name(&self) -> &'static str {
        "influx"
    }

    fn blocks(&self) -> bool {
        false
    }

    fn write_methods(&self) -> &'static [&'static str] {
        &["line_protocol"]
    }

    async fn connect(&self, endpoint: &Endpoint, options: &SessionOptions) -> Result<Box<dyn Session>, DriverError> {
        Ok(Box::new(session::InfluxSession::connect(endpoint, options).await?))
    }
}
