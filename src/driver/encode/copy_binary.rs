//! PostgreSQL's COPY BINARY: rows of (time, device, tags …, sensors …).
//!
//! It must not know a connection. The time column is a bigint in the schema's precision. Invariant: a block with its header and
//! trailer is one whole COPY stream.

use std::ops::Range;
use std::sync::Arc;

use super::buffer::Buffer;
use super::names::{push_device, push_tag};
use crate::workload::batch::{Block, Column, Decimals, Values};
use crate::workload::model::Schema;

const HEADER: &[u8] = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0";
const TRAILER: &[u8] = &[0xff, 0xff];
const NULL: &[u8] = &[0xff, 0xff, 0xff, 0xff];

/// Encodes one block a COPY.
#[derive(Clone, Debug)]
pub struct CopyBinary {
    schema: Arc<Schema>,
    /// The fields for device and tags, made once a run of rows.
    identity: Buffer,
}

impl CopyBinary {
    /// An encoder for data of this shape.
    pub fn new(schema: Arc<Schema>) -> Self {
        CopyBinary { schema, identity: Buffer::default() }
    }

    /// The columns of a table in the order that they are written: time, device, tags, then the block's sensors.
    pub fn columns(schema: &Schema, block: &Block) -> Vec<String> {
        let table = &schema.tables[block.table as usize];
        let mut names = vec!["time".to_owned(), "device".to_owned()];
        names.extend(table.tags.iter().map(|tag| tag.name.clone()));
        names.extend(block.columns.iter().map(|column| table.sensors[column.sensor as usize].name.clone()));
        names
    }

    /// Appends the block as one whole stream.
    pub fn encode_block(&mut self, block: &Block, out: &mut Buffer) {
        out.append(HEADER);
        let tags = self.schema.tables[block.table as usize].tags.len();
        let fields = (2 + tags + block.columns.len()) as i16;
        let width = fixed_width(&block.columns);
        let mut row = 0;
        for run in &block.runs {
            self.make_identity(block.table, tags, run.device);
            if let Some(width) = width {
                self.push_fixed(block, row..row + run.rows as usize, fields, width, out);
                row += run.rows as usize;
                continue;
            }
            for row in row..row + run.rows as usize {
                out.reserve(14 + self.identity.len() + 12 * block.columns.len());
                out.push_padded(&fields.to_be_bytes(), 2);
                out.push_padded(&wide(&block.times[row].to_be_bytes()), 12);
                out.push(self.identity.as_bytes());
                for column in &block.columns {
                    push_value(out, column, row, 12 * block.columns.len());
                }
            }
            row += run.rows as usize;
        }
        out.append(TRAILER);
    }

    /// Rows that are all as long as one another: a column after the other, each value to its place.
    fn push_fixed(&self, block: &Block, rows: Range<usize>, fields: i16, width: usize, out: &mut Buffer) {
        let head = 14 + self.identity.len();
        let row_width = head + width;
        for start in rows.clone().step_by(TILE) {
            let tile = start..rows.end.min(start + TILE);
            let bytes = out.grow(tile.len() * row_width);
            for (time, row) in block.times[tile.clone()].iter().zip(bytes.chunks_exact_mut(row_width)) {
                row[..2].copy_from_slice(&fields.to_be_bytes());
                row[2..14].copy_from_slice(&wide(&time.to_be_bytes()));
                row[14..head].copy_from_slice(self.identity.as_bytes());
            }
            let mut at = head;
            for column in &block.columns {
                push_column(column, tile.clone(), &mut bytes[at..], row_width);
                at += value_width(&column.values).unwrap_or(0);
            }
        }
    }

    fn make_identity(&mut self, table: u32, tags: usize, device: u64) {
        self.identity.clear();
        for field in 0..=tags {
            let start = self.identity.len();
            self.identity.append(&[0; 4]);
            if field == 0 {
                push_device(&mut self.identity, &self.schema, device);
            } else {
                push_tag(&mut self.identity, &self.schema, table, field - 1, device);
            }
            let length = (self.identity.len() - start - 4) as i32;
            self.identity.patch(start, &length.to_be_bytes());
        }
    }
}

/// So many rows are written column by column at a time: their lines stay in the nearest cache.
const TILE: usize = 128;

/// The bytes of a column's value with its length, where all of its values have as many.
fn value_width(values: &Values) -> Option<usize> {
    match values {
        Values::Boolean(_) => Some(5),
        Values::Int32(_) | Values::Float(_) => Some(8),
        Values::Int64(_) | Values::Double(_) => Some(12),
        Values::Text(_) => None,
    }
}

/// The bytes of a row's values, where all rows have as many.
fn fixed_width(columns: &[Column]) -> Option<usize> {
    columns.iter().map(|column| value_width(&column.values).filter(|_| column.nulls.is_none())).sum()
}

/// A field of eight bytes: its length and itself.
#[inline]
fn wide(bytes: &[u8; 8]) -> [u8; 12] {
    let mut field = [0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0];
    field[4..].copy_from_slice(bytes);
    field
}

