//! Each driver against the real server of each adapter that uses it: what was written is there, and every query is answered as
//! the data say. A further database is a further line in `each_database!`.

mod faults;
mod model;
mod server;
mod tuned;

use std::sync::Arc;

use model::{Model, batch, edges, rows, schema, seen};
use server::{DATABASE, Server};
use velodrome::adapter::queries::Queries;
use velodrome::driver::protocol::Session;
use velodrome::driver::types::{Answer, Cell};
use velodrome::workload::model::{Precision, Schema};
use velodrome::workload::operation::{Aggregate, OperationKind, Query};

const ALL: [u32; 6] = [0, 1, 2, 3, 4, 5];

macro_rules! each_database {
    ($($test:ident: $adapter:literal, $methods:expr;)*) => {
        $(#[tokio::test]
        async fn $test() {
            let server = Server::start($adapter, "answers", &[]).await;
            for method in $methods {
                stores_and_answers(&server, method, Precision::Ms).await;
            }
            stores_and_answers(&server, None, Precision::Ns).await;
        })*
    };
}

each_database! {
    sqlite_stores_and_answers: "sqlite", [Some("upsert")];
    postgres_stores_and_answers: "postgres", [Some("copy"), Some("insert")];
    influxdb_1_stores_and_answers: "influxdb-1", [Some("line_protocol")];
}

/// Writes, rewrites and asks; the database must hold and answer what the model does.
async fn stores_and_answers(server: &Server, method: Option<&str>, precision: Precision) {
    let schema = schema(precision);
    let mut session = server.fresh(&schema, method).await;
    let mut model = Model::default();
    let mut writer = Writer { session: &mut *session, model: &mut model };

    // Every type at its edges; several devices and tables in one batch.
    writer.write(&[(0, edges())], &ALL).await;
    let two = [rows(1, 0, 20, 0), rows(2, 0, 20, 1)].concat();
    writer.write(&[(0, two), (1, rows(3, -10_000, 20, 0))], &ALL).await;
    assert_eq!(stored(server, &schema).await, model.count());
    check_answers(server, &schema, &model).await;

    // Rows that are there already, some of them twice in one batch: the last one wins.
    let mut writer = Writer { session: &mut *session, model: &mut model };
    let again = [rows(2, 50_000, 4, 5), rows(1, 0, 30, 2), rows(2, 50_000, 2, 6), rows(2, 50_000, 1, 7)].concat();
    writer.write(&[(0, again)], &ALL).await;
    // More than one message or statement holds, twice.
    for turn in 0..2 {
        writer.write(&[(1, rows(5, 0, 8_000, turn))], &ALL).await;
    }
    // One sensor at a time: the others of the same row stay.
    writer.write(&[(0, rows(1, 10_000, 5, 9))], &[4]).await;
    writer.write(&[(0, rows(4, 0, 10, 3))], &[3]).await;
    writer.write(&[(0, rows(4, 5_000, 10, 3))], &[4]).await;
    assert_eq!(stored(server, &schema).await, model.count());
    check_answers(server, &schema, &model).await;

    // Emptied, and written again.
    for statement in server.adapter.truncate_statements("iot", &schema, &server.tuning).unwrap() {
        session.execute(&statement).await.unwrap();
    }
    assert_eq!(stored(server, &schema).await, 0);
    let mut model = Model::default();
    Writer { session: &mut *session, model: &mut model }.write(&[(1, rows(3, 0, 2, 0))], &ALL).await;
    assert_eq!(stored(server, &schema).await, 12);
    is_emptied(server).await;
}

/// Nothing of a user's is left in a database that was emptied and stays.
async fn is_emptied(server: &Server) {
    let statements = server.adapter.database_statements(DATABASE).unwrap();
    let contents = statements.contents.unwrap();
    assert_ne!(server.ask_in(DATABASE, &contents).await.unwrap().rows, [[]; 0]);
    for statement in &statements.empty {
        server.ask_in(DATABASE, statement).await.unwrap();
    }
    if server.adapter.file.existing.is_some() {
        assert_eq!(server.ask_in(DATABASE, &contents).await.unwrap().rows, [[]; 0]);
    }
}

struct Writer<'a> {
    session: &'a mut dyn Session,
    model: &'a mut Model,
}

