//! Rows, values and totals: what is configured is what comes.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::support::{counted, good, text};
use crate::workload::batch::Batch;
use crate::workload::model::DataType;
use crate::workload::stream::Part;

#[test]
fn sixty_devices_make_600_operations_and_60000_points() {
    let parameters = [("DEVICE_NUMBER", "60"), ("SENSOR_NUMBER", "10"), ("BATCH_SIZE_PER_WRITE", "10"), ("LOOP", "10")];
    let totals = good(10, &parameters).totals();
    assert_eq!((totals.all_operations(), totals.points), (600, 60_000));
    assert_eq!(counted(&*good(10, &parameters)), totals);
}

#[test]
fn e01_twenty_devices_of_300_sensors() {
    let parameters =
        [("DEVICE_NUMBER", "20"), ("SENSOR_NUMBER", "300"), ("BATCH_SIZE_PER_WRITE", "100"), ("LOOP", "10")];
    let totals = good(20, &parameters).totals();
    assert_eq!((totals.operations[0], totals.points), (200, 6_000_000));
    assert_eq!((totals.rows, totals.distinct_points), (20_000, 6_000_000));
    assert_eq!(counted(&*good(20, &parameters)), totals);
}

#[test]
fn e03_unbound_clients_do_loop_operations() {
    let parameters = [
        ("IS_CLIENT_BIND", "false"),
        ("DEVICE_NUMBER", "1000"),
        ("SENSOR_NUMBER", "100"),
        ("BATCH_SIZE_PER_WRITE", "100"),
        ("LOOP", "100"),
    ];
    let totals = good(1, &parameters).totals();
    assert_eq!((totals.all_operations(), totals.points), (100, 1_000_000));
    assert_eq!(counted(&*good(1, &parameters)), totals);
}

#[test]
fn unbound_clients_never_write_a_row_twice() {
    let configured = good(3, &[("IS_CLIENT_BIND", "false"), ("DEVICE_NUMBER", "2"), ("LOOP", "7")]);
    let totals = counted(&*configured);
    assert_eq!(totals.operations[0], 21);
    assert_eq!(totals.distinct_points, 21 * 1000);
    assert_eq!(totals, configured.totals());
}

#[test]
fn real_insert_rate_is_exact() {
    for (rate, written) in [("0.5", 10), ("0.33", 7), ("1", 20), ("0.05", 1)] {
        let configured = good(3, &[("DEVICE_NUMBER", "20"), ("REAL_INSERT_RATE", rate), ("LOOP", "10")]);
        assert_eq!(configured.totals().operations[0], written * 10, "{rate}");
        assert_eq!(counted(&*configured), configured.totals());
    }
}

#[test]
fn the_first_row_lies_at_start_time_and_steps_follow() {
    let configured = good(1, &[("DEVICE_NUMBER", "1"), ("BATCH_SIZE_PER_WRITE", "3"), ("POINT_STEP", "7")]);
    let mut stream = configured.build().stream(0, Part::Measured);
    let mut batch = Batch::default();
    stream.next(&mut batch);
    assert_eq!(batch.blocks[0].times, [1_640_966_400_000, 1_640_966_400_007, 1_640_966_400_014]);
    stream.next(&mut batch);
    assert_eq!(batch.blocks[0].times[0], 1_640_966_400_021);
    assert_eq!(configured.schema().span, (1_640_966_400_000, 1_640_966_400_000 + 299 * 7));
}

#[test]
fn precision_scales_start_time() {
    let parameters = [("TIMESTAMP_PRECISION", "ns"), ("START_TIME", "2022-01-01T00:00:00Z"), ("POINT_STEP", "5")];
    assert_eq!(good(1, &parameters).schema().span.0, 1_640_995_200_000_000_000);
}

#[test]
fn batch_disorder_begins_in_the_middle_and_writes_every_row() {
    let parameters = [
        ("DEVICE_NUMBER", "1"),
        ("LOOP", "4"),
        ("BATCH_SIZE_PER_WRITE", "5"),
        ("IS_OUT_OF_ORDER", "true"),
        ("OUT_OF_ORDER_MODE", "BATCH"),
    ];
    let configured = good(1, &parameters);
    assert_eq!(counted(&*configured).distinct_points, 4 * 5 * 10);
    let mut stream = configured.build().stream(0, Part::Measured);
    let mut batch = Batch::default();
    stream.next(&mut batch);
    assert_eq!(batch.blocks[0].times[0], 1_640_966_400_000 + 10 * 5000);
}

