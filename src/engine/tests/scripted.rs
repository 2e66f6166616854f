//! A driver that does what a test says, and the jobs that it is driven with.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use async_trait::async_trait;

use crate::diagnostic::{FileId, Span};
use crate::driver::encode::buffer::Buffer;
use crate::driver::encode::format::Format;
use crate::driver::error::{DriverError, ErrorClass};
use crate::driver::protocol::{Driver, Session};
use crate::driver::types::{Answer, Cell, Endpoint, SessionOptions, Written};
use crate::engine::types::{Control, ErrorPolicy, Job, Outcome, Statements};
use crate::workload::batch::Batch;
use crate::workload::kind::{Configured, Surroundings, find};
use crate::workload::load::{Load, Pacing};
use crate::workload::operation::Query;
use crate::workload::parameters::RawParameter;

/// What an operation comes to.
#[derive(Clone, Debug)]
pub(super) enum Reply {
    /// It succeeds.
    Good,
    /// It succeeds for all but so many points.
    Without(u64),
    /// It fails.
    Bad(ErrorClass),
    /// It never ends.
    Never,
    /// The driver is broken.
    Panic,
}

type Script = dyn Fn(u64) -> (Duration, Reply) + Send + Sync;

/// A driver whose n-th operation, counted over all sessions from 0, is as the script says.
pub(super) struct Scripted {
    blocks: bool,
    script: Arc<Script>,
    /// Whether the n-th connection is refused.
    refuses: fn(u64) -> bool,
    seen: Arc<Seen>,
}

/// What the driver has seen.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) connections: AtomicU64,
    pub(super) operations: AtomicU64,
    /// When each operation began, in order.
    pub(super) begun: Mutex<Vec<Instant>>,
    /// The bytes of each session in order, as text.
    pub(super) sessions: Mutex<BTreeMap<u64, Vec<String>>>,
}

impl Scripted {
    pub(super) fn new(script: impl Fn(u64) -> (Duration, Reply) + Send + Sync + 'static) -> Self {
        Scripted { blocks: false, script: Arc::new(script), refuses: |_| false, seen: Arc::default() }
    }

    /// Every operation takes so long and succeeds.
    pub(super) fn taking(time: Duration) -> Self {
        Scripted::new(move |_| (time, Reply::Good))
    }

    pub(super) fn blocking(self) -> Self {
        Scripted { blocks: true, ..self }
    }

    pub(super) fn refusing(self, refuses: fn(u64) -> bool) -> Self {
        Scripted { refuses, ..self }
    }

    pub(super) fn seen(&self) -> Arc<Seen> {
        Arc::clone(&self.seen)
    }
}

#[async_trait]
impl Driver for Scripted {
    fn name(&self) -> &'static str {
        "scripted"
    }

    fn blocks(&self) -> bool {
        self.blocks
    }

    fn write_methods(&self) -> &'static [&'static str] {
        &["write"]
    }

    async fn connect(&self, _endpoint: &Endpoint, options: &SessionOptions) -> Result<Box<dyn Session>, DriverError> {
        let number = self.seen.connections.fetch_add(1, Ordering::SeqCst);
        if (self.refuses)(number) {
            return Err(DriverError::new(ErrorClass::Refused, "connection refused"));
        }
        let schema = options.schema.clone().unwrap();
        Ok(Box::new(ScriptedSession {
            number,
            blocks: self.blocks,
            script: Arc::clone(&self.script),
            seen: Arc::clone(&self.seen),
            format: Format::new("line_protocol", schema).unwrap(),
            buffer: Buffer::default(),
            points: 0,
        }))
    }
}

struct ScriptedSession {
    number: u64,
    blocks: bool,
    script: Arc<Script>,
    seen: Arc<Seen>,
    format: Format,
    buffer: Buffer,
    points: u64,
}

