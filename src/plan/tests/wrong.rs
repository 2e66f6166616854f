//! What is wrong with suites as their adapters and workloads see it.

use super::help::{expanded, expanded_with, ids, one, refused, refused_with};
use crate::suite::Overrides;

fn only(text: &str) -> Overrides {
    Overrides { only: vec![text.to_owned()], ..Overrides::default() }
}

#[test]
fn an_undefined_name_is_told_with_its_place() {
    let said = refused(&one("sqlite", "LOOP: \"{{ nope + 1 }}\"", ""));
    assert!(said.contains("`nope` is not defined") && said.contains("suite.yaml:6:24"), "{said}");
}

#[test]
fn names_that_lead_back_to_themselves_are_told() {
    let said = refused(&one("sqlite", "LOOP: \"{{ DEVICE_NUMBER }}\", DEVICE_NUMBER: \"{{ LOOP }}\"", ""));
    assert!(said.contains("leads back to itself"), "{said}");
}

#[test]
fn what_a_workload_refuses_is_told_once_with_the_number_of_cells() {
    let proportion = "OPERATION_PROPORTION: \"1:1:1:1\"";
    let said =
        refused(&one("sqlite, blackhole", proportion, "sweep: { matrix: { LOOP: [3, 40], DEVICE_NUMBER: [5, 6] } }"));
    assert!(said.contains("the same in 4 cells") && said.contains("1 error"), "{said}");
}

#[test]
fn an_unknown_tuning_parameter_is_told_with_all_there_are() {
    let said = refused(&one("{ adapter: sqlite, tuning: { synchronus: full } }", "LOOP: 1", ""));
    assert!(said.contains("perhaps `synchronous`") && said.contains("journal_mode"), "{said}");
    let said = refused(&one("{ adapter: sqlite, tuning: { synchronous: sometimes } }", "LOOP: 1", ""));
    assert!(said.contains("sometimes"), "{said}");
    let said = refused(&one("sqlite, postgres", "LOOP: 1", "sweep: { matrix: { tuning.nothing: [1] } }"));
    assert!(said.contains("no target has this tuning parameter"), "{said}");
}

#[test]
fn an_axis_over_a_variable_that_nothing_uses_is_refused() {
    let said = refused(&one("sqlite", "LOOP: 1", "vars: { n: 1 }\nsweep: { matrix: { n: [1, 2] } }"));
    assert!(said.contains("the axis `n` changes nothing: no template that it is for uses this variable"), "{said}");
}

#[test]
fn a_cell_that_no_target_can_do_is_refused_and_one_that_some_can_is_marked() {
    let wide = "SENSOR_NUMBER: 3000, LOOP: 10";
    let said = refused(&one("sqlite, postgres", wide, ""));
    assert!(said.contains("no target of this suite can do `a`: sqlite: SQLite takes 2000 columns"), "{said}");
    assert!(said.contains("postgres: PostgreSQL takes 1600 columns"), "{said}");
    let reader = "  - name: b\n    on: a\n    workload: { iot: { LOOP: 2, OPERATION_PROPORTION: \"0:1\" } }";
    let expansion = expanded(&one("sqlite, blackhole", wide, reader));
    let reasons: Vec<bool> = (0..4).map(|case| expansion.not_supported(case).is_some()).collect();
    assert_eq!(ids(&expansion), ["sqlite/a", "blackhole/a", "sqlite/b", "blackhole/b"]);
    assert_eq!(reasons, [true, false, true, false]);
}

#[test]
fn e15_many_devices_on_influxdb_1_are_warned_of_once() {
    let sweep = "sweep: { matrix: { DEVICE_NUMBER: [100000, 100001, 200000] } }";
    let expansion = expanded(&one("influxdb-1", "LOOP: 1, SENSOR_NUMBER: 1", sweep));
    let warnings: Vec<&str> = expansion.warnings.iter().map(|warning| warning.message.as_str()).collect();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].starts_with("influxdb-1: 100001 devices"), "{warnings:?}");
}