/// A field of four bytes: its length and itself.
#[inline]
fn narrow(bytes: &[u8; 4]) -> [u8; 8] {
    let mut field = [0, 0, 0, 4, 0, 0, 0, 0];
    field[4..].copy_from_slice(bytes);
    field
}

/// Writes a column's fields, each at the beginning of a row of `bytes`.
fn push_column(column: &Column, rows: Range<usize>, bytes: &mut [u8], row_width: usize) {
    match &column.values {
        Values::Boolean(values) => {
            each(bytes, row_width, values[rows].iter().map(|value| [0, 0, 0, 1, u8::from(*value)]));
        }
        Values::Int32(values) => each(bytes, row_width, values[rows].iter().map(|value| narrow(&value.to_be_bytes()))),
        Values::Int64(values) => each(bytes, row_width, values[rows].iter().map(|value| wide(&value.to_be_bytes()))),
        Values::Float(values) => {
            let power = POWERS[usize::from(values.scale)];
            let field = |scaled: &i64| narrow(&((*scaled as f64 / power) as f32).to_be_bytes());
            each(bytes, row_width, values.scaled[rows].iter().map(field));
        }
        Values::Double(values) => {
            let power = POWERS[usize::from(values.scale)];
            let field = |scaled: &i64| wide(&(*scaled as f64 / power).to_be_bytes());
            each(bytes, row_width, values.scaled[rows].iter().map(field));
        }
        Values::Text(_) => {}
    }
}

#[inline]
fn each<const N: usize>(bytes: &mut [u8], row_width: usize, fields: impl Iterator<Item = [u8; N]>) {
    for (row, field) in bytes.chunks_mut(row_width).zip(fields) {
        row[..N].copy_from_slice(&field);
    }
}

#[inline]
fn push_value(out: &mut Buffer, column: &Column, row: usize, rest_of_row: usize) {
    if column.is_null(row) {
        out.push(NULL);
        return;
    }
    match &column.values {
        Values::Boolean(values) => out.push_padded(&[0, 0, 0, 1, u8::from(values[row])], 5),
        Values::Int32(values) => out.push_padded(&narrow(&values[row].to_be_bytes()), 8),
        Values::Int64(values) => out.push_padded(&wide(&values[row].to_be_bytes()), 12),
        Values::Float(values) => out.push_padded(&narrow(&(decimal(values, row) as f32).to_be_bytes()), 8),
        Values::Double(values) => out.push_padded(&wide(&decimal(values, row).to_be_bytes()), 12),
        Values::Text(values) => {
            let text = values.get(row).as_bytes();
            out.reserve(4 + text.len() + rest_of_row);
            out.push_padded(&(text.len() as i32).to_be_bytes(), 4);
            out.push(text);
        }
    }
}

#[inline]
fn decimal(values: &Decimals, row: usize) -> f64 {
    values.scaled[row] as f64 / POWERS[usize::from(values.scale)]
}

const POWERS: [f64; 16] = [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::encode::fixtures::{mixed_batch, mixed_schema};

    /// Reads a stream back: rows of fields.
    fn read(mut bytes: &[u8]) -> Vec<Vec<Option<Vec<u8>>>> {
        let mut take = |count: usize| {
            let (head, rest) = bytes.split_at(count);
            bytes = rest;
            head.to_vec()
        };
        assert_eq!(take(19), HEADER);
        let mut rows = Vec::new();
        loop {
            let fields = i16::from_be_bytes(take(2).try_into().unwrap());
            if fields == -1 {
                return rows;
            }
            let mut field = || match i32::from_be_bytes(take(4).try_into().unwrap()) {
                -1 => None,
                length => Some(take(length as usize)),
            };
            rows.push((0..fields).map(|_| field()).collect());
        }
    }

    #[test]
    fn reads_back() {
        let schema = Arc::new(mixed_schema());
        let batch = mixed_batch();
        let mut out = Buffer::default();
        CopyBinary::new(Arc::clone(&schema)).encode_block(&batch.blocks[0], &mut out);
        let rows = read(out.as_bytes());
        assert_eq!(rows.len(), 3);
        assert_eq!(
            CopyBinary::columns(&schema, &batch.blocks[0]),
            ["time", "device", "tag_0", "b", "i", "l", "f", "d", "t"]
        );
        assert_eq!(rows[0][0], Some((-1000i64).to_be_bytes().to_vec()));
        assert_eq!(rows[0][1], Some(b"d_7".to_vec()));
        assert_eq!(rows[0][2], Some(b"v1".to_vec()));
        assert_eq!(rows[0][3], Some(vec![1]));
        assert_eq!(rows[0][6], Some(1.5f32.to_be_bytes().to_vec()));
        assert_eq!(rows[1][5], None);
        assert_eq!(rows[1][7], Some(12345.67f64.to_be_bytes().to_vec()));
        assert_eq!(rows[1][8], Some(Vec::new()));
        assert_eq!(rows[2][1], Some(b"d_8".to_vec()));
        assert_eq!(rows[2][8], Some("é".as_bytes().to_vec()));
    }
}
