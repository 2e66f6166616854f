//! `velodrome adapters` from outside.

use crate::harness::Sandbox;

#[test]
fn all_databases_are_listed_in_aligned_columns() {
    let said = Sandbox::new().run(&["adapters"]);
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
    let lines: Vec<&str> = said.out.lines().collect();
    let column = lines[0].find("DRIVER").unwrap();
    for (name, driver) in [
        ("blackhole", "blackhole"),
        ("influxdb-1", "influx"),
        ("postgres", "postgres"),
        ("sqlite", "sqlite"),
        ("timescaledb", "postgres"),
    ] {
        let line = lines.iter().find(|line| line.starts_with(name)).unwrap();
        assert!(line[column..].starts_with(driver), "{line}");
    }
    let timescaledb = lines.iter().find(|line| line.starts_with("timescaledb")).unwrap();
    assert!(timescaledb.ends_with("docker, existing  not verified against a server"), "{timescaledb}");
}

#[test]
fn one_is_shown_whole() {
    let said = Sandbox::new().run(&["adapters", "show", "sqlite"]);
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
    insta::assert_snapshot!(said.out);
}

#[test]
fn an_unknown_name_is_told_with_the_nearest() {
    let said = Sandbox::new().run(&["adapters", "show", "postgrs"]);
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("there is no adapter `postgrs`"), "{}", said.err);
    assert!(said.err.contains("did you mean `postgres`?"), "{}", said.err);
    assert!(said.err.contains("the adapters are blackhole, influxdb-1, postgres"), "{}", said.err);
}

/// A database that speaks a known protocol needs no Rust: a folder is enough, wherever it lies.
#[test]
fn a_folder_adds_an_adapter_and_another_takes_the_place_of_a_known_one() {
    let sandbox = Sandbox::new();
    let cratedb = "format: 1\nname: cratedb\ntitle: CrateDB\nabout: Mine.\nbased_on: postgres\ndriver: postgres\n\
                   versions: { default: '5.9' }\ndocker: { image: 'crate:{{ version }}', port: 5432, data: /data, login: {} }\n\
                   workloads: { iot: { create: iot/create.sql, queries: { Q1: iot/rows.sql, Q2: mine.sql } } }\n";
    let sqlite = "format: 1\nname: sqlite\ntitle: My SQLite\nabout: Mine.\ndriver: sqlite\nversions: { default: x }\n\
                  embedded: { file: mine.sqlite }\ntuning:\n  page_size: { about: Bytes., type: size, apply: connect }\n\
                  on_connect: ['PRAGMA page_size = {{ tuning.page_size }}']\n";
    sandbox.write("mine/cratedb/adapter.yaml", cratedb).write("mine/cratedb/mine.sql", "SELECT {{ start }}");
    sandbox.write("mine/sqlite/adapter.yaml", sqlite);
    let listed = sandbox.run(&["adapters", "--adapters", "mine"]);
    assert!(listed.out.contains("CrateDB") && listed.out.contains("My SQLite"), "{}", listed.out);
    assert!(listed.out.contains("influxdb-1"), "{}", listed.out);
    for arguments in [
        ["adapters", "show", "cratedb", "--adapters", "mine"],
        ["adapters", "--adapters", "mine/cratedb", "show", "cratedb"],
    ] {
        let shown = sandbox.run(&arguments);
        assert_eq!((shown.code, shown.err.as_str()), (Some(0), ""));
        assert!(shown.out.contains("docker: image crate:5.9, port 5432"), "{}", shown.out);
        assert!(shown.out.contains("INGESTION, Q1 PRECISE_POINT, Q2 TIME_RANGE\n"), "{}", shown.out);
        assert!(shown.out.contains("  shared_buffers: "), "it has what the one it is based on has: {}", shown.out);
    }
}

#[test]
fn an_adapter_without_workloads_has_those_of_its_base() {
    let sandbox = Sandbox::new();
    let mine = "format: 1\nname: mine\ntitle: Mine\nabout: Mine.\nbased_on: postgres\ndriver: postgres\n\
                versions: { default: '1' }\ndocker: { image: 'mine:{{ version }}', port: 5432, data: /data, login: {} }\n";
    sandbox.write("mine/adapter.yaml", mine);
    sandbox
        .write("s.yaml", "suite: s\ntargets: [mine]\nscenarios: [{ name: write, workload: { iot: { LOOP: 2 } } }]\n");
    let said = sandbox.run(&["plan", "s.yaml", "--adapters", "mine", "--no-calibration"]);
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{}", said.out);
    assert!(said.out.contains("mine/write") && !said.out.contains("not supported"), "{}", said.out);
}

#[test]
fn a_bad_folder_is_told_with_the_place() {
    let sandbox = Sandbox::new();
    let text = "format: 1\nname: mine\ntitle: Mine\nabout: A.\ndriver: oracle\nversions: { default: x }\nembedded: {}\n\
                workloads: { iot: { queries: { Q1: nosuch.sql } } }\n";
    sandbox.write("mine/adapter.yaml", text);
    let said = sandbox.run(&["adapters", "--adapters", "mine"]);
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("mine/adapter.yaml:5:9"), "{}", said.err);
    assert!(said.err.contains("there is no driver oracle"), "{}", said.err);
    assert!(said.err.contains("mine/adapter.yaml:8:36"), "{}", said.err);
    assert!(said.err.contains("there is no file nosuch.sql in mine"), "{}", said.err);
}
