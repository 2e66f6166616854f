//! Every adapter that is compiled in renders all that it has.

use std::collections::BTreeMap;

use super::{DRIVERS, adapter, schema};
use crate::adapter::catalogue::Catalogue;
use crate::adapter::queries::Queries;
use crate::adapter::support::CaseFacts;
use crate::workload::model::Schema;
use crate::workload::operation::{Aggregate, OperationKind, Query};

fn query(kind: OperationKind) -> Query {
    Query {
        kind,
        table: 0,
        devices: vec![1, 2],
        sensors: vec![3, 4],
        start: -5_000,
        end: 60_000,
        lower_value: -5.0,
        aggregate: Aggregate::Avg,
        group_by: 20_000,
        row_limit: None,
    }
}

#[test]
fn all_adapters_pass_their_checks_and_render() {
    let catalogue = Catalogue::builtin(&DRIVERS).unwrap();
    let names: Vec<&str> = catalogue.names().collect();
    assert_eq!(names, ["blackhole", "influxdb-1", "postgres", "sqlite", "timescaledb"]);
    for adapter in catalogue.iter() {
        let none = adapter.tuning(&BTreeMap::new()).unwrap();
        adapter.schema_statements("iot", &schema(), &none).unwrap();
        adapter.truncate_statements("iot", &schema(), &none).unwrap();
        adapter.count_statements("iot", &schema(), &none).unwrap();
        adapter.fact_statements("iot", &schema(), &none).unwrap();
        adapter.database_statements("velodrome_x").unwrap();
        adapter.durability(&none).unwrap();
        let queries = Queries::new(adapter, "iot", schema()).unwrap();
        for kind in &OperationKind::ALL[1..12] {
            assert_ne!(queries.statement(&query(*kind)).unwrap(), "", "{kind:?} of {}", adapter.file.name);
        }
        if adapter.file.docker.is_some() {
            adapter.docker_start(&adapter.file.versions.default, &none, Some(1 << 30)).unwrap();
        }
    }
}

#[test]
fn queries_read_as_a_person_would_write_them() {
    let mut shown = String::new();
    for name in ["influxdb-1", "postgres", "sqlite", "timescaledb"] {
        let queries = Queries::new(&adapter(name), "iot", schema()).unwrap();
        for kind in &OperationKind::ALL[1..12] {
            shown += &format!("{name} {}: {}\n", kind.short(), queries.statement(&query(*kind)).unwrap());
        }
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn schemas_read_as_a_person_would_write_them() {
    let mut shown = String::new();
    for name in ["postgres", "sqlite", "timescaledb"] {
        let adapter = adapter(name);
        let tuning = adapter.tuning(&BTreeMap::new()).unwrap();
        for statement in adapter.schema_statements("iot", &schema(), &tuning).unwrap() {
            shown += &format!("{name}: {statement}\n");
        }
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn a_row_limit_orders_what_it_limits() {
    let queries = Queries::new(&adapter("postgres"), "iot", schema()).unwrap();
    let limited = Query { row_limit: Some(7), ..query(OperationKind::TimeRange) };
    let statement = queries.statement(&limited).unwrap();
    assert!(statement.ends_with(r#" ORDER BY time, device COLLATE "C" LIMIT 7"#), "{statement}");
}

#[test]
fn e15_more_devices_than_tag_values_is_warned_of() {
    let adapter = adapter("influxdb-1");
    let said = |devices: u64, tuning: &[(&str, &str)]| {
        let tuning = tuning.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let mut schema = (*schema()).clone();
        schema.devices = devices;
        let facts = CaseFacts {
            workload: "iot",
            operations: &[OperationKind::Ingestion],
            schema: &schema,
            clients: 10,
            parameters: &BTreeMap::new(),
            tuning: &adapter.tuning(&tuning).unwrap(),
        };
        adapter.cautions(&facts).unwrap()
    };
    let warned = said(100_001, &[]);
    assert!(warned[0].starts_with("100001 devices, and max-values-per-tag is 100000: points"), "{warned:?}");
    assert!(said(100_000, &[]).is_empty());
    assert!(said(100_001, &[("max-values-per-tag", "0")]).is_empty());
    assert!(said(100_001, &[("index-version", "tsi1")]).is_empty());
}

#[test]
fn what_can_not_be_done_has_a_reason() {
    let adapter = adapter("sqlite");
    let mut schema = (*schema()).clone();
    let parameters = BTreeMap::new();
    let tuning = adapter.tuning(&BTreeMap::new()).unwrap();
    let ask = |operations: &[OperationKind], schema: &Schema| {
        let facts =
            CaseFacts { workload: "iot", operations, schema, clients: 1, parameters: &parameters, tuning: &tuning };
        adapter.not_supported(&facts).unwrap()
    };
    assert_eq!(ask(&[OperationKind::Ingestion, OperationKind::GroupByDesc], &schema), None);
    let reason = ask(&[OperationKind::Ingestion, OperationKind::SetOperation], &schema).unwrap();
    assert_eq!(reason, "set operations (Q12) have no template yet");
    let sensor = schema.tables[0].sensors[0].clone();
    schema.tables[0].sensors.resize(1998, sensor);
    let reason = ask(&[OperationKind::Ingestion], &schema).unwrap();
    assert_eq!(reason, "SQLite takes 2000 columns a table at most, not 2001 (1998 sensors, 1 tags, device and time)");
}
