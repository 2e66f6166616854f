//! Statements beside the load: readiness, databases, schema, counts.
//!
//! It must not know what they mean. Invariant: they run on a thread of their own, so that a driver that blocks holds nobody
//! up.

use std::sync::Arc;

use crate::driver::error::{DriverError, ErrorClass};
use crate::driver::protocol::{Driver, Session};
use crate::driver::types::{Answer, Cell, Endpoint, SessionOptions};

/// Asks one database for things that are not measured.
#[derive(Clone)]
pub struct Admin {
    /// The driver.
    pub driver: Arc<dyn Driver>,
    /// Where, with the database's name.
    pub endpoint: Endpoint,
    /// How its sessions behave.
    pub options: SessionOptions,
}

/// A statement that failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{error} (statement: {statement})")]
pub struct StatementError {
    /// The statement, shortened.
    pub statement: String,
    /// What was said about it.
    pub error: DriverError,
}

impl Admin {
    /// The same in another database.
    #[must_use]
    pub fn in_database(&self, database: &str) -> Self {
        let mut admin = self.clone();
        database.clone_into(&mut admin.endpoint.database);
        admin
    }

    /// Executes statements in order, in one session. None: nothing is connected to.
    ///
    /// # Errors
    /// The first that fails.
    pub async fn execute(&self, statements: Vec<String>) -> Result<(), StatementError> {
        self.each(statements, false).await.map(|_| ())
    }

    /// Asks statements in order, in one session; an answer each.
    ///
    /// # Errors
    /// The first that fails.
    pub async fn ask(&self, statements: Vec<String>) -> Result<Vec<Answer>, StatementError> {
        self.each(statements, true).await
    }

    async fn each(&self, statements: Vec<String>, ask: bool) -> Result<Vec<Answer>, StatementError> {
        if statements.is_empty() {
            return Ok(Vec::new());
        }
        let admin = self.clone();
        let handle = tokio::runtime::Handle::current();
        // Sessions are bound to one thread; this one may also block.
        let work = move || handle.block_on(admin.in_one_session(statements, ask));
        let broken = |error: tokio::task::JoinError| StatementError {
            statement: String::new(),
            error: DriverError::new(ErrorClass::LostConnection, format!("the driver panicked: {error}")),
        };
        tokio::task::spawn_blocking(work).await.map_err(broken)?
    }

    async fn in_one_session(&self, statements: Vec<String>, ask: bool) -> Result<Vec<Answer>, StatementError> {
        let failed = |statement: &str| {
            let statement = statement.chars().take(200).collect();
            move |error| StatementError { statement, error }
        };
        let mut session = self.driver.connect(&self.endpoint, &self.options).await.map_err(failed("(connecting)"))?;
        let mut answers = Vec::with_capacity(statements.len());
        for statement in &statements {
            answers.push(one(session.as_mut(), statement, ask).await.map_err(failed(statement))?);
        }
        Ok(answers)
    }
}

async fn one(session: &mut dyn Session, statement: &str, ask: bool) -> Result<Answer, DriverError> {
    let mut answer = Answer::default();
    if ask {
        session.query(statement, &mut answer).await?;
    } else {
        session.execute(statement).await?;
    }
    Ok(answer)
}

/// The cell of each row that names something: that of the column called `name`, else the first.
pub(super) fn names(answer: &Answer) -> Vec<String> {
    let at = answer.columns.iter().position(|column| column == "name").unwrap_or(0);
    answer.rows.iter().filter_map(|row| text(row.get(at)?)).collect()
}

/// The first cell of an answer as text; none where there is none.
pub(super) fn first_text(answer: &Answer) -> Option<String> {
    text(answer.rows.first()?.first()?)
}

fn text(cell: &Cell) -> Option<String> {
    match cell {
        Cell::Null => None,
        Cell::Boolean(value) => Some(value.to_string()),
        Cell::Integer(value) => Some(value.to_string()),
        Cell::Float(value) => Some(value.to_string()),
        Cell::Text(value) => Some(value.clone()),
    }
}
