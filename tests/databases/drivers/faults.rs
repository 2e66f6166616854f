//! What each driver says when a real server refuses, is away, or goes away.

use std::time::{Duration, Instant};

use velodrome::driver::error::{DriverError, ErrorClass};
use velodrome::driver::protocol::Session;
use velodrome::driver::types::{Answer, Endpoint, Secret, SessionOptions};
use velodrome::workload::model::Precision;

use super::model::{batch, rows, schema};
use super::server::{DATABASE, Server};
use super::{ALL, Arc};
use crate::scene::docker;

/// What connecting says, or else the first statement.
async fn first_word(server: &Server, endpoint: &Endpoint) -> DriverError {
    match server.driver.connect(endpoint, &SessionOptions::default()).await {
        Err(error) => error,
        Ok(mut session) => session.execute(&server.adapter.file.ready.as_ref().unwrap().statement).await.unwrap_err(),
    }
}

async fn written(session: &mut dyn Session, rows: &[super::model::Row]) -> Result<u64, DriverError> {
    session.encode(&batch(&[(0, rows)], &ALL)).unwrap();
    session.write().await.map(|written| written.ok_points)
}

/// A wrong password is refused by name of the host, and said nowhere.
async fn t10_a_wrong_password_is_refused_and_not_said(server: &Server, database: &str) {
    let endpoint = Endpoint {
        user: Some("velodrome".to_owned()),
        password: Some(Secret::new("s3cr3t-Pw")),
        ..server.in_database(database)
    };
    let error = first_word(server, &endpoint).await;
    let host = format!("127.0.0.1:{}", server.endpoint.hosts[0].1);
    assert!(error.class == ErrorClass::Refused && error.message.contains(&host), "{error}");
    assert!(!format!("{error} {error:?} {endpoint:?}").contains("s3cr3t-Pw"));
}

/// Killed while it writes: the connection is lost; after that nobody listens.
async fn a_kill_is_a_lost_connection(server: &Server, mut session: Box<dyn Session>) {
    let container = server.container.clone().unwrap();
    let killer = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        docker(&["kill", &container]);
    });
    let began = Instant::now();
    let error = loop {
        let turn = began.elapsed().as_millis() as i64;
        if let Err(error) = written(&mut *session, &rows(1, turn * 5_000_000, 1_000, 0)).await {
            break error;
        }
        assert!(began.elapsed() < Duration::from_secs(30));
    };
    assert_eq!(error.class, ErrorClass::LostConnection, "{error}");
    killer.join().unwrap();
    let error = written(&mut *session, &rows(1, 0, 1, 0)).await.unwrap_err();
    assert!(matches!(error.class, ErrorClass::Refused | ErrorClass::LostConnection), "{error}");
}

#[tokio::test]
async fn postgres_errors_are_classed() {
    let server = Server::start("postgres", "faults", &[]).await;
    let schema = schema(Precision::Ms);
    let mut session = server.fresh(&schema, None).await;
    t10_a_wrong_password_is_refused_and_not_said(&server, "postgres").await;

    let unknown = first_word(&server, &server.in_database("nosuch")).await;
    assert!(unknown.class == ErrorClass::Refused && unknown.message.contains("\"nosuch\" does not exist"), "{unknown}");
    let syntax = session.query("SELEC 1", &mut Answer::default()).await.unwrap_err();
    assert_eq!((syntax.class, syntax.message.contains("(SQLSTATE 42601)")), (ErrorClass::Rejected, true), "{syntax}");

    session.execute("ALTER TABLE g_0 RENAME TO g_away").await.unwrap();
    let missing = written(&mut *session, &rows(1, 0, 2, 0)).await.unwrap_err();
    assert!(missing.class == ErrorClass::Rejected && missing.message.contains("\"g_0\" does not exist"), "{missing}");
    session.execute("ALTER TABLE g_away RENAME TO g_0").await.unwrap();
    assert_eq!(written(&mut *session, &rows(1, 0, 2, 0)).await, Ok(12));

    let options = SessionOptions { query_timeout: Duration::from_millis(300), ..server.options(Some(&schema), None) };
    let mut hurried = server.driver.connect(&server.in_database(DATABASE), &options).await.unwrap();
    let began = Instant::now();
    let late = hurried.query("SELECT pg_sleep(20)", &mut Answer::default()).await.unwrap_err();
    assert!(late.class == ErrorClass::Timeout && began.elapsed() < Duration::from_secs(5), "{late}");
    let sleeping = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%' AND state = 'active'";
    tokio::time::sleep(Duration::from_millis(200)).await;
    let left = server.ask_in(DATABASE, sleeping).await.unwrap();
    assert_eq!(left.rows[0][0].to_string(), "0", "the server was asked to stop");
    hurried.query("SELECT 1", &mut Answer::default()).await.unwrap();
    a_kill_is_a_lost_connection(&server, session).await;
}

