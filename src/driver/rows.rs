//! A batch as rows of values, ready to be bound to a prepared statement's parameters.
//!
//! It must not know a protocol. Invariant: columns come in one order everywhere: time, device, tags, then the block's sensors.

use std::collections::HashMap;

use crate::workload::batch::{Batch, Block, Column, Values};
use crate::workload::model::Schema;

/// A text in [`Rows`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TextAt {
    start: u32,
    end: u32,
}

/// One value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Value {
    Null,
    Boolean(bool),
    Int32(i32),
    Int64(i64),
    /// The decimal number as drawn; 32 bits are enough to hold it.
    Float(f64),
    Double(f64),
    Text(TextAt),
}

/// Rows of one device.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    /// How many.
    pub rows: usize,
    /// Where its device and tags begin in `BlockRows::identities`.
    identity: usize,
}

/// Rows of one table.
#[derive(Clone, Debug, Default)]
pub(super) struct BlockRows {
    /// The table: index into the schema's tables.
    pub table: u32,
    /// The sensors present: indexes into the table's sensors.
    pub sensors: Vec<u32>,
    /// Whose rows they are, in row order.
    pub runs: Vec<Run>,
    /// The device and the tags of each run.
    identities: Vec<TextAt>,
    /// Row by row the time and one value a sensor.
    cells: Vec<Value>,
    /// Points of the block as it came, before rows were left out.
    pub points: u64,
}

impl BlockRows {
    /// Each run with its device and tags, and its rows: the time, then one value a sensor.
    pub(super) fn each(&self) -> impl Iterator<Item = (&[TextAt], std::slice::Chunks<'_, Value>)> {
        let (width, texts) = (self.sensors.len() + 1, self.identities.len() / self.runs.len().max(1));
        let mut done = 0;
        self.runs.iter().map(move |run| {
            let cells = &self.cells[done * width..(done + run.rows) * width];
            done += run.rows;
            (&self.identities[run.identity..run.identity + texts], cells.chunks(width))
        })
    }

    fn clear(&mut self) {
        self.sensors.clear();
        self.runs.clear();
        self.identities.clear();
        self.cells.clear();
    }
}

/// A batch's rows, refilled in place.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    blocks: Vec<BlockRows>,
    used: usize,
    texts: String,
    bytes: u64,
}

impl Rows {
    /// The blocks.
    pub(super) fn blocks(&self) -> &[BlockRows] {
        &self.blocks[..self.used]
    }

    /// A text.
    pub(super) fn text(&self, at: TextAt) -> &str {
        &self.texts[at.start as usize..at.end as usize]
    }

    /// About how many bytes the values are: their own widths.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Takes over a batch. With `distinct`, of rows with equal device and time in a block only the last is kept.
    pub(super) fn fill(&mut self, schema: &Schema, batch: &Batch, distinct: bool) {
        (self.used, self.bytes) = (batch.blocks.len(), 0);
        self.texts.clear();
        if self.blocks.len() < self.used {
            self.blocks.resize_with(self.used, BlockRows::default);
        }
        for (at, block) in batch.blocks.iter().enumerate() {
            let kept = if distinct { last_of_each(block) } else { None };
            let mut rows = std::mem::take(&mut self.blocks[at]);
            rows.clear();
            self.fill_block(&mut rows, schema, block, kept.as_deref());
            self.blocks[at] = rows;
        }
        self.bytes += self.texts.len() as u64;
    }

    fn fill_block(&mut self, rows: &mut BlockRows, schema: &Schema, block: &Block, kept: Option<&[bool]>) {
        (rows.table, rows.points) = (block.table, block.points());
        rows.sensors.extend(block.columns.iter().map(|column| column.sensor));
        let mut first = 0;
        for run in &block.runs {
            let identity = rows.identities.len();
            self.push_identity(rows, schema, run.device);
            let before = rows.cells.len();
            for row in first..first + run.rows as usize {
                if kept.is_none_or(|kept| kept[row]) {
                    rows.cells.push(Value::Int64(block.times[row]));
                    self.push_values(rows, &block.columns, row);
                }
            }
            first += run.rows as usize;
            rows.runs.push(Run { rows: (rows.cells.len() - before) / (block.columns.len() + 1), identity });
        }
        self.bytes += 8 * rows.cells.len() as u64;
    }

    fn push_identity(&mut self, rows: &mut BlockRows, schema: &Schema, device: u64) {
        let start = self.texts.len();
        schema.push_device_name(device, &mut self.texts);
        rows.identities.push(self.text_since(start));
        for (tag, described) in schema.tables[rows.table as usize].tags.iter().enumerate() {
            let start = self.texts.len();
            self.texts.push_str(&described.value_prefix);
            self.texts.push_str(itoa::Buffer::new().format(schema.tag_value(rows.table, tag, device)));
            rows.identities.push(self.text_since(start));
        }
    }

