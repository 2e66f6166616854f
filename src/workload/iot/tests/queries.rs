//! Which queries come.

use std::collections::{BTreeMap, BTreeSet};

use super::support::{good, queries};
use crate::workload::operation::OperationKind;
use crate::workload::stream::Part;

#[test]
fn query_windows_move_on_by_step_size() {
    let configured = good(
        2,
        &[
            ("OPERATION_PROPORTION", "0:1:1:0:0:0:0:1:0:1:0:1"),
            ("STEP_SIZE", "3"),
            ("QUERY_INTERVAL", "60000"),
            ("QUERY_DEVICE_NUM", "4"),
            ("QUERY_SENSOR_NUM", "2"),
        ],
    );
    let all = queries(&*configured, 1, Part::Measured, 100);
    assert_eq!(all.len(), 100);
    let start = configured.schema().span.0;
    let mut counters = BTreeMap::new();
    for query in &all {
        let shared = match query.kind {
            OperationKind::RangeQueryDesc => OperationKind::TimeRange,
            OperationKind::GroupByDesc => OperationKind::GroupBy,
            kind => kind,
        };
        let counter = counters.entry(shared).or_insert(0);
        assert_eq!(query.start, start + *counter * 3 * 5000);
        let precise = query.kind == OperationKind::PrecisePoint;
        assert_eq!(query.end, if precise { query.start } else { query.start + 60_000 });
        *counter += 1;
        assert_eq!(query.devices.iter().collect::<BTreeSet<_>>().len(), 4);
        assert_eq!(query.sensors.iter().collect::<BTreeSet<_>>().len(), 2);
    }
    assert_eq!(all, queries(&*configured, 1, Part::Measured, 100));
    assert_ne!(all[..20], queries(&*configured, 0, Part::Measured, 100)[..20]);
    assert_ne!(all[..20], queries(&*configured, 1, Part::Warmup, 20)[..]);
}

#[test]
fn a_query_asks_devices_of_one_group_and_numbers_where_it_must() {
    let configured = good(
        1,
        &[
            ("OPERATION_PROPORTION", "0:0:0:1:1:1:1:0:0:0:1"),
            ("DEVICE_NUMBER", "10"),
            ("GROUP_NUMBER", "3"),
            ("QUERY_DEVICE_NUM", "3"),
            ("SENSOR_NUMBER", "6"),
        ],
    );
    let schema = configured.schema();
    let all = queries(&*configured, 0, Part::Measured, 100);
    assert_eq!(all.iter().map(|query| query.table).collect::<BTreeSet<_>>().len(), 3);
    for query in all {
        assert!(query.devices.iter().all(|device| *device < 10 && device % 3 == u64::from(query.table)));
        let numeric = schema.tables[0].sensors[query.sensors[0] as usize].data_type.is_numeric();
        assert!(numeric || query.kind == OperationKind::AggRange);
    }
}

#[test]
fn fixed_queries_stay_the_same() {
    let configured = good(1, &[("OPERATION_PROPORTION", "0:0:1"), ("ENABLE_FIXED_QUERY", "true")]);
    let all = queries(&*configured, 0, Part::Measured, 20);
    assert!(all.iter().all(|query| *query == all[0]));
    assert_eq!(all[0].start, configured.schema().span.0);
}