#[tokio::test]
async fn e26_a_deadlock_is_transient_and_both_writers_end() {
    let server = Server::start("postgres", "deadlock", &[]).await;
    let schema = schema(Precision::Ms);
    let mut session = server.fresh(&schema, None).await;
    assert_eq!(written(&mut *session, &[rows(1, 0, 1, 0), rows(2, 0, 1, 0)].concat()).await, Ok(12));
    let open = async || {
        server.driver.connect(&server.in_database(DATABASE), &server.options(Some(&schema), None)).await.unwrap()
    };
    let (mut left, mut right) = (open().await, open().await);
    let update = |device: &str| format!("UPDATE g_0 SET i = i + 1 WHERE device = '{device}'");
    for (session, device) in [(&mut left, "d_1"), (&mut right, "d_2")] {
        session.execute("BEGIN").await.unwrap();
        session.execute(&update(device)).await.unwrap();
    }
    let crossed = [update("d_2"), update("d_1")];
    let (left, right) = tokio::join!(left.execute(&crossed[0]), right.execute(&crossed[1]));
    let failed = [left, right].into_iter().find_map(Result::err).unwrap();
    assert!(failed.class == ErrorClass::Transient && failed.message.contains("40P01"), "{failed}");
}

#[tokio::test]
async fn influxdb_1_errors_are_classed() {
    let login = [
        ("INFLUXDB_HTTP_AUTH_ENABLED", "true"),
        ("INFLUXDB_ADMIN_USER", "root"),
        ("INFLUXDB_ADMIN_PASSWORD", "letmein"),
        ("INFLUXDB_DATA_MAX_VALUES_PER_TAG", "2"),
    ];
    let mut server = Server::start("influxdb-1", "faults", &login).await;
    t10_a_wrong_password_is_refused_and_not_said(&server, "").await;
    server.endpoint.user = Some("root".to_owned());
    server.endpoint.password = Some(Secret::new("letmein"));
    let schema = schema(Precision::Ms);
    let mut session = server.fresh(&schema, None).await;

    let syntax = session.query("SELEC 1", &mut Answer::default()).await.unwrap_err();
    assert!(syntax.class == ErrorClass::Rejected && syntax.message.contains("found SELEC"), "{syntax}");
    let endpoint = server.in_database("nosuch");
    let mut nowhere = server.driver.connect(&endpoint, &server.options(Some(&schema), None)).await.unwrap();
    let unknown = written(&mut *nowhere, &rows(1, 0, 1, 0)).await.unwrap_err();
    assert!(unknown.class == ErrorClass::Rejected && unknown.message.contains("database not found"), "{unknown}");
    // An error inside a 200.
    let unknown = nowhere.query("SELECT d FROM g_0", &mut Answer::default()).await.unwrap_err();
    assert!(unknown.class == ErrorClass::Rejected && unknown.message.contains("database not found"), "{unknown}");
    e15_points_beyond_the_values_of_a_tag_are_counted_as_failed(&mut *session).await;
    large_batches_are_split(&server, &schema).await;
    a_kill_is_a_lost_connection(&server, session).await;
}