    fn push_values(&mut self, rows: &mut BlockRows, columns: &[Column], row: usize) {
        for column in columns {
            let value = if column.is_null(row) {
                Value::Null
            } else {
                match &column.values {
                    Values::Boolean(values) => Value::Boolean(values[row]),
                    Values::Int32(values) => Value::Int32(values[row]),
                    Values::Int64(values) => Value::Int64(values[row]),
                    Values::Float(values) => Value::Float(values.value(row)),
                    Values::Double(values) => Value::Double(values.value(row)),
                    Values::Text(values) => {
                        let start = self.texts.len();
                        self.texts.push_str(values.get(row));
                        Value::Text(self.text_since(start))
                    }
                }
            };
            rows.cells.push(value);
        }
    }

    fn text_since(&self, start: usize) -> TextAt {
        TextAt { start: start as u32, end: self.texts.len() as u32 }
    }
}

/// Which rows are the last of their device and time; none: all are.
fn last_of_each(block: &Block) -> Option<Vec<bool>> {
    let mut first = 0;
    let rising = block.runs.len() == 1
        && block.runs.iter().all(|run| {
            let times = &block.times[first..first + run.rows as usize];
            first += run.rows as usize;
            times.windows(2).all(|pair| pair[0] < pair[1])
        });
    if rising {
        return None;
    }
    let mut last = HashMap::with_capacity(block.rows());
    let devices = block.runs.iter().flat_map(|run| std::iter::repeat_n(run.device, run.rows as usize));
    for (row, device) in devices.enumerate() {
        last.insert((device, block.times[row]), row);
    }
    if last.len() == block.rows() {
        return None;
    }
    let mut kept = vec![false; block.rows()];
    last.values().for_each(|row| kept[*row] = true);
    Some(kept)
}

/// The names of a table's columns in the one order.
pub(super) fn column_names<'a>(schema: &'a Schema, table: u32, sensors: &[u32]) -> Vec<&'a str> {
    let table = &schema.tables[table as usize];
    let tags = table.tags.iter().map(|tag| tag.name.as_str());
    let sensors = sensors.iter().map(|sensor| table.sensors[*sensor as usize].name.as_str());
    ["time", "device"].into_iter().chain(tags).chain(sensors).collect()
}

/// A name in SQL's quotes.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// The end of an INSERT whose row may be there already: values that come win over those that are there, null ones do not.
pub(super) fn on_conflict(schema: &Schema, table: u32, sensors: &[u32]) -> String {
    let table = &schema.tables[table as usize];
    let name = quoted(&table.name);
    let taken = sensors.iter().map(|sensor| {
        let column = quoted(&table.sensors[*sensor as usize].name);
        format!("{column} = coalesce(excluded.{column}, {name}.{column})")
    });
    format!(" ON CONFLICT (device, time) DO UPDATE SET {}", taken.collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::encode::fixtures::{mixed_batch, mixed_schema};
    use crate::workload::batch::DeviceRun;

    fn shown(rows: &Rows) -> Vec<String> {
        let mut all = Vec::new();
        for (identity, run) in rows.blocks().iter().flat_map(BlockRows::each) {
            let names: Vec<&str> = identity.iter().map(|at| rows.text(*at)).collect();
            for row in run {
                all.push(format!("{} {:?} {:?}", names.join(" "), row[0], row[2]));
            }
        }
        all
    }

    #[test]
    fn rows_come_in_order_with_their_devices() {
        let (schema, batch) = (mixed_schema(), mixed_batch());
        let mut rows = Rows::default();
        for _ in 0..2 {
            rows.fill(&schema, &batch, true);
            assert_eq!(
                shown(&rows),
                ["d_7 v1 Int64(-1000) Int32(-5)", "d_7 v1 Int64(0) Int32(2147483647)", "d_8 v0 Int64(5) Int32(0)"]
            );
        }
        assert_eq!(column_names(&schema, 0, &[4, 5]), ["time", "device", "tag_0", "d", "t"]);
    }

    #[test]
    fn the_last_of_equal_device_and_time_is_kept() {
        let (schema, mut batch) = (mixed_schema(), mixed_batch());
        batch.blocks[0].times = vec![5, 5, 5];
        let mut rows = Rows::default();
        rows.fill(&schema, &batch, true);
        assert_eq!(shown(&rows), ["d_7 v1 Int64(5) Int32(2147483647)", "d_8 v0 Int64(5) Int32(0)"]);
        assert_eq!(rows.blocks()[0].points, 17, "all were written");
        batch.blocks[0].runs = vec![DeviceRun { device: 7, rows: 3 }];
        rows.fill(&schema, &batch, true);
        assert_eq!(shown(&rows), ["d_7 v1 Int64(5) Int32(0)"]);
        rows.fill(&schema, &batch, false);
        assert_eq!(shown(&rows).len(), 3);
    }
}
