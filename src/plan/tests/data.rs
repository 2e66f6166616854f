//! Cases that stand on the data of others.

use super::help::{expanded, ids, one, parameter, refused};

const READS: &str = "
suite: test
targets: [sqlite, blackhole]
scenarios:
  - name: ask
    on: load
    workload: { iot: { LOOP: 7, OPERATION_PROPORTION: \"0:1\" } }
    sweep: { matrix: { QUERY_INTERVAL: [1000, 2000] } }
  - name: load
    workload: { iot: { LOOP: 3, SENSOR_NUMBER: 4 } }
sweep: { matrix: { DEVICE_NUMBER: [5, 6] } }
rounds: 2
";

#[test]
fn a_reader_takes_the_shape_of_its_data_and_keeps_its_own() {
    let expansion = expanded(READS);
    let wanted = [
        "sqlite/ask/DEVICE_NUMBER=5,QUERY_INTERVAL=1000",
        "sqlite/ask/DEVICE_NUMBER=5,QUERY_INTERVAL=2000",
        "sqlite/ask/DEVICE_NUMBER=6,QUERY_INTERVAL=1000",
        "sqlite/ask/DEVICE_NUMBER=6,QUERY_INTERVAL=2000",
    ];
    assert_eq!(ids(&expansion)[..4], wanted);
    let case = expansion.case(2).unwrap();
    assert_eq!(case.on.as_deref(), Some("sqlite/load/DEVICE_NUMBER=6"));
    let value = |name: &str| case.parameters[name].as_str();
    assert_eq!((value("DEVICE_NUMBER"), value("SENSOR_NUMBER"), value("LOOP")), ("6", "4", "7"));
    assert!(!case.writes);
}

#[test]
fn a_reader_that_gives_its_data_another_shape_is_refused() {
    let said = refused(&READS.replace("LOOP: 7,", "LOOP: 7, SENSOR_NUMBER: 9,"));
    assert!(said.contains("SENSOR_NUMBER is 9 here and 4 in the data of `load`"), "{said}");
    assert!(said.contains("suite.yaml:7:"), "{said}");
    assert!(said.contains("the same in 8 cells"), "{said}");
}

#[test]
fn a_reader_may_say_what_its_data_have() {
    assert_eq!(expanded(&READS.replace("LOOP: 7,", "LOOP: 7, SENSOR_NUMBER: 4,")).len(), 12);
}

#[test]
fn a_readers_axis_of_the_same_name_leaves_both_labels() {
    let text = READS.replace("matrix: { DEVICE_NUMBER: [5, 6] }", "matrix: { LOOP: [1] }");
    let expansion = expanded(&text.replace("QUERY_INTERVAL: [1000, 2000]", "LOOP: [8]"));
    assert_eq!(ids(&expansion)[0], "sqlite/ask/load.LOOP=1,LOOP=8");
    assert_eq!(expansion.case(0).unwrap().parameters["LOOP"], "8");
}

#[test]
fn variables_of_the_data_are_those_of_the_load() {
    let text = READS
        .replace("targets:", "vars: { n: 1 }\ntargets:")
        .replace("LOOP: 3,", "LOOP: \"{{ n }}\",")
        .replace("LOOP: 7,", "LOOP: \"{{ n * 10 + DEVICE_NUMBER }}\",")
        .replace("matrix: { DEVICE_NUMBER: [5, 6] }", "matrix: { n: [2, 3] }");
    let expansion = expanded(&text);
    assert_eq!(parameter(&expansion, "LOOP")[..6], ["120", "120", "130", "130", "120", "120"]);
}

#[test]
fn a_scenario_that_only_asks_needs_data() {
    let said = refused(&one("sqlite", "OPERATION_PROPORTION: \"0:1\"", ""));
    assert!(said.contains("`a` only asks, and stands on no data"), "{said}");
}

/// TSDB-Autotune's routine: one test that writes, five that ask the same data.
const AUTOTUNE: &str = "
sweep:
  routine: |
    OPERATION_PROPORTION=1:0:0:0:0:0:0:0:0 PROJECT_TYPE=INGESTION PROJECT_ID=AGG_TEST_02 TEST
    OPERATION_PROPORTION=0:0:0:0:1:1:1:0:0 PROJECT_TYPE=QUERY QUERY_INTERVAL=10000 TEST
    QUERY_INTERVAL=60000 TEST
    QUERY_INTERVAL=3600000 TEST
    QUERY_INTERVAL=86400000 TEST
    QUERY_INTERVAL=604800000 TEST
";

#[test]
fn r15_tests_that_only_ask_stand_on_the_test_that_wrote() {
    let base = "DEVICE_NUMBER: 1, SENSOR_NUMBER: 1, BATCH_SIZE: 5000, LOOP: 50, CLIENT_NUMBER: 1, IS_DELETE_DATA: false, INSERT_DATATYPE_PROPORTION: \"0:0:0:0:1:0\"";
    let expansion = expanded(&one("timescaledb", base, AUTOTUNE));
    assert_eq!(expansion.len(), 6);
    assert_eq!(parameter(&expansion, "QUERY_INTERVAL")[1..], ["10000", "60000", "3600000", "86400000", "604800000"]);
    let cases: Vec<_> = expansion.cases().collect();
    assert!(cases[0].on.is_none() && cases[0].writes && cases[0].points == Some(250_000));
    for case in &cases[1..] {
        assert_eq!(case.on.as_ref(), Some(&cases[0].id));
        assert!(!case.writes && case.points == Some(0));
        assert!(case.parameters["OPERATION_PROPORTION"].starts_with("0:0:0:0:1:1:1:0"), "it stays for later tests");
        assert_eq!(case.policy.reset, crate::suite::model::Reset::Never);
    }
    assert_eq!(cases[0].policy.reset, crate::suite::model::Reset::Case);
    let order: Vec<(u32, u32)> = (0..6).map(|case| (case, 1)).collect();
    assert_eq!(expansion.trials(), order);
}

#[test]
fn a_routine_whose_test_asks_data_of_another_shape_is_refused() {
    let routine = "sweep:\n  routine: |\n    LOOP=2 TEST\n    OPERATION_PROPORTION=0:1 DEVICE_NUMBER=3 TEST";
    let said = refused(&one("sqlite", "DEVICE_NUMBER: 4", routine));
    assert!(said.contains("DEVICE_NUMBER is 3 here and 4 in the data"), "{said}");
}
