//! Which cells a suite has, and what is in them.

use proptest::prelude::*;

use super::help::{expanded, ids, one, parameter};

#[test]
fn no_sweep_is_one_case_without_axes() {
    let expansion =
        expanded(&one("blackhole", "LOOP: 3, DEVICE_NUMBER: 4, SENSOR_NUMBER: 5, BATCH_SIZE_PER_WRITE: 6", ""));
    assert_eq!(ids(&expansion), ["blackhole/a"]);
    let case = expansion.case(0).unwrap();
    assert_eq!((case.operations, case.points, case.rows), (Some(12), Some(360), Some(72)));
    assert_eq!((case.parameters["LOOP"].as_str(), case.load.clients), ("3", 4));
    assert_eq!(expansion.trials(), [(0, 1)]);
}

#[test]
fn a_matrix_is_every_combination_with_exclude_and_include() {
    let sweep = "sweep:\n  matrix: { LOOP: [10, 20], DEVICE_NUMBER: [30, 1e1] }\n  exclude: [{ LOOP: 20, DEVICE_NUMBER: 30 }]\n  include: [{ LOOP: 99, DEVICE_NUMBER: 70 }]";
    let expansion = expanded(&one("blackhole", "SENSOR_NUMBER: 4", sweep));
    let wanted = [
        "blackhole/a/LOOP=10,DEVICE_NUMBER=30",
        "blackhole/a/LOOP=10,DEVICE_NUMBER=10",
        "blackhole/a/LOOP=20,DEVICE_NUMBER=10",
        "blackhole/a/LOOP=99,DEVICE_NUMBER=70",
    ];
    assert_eq!(ids(&expansion), wanted);
    assert_eq!(parameter(&expansion, "DEVICE_NUMBER"), ["30", "10", "10", "70"]);
}

#[test]
fn names_in_either_case_and_aliases_are_one_axis() {
    let expansion = expanded(&one("blackhole", "loop: 7", "sweep: { matrix: { Loop: [2, 3], batch_size: [5] } }"));
    assert_eq!(
        ids(&expansion),
        ["blackhole/a/LOOP=2,BATCH_SIZE_PER_WRITE=5", "blackhole/a/LOOP=3,BATCH_SIZE_PER_WRITE=5"]
    );
}

