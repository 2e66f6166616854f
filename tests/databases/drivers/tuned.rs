//! Tuning values on real servers: each is applied as the adapter says and read back; so is each default.

use velodrome::workload::model::Precision;

use super::model::schema;
use super::server::{DATABASE, Server, adapter};

/// Every value is in force; those that can't be read back are named.
async fn are_in_force(server: &Server, blind: &[&str]) {
    let schema = schema(Precision::Ms);
    drop(server.fresh(&schema, None).await);
    for back in server.adapter.read_backs(&server.tuning, &schema).unwrap() {
        let Some(statement) = &back.statement else {
            assert!(blind.contains(&back.parameter.as_str()), "{} can't be read back", back.parameter);
            continue;
        };
        let answer = server.ask_in(DATABASE, statement).await.unwrap_or_else(|e| panic!("{e}: {statement}"));
        let cell = answer.rows[0][0].to_string();
        assert!(back.agrees(&cell), "{}: asked {}, read back {cell}", back.parameter, back.asked);
    }
    let version = server.adapter.file.server_version.as_ref().unwrap();
    assert!(server.ask_in(DATABASE, version).await.unwrap().rows[0][0].to_string().contains('.'));
}

/// The adapter's defaults are what the server has by itself; further values take.
async fn take(name: &str, values: &[(&str, &str)], blind: &[&str]) {
    let adapter = adapter(name);
    let tuning = &adapter.file.tuning;
    let defaults: Vec<(String, String)> =
        tuning.iter().filter_map(|(name, parameter)| Some((name.clone(), parameter.default.clone()?))).collect();
    assert_eq!(tuning.len(), values.len(), "each parameter is tried");
    let borrowed = defaults.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let sessions: Vec<(&str, &str)> = borrowed.filter(|(name, _)| !tuning[*name].apply.needs_start()).collect();
    // Those that need a start are not asked for: the server must have them by itself.
    let asked = defaults.iter().cloned().collect();
    let mut untuned = Server::start_tuned(name, "defaults", &[], &sessions).await;
    untuned.tuning = untuned.adapter.tuning(&asked).unwrap();
    are_in_force(&untuned, blind).await;
    drop(untuned);
    are_in_force(&Server::start_tuned(name, "tuned", &[], values).await, blind).await;
}

#[tokio::test]
async fn sqlite_takes_its_tuning() {
    let values = [
        ("busy_timeout", "5s"),
        ("cache_size", "-4000"),
        ("journal_mode", "delete"),
        ("mmap_size", "1MB"),
        ("page_size", "8kB"),
        ("synchronous", "normal"),
        ("temp_store", "memory"),
        ("wal_autocheckpoint", "200"),
    ];
    take("sqlite", &values, &[]).await;
}

#[tokio::test]
async fn postgres_takes_its_tuning() {
    let values = [
        ("autovacuum", "off"),
        ("checkpoint_timeout", "10m"),
        ("effective_io_concurrency", "7"),
        ("fsync", "off"),
        ("full_page_writes", "off"),
        ("max_connections", "50"),
        ("max_wal_size", "2GB"),
        ("shared_buffers", "64MB"),
        ("synchronous_commit", "off"),
        ("wal_buffers", "1MB"),
        ("wal_compression", "pglz"),
        ("wal_level", "minimal"),
        ("work_mem", "8MB"),
    ];
    take("postgres", &values, &[]).await;
}

#[tokio::test]
async fn influxdb_1_takes_its_tuning() {
    let values = [
        ("cache-max-memory-size", "2g"),
        ("cache-snapshot-memory-size", "50m"),
        ("cache-snapshot-write-cold-duration", "5m"),
        ("compact-full-write-cold-duration", "1d"),
        ("index-version", "tsi1"),
        ("max-concurrent-compactions", "1"),
        ("max-series-per-database", "0"),
        ("max-values-per-tag", "1_000"),
        ("shard-duration", "2h"),
        ("wal-fsync-delay", "100ms"),
    ];
    take("influxdb-1", &values, &["index-version"]).await;
}