impl Writer<'_> {
    async fn write(&mut self, tables: &[(u32, Vec<model::Row>)], sensors: &[u32]) {
        let borrowed: Vec<(u32, &[model::Row])> = tables.iter().map(|(table, rows)| (*table, &rows[..])).collect();
        let batch = batch(&borrowed, sensors);
        let bytes = self.session.encode(&batch).unwrap();
        let written = self.session.write().await.unwrap();
        assert_eq!((written.ok_points, written.failed_points, written.error), (batch.points(), 0, None));
        assert_eq!(written.bytes, bytes);
        tables.iter().for_each(|(table, rows)| self.model.write(*table, rows, sensors));
    }
}

/// The stored points by the adapter's own statements.
async fn stored(server: &Server, schema: &Arc<Schema>) -> u64 {
    let mut sum = 0;
    for statement in server.adapter.count_statements("iot", schema, &server.tuning).unwrap() {
        let answer = server.ask_in(DATABASE, &statement).await.unwrap();
        let number = |cell: &Cell| match cell {
            Cell::Integer(number) => *number as u64,
            other => panic!("a count that is {other:?}"),
        };
        sum += answer.rows.iter().flatten().map(number).sum::<u64>();
    }
    sum
}

/// Asks Q1 to Q11 in several shapes.
async fn check_answers(server: &Server, schema: &Arc<Schema>, model: &Model) {
    let queries = Queries::new(&server.adapter, "iot", Arc::clone(schema)).unwrap();
    let options = server.options(Some(schema), None);
    let mut session = server.driver.connect(&server.in_database(DATABASE), &options).await.unwrap();
    let mut answer = Answer::default();
    for query in shapes() {
        let statement = queries.statement(&query).unwrap();
        let asked = session.query(&statement, &mut answer).await;
        asked.unwrap_or_else(|error| panic!("{error}: {statement}"));
        let (is, must) = (seen(&answer, &query, schema), model.answer(&query));
        let same = is.len() == must.len() && is.iter().zip(&must).all(|(is, must)| is.is_like(must, &query));
        assert!(same, "{statement}\nis   {is:#?}\nmust {must:#?}");
    }
}

fn shapes() -> Vec<Query> {
    let base = Query {
        kind: OperationKind::PrecisePoint,
        table: 0,
        devices: vec![1],
        sensors: vec![4],
        start: 10_000,
        end: 80_000,
        lower_value: -5.0,
        aggregate: Aggregate::Count,
        group_by: 20_000,
        row_limit: None,
    };
    let mut all = Vec::new();
    for kind in &OperationKind::ALL[1..12] {
        let kind = *kind;
        all.push(Query { kind, ..base.clone() });
        all.push(Query { kind, devices: vec![1, 2, 4, 9], sensors: vec![4, 3], ..base.clone() });
        // Windows that begin before 1970, and slots that begin at the window's start and not at a whole multiple.
        all.push(Query { kind, devices: vec![11], start: -20_000, end: 20_000, group_by: 7_000, ..base.clone() });
        all.push(Query { kind, table: 1, devices: vec![3], start: -10_000, end: 3_000, ..base.clone() });
        // A threshold that a 32-bit float can't hold exactly.
        all.push(Query { kind, sensors: vec![3], lower_value: 3.51, ..base.clone() });
        for aggregate in [Aggregate::Avg, Aggregate::Sum, Aggregate::Max, Aggregate::Min] {
            all.push(Query { kind, aggregate, sensors: vec![1, 3], devices: vec![2, 1], ..base.clone() });
        }
        all.push(Query { kind, start: 900_000, end: 990_000, ..base.clone() });
    }
    for kind in [OperationKind::PrecisePoint, OperationKind::TimeRange, OperationKind::RangeQueryDesc] {
        let edge =
            Query { kind, devices: vec![11], sensors: ALL.to_vec(), start: -20_000, end: 20_000, ..base.clone() };
        all.extend([edge.clone(), Query { start: -15_000, ..edge }]);
    }
    for kind in [OperationKind::TimeRange, OperationKind::RangeQueryDesc] {
        all.push(Query { kind, devices: vec![1, 2], row_limit: Some(7), ..base.clone() });
        all.push(Query { kind, row_limit: Some(3), ..base.clone() });
    }
    all
}