#[test]
fn zips_go_side_by_side_with_variables_and_templates() {
    let text = "
suite: test
vars: { scale: 100, span: 1h, half: \"{{ span / 2 }}\" }
targets: [postgres, timescaledb]
scenarios:
  - name: a
    workload: { iot: { DEVICE_NUMBER: \"{{ scale }}\", LOOP: 10 } }
    tuning: { timescaledb: { chunk_time_interval: \"{{ half / 6 }}\" } }
    sweep: { zip: { scale: [100, 400], span: [1h, 30m] } }
";
    let expansion = expanded(text);
    let wanted = ["a/scale=100,span=1h", "a/scale=400,span=30m"];
    assert_eq!(ids(&expansion)[..2], wanted.map(|id| format!("postgres/{id}")));
    assert_eq!(ids(&expansion)[2..], wanted.map(|id| format!("timescaledb/{id}")));
    assert_eq!(parameter(&expansion, "DEVICE_NUMBER"), ["100", "400", "100", "400"]);
    let chunks: Vec<Option<String>> =
        expansion.cases().map(|case| case.tuning.get("chunk_time_interval").cloned()).collect();
    assert_eq!(chunks, [None, None, Some("5m".to_owned()), Some("150s".to_owned())]);
}

#[test]
fn a_zip_may_repeat_values_and_shows_each_row_once() {
    let text = "
suite: test
targets: [sqlite, blackhole]
scenarios: [{ name: a, workload: { iot: { DEVICE_NUMBER: 1 } } }]
sweep:
  zip: { LOOP: [1, 1, 2], SENSOR_NUMBER: [5, 5, 5], tuning.synchronous: [full, \"off\", full] }
  exclude: [{ LOOP: 1, tuning.synchronous: \"off\" }]
  include: [{ LOOP: 2, SENSOR_NUMBER: 5, tuning.synchronous: full }, { LOOP: 3, SENSOR_NUMBER: 5, tuning.synchronous: full }]
";
    let wanted = [
        "sqlite/a/LOOP=1,SENSOR_NUMBER=5,tuning.synchronous=full",
        "sqlite/a/LOOP=2,SENSOR_NUMBER=5,tuning.synchronous=full",
        "sqlite/a/LOOP=3,SENSOR_NUMBER=5,tuning.synchronous=full",
        "blackhole/a/LOOP=1,SENSOR_NUMBER=5",
        "blackhole/a/LOOP=2,SENSOR_NUMBER=5",
        "blackhole/a/LOOP=3,SENSOR_NUMBER=5",
    ];
    assert_eq!(ids(&expanded(text)), wanted);
}

#[test]
fn an_included_cell_that_is_there_comes_once() {
    let sweep = "sweep: { matrix: { LOOP: [1, 2] }, exclude: [{ LOOP: 2 }], include: [{ LOOP: 1 }, { LOOP: 2 }] }";
    let expansion = expanded(&one("blackhole", "DEVICE_NUMBER: 1", sweep));
    assert_eq!(ids(&expansion), ["blackhole/a/LOOP=1", "blackhole/a/LOOP=2"]);
}

#[test]
fn an_axis_multiplies_only_what_it_changes() {
    let text = "
suite: test
vars: { chunk: 1h }
targets: [sqlite, timescaledb]
scenarios:
  - name: a
    workload: { iot: { LOOP: 10 } }
    tuning: { timescaledb: { chunk_time_interval: \"{{ chunk }}\" } }
sweep: { matrix: { chunk: [1h, 2h], LOOP: [1, 2], tuning.synchronous: [full, \"off\"] } }
";
    let expansion = expanded(text);
    let wanted = [
        "sqlite/a/LOOP=1,tuning.synchronous=full",
        "sqlite/a/LOOP=1,tuning.synchronous=off",
        "sqlite/a/LOOP=2,tuning.synchronous=full",
        "sqlite/a/LOOP=2,tuning.synchronous=off",
        "timescaledb/a/LOOP=1,chunk=1h",
        "timescaledb/a/LOOP=1,chunk=2h",
        "timescaledb/a/LOOP=2,chunk=1h",
        "timescaledb/a/LOOP=2,chunk=2h",
    ];
    assert_eq!(ids(&expansion), wanted);
}

#[test]
fn per_target_axes_belong_to_a_target_or_to_all_of_an_adapter() {
    let text = "
suite: test
targets: [{ name: one, adapter: sqlite }, { name: two, adapter: sqlite }, blackhole]
scenarios:
  - name: a
    workload: { iot: { LOOP: 10 } }
    sweep:
      matrix: { LOOP: [1, 2] }
      per_target: { sqlite: { tuning.synchronous: [full] }, two: { tuning.synchronous: [\"off\", normal] } }
";
    let wanted = [
        "one/a/LOOP=1,tuning.synchronous=full",
        "one/a/LOOP=2,tuning.synchronous=full",
        "two/a/LOOP=1,tuning.synchronous=off",
        "two/a/LOOP=1,tuning.synchronous=normal",
        "two/a/LOOP=2,tuning.synchronous=off",
        "two/a/LOOP=2,tuning.synchronous=normal",
        "blackhole/a/LOOP=1",
        "blackhole/a/LOOP=2",
    ];
    assert_eq!(ids(&expanded(text)), wanted);
}

#[test]
fn paths_of_load_and_policy_are_axes() {
    let sweep = "sweep: { matrix: { load.clients: [1, 2], policy.timeout: [30m], pacing_is_none: [1] } }";
    let sweep = sweep.replace(", pacing_is_none: [1]", ", TEST_MAX_TIME: [3000]");
    let expansion = expanded(&one("blackhole", "DEVICE_NUMBER: 5", &sweep));
    let wanted = [
        "load.clients=1,policy.timeout=30m,TEST_MAX_TIME=3000",
        "load.clients=2,policy.timeout=30m,TEST_MAX_TIME=3000",
    ];
    assert_eq!(ids(&expansion), wanted.map(|id| format!("blackhole/a/{id}")));
    let case = expansion.case(1).unwrap();
    assert_eq!((case.load.clients, case.policy.timeout.unwrap().as_secs()), (2, 1800));
    assert_eq!(case.load.duration.unwrap().as_secs(), 3);
    assert_eq!(expansion.shown_parameters(&case)["DATA_CLIENT_NUMBER"], "2");
}

#[test]
fn e03_a_client_that_is_not_bound_writes_loop_operations() {
    let parameters = "IS_CLIENT_BIND: false, DEVICE_NUMBER: 1000, SENSOR_NUMBER: 100, BATCH_SIZE_PER_WRITE: 100, LOOP: 100, CLIENT_NUMBER: 1";
    let case = expanded(&one("blackhole", parameters, "")).case(0).unwrap();
    assert_eq!((case.operations, case.points), (Some(100), Some(1_000_000)));
}

#[test]
fn r01_overrides_stay_for_later_tests() {
    let routine =
        "sweep:\n  routine: |\n    LOOP=10 DEVICE_NUMBER=100 TEST\n    LOOP=20 DEVICE_NUMBER=50 TEST\n    LOOP=50 TEST";
    let expansion = expanded(&one("blackhole", "LOOP: 100, DEVICE_NUMBER: 6000", routine));
    assert_eq!(parameter(&expansion, "LOOP"), ["10", "20", "50"]);
    assert_eq!(parameter(&expansion, "DEVICE_NUMBER"), ["100", "50", "50"]);
    assert!(expansion.cases().all(|case| case.on.is_none()));
}

#[test]
fn r07_a_line_or_two_make_the_same_test() {
    let plan = |lines: &str| {
        let expansion = expanded(&one("blackhole", "LOOP: 1", &format!("sweep:\n  routine: |\n{lines}")));
        (ids(&expansion), expansion.hash())
    };
    assert_eq!(plan("    LOOP=1000\n    TEST"), plan("    LOOP=1000 TEST"));
}

#[test]
fn a_test_that_is_repeated_has_an_id_of_its_own() {
    let expansion = expanded(&one("blackhole", "LOOP: 1", "sweep:\n  routine: |\n    LOOP=2 TEST\n    TEST"));
    assert_eq!(ids(&expansion), ["blackhole/a/LOOP=2", "blackhole/a/LOOP=2#2"]);
    assert_eq!(expansion.summary(0).hash, expansion.summary(1).hash);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn a_matrix_has_its_product_less_excluded_and_more_included(
        loops in proptest::collection::btree_set(1_u32..50, 1..5),
        devices in proptest::collection::btree_set(1_u32..50, 1..5),
        out in 0_usize..5,
    ) {
        let (loops, devices): (Vec<u32>, Vec<u32>) = (loops.into_iter().collect(), devices.into_iter().collect());
        let one_out = loops[out % loops.len()];
        let only_one = loops.len() == 1;
        let exclude = if only_one { String::new() } else { format!("\n  exclude: [{{ LOOP: {one_out} }}]") };
        let sweep = format!("sweep:\n  matrix: {{ LOOP: {loops:?}, DEVICE_NUMBER: {devices:?} }}{exclude}\n  include: [{{ LOOP: 60, DEVICE_NUMBER: 61 }}]");
        let expansion = expanded(&one("blackhole, sqlite", "SENSOR_NUMBER: 1", &sweep));
        let left_out = if only_one { 0 } else { devices.len() };
        prop_assert_eq!(expansion.len(), 2 * (loops.len() * devices.len() - left_out + 1));
        let ids = ids(&expansion);
        let unique: std::collections::HashSet<&String> = ids.iter().collect();
        prop_assert_eq!(unique.len(), ids.len());
    }
}
