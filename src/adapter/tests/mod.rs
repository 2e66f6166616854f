//! The adapters that are compiled in, and what is said of bad ones.

mod bad;
mod builtin;
mod tuned;

use std::sync::Arc;

use super::catalogue::Catalogue;
use super::types::Adapter;
use crate::workload::model::{DataType, Precision, Schema, Sensor, Table, Tag};

const DRIVERS: [&str; 4] = ["blackhole", "influx", "postgres", "sqlite"];

fn adapter(name: &str) -> Arc<Adapter> {
    Arc::clone(Catalogue::builtin(&DRIVERS).unwrap().get(name).unwrap())
}

fn schema() -> Arc<Schema> {
    let sensor = |(at, data_type): (usize, &DataType)| Sensor { name: format!("s_{at}"), data_type: *data_type };
    let table = Table {
        name: "g_0".to_owned(),
        sensors: DataType::ALL.iter().enumerate().map(sensor).collect(),
        tags: vec![Tag { name: "tag_0".to_owned(), value_prefix: "v_".to_owned(), cardinality: 3 }],
    };
    let (device_prefix, precision) = ("d_".to_owned(), Precision::Ms);
    Arc::new(Schema { tables: vec![table], devices: 3, device_prefix, precision, span: (0, 100_000) })
}
