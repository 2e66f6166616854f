//! Tuning values: checked, applied, read back.

use std::collections::BTreeMap;

use super::{adapter, schema};
use crate::adapter::tuning::{ReadBack, Tuning, TuningPlan};
use crate::adapter::types::Adapter;
use crate::workload::model::{Precision, Schema};

fn asked(values: &[(&str, &str)]) -> BTreeMap<String, String> {
    values.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn tuned(name: &str, values: &[(&str, &str)]) -> (std::sync::Arc<Adapter>, Tuning, TuningPlan) {
    let adapter = adapter(name);
    let tuning = adapter.tuning(&asked(values)).unwrap();
    let plan = adapter.tuning_plan(&tuning, "velodrome_1").unwrap();
    (adapter, tuning, plan)
}

fn read_back(name: &str, parameter: &str, value: &str) -> ReadBack {
    let (adapter, tuning, _) = tuned(name, &[(parameter, value)]);
    adapter.read_backs(&tuning, &schema()).unwrap().remove(0)
}

#[test]
fn every_bad_value_is_told() {
    let errors = adapter("postgres").tuning(&asked(&[
        ("fsync", "maybe"),
        ("shared_bufers", "1"),
        ("work_mem", "4"),
        ("shared_buffers", "64"),
        ("wal_level", "none"),
    ]));
    let said: Vec<String> = errors.unwrap_err().iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        [
            "fsync: \"maybe\" is not on or off",
            "postgres has no tuning parameter shared_bufers",
            "shared_buffers: \"64\" has no unit: a size such as 128MB is expected",
            "wal_level: \"none\" is not one of minimal, replica, logical",
            "work_mem: \"4\" has no unit: a size such as 128MB is expected",
        ]
    );
}

#[test]
fn values_go_where_the_adapter_says() {
    let (adapter, tuning, plan) =
        tuned("postgres", &[("shared_buffers", "128MB"), ("synchronous_commit", "OFF"), ("fsync", "no")]);
    assert_eq!(plan.command, ["-c", "fsync=off", "-c", "shared_buffers=131072kB"]);
    assert_eq!(plan.on_connect, ["SET synchronous_commit = off"]);
    assert_eq!(tuning.needing_start(&adapter), ["fsync", "shared_buffers"]);
    let start = adapter.docker_start("18", &tuning, None).unwrap();
    assert_eq!((start.image.as_str(), start.data.as_str()), ("postgres:18", "/var/lib/postgresql"));
    assert_eq!(start.command, ["postgres", "-c", "fsync=off", "-c", "shared_buffers=131072kB"]);
    assert_eq!(start.environment["POSTGRES_PASSWORD"], "velodrome");

    let (_, _, plan) =
        tuned("influxdb-1", &[("cache-max-memory-size", "2g"), ("index-version", "tsi1"), ("shard-duration", "2h")]);
    assert_eq!(plan.environment["INFLUXDB_DATA_CACHE_MAX_MEMORY_SIZE"], "2147483648");
    assert_eq!(plan.environment["INFLUXDB_DATA_INDEX_VERSION"], "tsi1");
    let database = "ALTER RETENTION POLICY autogen ON \"velodrome_1\" SHARD DURATION 7200s";
    assert_eq!(plan.database[0].statement, database);

    let (_, _, plan) = tuned("blackhole", &[("encode", "csv")]);
    assert_eq!(plan.settings["encode"], "csv");
}

#[test]
fn defaults_are_in_force_where_nothing_is_asked() {
    let (adapter, tuning, plan) = tuned("sqlite", &[("synchronous", "normal"), ("page_size", "8kB")]);
    let statements: Vec<&str> = plan.on_connect.iter().map(String::as_str).collect();
    assert_eq!(
        statements[..4],
        [
            "PRAGMA busy_timeout = 60000",
            "PRAGMA page_size = 8192",
            "PRAGMA journal_mode = wal",
            "PRAGMA synchronous = normal"
        ]
    );
    let durability = adapter.durability(&tuning).unwrap().unwrap();
    assert_eq!(durability, "journal_mode=wal, synchronous=normal: acknowledged before the transaction is on disk");
}

