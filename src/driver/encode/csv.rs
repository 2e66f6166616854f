//! CSV rows as LOAD DATA reads them: `time,device,tags …,sensors …`.
//!
//! It must not know a connection. Invariant: a null is an empty field, an empty text is `""`.

use std::sync::Arc;

use super::buffer::Buffer;
use super::number::{NUMBER, push_integer};
use super::rows::{Identity, Words, each_row, push_value};
use crate::workload::batch::{Batch, Block};
use crate::workload::model::Schema;

const WORDS: Words = Words { truth: [b"0", b"1"], quote: b'"' };

/// Encodes whole batches.
#[derive(Clone, Debug)]
pub struct Csv {
    schema: Arc<Schema>,
    identity: Identity,
}

impl Csv {
    /// An encoder for data of this shape.
    pub fn new(schema: Arc<Schema>) -> Self {
        Csv { schema, identity: Identity::new(b",", b",", b"") }
    }

    /// Appends the batch's rows.
    pub fn encode(&mut self, batch: &Batch, out: &mut Buffer) {
        for block in &batch.blocks {
            each_row(block, |row, device| {
                self.identity.make(&self.schema, block.table, device);
                self.encode_row(block, row, out);
            });
        }
    }

    fn encode_row(&self, block: &Block, row: usize, out: &mut Buffer) {
        let row_bytes = (block.columns.len() + 1) * (NUMBER + 1);
        out.reserve(row_bytes + self.identity.as_bytes().len());
        push_integer(out, block.times[row]);
        out.push(self.identity.as_bytes());
        for column in &block.columns {
            out.push_byte(b',');
            if !column.is_null(row) {
                push_value(out, &column.values, row, WORDS, row_bytes);
            }
        }
        out.push_byte(b'\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::encode::fixtures::{mixed_batch, mixed_schema};

    #[test]
    fn reads_back() {
        let mut out = Buffer::default();
        Csv::new(Arc::new(mixed_schema())).encode(&mixed_batch(), &mut out);
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(out.as_bytes());
        let rows: Vec<Vec<String>> = reader.records().map(|r| r.unwrap().iter().map(str::to_owned).collect()).collect();
        assert_eq!(rows[0], ["-1000", "d_7", "v1", "1", "-5", "9223372036854775807", "1.50", "-0.25", "a\"b\\c"]);
        assert_eq!(rows[1], ["0", "d_7", "v1", "0", "2147483647", "", "0.00", "12345.67", ""]);
        assert_eq!(rows[2], ["5", "d_8", "v0", "1", "0", "-1", "-99.99", "100.00", "é"]);
    }
}
