//! The PostgreSQL wire: binary COPY or multi-row INSERT, and queries whose answers come in binary.
//!
//! It must not know extensions of the server. Invariant: whichever the write method, the last write of a device and time wins.

mod decode;
mod error;
mod insert;
mod session;
mod stage;
#[cfg(test)]
mod tests;

use async_trait::async_trait;

use super::error::{DriverError, ErrorClass};
use super::protocol::{Driver, Session};
use super::types::{Endpoint, SessionOptions};

/// The write methods' names, the default first.
const METHODS: [&str; 2] = ["copy", "insert"];

/// The driver.
#[derive(Clone, Copy, Debug, Default)]
pub struct Postgres;

#[async_trait]
impl Driver for Postgres {
    fn name(&self) -> &'static str {
        "postgres"
    }

    fn blocks(&self) -> bool {
        false
    }

    fn write_methods(&self) -> &'static [&'static str] {
        &METHODS
    }

    async fn connect(&self, endpoint: &Endpoint, options: &SessionOptions) -> Result<Box<dyn Session>, DriverError> {
        let method = options.write_method.as_deref().unwrap_or(METHODS[0]);
        if !METHODS.contains(&method) {
            let said = format!("there is no write method {method}; there are {}", METHODS.join(", "));
            return Err(DriverError::new(ErrorClass::Rejected, said));
        }
        Ok(Box::new(session::PostgresSession::connect(endpoint, options, method == "insert").await?))
    }
}