/// The server takes two devices: the third's rows are dropped, counted exactly, and told once.
async fn e15_points_beyond_the_values_of_a_tag_are_counted_as_failed(session: &mut dyn Session) {
    assert_eq!(written(session, &[rows(1, 0, 10, 0), rows(2, 0, 10, 0)].concat()).await, Ok(120));
    // Its index looks only at devices that it knows already, so a third one in the first batch would have been let through.
    let three = [rows(1, 0, 10, 0), rows(2, 0, 10, 0), rows(3, 0, 4, 0)].concat();
    session.encode(&batch(&[(0, &three)], &ALL)).unwrap();
    let written = session.write().await.unwrap();
    assert_eq!((written.ok_points, written.failed_points), (120, 24));
    let error = written.error.unwrap();
    assert_eq!(error.class, ErrorClass::Rejected);
    assert!(error.message.starts_with("partial write: max-values-per-tag limit exceeded (2/2)"), "{error}");
    assert!(error.message.ends_with("dropped=4"), "{error}");
}

/// A batch larger than a request is sent in parts and counted once.
async fn large_batches_are_split(server: &Server, schema: &Arc<velodrome::workload::model::Schema>) {
    let options = SessionOptions { max_request_bytes: Some(500), ..server.options(Some(schema), None) };
    let mut session = server.driver.connect(&server.in_database(DATABASE), &options).await.unwrap();
    assert_eq!(written(&mut *session, &rows(1, 1_000_000, 40, 0)).await, Ok(240));
    let count = "SELECT count(d) FROM g_0 WHERE time >= 1000000ms";
    assert_eq!(server.ask_in(DATABASE, count).await.unwrap().rows[0][1].to_string(), "40");
    let options = SessionOptions { max_request_bytes: Some(20), ..options };
    let mut session = server.driver.connect(&server.in_database(DATABASE), &options).await.unwrap();
    let too_long = written(&mut *session, &rows(1, 0, 4, 0)).await.unwrap_err();
    assert!(too_long.class == ErrorClass::Rejected && too_long.message.contains("takes 20 a request"), "{too_long}");
}

#[tokio::test]
async fn sqlite_errors_are_classed() {
    let server = Server::start("sqlite", "faults", &[]).await;
    let schema = schema(Precision::Ms);
    let mut session = server.fresh(&schema, None).await;
    let syntax = session.query("SELEC 1", &mut Answer::default()).await.unwrap_err();
    assert_eq!(syntax.class, ErrorClass::Rejected, "{syntax}");
    let endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n";
    let options = SessionOptions { query_timeout: Duration::from_millis(100), ..server.options(Some(&schema), None) };
    let mut hurried = server.driver.connect(&server.endpoint, &options).await.unwrap();
    let late = hurried.query(endless, &mut Answer::default()).await.unwrap_err();
    assert_eq!(late.class, ErrorClass::Timeout, "{late}");

    // Another client holds the file: waited for as long as allowed, then transient.
    session.execute("BEGIN IMMEDIATE").await.unwrap();
    hurried.execute("PRAGMA busy_timeout = 50").await.unwrap();
    let busy = written(&mut *hurried, &rows(1, 0, 2, 0)).await.unwrap_err();
    assert!(busy.class == ErrorClass::Transient && busy.message.contains("locked"), "{busy}");
    session.execute("COMMIT").await.unwrap();
    assert_eq!(written(&mut *hurried, &rows(1, 0, 2, 0)).await, Ok(12));

    session.execute("DROP TABLE g_0").await.unwrap();
    let missing = written(&mut *session, &rows(1, 0, 2, 0)).await.unwrap_err();
    assert!(missing.class == ErrorClass::Rejected && missing.message.contains("no such table: g_0"), "{missing}");
    let nowhere = Endpoint { file: Some("/no/such/folder/x.sqlite".into()), ..Endpoint::default() };
    let refused = server.driver.connect(&nowhere, &options).await.err().unwrap();
    assert_eq!(refused.class, ErrorClass::Refused, "{refused}");
}
