//! A small hand-made data set with every type and the values at its edges, what a database must hold after it was written, and
//! what it must answer.

use std::collections::BTreeMap;
use std::sync::Arc;

use velodrome::driver::types::{Answer, Cell};
use velodrome::workload::batch::{Batch, Block, Column, Decimals, DeviceRun, Texts, Values};
use velodrome::workload::model::{DataType, Precision, Schema, Sensor, Table, Tag};
use velodrome::workload::operation::{Aggregate, OperationKind, Query};

pub(crate) fn schema(precision: Precision) -> Arc<Schema> {
    let sensor = |(name, data_type): (&str, DataType)| Sensor { name: name.to_owned(), data_type };
    let sensors: Vec<Sensor> = ["b", "i", "l", "f", "d", "t"].into_iter().zip(DataType::ALL).map(sensor).collect();
    let tag = Tag { name: "tag_0".to_owned(), value_prefix: "v_".to_owned(), cardinality: 2 };
    let table =
        |name: &str| Table { name: name.to_owned(), sensors: sensors.clone(), tags: Vec::from_iter([tag.clone()]) };
    let (device_prefix, span) = ("d_".to_owned(), (-20_000, 100_000));
    Arc::new(Schema { tables: vec![table("g_0"), table("g_1")], devices: 12, device_prefix, precision, span })
}

/// One row: booleans, integers, decimals times 100, text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row {
    pub(crate) device: u64,
    pub(crate) time: i64,
    pub(crate) b: bool,
    pub(crate) i: i32,
    pub(crate) l: i64,
    pub(crate) f: i64,
    pub(crate) d: i64,
    pub(crate) t: String,
}

/// Rows of `device`, one every 5000 from `start` on, `turn` making them differ.
pub(crate) fn rows(device: u64, start: i64, count: i64, turn: i64) -> Vec<Row> {
    let row = |n: i64| Row {
        device,
        time: start + 5_000 * n,
        b: (n + turn) % 2 == 0,
        i: (n * 7 - 20 + turn) as i32,
        l: (n * 1_000_003 - 3_000_000) * (turn + 1),
        f: n * 125 - 900 + turn,
        d: n * 33_333 - 100_000 + turn,
        t: format!("text {n}/{turn}"),
    };
    (0..count).map(row).collect()
}

/// Rows with the values at the edges of each type, before 1970 and after.
pub(crate) fn edges() -> Vec<Row> {
    let texts = ["", "it's \"so\"", "back\\slash", "a,b=c d", "line\nfeed", "čeština 漢字 🚲", "NULL", "\\\"\\"];
    let row = |(n, text): (usize, &str)| Row {
        device: 11,
        time: -20_000 + 5_000 * n as i64,
        b: n % 2 == 0,
        i: [i32::MIN, i32::MAX, 0, -1][n % 4],
        l: [i64::MIN, i64::MAX, 0, -1][n % 4],
        f: [0, 10, -9_999, 1_677_721_600][n % 4],
        d: [0, -1, 900_719_925_474_099, -900_719_925_474_099][n % 4],
        t: text.to_owned(),
    };
    texts.into_iter().enumerate().map(row).collect()
}

/// A batch of one block a table, with the sensors of these numbers.
pub(crate) fn batch(tables: &[(u32, &[Row])], sensors: &[u32]) -> Batch {
    Batch { blocks: tables.iter().map(|(table, rows)| block(*table, rows, sensors)).collect() }
}

