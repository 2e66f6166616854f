//! What two parameters must mean together: the original's start-up checks, and those that it lacks.
//!
//! It must not know how a value was typed. Invariant: every finding names all values that it is about, and where each stands.

use super::key::Key;
use super::parameters::{DisorderMode, IotParameters};
use super::shape;
use crate::diagnostic::{Diagnostic, Span};
use crate::workload::operation::{Aggregate, OperationKind};

/// Where a parameter's value stands, if it was typed.
pub(super) type Places<'a> = &'a dyn Fn(Key) -> Option<Span>;

struct Findings<'a> {
    places: Places<'a>,
    found: Vec<Diagnostic>,
}

impl Findings<'_> {
    fn add(&mut self, code: &'static str, message: String, about: &[Key], help: &str) {
        let mut diagnostic = Diagnostic::error(code, message);
        for span in about.iter().filter_map(|key| (self.places)(*key)) {
            let words = if diagnostic.labels.is_empty() { "" } else { "and this" };
            diagnostic = diagnostic.at(span, words);
        }
        self.found.push(diagnostic.help(help));
    }
}

/// All that is wrong with the parameters together.
pub(super) fn check(p: &IotParameters, places: Places<'_>) -> Vec<Diagnostic> {
    let mut findings = Findings { places, found: Vec::new() };
    devices(p, &mut findings);
    data(p, &mut findings);
    if p.asks() {
        queries(p, &mut findings);
    }
    findings.found
}

fn devices(p: &IotParameters, findings: &mut Findings<'_>) {
    let (devices, clients) = (p.devices, p.clients());
    if p.writes() && p.bind && devices < u64::from(clients) {
        findings.add(
            "fewer-devices-than-clients",
            format!("DEVICE_NUMBER {devices} is less than the {clients} clients, and IS_CLIENT_BIND gives each client devices of its own"),
            &[Key::DeviceNumber, Key::IsClientBind],
            "give load.clients at most DEVICE_NUMBER, or set IS_CLIENT_BIND: false",
        );
    }
    if devices < u64::from(p.groups) {
        findings.add(
            "fewer-devices-than-groups",
            format!("DEVICE_NUMBER {devices} is less than GROUP_NUMBER {}: a group would be empty", p.groups),
            &[Key::DeviceNumber, Key::GroupNumber],
            "give GROUP_NUMBER at most DEVICE_NUMBER",
        );
    }
    if p.writes() && p.written_before(devices) == 0 {
        findings.add(
            "no-device-written",
            format!("REAL_INSERT_RATE {} of DEVICE_NUMBER {devices} leaves no device to write", p.insert_rate),
            &[Key::RealInsertRate, Key::DeviceNumber],
            "raise REAL_INSERT_RATE or DEVICE_NUMBER",
        );
    }
    let given = p.names.cardinalities.len();
    if given as u64 != u64::from(p.tags) {
        findings.add(
            "tags-without-cardinality",
            format!("TAG_NUMBER is {} and the length of TAG_VALUE_CARDINALITY is {given}", p.tags),
            &[Key::TagNumber, Key::TagValueCardinality],
            "give TAG_VALUE_CARDINALITY one number a tag, such as 100,50 for two tags",
        );
    }
}

