//! A scripted driver and instance for the tests of this part.
//!
//! It must not be part of the program. Invariant: what it was told is what it answers, and everything asked is kept.

use std::path::Path;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;

use super::admin::Admin;
use super::types::{Identity, Instance, Life, ProvisionError, Reader};
use crate::adapter::types::{Adapter, AdapterFile};
use crate::driver::error::DriverError;
use crate::driver::protocol::{Driver, Session};
use crate::driver::types::{Answer, Cell, Endpoint, SessionOptions, Written};
use crate::workload::batch::Batch;

type Script = dyn Fn(&str, &str) -> Result<Vec<String>, DriverError> + Send + Sync;

/// Answers `(database, statement)` with the cells of one column.
pub(super) struct Scripted {
    script: Box<Script>,
    /// `database: statement`, in the order in which they came.
    pub(super) asked: Mutex<Vec<String>>,
}

impl Scripted {
    pub(super) fn new(
        script: impl Fn(&str, &str) -> Result<Vec<String>, DriverError> + Send + Sync + 'static,
    ) -> Arc<Self> {
        Arc::new(Scripted { script: Box::new(script), asked: Mutex::new(Vec::new()) })
    }

    pub(super) fn admin(self: &Arc<Self>) -> Admin {
        let driver: Arc<dyn Driver> = Arc::new(Handle(Arc::clone(self)));
        Admin { driver, endpoint: Endpoint::default(), options: SessionOptions::default() }
    }

    pub(super) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

struct Handle(Arc<Scripted>);

struct ScriptedSession {
    driver: Arc<Scripted>,
    database: String,
}

#[async_trait]
impl Driver for Handle {
    fn name(&self) -> &'static str {
        "scripted"
    }

    fn blocks(&self) -> bool {
        false
    }

    fn write_methods(&self) -> &'static [&'static str] {
        &[]
    }

    async fn connect(&self, endpoint: &Endpoint, _: &SessionOptions) -> Result<Box<dyn Session>, DriverError> {
        Ok(Box::new(ScriptedSession { driver: Arc::clone(&self.0), database: endpoint.database.clone() }))
    }
}

#[async_trait(?Send)]
impl Session for ScriptedSession {
    fn encode(&mut self, _: &Batch) -> Result<u64, DriverError> {
        Ok(0)
    }

    async fn write(&mut self) -> Result<Written, DriverError> {
        Ok(Written::default())
    }

    async fn query(&mut self, statement: &str, answer: &mut Answer) -> Result<(), DriverError> {
        self.driver.asked.lock().unwrap().push(format!("{}: {statement}", self.database));
        let cells = (self.driver.script)(&self.database, statement)?;
        answer.columns = vec!["name".to_owned()];
        answer.rows = cells.into_iter().map(|cell| vec![Cell::Text(cell)]).collect();
        Ok(())
    }

    async fn execute(&mut self, statement: &str) -> Result<(), DriverError> {
        self.query(statement, &mut Answer::default()).await
    }
}

/// An instance whose life is told.
pub(super) struct Told(pub(super) Life);

#[async_trait]
impl Instance for Told {
    fn endpoint(&self) -> Endpoint {
        Endpoint::default()
    }

    fn identity(&self) -> Identity {
        Identity::default()
    }

    async fn life(&self) -> Life {
        self.0.clone()
    }

    fn reader(&self) -> Option<Reader> {
        None
    }

    async fn restart(&mut self) -> Result<(), ProvisionError> {
        Ok(())
    }

    async fn pause(&mut self) -> Result<(), ProvisionError> {
        Ok(())
    }

    async fn resume(&mut self) -> Result<(), ProvisionError> {
        Ok(())
    }

    async fn disk_bytes(&self) -> Option<u64> {
        None
    }

    async fn last_words(&self) -> Vec<String> {
        vec!["FATAL: no space".to_owned()]
    }

    async fn save_logs(&self, _: &Path) -> Result<Vec<String>, ProvisionError> {
        Ok(Vec::new())
    }

    async fn remove(&mut self) -> Result<(), ProvisionError> {
        Ok(())
    }
}

/// An adapter of these lines of YAML, below what every adapter has.
pub(super) fn adapter(lines: &str) -> Arc<Adapter> {
    let head = "format: 1\nname: db\ntitle: DB\nabout: A test.\ndriver: scripted\nversions: {default: '1'}\n";
    let file: AdapterFile = serde_saphyr::from_str(&format!("{head}{lines}")).unwrap();
    Arc::new(Adapter { file, texts: Default::default(), hash: String::new() })
}
