//! A small schema and batch with every type, for the encoders' tests.

use crate::workload::batch::{Batch, Block, Column, Decimals, DeviceRun, Texts, Values};
use crate::workload::model::{DataType, Precision, Schema, Sensor, Table, Tag};

/// One table with a sensor of each type and one tag.
pub(crate) fn mixed_schema() -> Schema {
    let sensor = |name: &str, data_type| Sensor { name: name.to_owned(), data_type };
    let sensors = vec![
        sensor("b", DataType::Boolean),
        sensor("i", DataType::Int32),
        sensor("l", DataType::Int64),
        sensor("f", DataType::Float),
        sensor("d", DataType::Double),
        sensor("t", DataType::Text),
    ];
    let tags = vec![Tag { name: "tag_0".to_owned(), value_prefix: "v".to_owned(), cardinality: 2 }];
    Schema {
        tables: vec![Table { name: "g_0".to_owned(), sensors, tags }],
        devices: 10,
        device_prefix: "d_".to_owned(),
        precision: Precision::Ms,
        span: (-1000, 5),
    }
}

/// Three rows of two devices; the second row has no `l`.
pub(crate) fn mixed_batch() -> Batch {
    let mut texts = Texts::default();
    for text in ["a\"b\\c", "", "é"] {
        texts.bytes.push_str(text);
        texts.end();
    }
    let decimals = |scaled: [i64; 3]| Decimals { scaled: scaled.to_vec(), scale: 2 };
    let columns = [
        (Values::Boolean(vec![true, false, true]), None),
        (Values::Int32(vec![-5, i32::MAX, 0]), None),
        (Values::Int64(vec![i64::MAX, 0, -1]), Some(vec![false, true, false])),
        (Values::Float(decimals([150, 0, -9999])), None),
        (Values::Double(decimals([-25, 1_234_567, 10_000])), None),
        (Values::Text(texts), None),
    ];
    let columns = (0..).zip(columns).map(|(sensor, (values, nulls))| Column { sensor, values, nulls }).collect();
    let runs = vec![DeviceRun { device: 7, rows: 2 }, DeviceRun { device: 8, rows: 1 }];
    Batch { blocks: vec![Block { table: 0, runs, times: vec![-1000, 0, 5], columns }] }
}
