//! A client's session: one connection, its prepared statements, and the batch that was encoded last.
//!
//! It must not know when it is called. Invariant: after a time limit the server is asked to stop, and the connection is closed.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::{SinkExt, TryStreamExt};
use tokio_postgres::error::SqlState;
use tokio_postgres::types::Type;
use tokio_postgres::{Client, Config, NoTls, Statement};

use super::decode::Raw;
use super::error::{classed, connecting};
use super::insert::Inserts;
use super::stage;
use crate::driver::encode::buffer::Buffer;
use crate::driver::encode::copy_binary::CopyBinary;
use crate::driver::error::{DriverError, ErrorClass};
use crate::driver::network::{self, Guarded, within};
use crate::driver::protocol::Session;
use crate::driver::rows::{column_names, quoted};
use crate::driver::types::{Answer, Endpoint, SessionOptions, Written};
use crate::workload::batch::Batch;
use crate::workload::model::{Precision, Schema};

/// The bytes of one CopyData message: the server works on one while the next is sent.
const CHUNK: usize = 256 * 1024;

/// A buffer that messages under way share.
struct Lent(Arc<Buffer>);

impl AsRef<[u8]> for Lent {
    fn as_ref(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

/// A live connection.
pub(super) struct Live {
    pub client: Client,
    /// Moves the messages; ends with the session.
    _task: Guarded,
    /// The COPY into a table by table, sensors, and whether into its stage.
    copies: Vec<(u32, Vec<u32>, bool, Statement)>,
    pub inserts: Inserts,
    /// The tables that have a stage.
    pub stages: Vec<u32>,
    /// Whether answers no longer match requests, so that it must be closed.
    broken: bool,
}

/// A block as one COPY stream.
#[derive(Clone, Debug)]
pub(super) struct Stream {
    pub table: u32,
    pub sensors: Vec<u32>,
    range: Range<usize>,
    points: u64,
}

pub(super) struct PostgresSession {
    endpoint: Endpoint,
    options: SessionOptions,
    pub schema: Option<Arc<Schema>>,
    live: Option<Live>,
    copy: Option<CopyBinary>,
    buffer: Arc<Buffer>,
    streams: Vec<Stream>,
    rows: crate::driver::rows::Rows,
    insert: bool,
    /// Whether a row was there already once: from then on batches go through a stage.
    staged: bool,
}

impl PostgresSession {
    pub(super) async fn connect(
        endpoint: &Endpoint,
        options: &SessionOptions,
        insert: bool,
    ) -> Result<Self, DriverError> {
        network::no_tls(endpoint, "postgres")?;
        let schema = options.schema.clone();
        let mut session = PostgresSession {
            endpoint: endpoint.clone(),
            options: options.clone(),
            copy: schema.clone().map(CopyBinary::new),
            schema,
            live: None,
            buffer: Arc::default(),
            streams: Vec::new(),
            rows: Default::default(),
            insert,
            staged: false,
        };
        session.live = Some(session.open().await?);
        Ok(session)
    }

    async fn open(&self) -> Result<Live, DriverError> {
        let allowed = self.options.connect_timeout;
        let (stream, _) = network::open(&self.endpoint, allowed).await?;
        let mut config = Config::new();
        config.user(self.endpoint.user.as_deref().unwrap_or("postgres")).application_name("velodrome");
        if let Some(password) = &self.endpoint.password {
            config.password(password.expose());
        }
        if !self.endpoint.database.is_empty() {
            config.dbname(&self.endpoint.database);
        }
        let shaken =
            async { config.connect_raw(stream, NoTls).await.map_err(|error| connecting(&self.endpoint, &error)) };
        let (client, connection) = within(allowed, "connecting", shaken).await?;
        // What ends the connection is told to the request that is under way.
        let task = Guarded(tokio::spawn(async move { drop(connection.await) }));
        let live = Live {
            client,
            _task: task,
            copies: Vec::new(),
            inserts: Inserts::default(),
            stages: Vec::new(),
            broken: false,
        };
        for statement in &self.options.on_connect {
            let done = async { live.client.batch_execute(statement).await.map_err(|error| self.classed(&error)) };
            within(allowed, statement, done).await?;
        }
        Ok(live)
    }

    pub(super) fn classed(&self, error: &tokio_postgres::Error) -> DriverError {
        classed(&self.endpoint, error)
    }

    /// The connection, taken out: whatever ends an operation early closes it.
    async fn take(&mut self) -> Result<Live, DriverError> {
        match self.live.take().filter(|live| !live.client.is_closed()) {
            Some(live) => Ok(live),
            None => self.open().await,
        }
    }

    /// Keeps the connection after an operation; after a time limit the server is asked to stop and it is closed.
    async fn keep<T>(&mut self, live: Live, done: Result<T, DriverError>) -> Result<T, DriverError> {
        match done {
            Err(error) if error.class == ErrorClass::Timeout => {
                let cancel = live.client.cancel_token();
                if let Ok((stream, _)) = network::open(&self.endpoint, Duration::from_secs(1)).await {
                    // Whether it stopped is not told; the connection is closed either way.
                    let _ = tokio::time::timeout(Duration::from_secs(1), cancel.cancel_query_raw(stream, NoTls)).await;
                }
                Err(error)
            }
            done => {
                self.live = Some(live).filter(|live| !live.broken);
                done
            }
        }
    }

    async fn write_blocks(&mut self, live: &mut Live) -> Result<Written, DriverError> {
        let mut written = Written::default();
        let streams = std::mem::take(&mut self.streams);
        let all: u64 = if self.insert {
            self.rows.blocks().iter().map(|block| block.points).sum()
        } else {
            streams.iter().map(|stream| stream.points).sum()
        };
        let blocks = if self.insert { self.rows.blocks().len() } else { streams.len() };
        for at in 0..blocks {
            let (done, points) = if self.insert {
                let block = &self.rows.blocks()[at];
                (self.insert_block(live, block).await, block.points)
            } else {
                (self.copy_block(live, &streams[at]).await, streams[at].points)
            };
            match done {
                Ok(()) => written.ok_points += points,
                Err(error) if written.ok_points > 0 => {
                    // The blocks before are stored; this one and those behind it are not.
                    written.failed_points = all - written.ok_points;
                    written.error = Some(error);
                    break;
                }
                Err(error) => {
                    self.streams = streams;
                    return Err(error);
                }
            }
        }
        self.streams = streams;
        Ok(written)
    }

    async fn insert_block(&self, live: &mut Live, block: &crate::driver::rows::BlockRows) -> Result<(), DriverError> {
        let schema = self.schema.as_ref().ok_or_else(DriverError::no_schema)?;
        let done = live.inserts.send(&live.client, schema, &self.rows, block).await;
        done.map_err(|error| self.classed(&error))
    }

    /// Straight into the table, as long as no row was there already.
    async fn copy_block(&mut self, live: &mut Live, stream: &Stream) -> Result<(), DriverError> {
        if !self.staged {
            match self.copy_into(live, stream, false).await {
                Err(error) if error.code() == Some(&SqlState::UNIQUE_VIOLATION) => self.staged = true,
                done => return done.map_err(|error| self.classed(&error)),
            }
        }
        let done = stage::write(self, live, stream).await;
        if done.is_err() {
            // The error is told; that there is no transaction to leave is none.
            let _ = live.client.batch_execute("ROLLBACK").await;
        }
        done.map_err(|error| self.classed(&error))
    }

    /// One COPY, into the table or its stage.
    pub(super) async fn copy_into(
        &self,
        live: &mut Live,
        stream: &Stream,
        into_stage: bool,
    ) -> Result<(), tokio_postgres::Error> {
        let statement = self.copy_statement(live, stream, into_stage).await?;
        // The client ends a COPY that was refused at its start with one answer too many.
        let started = live.client.copy_in::<_, Bytes>(&statement).await;
        let sink = started.inspect_err(|_| live.broken = true)?;
        let mut sink = std::pin::pin!(sink);
        let mut rest = Bytes::from_owner(Lent(Arc::clone(&self.buffer))).slice(stream.range.clone());
        while !rest.is_empty() {
            let chunk = rest.split_to(rest.len().min(CHUNK));
            sink.feed(chunk).await?;
        }
        sink.finish().await.map(|_| ())
    }

    async fn copy_statement(
        &self,
        live: &mut Live,
        stream: &Stream,
        into_stage: bool,
    ) -> Result<Statement, tokio_postgres::Error> {
        let is_it = |(table, sensors, stage, _): &&(u32, Vec<u32>, bool, Statement)| {
            *table == stream.table && *sensors == stream.sensors && *stage == into_stage
        };
        if let Some((.., statement)) = live.copies.iter().find(is_it) {
            return Ok(statement.clone());
        }
        let (mut into, mut columns) = (String::new(), Vec::new());
        if let Some(schema) = &self.schema {
            into =
                if into_stage { stage::name(stream.table) } else { schema.tables[stream.table as usize].name.clone() };
            columns = column_names(schema, stream.table, &stream.sensors).into_iter().map(quoted).collect();
        }
        let text = format!("COPY {} ({}) FROM STDIN BINARY", quoted(&into), columns.join(", "));
        let statement = live.client.prepare(&text).await?;
        live.copies.push((stream.table, stream.sensors.clone(), into_stage, statement.clone()));
        Ok(statement)
    }
}

#[async_trait(?Send)]
impl Session for PostgresSession {
    fn encode(&mut self, batch: &Batch) -> Result<u64, DriverError> {
        let schema = self.schema.as_ref().ok_or_else(DriverError::no_schema)?;
        if self.insert {
            self.rows.fill(schema, batch, true);
            return Ok(self.rows.bytes());
        }
        if Arc::get_mut(&mut self.buffer).is_none() {
            // A COPY that was given up still holds the old one.
            self.buffer = Arc::default();
        }
        let copy = self.copy.as_mut().ok_or_else(DriverError::no_schema)?;
        self.streams.clear();
        if let Some(buffer) = Arc::get_mut(&mut self.buffer) {
            buffer.clear();
            for block in &batch.blocks {
                let start = buffer.len();
                copy.encode_block(block, buffer);
                let sensors = block.columns.iter().map(|column| column.sensor).collect();
                let range = start..buffer.len();
                self.streams.push(Stream { table: block.table, sensors, range, points: block.points() });
            }
        }
        Ok(self.buffer.len() as u64)
    }

    async fn write(&mut self) -> Result<Written, DriverError> {
        let mut live = self.take().await?;
        let allowed = self.options.write_timeout;
        let done = within(allowed, "writing", self.write_blocks(&mut live)).await;
        let mut written = self.keep(live, done).await?;
        written.bytes = if self.insert { self.rows.bytes() } else { self.buffer.len() as u64 };
        Ok(written)
    }

    async fn query(&mut self, statement: &str, answer: &mut Answer) -> Result<(), DriverError> {
        answer.clear();
        let precision = self.schema.as_ref().map_or(Precision::Ms, |schema| schema.precision);
        let live = self.take().await?;
        let asked = async { read(&live.client, statement, precision, answer).await.map_err(|e| self.classed(&e)) };
        let done = within(self.options.query_timeout, "asking", asked).await;
        self.keep(live, done).await
    }

    async fn execute(&mut self, statement: &str) -> Result<(), DriverError> {
        let live = self.take().await?;
        let asked = async { live.client.batch_execute(statement).await.map_err(|error| self.classed(&error)) };
        let done = within(self.options.query_timeout, "executing", asked).await;
        self.keep(live, done).await
    }
}

async fn read(
    client: &Client,
    statement: &str,
    precision: Precision,
    answer: &mut Answer,
) -> Result<(), tokio_postgres::Error> {
    let no_parameters: [(i64, Type); 0] = [];
    let rows = client.query_typed_raw(statement, no_parameters).await?;
    let mut rows = std::pin::pin!(rows);
    while let Some(row) = rows.try_next().await? {
        if answer.columns.is_empty() {
            answer.columns.extend(row.columns().iter().map(|column| column.name().to_owned()));
        }
        let cell = |at| row.try_get::<_, Raw>(at).map(|raw| raw.into_cell(precision));
        answer.rows.push((0..row.len()).map(cell).collect::<Result<_, _>>()?);
    }
    Ok(())
}
