//! The order of trials.

use std::collections::HashMap;

use proptest::prelude::*;

use super::help::{expanded, one, trials};

#[test]
fn rounds_are_interleaved_over_targets_within_a_cell() {
    let sweep = "sweep: { matrix: { LOOP: [1, 2] } }\nrounds: 2";
    let expansion = expanded(&one("sqlite, blackhole", "DEVICE_NUMBER: 1", sweep));
    let wanted = [
        "sqlite/a/LOOP=1 1",
        "blackhole/a/LOOP=1 1",
        "sqlite/a/LOOP=1 2",
        "blackhole/a/LOOP=1 2",
        "sqlite/a/LOOP=2 1",
        "blackhole/a/LOOP=2 1",
        "sqlite/a/LOOP=2 2",
        "blackhole/a/LOOP=2 2",
    ];
    assert_eq!(trials(&expansion), wanted);
}

#[test]
fn sequential_is_all_rounds_of_a_case_together() {
    let expansion = expanded(&one("sqlite, blackhole", "DEVICE_NUMBER: 1", "rounds: 2\norder: sequential"));
    assert_eq!(trials(&expansion), ["sqlite/a 1", "sqlite/a 2", "blackhole/a 1", "blackhole/a 2"]);
}

#[test]
fn readers_rounds_follow_over_the_last_rounds_data() {
    let readers =
        "  - name: b\n    on: a\n    workload: { iot: { LOOP: 2, OPERATION_PROPORTION: \"0:1\" } }\nrounds: 2";
    let expansion = expanded(&one("sqlite, blackhole", "LOOP: 1", readers));
    let wanted = [
        "sqlite/a 1",
        "blackhole/a 1",
        "sqlite/a 2",
        "blackhole/a 2",
        "sqlite/b 1",
        "blackhole/b 1",
        "sqlite/b 2",
        "blackhole/b 2",
    ];
    assert_eq!(trials(&expansion), wanted);
}

#[test]
fn a_group_with_a_member_that_writes_is_run_whole_in_each_round() {
    let routine = "rounds: 2\nsweep:\n  routine: |\n    TEST\n    IS_DELETE_DATA=false LOOP=2 TEST\n    IS_DELETE_DATA=true LOOP=3 TEST";
    let expansion = expanded(&one("sqlite, blackhole", "LOOP: 1", routine));
    let wanted = [
        "sqlite/a 1",
        "sqlite/a/IS_DELETE_DATA=false,LOOP=2 1",
        "blackhole/a 1",
        "blackhole/a/IS_DELETE_DATA=false,LOOP=2 1",
        "sqlite/a 2",
        "sqlite/a/IS_DELETE_DATA=false,LOOP=2 2",
        "blackhole/a 2",
        "blackhole/a/IS_DELETE_DATA=false,LOOP=2 2",
        "sqlite/a/IS_DELETE_DATA=true,LOOP=3 1",
        "blackhole/a/IS_DELETE_DATA=true,LOOP=3 1",
        "sqlite/a/IS_DELETE_DATA=true,LOOP=3 2",
        "blackhole/a/IS_DELETE_DATA=true,LOOP=3 2",
    ];
    assert_eq!(trials(&expansion), wanted);
}

#[test]
fn each_case_stands_on_the_last_that_wrote_to_its_data() {
    let more = "  - name: b\n    on: a\n    workload: { iot: { LOOP: 4, OPERATION_PROPORTION: \"0:1\" } }\nsweep:\n  routine: |\n    TEST\n    IS_DELETE_DATA=false LOOP=2 TEST\n    OPERATION_PROPORTION=0:1 TEST\n    OPERATION_PROPORTION=1:1 TEST";
    let expansion = expanded(&one("sqlite", "LOOP: 1", more));
    let on: Vec<Option<String>> = expansion.cases().map(|case| case.on).collect();
    let ids = super::help::ids(&expansion);
    assert_eq!(on[..5], [None, Some(ids[0].clone()), Some(ids[1].clone()), Some(ids[1].clone()), Some(ids[3].clone())]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn each_round_of_each_case_comes_once_and_readers_after_their_load(
        loops in 1_u32..4,
        intervals in 1_u32..3,
        rounds in 1_u32..4,
        sequential: bool,
        writes: bool,
    ) {
        let list = |count: u32| (1..=count).collect::<Vec<u32>>();
        let order = if sequential { "sequential" } else { "interleaved" };
        let proportion = if writes { "1:1" } else { "0:1" };
        let more = format!(
            "  - name: b\n    on: a\n    workload: {{ iot: {{ LOOP: 4, OPERATION_PROPORTION: \"{proportion}\" }} }}\n    sweep: {{ matrix: {{ QUERY_INTERVAL: {:?} }} }}\nrounds: {rounds}\norder: {order}\nsweep: {{ matrix: {{ LOOP: {:?} }} }}",
            list(intervals), list(loops),
        );
        let expansion = expanded(&one("sqlite, blackhole", "DEVICE_NUMBER: 3", &more));
        let mut times: HashMap<(u32, u32), usize> = HashMap::new();
        for (time, trial) in expansion.trials().iter().enumerate() {
            prop_assert!(times.insert(*trial, time).is_none(), "{trial:?} twice");
        }
        prop_assert_eq!(times.len(), expansion.len() * rounds as usize);
        for (case, cell) in expansion.cells.iter().enumerate().filter(|(_, cell)| cell.head != u32::MAX) {
            for round in 1..=rounds {
                // Over the last round's data, or, where the group is run whole, over the same round's.
                let loaded = if writes { round } else { rounds };
                prop_assert!(times[&(case as u32, round)] > times[&(cell.on, loaded)]);
            }
        }
    }
}
