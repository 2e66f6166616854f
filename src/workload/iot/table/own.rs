//! The parameters that a scenario has for itself.
//!
//! They must not know how a value is read. Invariant: a default reads as the value in force where none is given.

use super::all::Row;
use crate::workload::iot::key::Key::*;

pub(super) const OWN: &[Row] = &[
    (
        Loop,
        "How many loops each client does: one is a batch for each of its devices, or one query.",
        "integer",
        Some("100"),
    ),
    (
        OperationProportion,
        "The shares of writes and of Q1 to Q12 among the loops.",
        "ratio list of up to 13",
        Some("1:0:0:0:0:0:0:0:0:0:0:0:0"),
    ),
    (
        IsClientBind,
        "Whether each device belongs to one client; else a loop is one batch of the next device in turn.",
        "boolean",
        Some("true"),
    ),
    (StepSize, "By how many steps the window moves on from query to query of a kind.", "integer", Some("1")),
    (QuerySensorNum, "How many sensors a query asks for.", "integer", Some("1")),
    (QueryDeviceNum, "How many devices a query asks for.", "integer", Some("1")),
    (QueryAggregateFun, "The aggregate of Q4 to Q7 and Q11.", "count, avg, sum, max or min", Some("count")),
    (QueryInterval, "How long a query's window is, in TIMESTAMP_PRECISION.", "integer", Some("250000")),
    (QueryLowerValue, "The threshold of Q3, Q5, Q6 and Q10: values are greater.", "number", Some("-5")),
    (GroupByTimeUnit, "How long a slot of Q7 and Q11 is, in TIMESTAMP_PRECISION.", "integer", Some("20000")),
    (QuerySeed, "The seed of the queries; the suite's seed where none is given.", "integer", None),
    (ResultRowLimit, "The most rows that an answer may have; -1: no limit.", "integer", Some("-1")),
    (
        EnableFixedQuery,
        "Whether a client asks for the same devices, sensors and window each time.",
        "boolean",
        Some("false"),
    ),
];
