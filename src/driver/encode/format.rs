//! All encoders behind one choice, for the blackhole and for benches.
//!
//! It must not know what becomes of the bytes. Invariant: every format encodes the batch fully.

use std::sync::Arc;

use super::buffer::Buffer;
use super::copy_binary::CopyBinary;
use super::csv::Csv;
use super::json::Json;
use super::line_protocol::LineProtocol;
use super::sql::Sql;
use super::tablet::Tablet;
use crate::workload::batch::Batch;
use crate::workload::model::Schema;

/// The formats' names, the default first.
pub const FORMATS: [&str; 7] = ["line_protocol", "copy_binary", "csv", "json", "tablet", "sql", "none"];

/// An encoder of one format.
#[derive(Clone, Debug)]
pub enum Format {
    /// InfluxDB's line protocol.
    LineProtocol(LineProtocol),
    /// PostgreSQL's COPY BINARY.
    CopyBinary(CopyBinary),
    /// CSV for LOAD DATA.
    Csv(Csv),
    /// JSON data points.
    Json(Json),
    /// Columnar tablets.
    Tablet(Tablet),
    /// Multi-row INSERT.
    Sql(Sql),
    /// Nothing is encoded.
    None,
}

impl Format {
    /// The encoder by its name; none where there is no such format.
    pub fn new(name: &str, schema: Arc<Schema>) -> Option<Self> {
        Some(match name {
            "line_protocol" => Format::LineProtocol(LineProtocol::new(schema)),
            "copy_binary" => Format::CopyBinary(CopyBinary::new(schema)),
            "csv" => Format::Csv(Csv::new(schema)),
            "json" => Format::Json(Json::new(schema)),
            "tablet" => Format::Tablet(Tablet::new(schema)),
            "sql" => Format::Sql(Sql::new(schema)),
            "none" => Format::None,
            _ => return None,
        })
    }

    /// Appends the batch.
    pub fn encode(&mut self, batch: &Batch, out: &mut Buffer) {
        match self {
            Format::LineProtocol(encoder) => encoder.encode(batch, out),
            Format::CopyBinary(encoder) => batch.blocks.iter().for_each(|block| encoder.encode_block(block, out)),
            Format::Csv(encoder) => encoder.encode(batch, out),
            Format::Json(encoder) => encoder.encode(batch, out),
            Format::Tablet(encoder) => encoder.encode(batch, out),
            Format::Sql(encoder) => encoder.encode(batch, out),
            Format::None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::encode::fixtures::{mixed_batch, mixed_schema};

    #[test]
    fn every_name_is_a_format_and_reuse_gives_the_same_bytes() {
        let schema = Arc::new(mixed_schema());
        for name in FORMATS {
            let mut format = Format::new(name, Arc::clone(&schema)).unwrap();
            let mut out = Buffer::default();
            format.encode(&mixed_batch(), &mut out);
            let first = out.as_bytes().to_vec();
            assert_eq!(first.is_empty(), name == "none");
            out.clear();
            format.encode(&mixed_batch(), &mut out);
            assert_eq!(out.as_bytes(), first, "{name}");
        }
        assert!(Format::new("yaml", schema).is_none());
    }
}
