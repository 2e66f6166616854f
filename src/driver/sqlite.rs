//! SQLite: every session opens the same file; a batch is one transaction of prepared upserts.
//!
//! It must not know who else writes: SQLite's own lock makes writers wait for one another, as long as `PRAGMA busy_timeout` says.
//! Invariant: a batch is stored whole or not at all, and the last write of a device and time wins.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};

use super::error::{DriverError, ErrorClass};
use super::protocol::{Driver, Session};
use super::rows::{Rows, TextAt, Value, column_names, on_conflict, quoted};
use super::types::{Answer, Cell, Endpoint, SessionOptions, Written};
use crate::workload::batch::Batch;
use crate::workload::model::Schema;

/// The virtual machine's steps between two looks at the clock: some 0.1 ms.
const STEPS: i32 = 10_000;

/// The driver.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sqlite;

#[async_trait]
impl Driver for Sqlite {
    fn name(&self) -> &'static str {
        "sqlite"
    }

    fn blocks(&self) -> bool {
        true
    }

    fn write_methods(&self) -> &'static [&'static str] {
        &["upsert"]
    }

    async fn connect(&self, endpoint: &Endpoint, options: &SessionOptions) -> Result<Box<dyn Session>, DriverError> {
        let file = endpoint
            .file
            .as_ref()
            .ok_or_else(|| DriverError::new(ErrorClass::Refused, "SQLite needs a file; the endpoint names none"))?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let refused = |e: rusqlite::Error| DriverError::new(ErrorClass::Refused, format!("{}: {e}", file.display()));
        let mut connection = Connection::open_with_flags(file, flags).map_err(refused)?;
        let watch = Watch::new();
        let handler = watch.clone();
        connection.progress_handler(STEPS, Some(move || handler.is_over())).map_err(refused)?;
        let session = SqliteSession {
            connection,
            watch,
            schema: options.schema.clone(),
            rows: Rows::default(),
            statements: Vec::new(),
            write_timeout: options.write_timeout,
            query_timeout: options.query_timeout,
        };
        for statement in &options.on_connect {
            session.watch.start(options.connect_timeout.max(Duration::from_secs(60)));
            session.ask(statement, &mut Answer::default()).map_err(|error| classed(&error, "connecting"))?;
        }
        Ok(Box::new(session))
    }
}

/// The time until which an operation may run, looked at by SQLite while it works.
#[derive(Clone, Debug)]
struct Watch {
    origin: Instant,
    /// Nanoseconds since the origin.
    end: Arc<AtomicU64>,
}

impl Watch {
    fn new() -> Self {
        Watch { origin: Instant::now(), end: Arc::new(AtomicU64::new(u64::MAX)) }
    }

