//! JSON data points, one a value, as OpenTSDB takes them: `{"metric","timestamp","value","tags":{"device", …}}` in an array.
//!
//! It must not know a connection. Invariant: the array is valid JSON; nulls are left out.

use std::sync::Arc;

use super::buffer::Buffer;
use super::names::{push_device, push_tag};
use super::number::{NUMBER, push_decimal, push_integer};
use super::rows::each_row;
use crate::workload::batch::{Batch, Block, Column, Values};
use crate::workload::model::Schema;

/// Encodes whole batches.
#[derive(Clone, Debug)]
pub struct Json {
    schema: Arc<Schema>,
    /// `{"metric":"table.sensor","timestamp":` of each table and sensor.
    heads: Vec<Vec<Vec<u8>>>,
    /// `,"tags":{…}},` of one device.
    tail: Buffer,
    tail_of: Option<(u32, u64)>,
}

impl Json {
    /// An encoder for data of this shape.
    pub fn new(schema: Arc<Schema>) -> Self {
        let head = |table: &str, sensor: &str| {
            format!("{{\"metric\":{},\"timestamp\":", quoted(&format!("{table}.{sensor}"))).into_bytes()
        };
        let heads = schema.tables.iter().map(|t| t.sensors.iter().map(|s| head(&t.name, &s.name)).collect()).collect();
        Json { schema, heads, tail: Buffer::default(), tail_of: None }
    }

    /// Appends the batch as one array.
    pub fn encode(&mut self, batch: &Batch, out: &mut Buffer) {
        out.append(b"[");
        let empty = out.len();
        for block in &batch.blocks {
            each_row(block, |row, device| {
                self.make_tail(block.table, device);
                for column in &block.columns {
                    self.push_point(block, column, row, out);
                }
            });
        }
        if out.len() > empty {
            out.take_back(1);
        }
        out.append(b"]");
    }

    #[inline]
    fn push_point(&self, block: &Block, column: &Column, row: usize, out: &mut Buffer) {
        if column.is_null(row) {
            return;
        }
        let head = &self.heads[block.table as usize][column.sensor as usize];
        out.reserve(head.len() + 2 * NUMBER + 16 + self.tail.len());
        out.push(head);
        push_integer(out, block.times[row]);
        out.push(b",\"value\":");
        match &column.values {
            Values::Boolean(values) => out.push(if values[row] { b"true" } else { b"false" }),
            Values::Int32(values) => push_integer(out, i64::from(values[row])),
            Values::Int64(values) => push_integer(out, values[row]),
            Values::Float(values) | Values::Double(values) => push_decimal(out, values.scaled[row], values.scale),
            Values::Text(values) => out.append(quoted(values.get(row)).as_bytes()),
        }
        out.append(self.tail.as_bytes());
    }

    fn make_tail(&mut self, table: u32, device: u64) {
        if self.tail_of == Some((table, device)) {
            return;
        }
        self.tail_of = Some((table, device));
        self.tail.clear();
        self.tail.append(b",\"tags\":{\"device\":\"");
        push_device(&mut self.tail, &self.schema, device);
        for (tag, key) in self.schema.tables[table as usize].tags.iter().enumerate() {
            self.tail.append(b"\",");
            self.tail.append(quoted(&key.name).as_bytes());
            self.tail.append(b":\"");
            push_tag(&mut self.tail, &self.schema, table, tag, device);
        }
        self.tail.append(b"\"}},");
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::encode::fixtures::{mixed_batch, mixed_schema};

    #[test]
    fn reads_back() {
        let mut out = Buffer::default();
        Json::new(Arc::new(mixed_schema())).encode(&mixed_batch(), &mut out);
        let points: Vec<serde_json::Value> = serde_json::from_slice(out.as_bytes()).unwrap();
        assert_eq!(points.len() as u64, mixed_batch().points());
        let last = serde_json::json!({
            "metric": "g_0.t", "timestamp": 5, "value": "é", "tags": { "device": "d_8", "tag_0": "v0" }
        });
        assert_eq!(points[16], last);
    }
}