#[test]
fn s08_only_that_matches_nothing_names_what_there_is() {
    let text = one("sqlite, blackhole", "DEVICE_NUMBER: 1", "sweep: { matrix: { LOOP: [1, 2] } }");
    let said = refused_with(&text, &only("nosuch"));
    assert!(said.contains("nosuch") && said.contains("sqlite, blackhole"), "{said}");
    let said = refused_with(&text, &only("target=sqlite,LOOP=9"));
    assert!(said.contains("no case has LOOP=9") && said.contains("LOOP has the values: 1, 2"), "{said}");
}

#[test]
fn only_keeps_what_it_names_and_what_that_stands_on() {
    let reader = "  - name: b\n    on: a\n    workload: { iot: { LOOP: 2, OPERATION_PROPORTION: \"0:1\" } }\nsweep: { matrix: { DEVICE_NUMBER: [1, 2] } }";
    let text = one("sqlite, blackhole", "LOOP: 1", reader);
    let kept = |selectors: &str| ids(&expanded_with(&text, &only(selectors)).unwrap());
    assert_eq!(
        kept("target=sqlite,scenario=b,device_number=2"),
        ["sqlite/a/DEVICE_NUMBER=2", "sqlite/b/DEVICE_NUMBER=2"]
    );
    assert_eq!(kept("blackhole,a,DEVICE_NUMBER=1"), ["blackhole/a/DEVICE_NUMBER=1"]);
    let case = expanded_with(&text, &only("b,DEVICE_NUMBER=2")).unwrap().case(2).unwrap();
    assert_eq!((case.id.as_str(), case.on.as_deref()), ("sqlite/b/DEVICE_NUMBER=2", Some("sqlite/a/DEVICE_NUMBER=2")));
}

#[test]
fn an_own_axis_is_meant_before_one_of_the_data() {
    let reader = "  - name: b\n    on: a\n    workload: { iot: { OPERATION_PROPORTION: \"0:1\" } }\n    sweep: { matrix: { LOOP: [3, 4] } }\nsweep: { matrix: { LOOP: [1, 2] } }";
    let text = one("blackhole", "DEVICE_NUMBER: 2", reader);
    let kept = |selectors: &str| ids(&expanded_with(&text, &only(selectors)).unwrap());
    assert_eq!(kept("LOOP=1"), ["blackhole/a/LOOP=1"]);
    assert_eq!(kept("LOOP=4,a.LOOP=1"), ["blackhole/a/LOOP=1", "blackhole/b/a.LOOP=1,LOOP=4"]);
}

#[test]
fn an_assertion_about_cases_that_are_left_out_is_left_out_too() {
    let more = "sweep: { matrix: { LOOP: [1, 2] } }\nassert: [\"p99(LOOP=2) <= 50ms\", \"p99(a) <= 50ms\"]";
    let text = one("sqlite", "DEVICE_NUMBER: 2", more);
    let set = Overrides { set: vec!["LOOP=9".to_owned()], ..Overrides::default() };
    for overrides in [only("LOOP=1"), set] {
        let expansion = expanded_with(&text, &overrides).unwrap();
        let said: Vec<&str> = expansion.warnings.iter().map(|warning| warning.message.as_str()).collect();
        assert_eq!(said, ["this assertion is about cases that are left out, so it is not checked"]);
        assert_eq!(expansion.plan().assertions.len(), 1);
    }
}

#[test]
fn an_assertion_that_selects_nothing_is_refused() {
    let said = refused(&one("sqlite", "LOOP: 1", "assert: [\"p99(operation=Q1) <= 50ms\"]"));
    assert!(said.contains("this assertion selects no case"), "{said}");
    expanded(&one("sqlite", "LOOP: 1", "assert: [\"p99(a) <= 50ms\"]"));
}