    fn start(&self, allowed: Duration) {
        let end = (self.origin.elapsed() + allowed).as_nanos();
        self.end.store(u64::try_from(end).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    fn is_over(&self) -> bool {
        self.origin.elapsed().as_nanos() > u128::from(self.end.load(Ordering::Relaxed))
    }
}

/// The upsert for one table and the sensors that a block has.
struct Upsert {
    table: u32,
    sensors: Vec<u32>,
    sql: String,
}

struct SqliteSession {
    connection: Connection,
    watch: Watch,
    schema: Option<Arc<Schema>>,
    rows: Rows,
    statements: Vec<Upsert>,
    write_timeout: Duration,
    query_timeout: Duration,
}

#[async_trait(?Send)]
impl Session for SqliteSession {
    fn encode(&mut self, batch: &Batch) -> Result<u64, DriverError> {
        let schema = self.schema.as_ref().ok_or_else(DriverError::no_schema)?;
        self.rows.fill(schema, batch, false);
        for block in self.rows.blocks() {
            let is_known = |u: &Upsert| u.table == block.table && u.sensors == block.sensors;
            if !self.statements.iter().any(is_known) {
                self.statements.push(upsert(schema, block.table, &block.sensors));
            }
        }
        Ok(self.rows.bytes())
    }

    async fn write(&mut self) -> Result<Written, DriverError> {
        self.watch.start(self.write_timeout);
        self.store().map_err(|error| classed(&error, "writing"))?;
        let ok_points = self.rows.blocks().iter().map(|block| block.points).sum();
        Ok(Written { ok_points, failed_points: 0, error: None, bytes: self.rows.bytes() })
    }

    async fn query(&mut self, statement: &str, answer: &mut Answer) -> Result<(), DriverError> {
        self.watch.start(self.query_timeout);
        self.ask(statement, answer).map_err(|error| classed(&error, "asking"))
    }

    async fn execute(&mut self, statement: &str) -> Result<(), DriverError> {
        self.query(statement, &mut Answer::default()).await
    }
}

impl SqliteSession {
    fn store(&mut self) -> rusqlite::Result<()> {
        // Taking the write lock at once lets the busy timeout apply; a lock taken later would fail without waiting.
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for block in self.rows.blocks() {
            let is_its = |u: &&Upsert| u.table == block.table && u.sensors == block.sensors;
            let Some(upsert) = self.statements.iter().find(is_its) else { continue };
            let mut statement = transaction.prepare_cached(&upsert.sql)?;
            for (identity, rows) in block.each() {
                // Bindings stay from row to row, so device and tags are bound once a run.
                for (at, text) in identity.iter().enumerate() {
                    statement.raw_bind_parameter(2 + at, self.rows.text(*text))?;
                }
                for row in rows {
                    bind_row(&mut statement, &self.rows, identity, row)?;
                    statement.raw_execute()?;
                }
            }
        }
        transaction.commit()
    }

    fn ask(&self, text: &str, answer: &mut Answer) -> rusqlite::Result<()> {
        answer.clear();
        let mut statement = self.connection.prepare(text)?;
        let mut booleans = Vec::new();
        for column in statement.columns() {
            answer.columns.push(column.name().to_owned());
            booleans.push(column.decl_type().is_some_and(|declared| declared.eq_ignore_ascii_case("boolean")));
        }
        let mut rows = statement.raw_query();
        while let Some(row) = rows.next()? {
            let cell = |(at, boolean): (usize, &bool)| Ok(cell(row.get_ref(at)?, *boolean));
            answer.rows.push(booleans.iter().enumerate().map(cell).collect::<rusqlite::Result<_>>()?);
        }
        Ok(())
    }
}

/// Binds a row's time and values; device and tags are bound already.
fn bind_row(
    statement: &mut rusqlite::CachedStatement<'_>,
    rows: &Rows,
    identity: &[TextAt],
    row: &[Value],
) -> rusqlite::Result<()> {
    let bind = |statement: &mut rusqlite::CachedStatement<'_>, at: usize, value: &Value| match *value {
        Value::Null => statement.raw_bind_parameter(at, rusqlite::types::Null),
        Value::Boolean(value) => statement.raw_bind_parameter(at, value),
        Value::Int32(value) => statement.raw_bind_parameter(at, value),
        Value::Int64(value) => statement.raw_bind_parameter(at, value),
        Value::Float(value) | Value::Double(value) => statement.raw_bind_parameter(at, value),
        Value::Text(text) => statement.raw_bind_parameter(at, rows.text(text)),
    };
    for (at, value) in row.iter().enumerate() {
        let parameter = if at == 0 { 1 } else { 1 + identity.len() + at };
        bind(statement, parameter, value)?;
    }
    Ok(())
}

fn upsert(schema: &Schema, table: u32, sensors: &[u32]) -> Upsert {
    let names: Vec<String> = column_names(schema, table, sensors).into_iter().map(quoted).collect();
    let places: Vec<String> = (1..=names.len()).map(|at| format!("?{at}")).collect();
    let into = quoted(&schema.tables[table as usize].name);
    let sql = format!(
        "INSERT INTO {into} ({}) VALUES ({}){}",
        names.join(", "),
        places.join(", "),
        on_conflict(schema, table, sensors)
    );
    Upsert { table, sensors: sensors.to_vec(), sql }
}

fn cell(value: ValueRef<'_>, boolean: bool) -> Cell {
    match value {
        ValueRef::Null => Cell::Null,
        ValueRef::Integer(number) if boolean => Cell::Boolean(number != 0),
        ValueRef::Integer(number) => Cell::Integer(number),
        ValueRef::Real(number) => Cell::Float(number),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => Cell::Text(String::from_utf8_lossy(bytes).into_owned()),
    }
}

fn classed(error: &rusqlite::Error, doing: &str) -> DriverError {
    let class = match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => ErrorClass::Transient,
        Some(ErrorCode::OperationInterrupted) => ErrorClass::Timeout,
        Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied | ErrorCode::NotADatabase) => ErrorClass::Refused,
        Some(ErrorCode::SystemIoFailure) => ErrorClass::LostConnection,
        _ => ErrorClass::Rejected,
    };
    match class {
        ErrorClass::Timeout => DriverError::new(class, format!("{doing} took longer than allowed")),
        _ => DriverError::new(class, error.to_string()),
    }
}
