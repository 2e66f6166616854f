//! The driver trait, and the session that each client has.
//!
//! It must not know who calls. Invariant: dropping a session at any point leaves nothing running.

use async_trait::async_trait;

use super::error::DriverError;
use super::types::{Answer, Endpoint, SessionOptions, Written};
use crate::workload::batch::Batch;

/// One wire protocol.
#[async_trait]
pub trait Driver: Send + Sync {
    /// The protocol's name, as adapters name it.
    fn name(&self) -> &'static str;
    /// Whether sessions block their thread. Clients of a blocking driver each have a thread and their futures never wait;
    /// the others share one current-thread runtime a core.
    fn blocks(&self) -> bool;
    /// The write methods, the default first.
    fn write_methods(&self) -> &'static [&'static str];
    /// Connects and logs in.
    ///
    /// # Errors
    /// Refused, LostConnection or Timeout.
    async fn connect(&self, endpoint: &Endpoint, options: &SessionOptions) -> Result<Box<dyn Session>, DriverError>;
}

/// One client's connection. Futures may be polled on one thread only where the driver does not block.
#[async_trait(?Send)]
pub trait Session: Send {
    /// Encodes the batch into the session's reused buffer. Answers the encoded bytes.
    ///
    /// # Errors
    /// Rejected, where the protocol can't carry the batch.
    fn encode(&mut self, batch: &Batch) -> Result<u64, DriverError>;
    /// Sends what was encoded last, in as many requests as the server's limits want, and reads every answer to its end.
    ///
    /// # Errors
    /// When nothing, or an unknown part, was acknowledged. A known part is no error: see [`Written`].
    async fn write(&mut self) -> Result<Written, DriverError>;
    /// Asks, and reads the whole answer into `answer`.
    ///
    /// # Errors
    /// Whatever kept the answer from being whole, an error inside a 200 among them.
    async fn query(&mut self, statement: &str, answer: &mut Answer) -> Result<(), DriverError>;
    /// Executes a statement whose answer does not matter (DDL, settings).
    ///
    /// # Errors
    /// As `query`.
    async fn execute(&mut self, statement: &str) -> Result<(), DriverError>;
    /// The bytes that `encode` made last, as far as the driver has them: for samples.
    fn encoded(&self) -> &[u8] {
        &[]
    }
    /// A checksum over all bytes encoded so far, where the driver keeps one (blackhole).
    fn checksum(&self) -> Option<u64> {
        None
    }
}
