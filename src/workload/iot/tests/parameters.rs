//! Parameters: reading, checks, canonical texts.

use super::support::{bad, configure, good, raw};
use crate::workload::iot::IotKind;
use crate::workload::kind::{ParameterRole, Surroundings, WorkloadKind};

#[test]
fn canonical_texts_configure_an_equal_workload() {
    let configured = good(
        3,
        &[
            ("loop", "1e3"),
            ("TAG_NUMBER", "2"),
            ("TAG_VALUE_CARDINALITY", "[3, 4]"),
            ("START_TIME", "2020-01-01T00:00:00+08:00"),
            ("OPERATION_PROPORTION", "1:0:0.5"),
            ("BATCH_SIZE", "1_0"),
        ],
    );
    let canonical = configured.canonical();
    assert_eq!(canonical["LOOP"], "1000");
    assert_eq!(canonical["BATCH_SIZE_PER_WRITE"], "10");
    assert_eq!(canonical["TAG_VALUE_CARDINALITY"], "3,4");
    assert_eq!(canonical["START_TIME"], "2019-12-31T16:00:00Z");
    assert_eq!(canonical["DATA_SEED"], "666");
    let again: Vec<(&str, &str)> = canonical.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let again = good(3, &again);
    assert_eq!(again.canonical(), canonical);
    assert_eq!(again.totals(), configured.totals());
}

#[test]
fn defaults_in_the_table_are_those_in_force() {
    let canonical = good(10, &[]).canonical();
    for spec in IotKind.parameters() {
        if let (Some(default), Some(value)) = (spec.default, canonical.get(spec.name)) {
            let again = good(10, &[(spec.name, default)]);
            assert_eq!(&again.canonical()[spec.name], value, "{}", spec.name);
        }
    }
}

#[test]
fn a_change_is_as_if_it_had_been_typed_at_first() {
    let base = good(5, &[("LOOP", "10"), ("SENSOR_NUMBER", "3")]);
    let around = Surroundings { clients: Some(5), seed: 666 };
    let changed = base.with(&raw(&[("LOOP", "20"), ("DEVICE_NUMBER", "50")]), around).unwrap();
    assert_eq!(
        changed.canonical(),
        good(5, &[("LOOP", "20"), ("SENSOR_NUMBER", "3"), ("DEVICE_NUMBER", "50")]).canonical()
    );
    let found = base.with(&raw(&[("DEVICE_NUMBER", "4")]), around).err().unwrap();
    assert!(found[0].message.contains("DEVICE_NUMBER 4") && found[0].message.contains("5 clients"));
}

#[test]
fn findings_name_values_and_point_at_them() {
    let diagnostic = bad(10, &[("SENSOR_NUMBER", "4"), ("LOOP", "ten")]);
    assert!(diagnostic.message.contains("LOOP") && diagnostic.message.contains("`ten`"), "{}", diagnostic.message);
    assert_eq!(diagnostic.labels[0].span.start, 10);

    let diagnostic = bad(10, &[("LOOP", "20"), ("OPERATION_PROPORTION", "1:0:0:0:0:0:0:0:0:0:0:0:0:1")]);
    assert!(diagnostic.message.contains("14") && diagnostic.message.contains("13"), "{}", diagnostic.message);

    let diagnostic = bad(10, &[("LOOP", "3"), ("OPERATION_PROPORTION", "1:1:1:1")]);
    assert!(diagnostic.message.contains('3') && diagnostic.message.contains('4'), "{}", diagnostic.message);
    assert_eq!(diagnostic.labels.iter().map(|label| label.span.start).collect::<Vec<_>>(), [0, 10]);

    let diagnostic = bad(1, &[("TAG_NUMBER", "2"), ("TAG_VALUE_CARDINALITY", "5")]);
    assert!(diagnostic.message.contains('2') && diagnostic.message.contains('1'));

    let diagnostic = bad(1, &[("TIMESTAMP_PRECISION", "s")]);
    assert!(diagnostic.message.contains("`s`") && diagnostic.message.contains("ms, us or ns"));

    let diagnostic = bad(1, &[("INSERT_DATATYPE_PROPORTION", "1:1:1:1:1:1:1:0:0:0:0")]);
    assert!(diagnostic.message.contains("STRING"));

    let diagnostic = bad(1, &[("DEVICE_NAME_PREFIX", "d ,=")]);
    assert!(diagnostic.message.contains("letters, digits"));

    let diagnostic = bad(1, &[("BATCH_SIZE", "1"), ("BATCH_SIZE_PER_WRITE", "2")]);
    assert_eq!(diagnostic.code, "given-twice");

    let diagnostic = bad(1, &[("OPERATION_PROPORTION", "0:0:0:1"), ("INSERT_DATATYPE_PROPORTION", "1")]);
    assert_eq!(diagnostic.code, "no-numeric-sensor");

    let diagnostic = bad(1, &[("LOOP", "1e18"), ("POINT_STEP", "1e6")]);
    assert_eq!(diagnostic.code, "time-out-of-range");
}

#[test]
fn p10_fewer_loops_than_operations_names_both() {
    let diagnostic = bad(10, &[("LOOP", "3"), ("OPERATION_PROPORTION", "1:1:1:1:0:0:0:0:0")]);
    assert_eq!(diagnostic.code, "fewer-loops-than-operations");
}

#[test]
fn findings_come_all_at_once() {
    let found = configure(1, &[("LOOP", "ten"), ("DEVICE_NUMBER", "-1"), ("IS_CLIENT_BIND", "ture")]).err().unwrap();
    assert_eq!(found.len(), 3);
}

#[test]
fn a_difference_is_what_the_canonical_texts_differ_in() {
    let base = good(5, &[("LOOP", "10"), ("SENSOR_NUMBER", "3")]);
    for spec in IotKind.parameters().iter().filter(|spec| matches!(spec.role, ParameterRole::Data | ParameterRole::Own))
    {
        let changes: &[(&str, &str)] = match spec.kind {
            "integer" if spec.name == "TAG_NUMBER" => &[("TAG_NUMBER", "1"), ("TAG_VALUE_CARDINALITY", "9")],
            "integer" => &[(spec.name, "7")],
            "number" => &[(spec.name, "0.25")],
            "boolean" => &[("IS_CLIENT_BIND", "false")],
            "text" => &[(spec.name, "x_")],
            _ => continue,
        };
        let changed = base.with(&raw(changes), Surroundings { clients: Some(5), seed: 666 }).unwrap();
        let canonical = base.canonical();
        let expected: Vec<(String, String)> =
            changed.canonical().into_iter().filter(|(name, value)| canonical[name] != *value).collect();
        assert_eq!(changed.difference(&*base), expected, "{}", spec.name);
        assert!(!expected.is_empty() || changes[0].1 == canonical[changes[0].0], "{}", spec.name);
        assert_eq!(changed.outline(), changed.schema().outline());
    }
}
