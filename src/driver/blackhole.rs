//! The blackhole: encodes every batch fully, adds the bytes to a checksum, and drops them. The engine's own ceiling on a host.
//!
//! It must not know what is measured. Invariant: the checksum is a sum over batches, so it is the same in whatever order and on
//! however many threads the batches come.

use std::sync::Arc;

use async_trait::async_trait;
use xxhash_rust::xxh3::xxh3_64;

use super::encode::buffer::Buffer;
use super::encode::format::{FORMATS, Format};
use super::error::{DriverError, ErrorClass};
use super::protocol::{Driver, Session};
use super::types::{Answer, Endpoint, SessionOptions, Written};
use crate::workload::batch::Batch;
use crate::workload::model::Schema;

/// The driver. Its one setting is `encode`, a format's name.
#[derive(Clone, Copy, Debug, Default)]
pub struct Blackhole;

#[async_trait]
impl Driver for Blackhole {
    fn name(&self) -> &'static str {
        "blackhole"
    }

    fn blocks(&self) -> bool {
        true
    }

    fn write_methods(&self) -> &'static [&'static str] {
        &FORMATS
    }

    async fn connect(&self, _endpoint: &Endpoint, options: &SessionOptions) -> Result<Box<dyn Session>, DriverError> {
        let named = options.settings.get("encode").or(options.write_method.as_ref());
        let name = named.map_or(FORMATS[0], String::as_str);
        let schema = options.schema.clone().unwrap_or_else(|| Arc::new(empty_schema()));
        let format = Format::new(name, schema).ok_or_else(|| {
            let known = FORMATS.join(", ");
            DriverError::new(ErrorClass::Rejected, format!("blackhole can't encode `{name}`; it knows {known}"))
        })?;
        Ok(Box::new(BlackholeSession { format, buffer: Buffer::default(), points: 0, checksum: 0 }))
    }
}

fn empty_schema() -> Schema {
    Schema {
        tables: Vec::new(),
        devices: 0,
        device_prefix: String::new(),
        precision: crate::workload::model::Precision::Ms,
        span: (0, 0),
    }
}

struct BlackholeSession {
    format: Format,
    buffer: Buffer,
    points: u64,
    checksum: u64,
}

#[async_trait(?Send)]
impl Session for BlackholeSession {
    fn encode(&mut self, batch: &Batch) -> Result<u64, DriverError> {
        self.buffer.clear();
        self.format.encode(batch, &mut self.buffer);
        self.points = batch.points();
        Ok(self.buffer.len() as u64)
    }

    async fn write(&mut self) -> Result<Written, DriverError> {
        self.checksum = self.checksum.wrapping_add(xxh3_64(self.buffer.as_bytes()));
        let bytes = self.buffer.len() as u64;
        Ok(Written { ok_points: self.points, failed_points: 0, error: None, bytes })
    }

    async fn query(&mut self, _statement: &str, answer: &mut Answer) -> Result<(), DriverError> {
        answer.clear();
        Ok(())
    }

    async fn execute(&mut self, _statement: &str) -> Result<(), DriverError> {
        Ok(())
    }

    fn encoded(&self) -> &[u8] {
        self.buffer.as_bytes()
    }

    fn checksum(&self) -> Option<u64> {
        Some(self.checksum)
    }
}
