//! The parameters that shape the data.
//!
//! They must not know how a value is read. Invariant: a default reads as the value in force where none is given.

use super::all::Row;
use crate::workload::iot::key::Key::*;

pub(super) const DATA: &[Row] = &[
    (DeviceNumber, "How many devices there are, numbered from 0.", "integer", Some("100")),
    (RealInsertRate, "The share of the devices that is written, exactly: above 0, at most 1.", "number", Some("1")),
    (SensorNumber, "How many sensors each device has.", "integer", Some("10")),
    (GroupNumber, "How many groups the devices are dealt over; each is a table.", "integer", Some("1")),
    (GroupNamePrefix, "What a group's name starts with; its number follows.", "text", Some("g_")),
    (DeviceNamePrefix, "What a device's name starts with; its number follows.", "text", Some("d_")),
    (SensorNamePrefix, "What a sensor's name starts with; its number follows.", "text", Some("s_")),
    (TagNumber, "How many tags each device has beside its name.", "integer", Some("0")),
    (TagKeyPrefix, "What a tag's name starts with; its number follows.", "text", Some("tag_")),
    (TagValuePrefix, "What a tag's value starts with; a number follows.", "text", Some("value_")),
    (
        TagValueCardinality,
        "How many values each tag has, as many numbers as TAG_NUMBER says.",
        "integers, such as 100,50",
        Some(""),
    ),
    (PointStep, "The time from one row of a device to the next, in TIMESTAMP_PRECISION.", "integer", Some("5000")),
    (TimestampPrecision, "The unit of all time stamps.", "ms, us or ns", Some("ms")),
    (StartTime, "The time of each device's first row.", "instant with its zone", Some("2022-01-01T00:00:00+08:00")),
    (StringLength, "How many characters a TEXT has.", "integer", Some("2")),
    (DoubleLength, "How many decimals a FLOAT or DOUBLE has, 0 to 15.", "integer", Some("2")),
    (
        InsertDatatypeProportion,
        "The shares of sensors that are BOOLEAN, INT32, INT64, FLOAT, DOUBLE and TEXT.",
        "ratio list",
        Some("1:1:1:1:1:1:0:0:0:0:0"),
    ),
    (ConstantRatio, "The share of sensors whose values stay as they are.", "number", Some("1")),
    (LineRatio, "The share of sensors whose values rise along a line and start anew.", "number", Some("1")),
    (RandomRatio, "The share of sensors whose values are random.", "number", Some("1")),
    (SinRatio, "The share of sensors whose values follow a sine.", "number", Some("1")),
    (SquareRatio, "The share of sensors whose values jump between two values.", "number", Some("1")),
    (DataSeed, "The seed of all data; the suite's seed where none is given.", "integer", None),
    (BatchSizePerWrite, "How many rows of one device a write has.", "integer", Some("100")),
    (IsOutOfOrder, "Whether rows come out of the order of their times.", "boolean", Some("false")),
    (
        OutOfOrderMode,
        "How: POISSON moves some rows back by a Poisson number of steps, BATCH starts in the middle.",
        "POISSON or BATCH",
        Some("POISSON"),
    ),
    (
        OutOfOrderRatio,
        "POISSON: the share of rows moved back. BATCH: where in the rows the writing starts. 0 to 1.",
        "number",
        Some("0.5"),
    ),
    (Lambda, "POISSON: by how many steps a row is moved back in the mean.", "number", Some("2200")),
    (MaxK, "POISSON: the most steps that a row is moved back.", "integer", Some("170000")),
    (
        IsRegularFrequency,
        "Whether rows are exactly POINT_STEP apart; else each comes up to a step later, seeded.",
        "boolean",
        Some("true"),
    ),
];
