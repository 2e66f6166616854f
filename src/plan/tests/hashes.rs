//! What hashes are over.

use super::help::{expanded, expanded_with, one};
use crate::plan::Hash;
use crate::suite::Overrides;
use crate::workload::kind::ParameterRole;

fn hash(text: &str) -> Hash {
    expanded(text).summary(0).hash
}

#[test]
fn equal_content_has_equal_hashes_however_it_is_written() {
    let plain = hash(&one("sqlite", "LOOP: 1000, DEVICE_NUMBER: 7", ""));
    for same in [
        one("sqlite", "loop: 1e3, device_number: 7", ""),
        one("sqlite", "LOOP: 5, DEVICE_NUMBER: 7", "sweep: { matrix: { LOOP: [1_000, 2] } }"),
        one("sqlite", "LOOP: \"{{ n * 10 }}\", DEVICE_NUMBER: 7", "vars: { n: 100 }"),
        one("sqlite", "LOOP: 1000, DEVICE_NUMBER: 7, SENSOR_NUMBER: 10", ""),
        one("{ name: other, adapter: sqlite }", "LOOP: 1000, DEVICE_NUMBER: 7", "description: x"),
        one("sqlite", "LOOP: 1000, DEVICE_NUMBER: 7, DATA_CLIENT_NUMBER: 7", ""),
        one("sqlite", "LOOP: 1000, DEVICE_NUMBER: 7", "rounds: 3\norder: sequential\nreport: { baseline: sqlite }"),
    ] {
        assert_eq!(hash(&same), plain, "{same}");
    }
}

#[test]
fn whatever_shapes_a_result_changes_the_hash() {
    let base = "LOOP: 10, DEVICE_NUMBER: 7";
    let texts = [
        one("sqlite", base, ""),
        one("blackhole", base, ""),
        one("sqlite", "LOOP: 11, DEVICE_NUMBER: 7", ""),
        one("sqlite", "LOOP: 10, DEVICE_NUMBER: 8", ""),
        one("sqlite", &format!("{base}, BATCH_SIZE_PER_WRITE: 3"), ""),
        one("sqlite", &format!("{base}, CLIENT_NUMBER: 3"), ""),
        one("sqlite", base, "seed: 1"),
        one("sqlite", base, "policy: { on_error: abort }"),
        one("sqlite", base, "policy: { timeout: 3h }"),
        one("sqlite", base, "verify: { counts: off }"),
        one("sqlite", base, "sweep: { matrix: { tuning.synchronous: [full] } }"),
        one("sqlite", base, "sweep: { matrix: { load.duration: [3s] } }"),
        one("{ adapter: postgres, docker: { memory: 1GiB } }", base, ""),
        one("{ adapter: postgres, docker: { memory: 2GiB } }", base, ""),
        one("{ adapter: postgres, version: \"15\" }", base, ""),
        one("{ adapter: postgres, write_method: insert }", base, ""),
        one("postgres", base, ""),
    ];
    let hashes: std::collections::HashSet<Hash> = texts.iter().map(|text| hash(text)).collect();
    assert_eq!(hashes.len(), texts.len());
}

#[test]
fn a_reader_changes_with_the_case_that_it_stands_on() {
    let text = |loops: u32| {
        let readers = "  - name: b\n    on: a\n    workload: { iot: { LOOP: 2, OPERATION_PROPORTION: \"0:1\" } }";
        expanded(&one("sqlite", &format!("LOOP: {loops}"), readers)).summary(1).hash
    };
    assert_ne!(text(1), text(2));
    assert_eq!(text(1), text(1));
}

#[test]
fn a_secret_and_where_it_is_kept_are_in_no_hash() {
    let text = |password: &str| {
        let target =
            format!("{{ adapter: postgres, existing: {{ hosts: [\"db:5432\"], password: {{ env: {password} }} }} }}");
        hash(&one(&target, "LOOP: 1", ""))
    };
    assert_eq!(text("A"), text("B"));
}

#[test]
fn a_plans_hash_is_over_order_and_rounds_too() {
    let plan = |more: &str| expanded(&one("sqlite, blackhole", "LOOP: 1", more)).hash();
    let hashes: std::collections::HashSet<Hash> =
        ["", "rounds: 2", "rounds: 2\norder: sequential", "seed: 3"].iter().map(|more| plan(more)).collect();
    assert_eq!(hashes.len(), 4);
    assert_eq!(plan("description: nothing"), plan("report: { baseline: sqlite }"));
}

#[test]
fn each_parameter_of_a_workload_is_in_the_hash() {
    let base = "LOOP: 20, SENSOR_NUMBER: 9, DEVICE_NUMBER: 12, CLIENT_NUMBER: 2, OPERATION_PROPORTION: \"1:1:1\"";
    let mut seen = std::collections::HashMap::from([(hash(&one("blackhole", base, "")), "nothing".to_owned())]);
    let kind = crate::workload::kind::find("iot").unwrap();
    let own = |role| matches!(role, ParameterRole::Data | ParameterRole::Own);
    for spec in kind.parameters().iter().filter(|spec| own(spec.role)) {
        let other = match spec.kind {
            "integer" => "3",
            "number" => "0.25",
            "boolean" if spec.default == Some("true") => "false",
            "boolean" => "true",
            "text" => "x_",
            _ => continue,
        };
        let axis = format!("sweep: {{ matrix: {{ {}: [\"{other}\"] }} }}", spec.name);
        let Ok(expansion) = expanded_with(&one("blackhole", base, &axis), &Overrides::default()) else { continue };
        let same = seen.insert(expansion.summary(0).hash, spec.name.to_owned());
        assert_eq!(same, None, "{} changes nothing", spec.name);
    }
    assert!(seen.len() > 30, "{seen:?}");
}
