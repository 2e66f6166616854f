//! A columnar tablet as IoTDB's sessions send it, one a run of a device's rows: times, then a column after the other, big-endian.
//!
//! It must not know thrift's envelope. Invariant: a column is its values, then, where it has nulls, a bitmap of them; nulls still
//! take their value's width.

use std::sync::Arc;

use super::buffer::Buffer;
use super::names::push_device;
use crate::workload::batch::{Batch, Column, Decimals, Values};
use crate::workload::model::Schema;

/// Encodes whole batches.
#[derive(Clone, Debug)]
pub struct Tablet {
    schema: Arc<Schema>,
}

impl Tablet {
    /// An encoder for data of this shape.
    pub fn new(schema: Arc<Schema>) -> Self {
        Tablet { schema }
    }

    /// Appends a tablet a run: the device's name and row count, times, columns.
    pub fn encode(&mut self, batch: &Batch, out: &mut Buffer) {
        for block in &batch.blocks {
            let mut first = 0;
            for run in &block.runs {
                let rows = first..first + run.rows as usize;
                push_device(out, &self.schema, run.device);
                out.append(&run.rows.to_be_bytes());
                out.reserve(8 * rows.len());
                for time in &block.times[rows.clone()] {
                    out.push_padded(&time.to_be_bytes(), 8);
                }
                for column in &block.columns {
                    push_column(out, column, rows.clone());
                }
                first = rows.end;
            }
        }
    }
}

fn push_column(out: &mut Buffer, column: &Column, rows: std::ops::Range<usize>) {
    out.reserve(9 * rows.len() + 1);
    match &column.values {
        Values::Boolean(values) => values[rows.clone()].iter().for_each(|v| out.push_byte(u8::from(*v))),
        Values::Int32(values) => values[rows.clone()].iter().for_each(|v| out.push_padded(&v.to_be_bytes(), 4)),
        Values::Int64(values) => values[rows.clone()].iter().for_each(|v| out.push_padded(&v.to_be_bytes(), 8)),
        Values::Float(values) => {
            push_decimals(out, values, rows.clone(), |out, v| out.push_padded(&(v as f32).to_be_bytes(), 4))
        }
        Values::Double(values) => {
            push_decimals(out, values, rows.clone(), |out, v| out.push_padded(&v.to_be_bytes(), 8))
        }
        Values::Text(values) => {
            for row in rows.clone() {
                let text = values.get(row).as_bytes();
                out.append(&(text.len() as u32).to_be_bytes());
                out.append(text);
            }
        }
    }
    if let Some(nulls) = &column.nulls {
        out.reserve(rows.len() / 8 + 1);
        for eight in nulls[rows].chunks(8) {
            out.push_byte(eight.iter().enumerate().fold(0, |bits, (n, null)| bits | (u8::from(*null) << n)));
        }
    }
}

#[inline]
fn push_decimals(out: &mut Buffer, values: &Decimals, rows: std::ops::Range<usize>, push: impl Fn(&mut Buffer, f64)) {
    let divisor = values.divisor();
    for scaled in &values.scaled[rows] {
        push(out, *scaled as f64 / divisor);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::encode::fixtures::{mixed_batch, mixed_schema};

    #[test]
    fn columns_follow_one_another() {
        let mut out = Buffer::default();
        Tablet::new(Arc::new(mixed_schema())).encode(&mixed_batch(), &mut out);
        let bytes = out.as_bytes();
        assert_eq!(&bytes[..3], b"d_7");
        assert_eq!(bytes[3..7], 2u32.to_be_bytes());
        assert_eq!(bytes[7..15], (-1000i64).to_be_bytes());
        // Two times, two booleans, two int32, two int64 with one bitmap byte, then the floats.
        assert_eq!(bytes[23..25], [1, 0]);
        assert_eq!(bytes[25..29], (-5i32).to_be_bytes());
        assert_eq!(bytes[33..41], i64::MAX.to_be_bytes());
        assert_eq!(bytes[49], 0b10);
        assert_eq!(bytes[50..54], 1.5f32.to_be_bytes());
        assert_eq!(bytes[58..66], (-0.25f64).to_be_bytes());
    }
}
