//! Parameters as canonical values, and as text: one way to write each.
//!
//! It must not know which values were typed. Invariant: equal workloads give equal texts, and a text reads as its value.

use std::fmt;

use jiff::Timestamp;

use super::key::Key;
use super::parameters::{DisorderMode, IotParameters};

/// A parameter's value, compared without becoming text.
#[derive(Clone, Copy, Debug)]
pub(super) enum Value<'a> {
    Natural(u64),
    Integer(i64),
    Decimal(f64),
    Flag(bool),
    Word(&'static str),
    /// One of the names that clones share.
    Name(&'a str),
    Instant(Timestamp),
    /// With commas between them.
    Naturals(&'a [u32]),
    /// With colons between them, and what follows.
    Ratios(&'a [f64], &'static str),
}

impl PartialEq for Value<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (*self, *other) {
            (Value::Natural(one), Value::Natural(other)) => one == other,
            (Value::Integer(one), Value::Integer(other)) => one == other,
            (Value::Decimal(one), Value::Decimal(other)) => one == other,
            (Value::Flag(one), Value::Flag(other)) => one == other,
            // Letter by letter: for so few of them a call of the C library's comparison takes several times as long.
            (Value::Word(one), Value::Word(other)) | (Value::Name(one), Value::Name(other)) => {
                one.bytes().eq(other.bytes())
            }
            (Value::Instant(one), Value::Instant(other)) => one == other,
            (Value::Naturals(one), Value::Naturals(other)) => one.iter().eq(other),
            (Value::Ratios(one, _), Value::Ratios(other, _)) => one == other,
            _ => false,
        }
    }
}

impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Natural(value) => value.fmt(f),
            Value::Integer(value) => value.fmt(f),
            Value::Decimal(value) => value.fmt(f),
            Value::Flag(value) => value.fmt(f),
            Value::Word(value) | Value::Name(value) => value.fmt(f),
            Value::Instant(value) => value.fmt(f),
            Value::Naturals(values) => list(f, values, ","),
            Value::Ratios(values, rest) => {
                list(f, values, ":")?;
                f.write_str(rest)
            }
        }
    }
}

fn list<T: fmt::Display>(f: &mut fmt::Formatter<'_>, values: &[T], separator: &str) -> fmt::Result {
    for (at, value) in values.iter().enumerate() {
        if at > 0 {
            f.write_str(separator)?;
        }
        value.fmt(f)?;
    }
    Ok(())
}

/// The value of a parameter.
pub(super) fn value(p: &IotParameters, key: Key) -> Value<'_> {
    match key {
        Key::DeviceNumber => Value::Natural(p.devices),
        Key::RealInsertRate => Value::Decimal(p.insert_rate),
        Key::SensorNumber => Value::Natural(p.sensors.into()),
        Key::GroupNumber => Value::Natural(p.groups.into()),
        Key::GroupNamePrefix => Value::Name(&p.names.group),
        Key::DeviceNamePrefix => Value::Name(&p.names.device),
        Key::SensorNamePrefix => Value::Name(&p.names.sensor),
        Key::TagNumber => Value::Natural(p.tags.into()),
        Key::TagKeyPrefix => Value::Name(&p.names.tag_key),
        Key::TagValuePrefix => Value::Name(&p.names.tag_value),
        Key::TagValueCardinality => Value::Naturals(&p.names.cardinalities),
        Key::PointStep => Value::Integer(p.step),
        Key::TimestampPrecision => Value::Word(p.precision.name()),
        Key::StartTime => Value::Instant(p.start),
        Key::StringLength => Value::Natural(p.string_length.into()),
        Key::DoubleLength => Value::Natural(p.double_length.into()),
        Key::InsertDatatypeProportion => Value::Ratios(&p.mix.types, ":0:0:0:0:0"),
        Key::ConstantRatio => Value::Decimal(p.mix.functions[0]),
        Key::LineRatio => Value::Decimal(p.mix.functions[1]),
        Key::RandomRatio => Value::Decimal(p.mix.functions[2]),
        Key::SinRatio => Value::Decimal(p.mix.functions[3]),
        Key::SquareRatio => Value::Decimal(p.mix.functions[4]),
        Key::DataSeed => Value::Natural(p.data_seed()),
        Key::BatchSizePerWrite => Value::Natural(p.batch.into()),
        Key::IsOutOfOrder => Value::Flag(p.out_of_order),
        Key::OutOfOrderMode => Value::Word(match p.disorder {
            DisorderMode::Poisson => "POISSON",
            DisorderMode::Batch => "BATCH",
        }),
        Key::OutOfOrderRatio => Value::Decimal(p.disorder_ratio),
        Key::Lambda => Value::Decimal(p.lambda),
        Key::MaxK => Value::Natural(p.max_k.into()),
        Key::IsRegularFrequency => Value::Flag(p.regular),
        _ => own_value(p, key),
    }
}

/// The value of a parameter that does not shape the data.
fn own_value(p: &IotParameters, key: Key) -> Value<'_> {
    match key {
        Key::Loop => Value::Natural(p.loops),
        Key::OperationProportion => Value::Ratios(&p.mix.operations, ""),
        Key::IsClientBind => Value::Flag(p.bind),
        Key::StepSize => Value::Integer(p.step_size),
        Key::QuerySensorNum => Value::Natural(p.query_sensors.into()),
        Key::QueryDeviceNum => Value::Natural(p.query_devices.into()),
        Key::QueryAggregateFun => Value::Word(p.aggregate.name()),
        Key::QueryInterval => Value::Integer(p.query_interval),
        Key::QueryLowerValue => Value::Decimal(p.lower_value),
        Key::GroupByTimeUnit => Value::Integer(p.group_by),
        Key::QuerySeed => Value::Natural(p.query_seed()),
        Key::ResultRowLimit => p.row_limit.map_or(Value::Integer(-1), Value::Natural),
        _ => Value::Flag(p.fixed_query),
    }
}