fn block(table: u32, rows: &[Row], sensors: &[u32]) -> Block {
    let decimals = |of: fn(&Row) -> i64| Decimals { scaled: rows.iter().map(of).collect(), scale: 2 };
    let mut texts = Texts::default();
    for row in rows {
        texts.bytes.push_str(&row.t);
        texts.end();
    }
    let all = [
        Values::Boolean(rows.iter().map(|row| row.b).collect()),
        Values::Int32(rows.iter().map(|row| row.i).collect()),
        Values::Int64(rows.iter().map(|row| row.l).collect()),
        Values::Float(decimals(|row| row.f)),
        Values::Double(decimals(|row| row.d)),
        Values::Text(texts),
    ];
    let column = |sensor: &u32| Column { sensor: *sensor, values: all[*sensor as usize].clone(), nulls: None };
    let mut runs: Vec<DeviceRun> = Vec::new();
    for row in rows {
        match runs.last_mut().filter(|run| run.device == row.device) {
            Some(run) => run.rows += 1,
            None => runs.push(DeviceRun { device: row.device, rows: 1 }),
        }
    }
    let times = rows.iter().map(|row| row.time).collect();
    Block { table, runs, times, columns: sensors.iter().map(column).collect() }
}

/// What a database must hold.
#[derive(Clone, Debug, Default)]
pub(crate) struct Model {
    points: BTreeMap<(u32, u64, i64), [Option<Cell>; 6]>,
}

impl Model {
    /// Writes rows: for each device, time and sensor the last one wins.
    pub(crate) fn write(&mut self, table: u32, rows: &[Row], sensors: &[u32]) {
        for row in rows {
            let cells = self.points.entry((table, row.device, row.time)).or_default();
            let all = [
                Cell::Boolean(row.b),
                Cell::Integer(i64::from(row.i)),
                Cell::Integer(row.l),
                Cell::Float(row.f as f64 / 100.0),
                Cell::Float(row.d as f64 / 100.0),
                Cell::Text(row.t.clone()),
            ];
            sensors.iter().for_each(|sensor| cells[*sensor as usize] = Some(all[*sensor as usize].clone()));
        }
    }

    /// How many points.
    pub(crate) fn count(&self) -> u64 {
        self.points.values().flatten().flatten().count() as u64
    }

    /// What a query must answer, in the order of [`seen`].
    pub(crate) fn answer(&self, query: &Query) -> Vec<Seen> {
        let rows = self.selected(query);
        let mut answer = match query.kind {
            OperationKind::AggRange | OperationKind::AggValue | OperationKind::AggRangeValue => {
                aggregated(&rows, query, |_| None)
            }
            OperationKind::GroupBy | OperationKind::GroupByDesc => {
                let slot = |time: i64| query.start + (time - query.start).div_euclid(query.group_by) * query.group_by;
                aggregated(&rows, query, move |time| Some(slot(time)))
            }
            OperationKind::LatestPoint => {
                let mut newest = BTreeMap::new();
                rows.into_iter().for_each(|row| drop(newest.insert(row.device.clone(), row)));
                newest.into_values().collect()
            }
            _ => rows,
        };
        sort(&mut answer, query);
        if let Some(limit) = query.row_limit {
            answer.truncate(limit as usize);
        }
        answer
    }

    /// The rows that a query's conditions let through, by device and time.
    fn selected(&self, query: &Query) -> Vec<Seen> {
        use OperationKind::{
            AggRangeValue, AggValue, GroupBy, GroupByDesc, LatestPoint, PrecisePoint, ValueRange, ValueRangeQueryDesc,
        };
        let mut rows = Vec::new();
        for ((table, device, time), cells) in &self.points {
            let in_time = match query.kind {
                PrecisePoint => *time == query.start,
                AggValue | LatestPoint => true,
                GroupBy | GroupByDesc => (query.start..query.end).contains(time),
                _ => (query.start..=query.end).contains(time),
            };
            let by_value = matches!(query.kind, ValueRange | ValueRangeQueryDesc | AggValue | AggRangeValue);
            let values: Vec<Cell> =
                query.sensors.iter().map(|sensor| cells[*sensor as usize].clone().unwrap_or(Cell::Null)).collect();
            let in_value = !by_value || values.iter().all(|cell| number(cell).is_some_and(|n| n > query.lower_value));
            let holds = values.iter().any(|cell| *cell != Cell::Null);
            if *table == query.table && query.devices.contains(device) && in_time && in_value && holds {
                rows.push(Seen { time: Some(*time), device: format!("d_{device}"), values });
            }
        }
        rows
    }
}