impl ScriptedSession {
    async fn play(&self, sent: String) -> Result<Written, DriverError> {
        self.seen.begun.lock().unwrap().push(Instant::now());
        self.seen.sessions.lock().unwrap().entry(self.number).or_default().push(sent);
        let (time, reply) = (self.script)(self.seen.operations.fetch_add(1, Ordering::SeqCst));
        if self.blocks {
            std::thread::sleep(time);
        } else if !time.is_zero() {
            tokio::time::sleep(time).await;
        }
        let bytes = self.buffer.len() as u64;
        match reply {
            Reply::Good => Ok(Written { ok_points: self.points, failed_points: 0, error: None, bytes }),
            Reply::Without(failed_points) => {
                let error = Some(DriverError::new(ErrorClass::Rejected, "partial write"));
                Ok(Written { ok_points: self.points - failed_points, failed_points, error, bytes })
            }
            Reply::Bad(class) => Err(DriverError::new(class, "as the script says")),
            Reply::Never => std::future::pending().await,
            Reply::Panic => panic!("as the script says"),
        }
    }
}

#[async_trait(?Send)]
impl Session for ScriptedSession {
    fn encode(&mut self, batch: &Batch) -> Result<u64, DriverError> {
        self.buffer.clear();
        self.format.encode(batch, &mut self.buffer);
        self.points = batch.points();
        Ok(self.buffer.len() as u64)
    }

    async fn write(&mut self) -> Result<Written, DriverError> {
        self.play(String::from_utf8_lossy(self.buffer.as_bytes()).into_owned()).await
    }

    async fn query(&mut self, statement: &str, answer: &mut Answer) -> Result<(), DriverError> {
        self.points = 2;
        self.play(statement.to_owned()).await?;
        answer.columns = vec!["time".to_owned(), "s_0".to_owned()];
        answer.rows = vec![vec![Cell::Integer(1), Cell::Float(0.5)], vec![Cell::Integer(2), Cell::Float(1.5)]];
        Ok(())
    }

    async fn execute(&mut self, _statement: &str) -> Result<(), DriverError> {
        Ok(())
    }

    fn encoded(&self) -> &[u8] {
        self.buffer.as_bytes()
    }
}

struct Plain;

impl Statements for Plain {
    fn statement(&self, query: &Query) -> Result<String, DriverError> {
        Ok(format!("{query:?}"))
    }
}

/// A workload of `iot` for so many clients.
pub(super) fn iot(clients: u32, parameters: &[(&str, &str)]) -> Arc<dyn Configured> {
    let span = Span { file: FileId(0), start: 0, end: 0 };
    let parameter = |(name, value): &(&str, &str)| RawParameter {
        name: (*name).to_owned(),
        name_span: span,
        value: (*value).to_owned(),
        value_span: span,
    };
    let raw: Vec<RawParameter> = parameters.iter().map(parameter).collect();
    find("iot").unwrap().configure(&raw, Surroundings { clients: Some(clients), seed: 666 }).unwrap()
}

/// One device a client, one row of one sensor a batch, `loops` writes each.
pub(super) fn small(clients: u32, loops: u64) -> Arc<dyn Configured> {
    iot(
        clients,
        &[
            ("DEVICE_NUMBER", &clients.to_string()),
            ("SENSOR_NUMBER", "1"),
            ("BATCH_SIZE_PER_WRITE", "1"),
            ("LOOP", &loops.to_string()),
        ],
    )
}

/// A job that bears every failure, closed and without warm-up.
pub(super) fn job(configured: &dyn Configured, driver: impl Driver + 'static) -> Job {
    let clients = configured.clients();
    Job {
        workload: configured.build(),
        driver: Arc::new(driver),
        endpoint: Endpoint::default(),
        options: SessionOptions { schema: Some(configured.schema()), ..SessionOptions::default() },
        statements: Arc::new(Plain),
        load: Load { clients, cores: Vec::new(), pacing: Pacing::Closed, warmup: None, duration: None },
        errors: ErrorPolicy { abort: false, threshold: 1.0, after: 1, retries: 0 },
        seed: 666,
    }
}

/// Runs a job that nothing stops from outside.
pub(super) fn run(job: Job) -> Outcome {
    crate::engine::run(job, Arc::new(Control::default()))
}

/// Operations that succeeded and failed.
pub(super) fn counts(outcome: &Outcome) -> (u64, u64) {
    let ok = outcome.operations.iter().map(|operation| operation.ok_operations).sum();
    (ok, outcome.operations.iter().map(|operation| operation.failed_operations).sum())
}
