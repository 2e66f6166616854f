//! Multi-row INSERT statements, one a block: `INSERT INTO t (time, device, …) VALUES (…), (…)`.
//!
//! It must not know a dialect beyond the quotes of names. Invariant: a statement is whole; texts are escaped by doubling quotes.

use std::sync::Arc;

use super::buffer::Buffer;
use super::number::{NUMBER, push_integer};
use super::rows::{Identity, Words, each_row, push_value};
use crate::workload::batch::{Batch, Block};
use crate::workload::model::Schema;

const WORDS: Words = Words { truth: [b"false", b"true"], quote: b'\'' };

/// Encodes whole batches.
#[derive(Clone, Debug)]
pub struct Sql {
    schema: Arc<Schema>,
    identity: Identity,
}

impl Sql {
    /// An encoder for data of this shape.
    pub fn new(schema: Arc<Schema>) -> Self {
        Sql { schema, identity: Identity::new(b",'", b"','", b"'") }
    }

    /// Appends a statement a block, each with a newline behind it.
    pub fn encode(&mut self, batch: &Batch, out: &mut Buffer) {
        for block in &batch.blocks {
            self.push_head(block, out);
            each_row(block, |row, device| {
                self.identity.make(&self.schema, block.table, device);
                self.push_row(block, row, out);
            });
            // The last row's comma ends the statement in place.
            out.take_back(1);
            out.append(b"\n");
        }
    }

    fn push_head(&self, block: &Block, out: &mut Buffer) {
        let table = &self.schema.tables[block.table as usize];
        let sensors = block.columns.iter().map(|column| table.sensors[column.sensor as usize].name.as_str());
        let names = ["time", "device"].into_iter().chain(table.tags.iter().map(|t| t.name.as_str())).chain(sensors);
        out.append(b"INSERT INTO \"");
        out.append(table.name.as_bytes());
        out.append(b"\" (");
        for (n, name) in names.enumerate() {
            out.append(if n == 0 { b"\"" } else { b",\"" });
            out.append(name.as_bytes());
            out.append(b"\"");
        }
        out.append(b") VALUES ");
    }

    fn push_row(&self, block: &Block, row: usize, out: &mut Buffer) {
        let row_bytes = (block.columns.len() + 1) * (NUMBER + 1) + 2;
        out.reserve(row_bytes + self.identity.as_bytes().len());
        out.push_byte(b'(');
        push_integer(out, block.times[row]);
        out.push(self.identity.as_bytes());
        for column in &block.columns {
            out.push_byte(b',');
            if column.is_null(row) {
                out.push(b"NULL");
            } else {
                push_value(out, &column.values, row, WORDS, row_bytes);
            }
        }
        out.push(b"),");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::encode::fixtures::{mixed_batch, mixed_schema};

    #[test]
    fn one_statement_a_block() {
        let mut out = Buffer::default();
        Sql::new(Arc::new(mixed_schema())).encode(&mixed_batch(), &mut out);
        let text = String::from_utf8(out.as_bytes().to_vec()).unwrap();
        insta::assert_snapshot!(text, @r#"INSERT INTO "g_0" ("time","device","tag_0","b","i","l","f","d","t") VALUES (-1000,'d_7','v1',true,-5,9223372036854775807,1.50,-0.25,'a"b\c'),(0,'d_7','v1',false,2147483647,NULL,0.00,12345.67,''),(5,'d_8','v0',true,0,-1,-99.99,100.00,'é')"#);
    }
}