#[test]
fn a_value_hangs_on_its_row_alone() {
    let order = |mode: &str| {
        let parameters = [
            ("DEVICE_NUMBER", "2"),
            ("LOOP", "5"),
            ("BATCH_SIZE_PER_WRITE", "7"),
            ("IS_OUT_OF_ORDER", if mode.is_empty() { "false" } else { "true" }),
            ("OUT_OF_ORDER_MODE", if mode.is_empty() { "POISSON" } else { mode }),
        ];
        let configured = good(1, &parameters);
        let mut stream = configured.build().stream(0, Part::Measured);
        let mut batch = Batch::default();
        let mut rows = BTreeMap::new();
        while stream.next(&mut batch).is_some() {
            let block = &batch.blocks[0];
            for (row, time) in block.times.iter().enumerate() {
                let values: Vec<String> = block.columns.iter().map(|column| text(&column.values, row)).collect();
                rows.insert((block.runs[0].device, *time), values);
            }
        }
        rows
    };
    let straight = order("");
    assert_eq!(straight.len(), 2 * 35);
    assert_eq!(straight, order("BATCH"));
}

#[test]
fn types_lie_in_blocks_in_proportion() {
    let types = |sensors: &str, proportion: &str| -> Vec<DataType> {
        let configured =
            good(1, &[("SENSOR_NUMBER", sensors), ("INSERT_DATATYPE_PROPORTION", proportion), ("DEVICE_NUMBER", "9")]);
        configured.schema().tables[0].sensors.iter().map(|sensor| sensor.data_type).collect()
    };
    use DataType::*;
    assert_eq!(types("3", "0:0:0:0:1:0"), [Double; 3]);
    assert_eq!(types("6", "1:1:1:1:1:1"), DataType::ALL);
    assert_eq!(types("5", "0:2:0:0:3:0"), [Int32, Int32, Double, Double, Double]);
    assert_eq!(types("10", "1:1:1"), [Boolean, Boolean, Boolean, Int32, Int32, Int32, Int64, Int64, Int64, Int64]);
}

#[test]
fn warm_up_rows_lie_before_start_time_and_differ() {
    let configured = good(2, &[("DEVICE_NUMBER", "3"), ("POINT_STEP", "86400000"), ("LOOP", "1")]);
    let mut stream = configured.build().stream(0, Part::Warmup);
    assert_eq!(stream.steps(), None);
    let mut batch = Batch::default();
    let mut seen = BTreeSet::new();
    for _ in 0..500 {
        assert!(stream.next(&mut batch).is_some());
        for time in &batch.blocks[0].times {
            assert!(*time < configured.schema().span.0);
            assert!(seen.insert((batch.blocks[0].runs[0].device, *time)));
        }
    }
}

proptest! {
    #[test]
    fn totals_are_what_the_streams_do(
        clients in 1u32..6,
        devices in 6u64..12,
        loops in 13u64..40,
        batch in 1u32..6,
        proportion in prop::sample::select(vec!["1", "1:1", "1:0:2:1", "0:1:1", "0:0:1", "3:1:1:1:1:1:1:1:1:1:1:1"]),
        bind: bool,
        disorder in prop::sample::select(vec!["none", "POISSON", "BATCH"]),
        regular: bool,
        rate in prop::sample::select(vec!["1", "0.5", "0.2"]),
    ) {
        let parameters = [
            ("DEVICE_NUMBER", devices.to_string()),
            ("LOOP", loops.to_string()),
            ("BATCH_SIZE_PER_WRITE", batch.to_string()),
            ("OPERATION_PROPORTION", proportion.to_owned()),
            ("IS_CLIENT_BIND", bind.to_string()),
            ("IS_OUT_OF_ORDER", (disorder != "none").to_string()),
            ("OUT_OF_ORDER_MODE", if disorder == "none" { "POISSON" } else { disorder }.to_owned()),
            ("LAMBDA", "4".to_owned()),
            ("IS_REGULAR_FREQUENCY", regular.to_string()),
            ("REAL_INSERT_RATE", rate.to_owned()),
            ("SENSOR_NUMBER", "3".to_owned()),
        ];
        prop_assume!(bind || disorder != "POISSON" || !proportion.starts_with(['1', '3']) || proportion == "1");
        let parameters: Vec<(&str, &str)> = parameters.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let configured = good(clients, &parameters);
        prop_assert_eq!(counted(&*configured), configured.totals());
    }
}
