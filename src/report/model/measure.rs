//! The measures: what can be shown of an operation or of a whole case, with unit and direction.
//!
//! It must not know a trial. Invariant: a measure without a better direction is never ranked.

use schemars::JsonSchema;
use serde::Serialize;

use crate::report::number::Unit;
use crate::stats::interval::Better;

/// Where a measure's numbers come from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Source {
    Throughput,
    RowRate,
    OperationRate,
    AttemptedRate,
    Errors,
    Mean { response: bool },
    Percentile { response: bool, percentile: f64 },
    Max { response: bool },
    Elapsed,
    Phase(&'static str),
    DiskFlushed,
    DiskSettled,
    SettleTime,
    BytesPerPoint,
    Stored,
    CpuMean,
    CpuPerMillion,
    MemoryPeak,
    ClientCpu,
}

/// A measure as the code knows it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spec {
    pub(crate) key: &'static str,
    pub(crate) label: &'static str,
    pub(crate) unit: Unit,
    pub(crate) better: Option<Better>,
    pub(crate) source: Source,
}

/// A measure as the report says it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Measure {
    /// Its key in `values`.
    pub key: String,
    /// Its name for people.
    pub label: String,
    /// The unit of its values.
    pub unit: Unit,
    /// `higher`, `lower`, or none: it is not ranked.
    pub better: Option<String>,
}

impl Spec {
    /// As the report says it.
    pub(crate) fn measure(&self) -> Measure {
        let better = self.better.map(|better| match better {
            Better::Higher => "higher".to_owned(),
            Better::Lower => "lower".to_owned(),
        });
        Measure { key: self.key.to_owned(), label: self.label.to_owned(), unit: self.unit, better }
    }
}

const fn higher(key: &'static str, label: &'static str, unit: Unit, source: Source) -> Spec {
    Spec { key, label, unit, better: Some(Better::Higher), source }
}

const fn lower(key: &'static str, label: &'static str, unit: Unit, source: Source) -> Spec {
    Spec { key, label, unit, better: Some(Better::Lower), source }
}

const fn unranked(key: &'static str, label: &'static str, unit: Unit, source: Source) -> Spec {
    Spec { key, label, unit, better: None, source }
}

const fn service(key: &'static str, label: &'static str, percentile: f64) -> Spec {
    lower(key, label, Unit::Seconds, Source::Percentile { response: false, percentile })
}

const fn response(key: &'static str, label: &'static str, percentile: f64) -> Spec {
    lower(key, label, Unit::Seconds, Source::Percentile { response: true, percentile })
}

/// The measures of an operation, in the order they are offered.
pub(crate) const OPERATION: [Spec; 18] = [
    higher("throughput", "Throughput", Unit::Points, Source::Throughput),
    higher("rows", "Rows", Unit::Rows, Source::RowRate),
    higher("operations", "Operations, successful", Unit::Operations, Source::OperationRate),
    unranked("attempted", "Operations, attempted (failed ones included)", Unit::Operations, Source::AttemptedRate),
    lower("mean", "Mean latency", Unit::Seconds, Source::Mean { response: false }),
    service("p50", "P50 latency", 50.0),
    service("p90", "P90 latency", 90.0),
    service("p95", "P95 latency", 95.0),
    service("p99", "P99 latency", 99.0),
    service("p999", "P99.9 latency", 99.9),
    lower("max", "Greatest latency", Unit::Seconds, Source::Max { response: false }),
    lower("response_mean", "Mean response time", Unit::Seconds, Source::Mean { response: true }),
    response("response_p50", "P50 response time", 50.0),
    response("response_p90", "P90 response time", 90.0),
    response("response_p99", "P99 response time", 99.0),
    response("response_p999", "P99.9 response time", 99.9),
    lower("response_max", "Greatest response time", Unit::Seconds, Source::Max { response: true }),
    unranked("errors", "Error rate", Unit::Share, Source::Errors),
];

/// The measures of a whole case.
pub(crate) const CASE: [Spec; 18] = [
    lower("elapsed", "Elapsed, first operation to last", Unit::Seconds, Source::Elapsed),
    lower("disk", "Disk, settled", Unit::Bytes, Source::DiskSettled),
    lower("disk_flushed", "Disk, after the flush", Unit::Bytes, Source::DiskFlushed),
    lower("bytes_per_point", "Disk a point", Unit::BytesPerPoint, Source::BytesPerPoint),
    lower("settle_time", "Time to settle", Unit::Seconds, Source::SettleTime),
    unranked("stored", "Stored of what was expected", Unit::Share, Source::Stored),
    lower("cpu", "Server CPU, mean", Unit::Cores, Source::CpuMean),
    lower("cpu_per_million", "Server CPU a million points", Unit::CpuPerMillion, Source::CpuPerMillion),
    lower("memory", "Server memory, peak without cache", Unit::Bytes, Source::MemoryPeak),
    unranked("client_cpu", "Client CPU, mean", Unit::Cores, Source::ClientCpu),
    unranked("phase_provision", "Time to provision", Unit::Seconds, Source::Phase("provision")),
    unranked("phase_ready", "Time until ready", Unit::Seconds, Source::Phase("ready")),
    unranked("phase_schema", "Time for the schema", Unit::Seconds, Source::Phase("schema")),
    unranked("phase_warmup", "Time of the warm-up", Unit::Seconds, Source::Phase("warm-up")),
    unranked("phase_measure", "Time of the measured phase", Unit::Seconds, Source::Phase("measure")),
    unranked("phase_settle", "Time of the settling phase", Unit::Seconds, Source::Phase("settle")),
    unranked("phase_verify", "Time to verify", Unit::Seconds, Source::Phase("verify")),
    unranked("phase_tear_down", "Time to tear down", Unit::Seconds, Source::Phase("tear down")),
];

/// The operations of iot-benchmark in its order: the position is the number after `Q`.
pub(crate) const OPERATIONS: [&str; 13] = [
    "INGESTION",
    "PRECISE_POINT",
    "TIME_RANGE",
    "VALUE_RANGE",
    "AGG_RANGE",
    "AGG_VALUE",
    "AGG_RANGE_VALUE",
    "GROUP_BY",
    "LATEST_POINT",
    "RANGE_QUERY_DESC",
    "VALUE_RANGE_QUERY_DESC",
    "GROUP_BY_DESC",
    "SET_OPERATION",
];

/// Whether an operation writes: it is compared by throughput, others by latency.
pub(crate) fn writes(operation: &str) -> bool {
    operation == OPERATIONS[0]
}

/// What an error rate is, as every report prints it.
pub(crate) const ERROR_RATE: &str = "Error rate: failed points ÷ attempted points, so that a partly failed batch counts its failed \
     points and not the whole batch; failed operations ÷ attempted operations where a failure has no points (queries).";