fn data(p: &IotParameters, findings: &mut Findings<'_>) {
    let kinds = p.kinds().count() as u64;
    if p.loops < kinds {
        findings.add(
            "fewer-loops-than-operations",
            format!(
                "LOOP {} is less than the {kinds} operations with a proportion above 0 in OPERATION_PROPORTION",
                p.loops
            ),
            &[Key::Loop, Key::OperationProportion],
            "raise LOOP, so that each operation can come at least once",
        );
    }
    if p.share(OperationKind::SetOperation) > 0.0 {
        findings.add(
            "not-supported-yet",
            "OPERATION_PROPORTION asks for Q12 (SET_OPERATION), which is not supported yet".to_owned(),
            &[Key::OperationProportion],
            "give Q12 the proportion 0",
        );
    }
    if !p.bind && p.writes() && p.asks() && p.out_of_order && p.disorder == DisorderMode::Poisson {
        findings.add(
            "not-supported-yet",
            "IS_CLIENT_BIND false, IS_OUT_OF_ORDER true with POISSON and an OPERATION_PROPORTION of writes and queries are \
             not supported together yet"
                .to_owned(),
            &[Key::IsClientBind, Key::IsOutOfOrder, Key::OutOfOrderMode, Key::OperationProportion],
            "bind clients to devices, or write and ask in scenarios of their own",
        );
    }
    if p.mix.functions.iter().all(|ratio| *ratio == 0.0) {
        findings.add(
            "no-value-function",
            "CONSTANT_RATIO, LINE_RATIO, RANDOM_RATIO, SIN_RATIO and SQUARE_RATIO are all 0".to_owned(),
            &[Key::ConstantRatio, Key::LineRatio, Key::RandomRatio, Key::SinRatio, Key::SquareRatio],
            "give one of them a value above 0",
        );
    }
    if shape::span(p).is_none() {
        findings.add(
            "time-out-of-range",
            format!(
                "the time of the last row, START_TIME {} and LOOP {} × BATCH_SIZE_PER_WRITE {} × POINT_STEP {}, is beyond what 64 bits hold in {}",
                p.start,
                p.loops,
                p.batch,
                p.step,
                p.precision.name()
            ),
            &[Key::StartTime, Key::Loop, Key::BatchSizePerWrite, Key::PointStep, Key::TimestampPrecision],
            "lessen LOOP or POINT_STEP, or choose a coarser TIMESTAMP_PRECISION",
        );
    }
}

fn queries(p: &IotParameters, findings: &mut Findings<'_>) {
    // Group g holds the devices with number mod groups = g, so the last group is a smallest.
    let smallest = p.devices / u64::from(p.groups);
    if u64::from(p.query_devices) > smallest && p.devices >= u64::from(p.groups) {
        findings.add(
            "more-devices-than-there-are",
            format!(
                "QUERY_DEVICE_NUM {} is more than the {smallest} devices of a group (DEVICE_NUMBER {}, GROUP_NUMBER {})",
                p.query_devices, p.devices, p.groups
            ),
            &[Key::QueryDeviceNum, Key::DeviceNumber, Key::GroupNumber],
            "lessen QUERY_DEVICE_NUM: a query asks for different devices of one group",
        );
    }
    if p.query_sensors > p.sensors {
        findings.add(
            "more-sensors-than-there-are",
            format!("QUERY_SENSOR_NUM {} is more than SENSOR_NUMBER {}", p.query_sensors, p.sensors),
            &[Key::QuerySensorNum, Key::SensorNumber],
            "lessen QUERY_SENSOR_NUM",
        );
    }
    let numeric = shape::type_counts(p).iter().any(|(data_type, count)| *count > 0 && data_type.is_numeric());
    let asks = p.kinds().find(|kind| needs_numbers(*kind, p.aggregate));
    if let (false, Some(kind)) = (numeric, asks) {
        findings.add(
            "no-numeric-sensor",
            format!("{} ({}) compares or adds numbers, and no sensor has numbers", kind.short(), kind.name()),
            &[Key::OperationProportion, Key::InsertDatatypeProportion, Key::SensorNumber],
            "give INSERT_DATATYPE_PROPORTION a share of INT32, INT64, FLOAT or DOUBLE that reaches a sensor",
        );
    }
}

/// Whether a query can only ask for sensors with numbers.
pub(super) fn needs_numbers(kind: OperationKind, aggregate: Aggregate) -> bool {
    use OperationKind::*;
    match kind {
        ValueRange | AggValue | AggRangeValue | ValueRangeQueryDesc => true,
        AggRange | GroupBy | GroupByDesc => aggregate != Aggregate::Count,
        _ => false,
    }
}
