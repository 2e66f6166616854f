//! One write batch as columns, refilled in place from operation to operation.
//!
//! It must not know how a database wants its bytes. Invariant: every column of a block has as many values as the block has
//! rows, and the rows of `runs` add up to the same number.

/// Rows of one device that stand next to one another in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeviceRun {
    /// The device's number.
    pub device: u64,
    /// How many rows.
    pub rows: u32,
}

/// Decimal numbers: value = scaled / 10^scale. FLOAT and DOUBLE are drawn so, which makes text exact and cheap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decimals {
    /// The numbers times 10^scale.
    pub scaled: Vec<i64>,
    /// Digits after the point, 0 to 15.
    pub scale: u8,
}

impl Decimals {
    /// 10^scale.
    pub fn divisor(&self) -> f64 {
        10f64.powi(i32::from(self.scale))
    }

    /// The value of row `row` as the nearest double.
    pub fn value(&self, row: usize) -> f64 {
        self.scaled[row] as f64 / self.divisor()
    }
}

/// Texts of one column, one after the other in one buffer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    /// All bytes.
    pub bytes: String,
    /// Where each text ends.
    pub ends: Vec<u32>,
}

impl Texts {
    /// The text of row `row`.
    pub fn get(&self, row: usize) -> &str {
        let start = if row == 0 { 0 } else { self.ends[row - 1] as usize };
        &self.bytes[start..self.ends[row] as usize]
    }

    /// Appends the text that `bytes` has grown by since the last call.
    pub fn end(&mut self) {
        self.ends.push(self.bytes.len() as u32);
    }

    /// Empties the column, keeping its memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }
}

/// The values of one column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// BOOLEAN.
    Boolean(Vec<bool>),
    /// INT32.
    Int32(Vec<i32>),
    /// INT64.
    Int64(Vec<i64>),
    /// FLOAT: the nearest 32-bit float of each decimal.
    Float(Decimals),
    /// DOUBLE: the nearest 64-bit float of each decimal.
    Double(Decimals),
    /// TEXT.
    Text(Texts),
}

/// One column of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The sensor: index into the table's sensors.
    pub sensor: u32,
    /// One value a row. Where `nulls` says so, the value is meaningless.
    pub values: Values,
    /// Rows without a value, or none at all.
    pub nulls: Option<Vec<bool>>,
}

impl Column {
    /// Whether row `row` has no value.
    pub fn is_null(&self, row: usize) -> bool {
        self.nulls.as_ref().is_some_and(|nulls| nulls[row])
    }
}

/// Rows of one table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// The table: index into the schema's tables.
    pub table: u32,
    /// Whose rows they are, in row order.
    pub runs: Vec<DeviceRun>,
    /// Time stamps, in the schema's precision since the epoch.
    pub times: Vec<i64>,
    /// The columns present (all sensors, or one when not aligned).
    pub columns: Vec<Column>,
}

impl Block {
    /// How many rows.
    pub fn rows(&self) -> usize {
        self.times.len()
    }

    /// How many values that are not null.
    pub fn points(&self) -> u64 {
        let nulls: usize =
            self.columns.iter().filter_map(|c| c.nulls.as_ref()).map(|n| n.iter().filter(|null| **null).count()).sum();
        (self.rows() * self.columns.len() - nulls) as u64
    }
}

/// One write operation's data.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// Its blocks, at most one a table. iot writes one block with one run.
    pub blocks: Vec<Block>,
}

impl Batch {
    /// How many rows.
    pub fn rows(&self) -> u64 {
        self.blocks.iter().map(|b| b.rows() as u64).sum()
    }

    /// How many points: values that are not null.
    pub fn points(&self) -> u64 {
        self.blocks.iter().map(Block::points).sum()
    }
}