fn number(cell: &Cell) -> Option<f64> {
    match cell {
        Cell::Integer(number) => Some(*number as f64),
        Cell::Float(number) => Some(*number),
        _ => None,
    }
}

fn aggregated(rows: &[Seen], query: &Query, slot: impl Fn(i64) -> Option<i64>) -> Vec<Seen> {
    let mut groups: BTreeMap<(String, Option<i64>), Vec<&Seen>> = BTreeMap::new();
    for row in rows {
        groups.entry((row.device.clone(), slot(row.time.unwrap()))).or_default().push(row);
    }
    let one = |((device, time), rows): ((String, Option<i64>), Vec<&Seen>)| {
        let values = (0..query.sensors.len()).map(|at| {
            let cells: Vec<&Cell> = rows.iter().map(|row| &row.values[at]).collect();
            let numbers: Vec<f64> = cells.iter().filter_map(|cell| number(cell)).collect();
            let sum: f64 = numbers.iter().sum();
            Cell::Float(match query.aggregate {
                Aggregate::Count => cells.iter().filter(|cell| ***cell != Cell::Null).count() as f64,
                Aggregate::Sum => sum,
                Aggregate::Avg => sum / numbers.len() as f64,
                Aggregate::Max => numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max),
                Aggregate::Min => numbers.iter().copied().fold(f64::INFINITY, f64::min),
            })
        });
        Seen { time, device, values: values.collect() }
    };
    groups.into_iter().map(one).collect()
}

/// A row of an answer: its time and device where it has them, and the asked sensors' values in order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Seen {
    pub(crate) time: Option<i64>,
    pub(crate) device: String,
    pub(crate) values: Vec<Cell>,
}

impl Seen {
    /// Equal but for the last digits of numbers. A count of nothing is 0 or no value.
    pub(crate) fn is_like(&self, other: &Seen, query: &Query) -> bool {
        let counted = query.aggregate == Aggregate::Count;
        let like = |(left, right): (&Cell, &Cell)| match (number(left), number(right)) {
            (Some(left), Some(right)) => (left - right).abs() <= 1e-6 * left.abs().max(right.abs()),
            (Some(0.0), None) | (None, Some(0.0)) => counted,
            _ => left == right,
        };
        self.time == other.time
            && self.device == other.device
            && self.values.len() == other.values.len()
            && self.values.iter().zip(&other.values).all(like)
    }
}

/// An answer's rows by the columns' names, in one order: by time (newest first where that was asked), then by device.
pub(crate) fn seen(answer: &Answer, query: &Query, schema: &Schema) -> Vec<Seen> {
    let place = |name: &str| answer.columns.iter().position(|column| column == name);
    let names = query.sensors.iter().map(|sensor| &schema.tables[query.table as usize].sensors[*sensor as usize].name);
    let values: Vec<Option<usize>> = names.map(|name| place(name)).collect();
    let (time, device) = (place("time"), place("device"));
    let row = |row: &Vec<Cell>| {
        let time = time.map(|at| match &row[at] {
            Cell::Integer(time) => *time,
            other => panic!("a time that is {other:?}"),
        });
        let Some(Cell::Text(device)) = device.map(|at| &row[at]) else { panic!("a row without device: {row:?}") };
        let values = values.iter().map(|at| row[at.unwrap()].clone()).collect();
        Seen { time, device: device.clone(), values }
    };
    let mut rows: Vec<Seen> = answer.rows.iter().map(row).collect();
    if query.kind == OperationKind::RangeQueryDesc || query.kind == OperationKind::ValueRangeQueryDesc {
        assert!(rows.windows(2).all(|pair| pair[0].time >= pair[1].time), "newest first: {rows:?}");
    }
    sort(&mut rows, query);
    rows
}

fn sort(rows: &mut [Seen], query: &Query) {
    rows.sort_by(|left, right| (left.time, &left.device).cmp(&(right.time, &right.device)));
    if query.kind == OperationKind::RangeQueryDesc || query.kind == OperationKind::ValueRangeQueryDesc {
        rows.reverse();
    }
}
