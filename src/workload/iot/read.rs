//! One parameter's text to its typed value.
//!
//! It must not know the other parameters: what two values mean together is checked afterwards. Invariant: a text that does not
//! fit leaves the parameters as they were.

use std::sync::Arc;

use jiff::Timestamp;

use super::key::Key;
use super::parameters::{DisorderMode, IotParameters};
use crate::value::{self, ValueError};
use crate::workload::model::Precision;
use crate::workload::operation::Aggregate;

/// What was expected in place of the text; fits after the word "expected".
type Outcome<T> = Result<T, String>;

/// What was expected, in the words of the value's parser.
fn expected(error: ValueError) -> String {
    error.expected().to_owned()
}

fn integer(text: &str) -> Outcome<i64> {
    value::integer(text.trim()).map_err(expected)
}

fn natural(text: &str) -> Outcome<u64> {
    value::unsigned(text.trim()).map_err(expected)
}

fn number(text: &str) -> Outcome<f64> {
    value::decimal(text.trim()).map_err(expected)
}

/// As the original writes them; its other words are typing errors.
fn boolean(text: &str) -> Outcome<bool> {
    match text.trim() {
        text if text.eq_ignore_ascii_case("true") => Ok(true),
        text if text.eq_ignore_ascii_case("false") => Ok(false),
        _ => Err("true or false".to_owned()),
    }
}

/// A date alone or a time without its zone would mean something else on another machine.
fn instant(text: &str) -> Outcome<Timestamp> {
    text.trim()
        .parse()
        .map_err(|_| "an instant with its zone, such as 2022-01-01T00:00:00+08:00 or 2022-01-01T00:00:00Z".to_owned())
}

fn within<T: TryFrom<u64>>(text: &str, least: u64, most: u64) -> Outcome<T> {
    let range = || match most {
        u64::MAX => format!("an integer from {least}"),
        _ => format!("an integer from {least} to {most}"),
    };
    let value = match value::unsigned(text.trim()) {
        Err(ValueError::Range { .. }) => return Err(range()),
        value => value.map_err(expected)?,
    };
    let inside = (least..=most).contains(&value).then_some(value);
    inside.and_then(|value| T::try_from(value).ok()).ok_or_else(range)
}

fn span(text: &str, least: u64) -> Outcome<i64> {
    within(text, least, i64::MAX as u64)
}

fn decimal(text: &str, least: f64, most: f64) -> Outcome<f64> {
    let value = number(text)?;
    match (least..=most).contains(&value) {
        true => Ok(value),
        false if most == f64::MAX => Err(format!("a number from {least}")),
        false => Err(format!("a number from {least} to {most}")),
    }
}

fn share(text: &str) -> Outcome<f64> {
    decimal(text, 0.0, f64::MAX)
}

/// Numbers with colons between them, padded with zeros to `N`.
fn ratios<const N: usize>(text: &str) -> Outcome<[f64; N]> {
    let given = text.split(':').count();
    if given > N {
        return Err(format!("at most {N} proportions, and there are {given}"));
    }
    let mut ratios = [0.0; N];
    for (ratio, part) in ratios.iter_mut().zip(text.split(':')) {
        *ratio = share(part)
            .map_err(|_| format!("numbers from 0 with colons between them, such as 1:0:2, and not `{part}`"))?;
    }
    if ratios.iter().all(|ratio| *ratio == 0.0) {
        return Err("at least one proportion above 0".to_owned());
    }
    Ok(ratios)
}

fn types(text: &str) -> Outcome<[f64; 6]> {
    const LATER: [&str; 5] = ["STRING", "BLOB", "TIMESTAMP", "DATE", "OBJECT"];
    let all: [f64; 11] = ratios(text)?;
    if let Some(at) = all[6..].iter().position(|ratio| *ratio > 0.0) {
        return Err(format!(
            "BOOLEAN:INT32:INT64:FLOAT:DOUBLE:TEXT; type {} is not supported yet and must be 0",
            LATER[at]
        ));
    }
    let mut types = [0.0; 6];
    types.copy_from_slice(&all[..6]);
    Ok(types)
}

fn cardinalities(text: &str) -> Outcome<Vec<u32>> {
    let inner = text.trim().trim_start_matches('[').trim_end_matches(']').trim();
    if inner.is_empty() {
        return Ok(Vec::new());
    }
    inner.split(',').map(|part| within(part, 1, u64::from(u32::MAX))).collect()
}

fn precision(text: &str) -> Outcome<Precision> {
    let text = text.trim();
    let all = [Precision::Ms, Precision::Us, Precision::Ns];
    all.into_iter().find(|unit| unit.name().eq_ignore_ascii_case(text)).ok_or_else(|| "ms, us or ns".to_owned())
}

fn mode(text: &str) -> Outcome<DisorderMode> {
    match text.trim().to_ascii_uppercase().as_str() {
        // The numbers are those of the original's older versions.
        "POISSON" | "0" => Ok(DisorderMode::Poisson),
        "BATCH" | "1" => Ok(DisorderMode::Batch),
        _ => Err("POISSON or BATCH".to_owned()),
    }
}

