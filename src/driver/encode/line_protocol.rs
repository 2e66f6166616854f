//! InfluxDB's line protocol: `table,device=d_1,tag=v s_0=1.00,s_1=2i 1640966400000`.
//!
//! It must not know a connection or a URL; the time stamps' unit is the schema's precision. Invariant: a row whose values are all
//! null is not written, since a line without fields is an error.

use std::sync::Arc;

use super::buffer::Buffer;
use super::names::{push_device, push_tag};
use super::number::{NUMBER, push_decimal, push_integer};
use crate::workload::batch::{Batch, Block, Column, Values};
use crate::workload::model::{Schema, Table};

/// The width of a key that is written in one go.
const SHORT: usize = 16;

/// `,name=` of one field, padded for a fixed-width write where it is short.
#[derive(Clone, Debug)]
struct FieldKey {
    text: Vec<u8>,
    short: [u8; SHORT],
}

impl FieldKey {
    fn new(name: &str) -> Self {
        let mut text = vec![b','];
        push_escaped(&mut text, name);
        text.push(b'=');
        let mut short = [0; SHORT];
        if text.len() <= SHORT {
            short[..text.len()].copy_from_slice(&text);
        }
        FieldKey { text, short }
    }

    #[inline]
    fn push(&self, out: &mut Buffer) {
        if self.text.len() <= SHORT {
            out.push_padded(&self.short, self.text.len());
        } else {
            out.push(&self.text);
        }
    }
}

/// What stands before the values of one table's rows.
#[derive(Clone, Debug)]
struct TableKeys {
    /// `table,device=`.
    head: Vec<u8>,
    /// `,tag=` of each tag.
    tags: Vec<Vec<u8>>,
    fields: Vec<FieldKey>,
    /// The most bytes of one row apart from the device's prefix and texts.
    row_bytes: usize,
}

/// Encodes whole batches.
#[derive(Clone, Debug)]
pub struct LineProtocol {
    schema: Arc<Schema>,
    tables: Vec<TableKeys>,
    /// The device's part of a line, made once a run of rows.
    prefix: Vec<u8>,
    scratch: Buffer,
}

impl LineProtocol {
    /// An encoder for data of this shape.
    pub fn new(schema: Arc<Schema>) -> Self {
        let tables = schema.tables.iter().map(table_keys).collect();
        LineProtocol { schema, tables, prefix: Vec::new(), scratch: Buffer::default() }
    }

    /// Appends the batch's lines.
    pub fn encode(&mut self, batch: &Batch, out: &mut Buffer) {
        for block in &batch.blocks {
            self.encode_block(block, out);
        }
    }

    fn encode_block(&mut self, block: &Block, out: &mut Buffer) {
        let mut row = 0;
        for run in &block.runs {
            self.make_prefix(block.table, run.device);
            for row in row..row + run.rows as usize {
                self.encode_row(block, row, out);
            }
            row += run.rows as usize;
        }
    }

    fn make_prefix(&mut self, table: u32, device: u64) {
        let keys = &self.tables[table as usize];
        self.scratch.clear();
        self.scratch.append(&keys.head);
        push_device(&mut self.scratch, &self.schema, device);
        for (tag, key) in keys.tags.iter().enumerate() {
            self.scratch.append(key);
            push_tag(&mut self.scratch, &self.schema, table, tag, device);
        }
        self.prefix.clear();
        self.prefix.extend_from_slice(self.scratch.as_bytes());
    }

    #[inline]
    fn encode_row(&self, block: &Block, row: usize, out: &mut Buffer) {
        let keys = &self.tables[block.table as usize];
        out.reserve(self.prefix.len() + keys.row_bytes);
        let start = out.len();
        out.push(&self.prefix);
        let before_fields = out.len();
        for column in &block.columns {
            push_field(keys, column, row, out);
        }
        if out.len() == before_fields {
            out.take_back(before_fields - start);
            return;
        }
        // The first field's comma is the blank between tags and fields.
        out.patch(before_fields, b" ");
        out.reserve(NUMBER + 2);
        out.push_byte(b' ');
        push_integer(out, block.times[row]);
        out.push_byte(b'\n');
    }
}

#[inline]
fn push_field(keys: &TableKeys, column: &Column, row: usize, out: &mut Buffer) {
    if column.is_null(row) {
        return;
    }
    keys.fields[column.sensor as usize].push(out);
    match &column.values {
        Values::Boolean(values) => out.push_byte(if values[row] { b't' } else { b'f' }),
        Values::Int32(values) => {
            push_integer(out, i64::from(values[row]));
            out.push_byte(b'i');
        }
        Values::Int64(values) => {
            push_integer(out, values[row]);
            out.push_byte(b'i');
        }
        Values::Float(values) | Values::Double(values) => push_decimal(out, values.scaled[row], values.scale),
        Values::Text(values) => {
            push_quoted(values.get(row), out);
            out.reserve(keys.row_bytes);
        }
    }
}

/// A string field, with the escapes of string values.
fn push_quoted(text: &str, out: &mut Buffer) {
    out.reserve(2 * text.len() + 2);
    out.push_byte(b'"');
    for byte in text.bytes() {
        if byte == b'"' || byte == b'\\' {
            out.push_byte(b'\\');
        }
        out.push_byte(byte);
    }
    out.push_byte(b'"');
}

fn table_keys(table: &Table) -> TableKeys {
    let mut head = Vec::new();
    push_escaped(&mut head, &table.name);
    head.extend_from_slice(b",device=");
    let tag_key = |name: &str| {
        let mut key = vec![b','];
        push_escaped(&mut key, name);
        key.push(b'=');
        key
    };
    let fields: Vec<FieldKey> = table.sensors.iter().map(|sensor| FieldKey::new(&sensor.name)).collect();
    let row_bytes = fields.iter().map(|key| key.text.len().max(SHORT) + NUMBER + 1).sum::<usize>() + NUMBER + 2;
    TableKeys { head, tags: table.tags.iter().map(|tag| tag_key(&tag.name)).collect(), fields, row_bytes }
}

/// Names with the escapes of measurements, tag keys and field keys.
fn push_escaped(out: &mut Vec<u8>, name: &str) {
    for byte in name.bytes() {
        if matches!(byte, b',' | b'=' | b' ') {
            out.push(b'\\');
        }
        out.push(byte);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::encode::fixtures::{mixed_batch, mixed_schema};

    #[test]
    fn a_line_a_row_with_types_escapes_and_nulls() {
        let schema = Arc::new(mixed_schema());
        let mut out = Buffer::default();
        LineProtocol::new(schema).encode(&mixed_batch(), &mut out);
        let text = String::from_utf8(out.as_bytes().to_vec()).unwrap();
        insta::assert_snapshot!(text, @r#"
        g_0,device=d_7,tag_0=v1 b=t,i=-5i,l=9223372036854775807i,f=1.50,d=-0.25,t="a\"b\\c" -1000
        g_0,device=d_7,tag_0=v1 b=f,i=2147483647i,f=0.00,d=12345.67,t="" 0
        g_0,device=d_8,tag_0=v0 b=t,i=0i,l=-1i,f=-99.99,d=100.00,t="é" 5
        "#);
    }
}
