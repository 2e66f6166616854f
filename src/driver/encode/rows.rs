//! What the textual row encoders share: walking a block's rows, who a row is of, and values as text.
//!
//! It must not know a whole syntax. Invariant: rows come in block order; a device's text is made once for rows in a run.

use super::buffer::Buffer;
use super::names::{push_device, push_tag};
use super::number::{push_decimal, push_integer};
use crate::workload::batch::{Block, Values};
use crate::workload::model::Schema;

/// Calls `each` with every row and its device.
pub(super) fn each_row(block: &Block, mut each: impl FnMut(usize, u64)) {
    let mut row = 0;
    for run in &block.runs {
        for row in row..row + run.rows as usize {
            each(row, run.device);
        }
        row += run.rows as usize;
    }
}

/// The text of a device and its tags, kept for the rows that follow.
#[derive(Clone, Debug)]
pub(super) struct Identity {
    text: Buffer,
    of: Option<(u32, u64)>,
    open: &'static [u8],
    between: &'static [u8],
    close: &'static [u8],
}

impl Identity {
    /// With this before the device, between all parts, and behind the last.
    pub(super) fn new(open: &'static [u8], between: &'static [u8], close: &'static [u8]) -> Self {
        Identity { text: Buffer::default(), of: None, open, between, close }
    }

    /// Makes the text of this device of a table, unless it is there already.
    #[inline]
    pub(super) fn make(&mut self, schema: &Schema, table: u32, device: u64) {
        if self.of != Some((table, device)) {
            self.of = Some((table, device));
            self.write(schema, table, device);
        }
    }

    fn write(&mut self, schema: &Schema, table: u32, device: u64) {
        self.text.clear();
        self.text.append(self.open);
        push_device(&mut self.text, schema, device);
        for tag in 0..schema.tables[table as usize].tags.len() {
            self.text.append(self.between);
            push_tag(&mut self.text, schema, table, tag, device);
        }
        self.text.append(self.close);
    }

    /// The text made last.
    pub(super) fn as_bytes(&self) -> &[u8] {
        self.text.as_bytes()
    }
}

/// How a syntax writes what is no number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Words {
    pub(super) truth: [&'static [u8]; 2],
    /// Stands around texts; doubled within them.
    pub(super) quote: u8,
}

/// Writes a value that is not null. There must be room for a number; `rest_of_row` bytes are kept free behind a text.
#[inline]
pub(super) fn push_value(out: &mut Buffer, values: &Values, row: usize, words: Words, rest_of_row: usize) {
    match values {
        Values::Boolean(values) => out.push(words.truth[usize::from(values[row])]),
        Values::Int32(values) => push_integer(out, i64::from(values[row])),
        Values::Int64(values) => push_integer(out, values[row]),
        Values::Float(values) | Values::Double(values) => push_decimal(out, values.scaled[row], values.scale),
        Values::Text(values) => {
            let text = values.get(row);
            out.reserve(2 * text.len() + 2 + rest_of_row);
            out.push_byte(words.quote);
            for byte in text.bytes() {
                if byte == words.quote {
                    out.push_byte(byte);
                }
                out.push_byte(byte);
            }
            out.push_byte(words.quote);
        }
    }
}