fn aggregate(text: &str) -> Outcome<Aggregate> {
    match text.trim().to_ascii_lowercase().as_str() {
        "count" => Ok(Aggregate::Count),
        "avg" | "mean" => Ok(Aggregate::Avg),
        "sum" => Ok(Aggregate::Sum),
        "max" | "max_value" => Ok(Aggregate::Max),
        "min" | "min_value" => Ok(Aggregate::Min),
        _ => Err("count, avg, sum, max or min".to_owned()),
    }
}

fn row_limit(text: &str) -> Outcome<Option<u64>> {
    match integer(text)? {
        -1 => Ok(None),
        limit @ 1.. => Ok(Some(limit as u64)),
        _ => Err("an integer from 1, or -1 for no limit".to_owned()),
    }
}

/// A name goes as it is into identifiers, tags and texts of every protocol.
fn name(text: &str) -> Outcome<String> {
    let plain = |character: char| character.is_alphanumeric() || "_-.:/".contains(character);
    if text.is_empty() || !text.chars().all(plain) {
        return Err("letters, digits and any of _ - . : /".to_owned());
    }
    Ok(text.to_owned())
}

/// Reads a parameter into its place.
///
/// # Errors
/// What was expected in place of the text.
pub(super) fn set(p: &mut IotParameters, key: Key, text: &str) -> Outcome<()> {
    const MANY: u64 = u32::MAX as u64;
    match key {
        Key::DeviceNumber => p.devices = within(text, 1, 1 << 48)?,
        Key::RealInsertRate => p.insert_rate = rate(text)?,
        Key::SensorNumber => p.sensors = within(text, 1, 1_000_000)?,
        Key::GroupNumber => p.groups = within(text, 1, 1_000_000)?,
        Key::TagNumber => p.tags = within(text, 0, 1000)?,
        Key::PointStep => p.step = span(text, 1)?,
        Key::TimestampPrecision => p.precision = precision(text)?,
        Key::StartTime => p.start = instant(text)?,
        Key::StringLength => p.string_length = within(text, 1, 65_536)?,
        Key::DoubleLength => p.double_length = within(text, 0, 15)?,
        Key::DataSeed => p.data_seed = Some(natural(text)?),
        Key::BatchSizePerWrite => p.batch = within(text, 1, 10_000_000)?,
        Key::IsOutOfOrder => p.out_of_order = boolean(text)?,
        Key::OutOfOrderMode => p.disorder = mode(text)?,
        Key::OutOfOrderRatio => p.disorder_ratio = decimal(text, 0.0, 1.0)?,
        Key::Lambda => p.lambda = decimal(text, 0.0, 1e6)?,
        Key::MaxK => p.max_k = within(text, 0, MANY)?,
        Key::IsRegularFrequency => p.regular = boolean(text)?,
        Key::Loop => p.loops = within(text, 1, u64::MAX)?,
        Key::IsClientBind => p.bind = boolean(text)?,
        Key::StepSize => p.step_size = span(text, 0)?,
        Key::QuerySensorNum => p.query_sensors = within(text, 1, MANY)?,
        Key::QueryDeviceNum => p.query_devices = within(text, 1, MANY)?,
        Key::QueryAggregateFun => p.aggregate = aggregate(text)?,
        Key::QueryInterval => p.query_interval = span(text, 0)?,
        Key::QueryLowerValue => p.lower_value = number(text)?,
        Key::GroupByTimeUnit => p.group_by = span(text, 1)?,
        Key::QuerySeed => p.query_seed = Some(natural(text)?),
        Key::ResultRowLimit => p.row_limit = row_limit(text)?,
        Key::EnableFixedQuery => p.fixed_query = boolean(text)?,
        _ => set_shared(p, key, text)?,
    }
    Ok(())
}

fn rate(text: &str) -> Outcome<f64> {
    let rate = number(text)?;
    if rate > 0.0 && rate <= 1.0 { Ok(rate) } else { Err("a number above 0 and at most 1".to_owned()) }
}

/// The parameters that clones share: names and proportions.
fn set_shared(p: &mut IotParameters, key: Key, text: &str) -> Outcome<()> {
    match key {
        Key::GroupNamePrefix => Arc::make_mut(&mut p.names).group = name(text)?,
        Key::DeviceNamePrefix => Arc::make_mut(&mut p.names).device = name(text)?,
        Key::SensorNamePrefix => Arc::make_mut(&mut p.names).sensor = name(text)?,
        Key::TagKeyPrefix => Arc::make_mut(&mut p.names).tag_key = name(text)?,
        Key::TagValuePrefix => Arc::make_mut(&mut p.names).tag_value = name(text)?,
        Key::TagValueCardinality => Arc::make_mut(&mut p.names).cardinalities = cardinalities(text)?,
        Key::InsertDatatypeProportion => Arc::make_mut(&mut p.mix).types = types(text)?,
        Key::OperationProportion => Arc::make_mut(&mut p.mix).operations = ratios(text)?,
        Key::ConstantRatio => Arc::make_mut(&mut p.mix).functions[0] = share(text)?,
        Key::LineRatio => Arc::make_mut(&mut p.mix).functions[1] = share(text)?,
        Key::RandomRatio => Arc::make_mut(&mut p.mix).functions[2] = share(text)?,
        Key::SinRatio => Arc::make_mut(&mut p.mix).functions[3] = share(text)?,
        _ => Arc::make_mut(&mut p.mix).functions[4] = share(text)?,
    }
    Ok(())
}
