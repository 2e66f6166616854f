//! What a workload's data looks like: tables, sensors, tags, device names, time precision.
//!
//! It must not know any database. Invariant: everything about a device follows from its number, so nothing is stored a device.

use serde::{Deserialize, Serialize};

/// The type of a sensor's values, by iot-benchmark's names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum DataType {
    /// True or false.
    Boolean,
    /// 32-bit signed integer.
    Int32,
    /// 64-bit signed integer.
    Int64,
    /// 32-bit float, drawn as a decimal number.
    Float,
    /// 64-bit float, drawn as a decimal number.
    Double,
    /// Text.
    Text,
}

impl DataType {
    /// All types, in the order of INSERT_DATATYPE_PROPORTION.
    pub const ALL: [DataType; 6] =
        [DataType::Boolean, DataType::Int32, DataType::Int64, DataType::Float, DataType::Double, DataType::Text];

    /// The name as iot-benchmark and the adapters write it.
    pub fn name(self) -> &'static str {
        match self {
            DataType::Boolean => "BOOLEAN",
            DataType::Int32 => "INT32",
            DataType::Int64 => "INT64",
            DataType::Float => "FLOAT",
            DataType::Double => "DOUBLE",
            DataType::Text => "TEXT",
        }
    }

    /// Whether values can be compared with a number and averaged.
    pub fn is_numeric(self) -> bool {
        !matches!(self, DataType::Boolean | DataType::Text)
    }
}

/// The unit of the time stamps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Precision {
    /// Milliseconds.
    #[default]
    Ms,
    /// Microseconds.
    Us,
    /// Nanoseconds.
    Ns,
}

impl Precision {
    /// How many of this unit make a second.
    pub fn per_second(self) -> i64 {
        match self {
            Precision::Ms => 1_000,
            Precision::Us => 1_000_000,
            Precision::Ns => 1_000_000_000,
        }
    }

    /// The name in suites: ms, us, ns.
    pub fn name(self) -> &'static str {
        match self {
            Precision::Ms => "ms",
            Precision::Us => "us",
            Precision::Ns => "ns",
        }
    }
}

/// One sensor: a column of its table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sensor {
    /// Its name, such as `s_0`.
    pub name: String,
    /// The type of its values.
    pub data_type: DataType,
}

/// One tag key, and how many different values it has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tag {
    /// Its name, such as `tag_0`.
    pub name: String,
    /// What its values start with, such as `value_`.
    pub value_prefix: String,
    /// How many values there are.
    pub cardinality: u32,
}

/// One table (iot: one group): the same sensors and tags for all its devices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    /// Its name, such as `g_0`.
    pub name: String,
    /// Its sensors, in column order.
    pub sensors: Vec<Sensor>,
    /// Its tags, in column order; the device's name is not among them.
    pub tags: Vec<Tag>,
}

/// The shape of all data of a workload.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schema {
    /// The tables. Never empty.
    pub tables: Vec<Table>,
    /// How many devices there are, numbered from 0.
    pub devices: u64,
    /// What a device's name starts with; its number follows.
    pub device_prefix: String,
    /// The unit of all time stamps.
    pub precision: Precision,
    /// First and last time stamp that a measured row can have, in `precision` since the epoch (UTC).
    pub span: (i64, i64),
}

/// Sizes and types of a schema, without its names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outline {
    /// How many devices there are.
    pub devices: u64,
    /// How many tables.
    pub tables: u32,
    /// The sensors of the table that has most.
    pub sensors: u32,
    /// The tags of the table that has most.
    pub tags: u32,
    /// Which types occur, by position in [`DataType::ALL`].
    pub types: [bool; DataType::ALL.len()],
    /// The unit of all time stamps.
    pub precision: Precision,
}

impl Schema {
    /// Its sizes and types.
    pub fn outline(&self) -> Outline {
        let most = |count: fn(&Table) -> usize| self.tables.iter().map(count).max().unwrap_or_default() as u32;
        let mut types = [false; DataType::ALL.len()];
        for sensor in self.tables.iter().flat_map(|table| &table.sensors) {
            types[sensor.data_type as usize] = true;
        }
        Outline {
            devices: self.devices,
            tables: self.tables.len() as u32,
            sensors: most(|table| table.sensors.len()),
            tags: most(|table| table.tags.len()),
            types,
            precision: self.precision,
        }
    }

    /// Appends the device's name.
    pub fn push_device_name(&self, device: u64, out: &mut String) {
        out.push_str(&self.device_prefix);
        out.push_str(itoa::Buffer::new().format(device));
    }

    /// The device's name.
    pub fn device_name(&self, device: u64) -> String {
        let mut name = String::with_capacity(self.device_prefix.len() + 8);
        self.push_device_name(device, &mut name);
        name
    }

    /// The number of the value that tag `tag` of `table` has for `device`: its value is the prefix and this number.
    pub fn tag_value(&self, table: u32, tag: usize, device: u64) -> u64 {
        let tags = &self.tables[table as usize].tags;
        let mut rest = mix(device);
        for earlier in &tags[..tag] {
            rest /= u64::from(earlier.cardinality.max(1));
        }
        rest % u64::from(tags[tag].cardinality.max(1))
    }
}

/// A fixed bijective scramble of 64 bits (the finaliser of SplitMix64): device numbers spread over tag values.
pub fn mix(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
