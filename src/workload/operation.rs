//! Operations: one write batch or one query.
//!
//! It must not know a query language. Invariant: a query names everything that its answer depends on.

use serde::{Deserialize, Serialize};

/// The kinds of operation, in the order of OPERATION_PROPORTION and of the result matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum OperationKind {
    /// A write batch.
    Ingestion,
    /// Q1: values at one time.
    PrecisePoint,
    /// Q2: values in a window.
    TimeRange,
    /// Q3: values in a window above a threshold.
    ValueRange,
    /// Q4: an aggregate over a window.
    AggRange,
    /// Q5: an aggregate over all values above a threshold.
    AggValue,
    /// Q6: an aggregate over a window's values above a threshold.
    AggRangeValue,
    /// Q7: an aggregate for each time slot of a window.
    GroupBy,
    /// Q8: the newest value.
    LatestPoint,
    /// Q9: Q2, newest first.
    RangeQueryDesc,
    /// Q10: Q3, newest first.
    ValueRangeQueryDesc,
    /// Q11: Q7, newest first.
    GroupByDesc,
    /// Q12: ranges joined by a set operation.
    SetOperation,
}

impl OperationKind {
    /// All kinds; the position is the position in OPERATION_PROPORTION.
    pub const ALL: [OperationKind; 13] = [
        OperationKind::Ingestion,
        OperationKind::PrecisePoint,
        OperationKind::TimeRange,
        OperationKind::ValueRange,
        OperationKind::AggRange,
        OperationKind::AggValue,
        OperationKind::AggRangeValue,
        OperationKind::GroupBy,
        OperationKind::LatestPoint,
        OperationKind::RangeQueryDesc,
        OperationKind::ValueRangeQueryDesc,
        OperationKind::GroupByDesc,
        OperationKind::SetOperation,
    ];

    /// The position in OPERATION_PROPORTION.
    pub fn index(self) -> usize {
        self as usize
    }

    /// The name in matrices and reports.
    pub fn name(self) -> &'static str {
        match self {
            OperationKind::Ingestion => "INGESTION",
            OperationKind::PrecisePoint => "PRECISE_POINT",
            OperationKind::TimeRange => "TIME_RANGE",
            OperationKind::ValueRange => "VALUE_RANGE",
            OperationKind::AggRange => "AGG_RANGE",
            OperationKind::AggValue => "AGG_VALUE",
            OperationKind::AggRangeValue => "AGG_RANGE_VALUE",
            OperationKind::GroupBy => "GROUP_BY",
            OperationKind::LatestPoint => "LATEST_POINT",
            OperationKind::RangeQueryDesc => "RANGE_QUERY_DESC",
            OperationKind::ValueRangeQueryDesc => "VALUE_RANGE_QUERY_DESC",
            OperationKind::GroupByDesc => "GROUP_BY_DESC",
            OperationKind::SetOperation => "SET_OPERATION",
        }
    }

    /// The short name, `Q1` … `Q12`; the name for ingestion.
    pub fn short(self) -> &'static str {
        const SHORT: [&str; 13] =
            ["INGESTION", "Q1", "Q2", "Q3", "Q4", "Q5", "Q6", "Q7", "Q8", "Q9", "Q10", "Q11", "Q12"];
        SHORT[self.index()]
    }
}

/// An aggregate function (QUERY_AGGREGATE_FUN).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Aggregate {
    /// How many values.
    #[default]
    Count,
    /// Their mean.
    Avg,
    /// Their sum.
    Sum,
    /// The greatest.
    Max,
    /// The least.
    Min,
}

impl Aggregate {
    /// The name, as SQL has it.
    pub fn name(self) -> &'static str {
        match self {
            Aggregate::Count => "count",
            Aggregate::Avg => "avg",
            Aggregate::Sum => "sum",
            Aggregate::Max => "max",
            Aggregate::Min => "min",
        }
    }
}

/// One query with everything that its statement needs. Fields that a kind does not use hold what the workload says anyway.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Query {
    /// Which of Q1 … Q12.
    pub kind: OperationKind,
    /// The table: index into the schema's tables.
    pub table: u32,
    /// The devices asked for, by number.
    pub devices: Vec<u64>,
    /// The sensors asked for: indexes into the table's sensors.
    pub sensors: Vec<u32>,
    /// First time of the window (inclusive), in the schema's precision. Q1's point in time.
    pub start: i64,
    /// Last time of the window (inclusive; exclusive for Q7 and Q11), in the schema's precision.
    pub end: i64,
    /// QUERY_LOWER_VALUE: values must be greater.
    pub lower_value: f64,
    /// The aggregate of Q4 to Q7 and Q11.
    pub aggregate: Aggregate,
    /// GROUP_BY_TIME_UNIT, in the schema's precision.
    pub group_by: i64,
    /// RESULT_ROW_LIMIT, where one is set.
    pub row_limit: Option<u64>,
}
