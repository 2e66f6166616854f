//! A server that is not there: it counts what is written, and fails when it is told to.
//!
//! It must not do anything by itself. Invariant: driver and provisioner of one fake share its state.

use std::path::Path;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;

use crate::driver::error::{DriverError, ErrorClass};
use crate::driver::protocol::{Driver, Session};
use crate::driver::types::{Answer, Cell, Endpoint, SessionOptions, Written};
use crate::provision::types::{Identity, Instance, Life, ProvisionError, Provisioner, Reader, Request, RunLabel};
use crate::workload::batch::Batch;

/// What the fake is to do wrong.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Faults {
    /// It ends after so many writes.
    pub(crate) dies_after: Option<u64>,
    /// It forgets the points of every so many'th write.
    pub(crate) forgets_each: Option<u64>,
    /// It refuses every so many'th write.
    pub(crate) refuses_each: Option<u64>,
    /// It never answers a write.
    pub(crate) hangs: bool,
    /// A write takes this long.
    pub(crate) write: Duration,
    /// It refuses logins.
    pub(crate) refuses_login: bool,
    /// It does not start.
    pub(crate) does_not_start: bool,
}

/// The fake.
#[derive(Default)]
pub(crate) struct Fake {
    pub(crate) faults: Faults,
    writes: AtomicU64,
    stored: AtomicU64,
    dead: AtomicBool,
    /// What was done to it, in order.
    pub(crate) events: Mutex<Vec<String>>,
    /// How many instances were started and not removed.
    pub(crate) there: AtomicU64,
}

impl Fake {
    pub(crate) fn with(faults: Faults) -> Arc<Self> {
        Arc::new(Fake { faults, ..Fake::default() })
    }

    fn event(&self, what: impl Into<String>) {
        self.events.lock().unwrap().push(what.into());
    }

    pub(crate) fn count(&self, what: &str) -> usize {
        self.events.lock().unwrap().iter().filter(|event| event.starts_with(what)).count()
    }
}

pub(crate) struct FakeDriver(pub(crate) Arc<Fake>);

#[async_trait]
impl Driver for FakeDriver {
    fn name(&self) -> &'static str {
        "fake"
    }

    fn blocks(&self) -> bool {
        false
    }

    fn write_methods(&self) -> &'static [&'static str] {
        &[]
    }

    async fn connect(&self, _: &Endpoint, _: &SessionOptions) -> Result<Box<dyn Session>, DriverError> {
        if self.0.faults.refuses_login {
            return Err(DriverError::new(ErrorClass::Refused, "password authentication failed, s3cr3t-Pw"));
        }
        if self.0.dead.load(SeqCst) {
            return Err(DriverError::new(ErrorClass::Refused, "nobody listens"));
        }
        Ok(Box::new(FakeSession { fake: self.0.clone(), points: 0 }))
    }
}

struct FakeSession {
    fake: Arc<Fake>,
    points: u64,
}

#[async_trait(?Send)]
impl Session for FakeSession {
    fn encode(&mut self, batch: &Batch) -> Result<u64, DriverError> {
        self.points = batch.points();
        Ok(8 * self.points)
    }

    async fn write(&mut self) -> Result<Written, DriverError> {
        let Faults { dies_after, forgets_each, refuses_each, hangs, write, .. } = self.fake.faults;
        if hangs {
            std::future::pending::<()>().await;
        }
        tokio::time::sleep(write).await;
        let number = self.fake.writes.fetch_add(1, SeqCst) + 1;
        if dies_after.is_some_and(|after| number > after) {
            self.fake.dead.store(true, SeqCst);
            return Err(DriverError::new(ErrorClass::LostConnection, "connection reset"));
        }
        if refuses_each.is_some_and(|each| number.is_multiple_of(each)) {
            return Err(DriverError::new(ErrorClass::Rejected, "no"));
        }
        if !forgets_each.is_some_and(|each| number.is_multiple_of(each)) {
            self.fake.stored.fetch_add(self.points, SeqCst);
        }
        Ok(Written { ok_points: self.points, ..Written::default() })
    }

    async fn query(&mut self, statement: &str, answer: &mut Answer) -> Result<(), DriverError> {
        answer.clear();
        answer.columns = vec!["value".into()];
        let value = if statement.contains("count") { self.fake.stored.load(SeqCst) } else { 1 };
        answer.rows = vec![vec![Cell::Integer(value as i64)]];
        Ok(())
    }

    async fn execute(&mut self, _: &str) -> Result<(), DriverError> {
        Ok(())
    }
}

pub(crate) struct FakeProvisioner(pub(crate) Arc<Fake>);

#[async_trait]
impl Provisioner for FakeProvisioner {
    async fn check(&self) -> Result<(), ProvisionError> {
        Ok(())
    }

    async fn start(&self, request: &Request) -> Result<Box<dyn Instance>, ProvisionError> {
        self.0.event(format!("start {}", request.target));
        if self.0.faults.does_not_start {
            let cause = "port 5432 is taken".to_owned();
            return Err(ProvisionError::Start { target: request.target.clone(), cause });
        }
        self.0.there.fetch_add(1, SeqCst);
        self.0.dead.store(false, SeqCst);
        self.0.stored.store(0, SeqCst);
        Ok(Box::new(FakeInstance { fake: self.0.clone(), target: request.target.clone() }))
    }

    async fn remove_run(&self, _: &str) -> Result<Vec<String>, ProvisionError> {
        self.0.event("sweep");
        Ok(Vec::new())
    }

    async fn labelled(&self) -> Result<Vec<RunLabel>, ProvisionError> {
        Ok(Vec::new())
    }
}

struct FakeInstance {
    fake: Arc<Fake>,
    target: String,
}

#[async_trait]
impl Instance for FakeInstance {
    fn endpoint(&self) -> Endpoint {
        Endpoint::default()
    }

    fn identity(&self) -> Identity {
        Identity { image: Some("fake:1".into()), ..Identity::default() }
    }

    async fn life(&self) -> Life {
        match self.fake.dead.load(SeqCst) {
            true => Life::Ended { exit_code: Some(137), out_of_memory: false },
            false => Life::Running,
        }
    }

    fn reader(&self) -> Option<Reader> {
        None
    }

    async fn restart(&mut self) -> Result<(), ProvisionError> {
        self.fake.event(format!("restart {}", self.target));
        Ok(())
    }

    async fn pause(&mut self) -> Result<(), ProvisionError> {
        self.fake.event(format!("pause {}", self.target));
        Ok(())
    }

    async fn resume(&mut self) -> Result<(), ProvisionError> {
        self.fake.event(format!("resume {}", self.target));
        Ok(())
    }

    async fn disk_bytes(&self) -> Option<u64> {
        None
    }

    async fn save_logs(&self, _: &Path) -> Result<Vec<String>, ProvisionError> {
        Ok((0..30).map(|line| format!("line {line}")).collect())
    }

    async fn remove(&mut self) -> Result<(), ProvisionError> {
        self.fake.event(format!("remove {}", self.target));
        self.fake.there.fetch_sub(1, SeqCst);
        Ok(())
    }
}