#[test]
fn acknowledged_means_what_the_tuning_makes_of_it() {
    for (name, values, said) in [
        ("postgres", &[][..], "acknowledged when the commit is in the log on disk (synchronous_commit=on, fsync=on)"),
        (
            "postgres",
            &[("synchronous_commit", "off")],
            "acknowledged before the commit is in the log on disk (synchronous_commit=off, fsync=on)",
        ),
        (
            "timescaledb",
            &[("synchronous_commit", "OFF")],
            "acknowledged before the commit is in the log on disk (synchronous_commit=off, fsync=on)",
        ),
        (
            "postgres",
            &[("fsync", "off")],
            "acknowledged when the system has the log, never forced to disk (synchronous_commit=on, fsync=off)",
        ),
        (
            "postgres",
            &[("synchronous_commit", "local")],
            "acknowledged when the commit is in the log on this server's disk, whatever standbys have \
             (synchronous_commit=local, fsync=on)",
        ),
        (
            "postgres",
            &[("synchronous_commit", "remote_write")],
            "acknowledged when the commit is in the log on disk, and standbys have it in memory \
             (synchronous_commit=remote_write, fsync=on)",
        ),
        (
            "postgres",
            &[("synchronous_commit", "remote_apply")],
            "acknowledged when the commit is in the log on disk, and standbys have applied it \
             (synchronous_commit=remote_apply, fsync=on)",
        ),
        (
            "postgres",
            &[("full_page_writes", "off")],
            "acknowledged when the commit is in the log on disk; a page torn by a crash can't be mended \
             (synchronous_commit=on, fsync=on, full_page_writes=off)",
        ),
        ("sqlite", &[], "journal_mode=wal, synchronous=full: acknowledged when the transaction is on disk"),
        (
            "sqlite",
            &[("synchronous", "off")],
            "journal_mode=wal, synchronous=off: acknowledged when the system has it, never forced to disk",
        ),
        (
            "sqlite",
            &[("synchronous", "normal"), ("journal_mode", "delete")],
            "journal_mode=delete, synchronous=normal: acknowledged when the transaction is on disk",
        ),
        (
            "sqlite",
            &[("journal_mode", "memory")],
            "journal_mode=memory, synchronous=full: acknowledged when the transaction is on disk; a crash within a \
             transaction can break the file",
        ),
        ("influxdb-1", &[], "acknowledged when the write is in the log on disk (wal-fsync-delay=0ms)"),
        (
            "influxdb-1",
            &[("wal-fsync-delay", "100ms")],
            "acknowledged when the write is in the log on disk, which is forced there once for the writes of each delay \
             (wal-fsync-delay=100ms)",
        ),
        (
            "influxdb-1",
            &[("wal-fsync-delay", "500us")],
            "acknowledged when the write is in the log on disk, which is forced there once for the writes of each delay \
             (wal-fsync-delay=500us)",
        ),
    ] {
        let (adapter, tuning, _) = tuned(name, values);
        assert_eq!(adapter.durability(&tuning).unwrap().unwrap(), said, "{name} with {values:?}");
    }
}

#[test]
fn a_chunk_interval_is_in_the_time_columns_units() {
    let (adapter, tuning, _) = tuned("timescaledb", &[("chunk_time_interval", "2.58d")]);
    let mut schema = (*schema()).clone();
    let statements = |schema: &Schema| adapter.schema_statements("iot", schema, &tuning).unwrap();
    assert!(statements(&schema)[1].contains("chunk_time_interval => 222912000::bigint"), "{:?}", statements(&schema));
    schema.precision = Precision::Us;
    assert!(statements(&schema)[1].contains("chunk_time_interval => 222912000000::bigint"));
    let back = adapter.read_backs(&tuning, &schema).unwrap().remove(0);
    assert!(back.agrees("222912000000"));
    assert_eq!(back.shown("222912000000"), "222912000000 us");
}

#[test]
fn what_is_read_back_agrees_in_any_spelling() {
    for (name, parameter, value, same, other) in [
        ("postgres", "shared_buffers", "128MB", "128MB", "1GB"),
        ("postgres", "fsync", "off", "off", "on"),
        ("postgres", "fsync", "false", "off", "on"),
        ("postgres", "checkpoint_timeout", "15m", "15min", "5min"),
        ("postgres", "checkpoint_timeout", "15m", "900s", "901s"),
        ("postgres", "synchronous_commit", "OFF", "off", "on"),
        ("postgres", "max_connections", "1_000", "1000", "100"),
        ("influxdb-1", "compact-full-write-cold-duration", "4h", "4h0m0s", "10m0s"),
        ("influxdb-1", "cache-max-memory-size", "1g", "1073741824", "26214400"),
        ("influxdb-1", "shard-duration", "7d", "168h0m0s", "1h0m0s"),
        ("sqlite", "busy_timeout", "60s", "60000", "6000"),
        ("sqlite", "cache_size", "-4000", "-4000", "4000"),
    ] {
        let back = read_back(name, parameter, value);
        assert!(back.statement.is_some(), "{parameter} can't be read back");
        assert!(back.agrees(same), "{parameter}: {value} is {same}");
        assert!(!back.agrees(other), "{parameter}: {value} is not {other}");
        assert!(!back.agrees("nonsense"), "{parameter}");
    }
}

#[test]
fn a_bare_number_counts_the_unit() {
    let mut back = read_back("postgres", "shared_buffers", "128MB");
    assert!(back.agrees("16384") && back.shown("16384") == "16384 × 8kB");
    back.asked = "100000000".to_owned();
    assert!(back.agrees("12207"), "less than a page is rounded");
    assert!(!back.agrees("12205"));
    assert_eq!(read_back("influxdb-1", "index-version", "tsi1").statement, None);
}
