//! Makes, empties and removes a run's databases on one server.
//!
//! It must not know which trial uses which. Invariant: a database is dropped only when it bears the run's name, when this run
//! made it where nothing was, or when its user allowed it.

use std::sync::Arc;

use super::names::{belongs, name};
use crate::adapter::statements::DatabaseStatements;
use crate::adapter::types::Adapter;
use crate::provision::admin::{Admin, StatementError, names};
use crate::provision::types::ProvisionError;

/// What a database on a server is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DatabaseState {
    /// It is not there.
    Absent,
    /// It is there and holds nothing.
    Empty,
    /// It holds these things, the first few of them.
    Holds(Vec<String>),
}

/// What may be done to the database that the suite names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rights {
    /// Nothing was there: it is the run's own, and goes with it.
    Own,
    /// It was there: everything in it may go, it stays.
    Replace,
    /// It was there and empty: it stays, and is emptied of what the run puts in.
    Empty,
}

/// The database that the suite names.
#[derive(Clone, Debug)]
struct Named {
    name: String,
    drop_existing: bool,
    rights: Option<Rights>,
}

/// The databases of one run on one server.
pub struct Databases {
    admin: Admin,
    adapter: Arc<Adapter>,
    run: String,
    named: Option<Named>,
}

impl Databases {
    /// Of a run; `admin` reaches the server, in whichever database.
    pub fn new(admin: Admin, adapter: Arc<Adapter>, run: &str) -> Self {
        Databases { admin, adapter, run: run.to_owned(), named: None }
    }

    /// The suite names this database; `drop_existing` is its user's leave to drop what is there.
    #[must_use]
    pub fn with_named(mut self, name: &str, drop_existing: bool) -> Self {
        self.named = Some(Named { name: name.to_owned(), drop_existing, rights: None });
        self
    }

    /// Finds out, before anything is touched, whether the run may use the database that the suite names.
    ///
    /// # Errors
    /// When what is there may not be dropped, or the server can't be asked.
    pub async fn check(&mut self) -> Result<(), ProvisionError> {
        match self.named.clone() {
            Some(named) => self.rights(&named.name).await.map(|_| ()),
            None => Ok(()),
        }
    }

    /// What is there under a name.
    ///
    /// # Errors
    /// When the server can't be asked.
    pub async fn state(&self, name: &str) -> Result<DatabaseState, ProvisionError> {
        let statements = self.statements(name)?;
        if self.listed(&statements).await?.is_some_and(|all| !all.iter().any(|found| found == name)) {
            return Ok(DatabaseState::Absent);
        }
        let Some(contents) = statements.contents else { return Ok(DatabaseState::Empty) };
        let answers = self.admin.in_database(name).ask(vec![contents]).await.map_err(failed("contents of", name))?;
        let mut held: Vec<String> = answers.iter().flat_map(names).collect();
        let more = held.len().saturating_sub(5);
        held.truncate(5);
        if more > 0 {
            held.push(format!("{more} more"));
        }
        Ok(if held.is_empty() { DatabaseState::Empty } else { DatabaseState::Holds(held) })
    }

    /// Makes a database new and empty: one of the run's names, or the one that the suite names.
    ///
    /// # Errors
    /// When what is there may not be dropped, or the server refuses.
    pub async fn renew(&mut self, name: &str) -> Result<(), ProvisionError> {
        match self.rights(name).await? {
            Rights::Own | Rights::Replace => {
                self.drop_if_there(name).await?;
                self.create(name).await
            }
            Rights::Empty => {
                self.empty(name).await?;
                self.prepare(name).await
            }
        }
    }

    /// Removes what the run has made: the database itself, or, where it was there before, what lies in it.
    ///
    /// # Errors
    /// When the server refuses.
    pub async fn release(&mut self, name: &str) -> Result<(), ProvisionError> {
        match self.rights(name).await? {
            Rights::Own => self.drop_if_there(name).await,
            Rights::Replace => {
                self.drop_if_there(name).await?;
                self.create(name).await
            }
            Rights::Empty => self.empty(name).await,
        }
    }

    /// Drops every database that bears this run's name, such as those of a process that was killed; answers their names.
    ///
    /// # Errors
    /// When the server can't be asked or refuses.
    pub async fn remove_run(&self) -> Result<Vec<String>, ProvisionError> {
        let statements = self.statements(&name(&self.run, 0))?;
        let all = self.listed(&statements).await?.unwrap_or_default();
        let ours: Vec<String> = all.into_iter().filter(|found| belongs(found, &self.run)).collect();
        for name in &ours {
            self.drop_if_there(name).await?;
        }
        Ok(ours)
    }

    /// What may be done to a database; of the one that the suite names, what was found when it was first asked for.
    async fn rights(&mut self, name: &str) -> Result<Rights, ProvisionError> {
        if belongs(name, &self.run) {
            return Ok(Rights::Own);
        }
        let named = self.named.clone().filter(|named| named.name == name);
        let Some(named) = named else {
            return Err(refused(name, "it bears no name of this run, so it is not touched"));
        };
        if let Some(rights) = named.rights {
            return Ok(rights);
        }
        let rights = match self.state(name).await? {
            DatabaseState::Absent => Rights::Own,
            _ if named.drop_existing => Rights::Replace,
            DatabaseState::Empty if self.adapter.file.database.empty.is_empty() => {
                return Err(refused(
                    name,
                    "it was there before this run, and this adapter knows no way to empty it; leave out \
                     `existing.database`, or allow to drop it with `existing.drop_existing: true`",
                ));
            }
            DatabaseState::Empty => Rights::Empty,
            DatabaseState::Holds(held) => {
                let cause = format!(
                    "it is not empty, it holds {}; leave out `existing.database`, name another, or allow to drop it with \
                     `existing.drop_existing: true`",
                    held.join(", ")
                );
                return Err(refused(name, &cause));
            }
        };
        self.named = Some(Named { rights: Some(rights), ..named });
        Ok(rights)
    }

    async fn create(&self, name: &str) -> Result<(), ProvisionError> {
        let statements = self.statements(name)?;
        self.maintenance(&statements).execute(statements.create).await.map_err(failed("create", name))?;
        self.prepare(name).await
    }

    async fn prepare(&self, name: &str) -> Result<(), ProvisionError> {
        let statements = self.statements(name)?;
        self.admin.in_database(name).execute(statements.prepare).await.map_err(failed("prepare", name))
    }

    async fn empty(&self, name: &str) -> Result<(), ProvisionError> {
        let statements = self.statements(name)?;
        self.admin.in_database(name).execute(statements.empty).await.map_err(failed("empty", name))
    }

    /// Drops a database, unless the server's list says that it is not there.
    async fn drop_if_there(&self, name: &str) -> Result<(), ProvisionError> {
        let statements = self.statements(name)?;
        if self.listed(&statements).await?.is_some_and(|all| !all.iter().any(|found| found == name)) {
            return Ok(());
        }
        self.maintenance(&statements).execute(statements.drop).await.map_err(failed("drop", name))
    }

    fn statements(&self, name: &str) -> Result<DatabaseStatements, ProvisionError> {
        self.adapter.database_statements(name).map_err(|error| refused(name, &error.to_string()))
    }

    fn maintenance(&self, statements: &DatabaseStatements) -> Admin {
        self.admin.in_database(statements.maintenance.as_deref().unwrap_or_default())
    }

    /// The names of all databases; none where the adapter has no way to ask.
    async fn listed(&self, statements: &DatabaseStatements) -> Result<Option<Vec<String>>, ProvisionError> {
        let Some(list) = &statements.list else { return Ok(None) };
        let answers = self.maintenance(statements).ask(vec![list.clone()]).await;
        let answers = answers.map_err(failed("list", "databases"))?;
        Ok(Some(answers.iter().flat_map(names).collect()))
    }
}

fn refused(name: &str, cause: &str) -> ProvisionError {
    ProvisionError::NotOurs { database: name.to_owned(), cause: cause.to_owned() }
}

fn failed(step: &str, name: &str) -> impl FnOnce(StatementError) -> ProvisionError {
    let step = format!("{step} {name}");
    move |error| ProvisionError::Other { step, cause: error.to_string() }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::driver::error::{DriverError, ErrorClass};
    use crate::provision::testing::{Scripted, adapter};

    const RUN: &str = "20261201-122233-a1b2";
    const PART: &str = "database:\n  maintenance: root\n  list: LIST\n  contents: CONTENTS\n  \
        create: ['CREATE {{ database }}']\n  drop: ['DROP {{ database }}']\n  prepare: [PREPARE]\n  empty: [EMPTY]\n";

    /// A server with these databases, each with what it holds.
    fn server(databases: &[(&str, &[&str])]) -> Arc<Scripted> {
        let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let held: Vec<_> = databases.iter().map(|(name, held)| ((*name).to_owned(), owned(held))).collect();
        let held = Mutex::new(held);
        Scripted::new(move |database, statement| {
            let mut held = held.lock().unwrap();
            let at = |held: &[(String, Vec<String>)], name: &str| held.iter().position(|(found, _)| found == name);
            match statement.split_once(' ') {
                None if statement == "LIST" => return Ok(held.iter().map(|(name, _)| name.clone()).collect()),
                None if statement == "CONTENTS" => return Ok(held[at(&held, database).unwrap()].1.clone()),
                None if statement == "EMPTY" => held.retain(|(name, held)| name != database || held.is_empty()),
                Some(("CREATE", name)) if at(&held, name).is_some() => {
                    return Err(DriverError::new(ErrorClass::Rejected, format!("{name} already exists")));
                }
                Some(("CREATE", name)) => held.push((name.to_owned(), Vec::new())),
                Some(("DROP", name)) => held.retain(|(found, _)| found != name),
                _ => {}
            }
            Ok(Vec::new())
        })
    }

    fn databases(server: &Arc<Scripted>) -> Databases {
        Databases::new(server.admin(), adapter(PART), RUN)
    }

    /// What was asked of a server, questions apart.
    fn done(server: &Arc<Scripted>) -> Vec<String> {
        let question = |asked: &String| asked.ends_with("LIST") || asked.ends_with("CONTENTS");
        server.asked().into_iter().filter(|asked| !question(asked)).collect()
    }

    #[tokio::test]
    async fn a_database_of_the_run_is_made_renewed_and_dropped() {
        let server = server(&[("postgres", &["t"])]);
        let mut databases = databases(&server);
        let name = name(RUN, 1);
        assert_eq!(databases.state(&name).await.unwrap(), DatabaseState::Absent);
        databases.renew(&name).await.unwrap();
        assert_eq!(databases.state(&name).await.unwrap(), DatabaseState::Empty);
        databases.renew(&name).await.unwrap();
        databases.release(&name).await.unwrap();
        databases.release(&name).await.unwrap();
        let (create, drop, prepare) =
            (format!("root: CREATE {name}"), format!("root: DROP {name}"), format!("{name}: PREPARE"));
        assert_eq!(done(&server), [&create, &prepare, &drop, &create, &prepare, &drop].map(String::as_str));
    }

    #[tokio::test]
    async fn a_named_database_that_is_not_empty_is_an_error_that_says_what_it_holds() {
        let server = server(&[("mine", &["a", "b", "c", "d", "e", "f", "g"]), ("other", &[])]);
        let mut databases = databases(&server).with_named("mine", false);
        let error = databases.check().await.unwrap_err().to_string();
        assert!(error.starts_with("database mine: it is not empty, it holds a, b, c, d, e, 2 more; "), "{error}");
        assert!(databases.renew("mine").await.is_err() && databases.release("mine").await.is_err());
        assert!(databases.renew("other").await.is_err(), "neither named nor the run's");
        assert_eq!(done(&server), Vec::<String>::new());
    }

    #[tokio::test]
    async fn a_named_database_may_be_dropped_with_leave_and_stays_empty() {
        let server = server(&[("mine", &["a"]), ("other", &["b"])]);
        let mut databases = databases(&server).with_named("mine", true);
        databases.renew("mine").await.unwrap();
        databases.release("mine").await.unwrap();
        assert_eq!(databases.state("mine").await.unwrap(), DatabaseState::Empty);
        assert_eq!(databases.state("other").await.unwrap(), DatabaseState::Holds(vec!["b".to_owned()]));
        assert!(databases.renew("other").await.is_err());
    }

    #[tokio::test]
    async fn a_named_database_that_was_empty_is_emptied_and_never_dropped() {
        let server = server(&[("mine", &[])]);
        let mut databases = databases(&server).with_named("mine", false);
        databases.check().await.unwrap();
        assert_eq!(done(&server), Vec::<String>::new());
        databases.renew("mine").await.unwrap();
        databases.release("mine").await.unwrap();
        assert_eq!(done(&server), ["mine: EMPTY", "mine: PREPARE", "mine: EMPTY"]);
        let without = Databases::new(server.admin(), adapter(&PART.replace("  empty: [EMPTY]\n", "")), RUN);
        let error = without.with_named("mine", false).renew("mine").await.unwrap_err().to_string();
        assert!(error.contains("knows no way to empty it"), "{error}");
    }

    #[tokio::test]
    async fn a_named_database_that_was_not_there_goes_with_the_run() {
        let server = server(&[]);
        let mut databases = databases(&server).with_named("mine", false);
        databases.renew("mine").await.unwrap();
        databases.renew("mine").await.unwrap();
        databases.release("mine").await.unwrap();
        assert_eq!(databases.state("mine").await.unwrap(), DatabaseState::Absent);
    }

    #[tokio::test]
    async fn what_a_killed_process_left_is_removed_and_another_runs_stays() {
        let (first, second) = (name(RUN, 1), name(RUN, 2));
        let another = name("20261201-122233-ffff", 1);
        let server = server(&[(&first, &["t"]), (&another, &[]), (&second, &[]), ("postgres", &[])]);
        let databases = databases(&server);
        assert_eq!(databases.remove_run().await.unwrap(), [first, second]);
        assert_eq!(databases.state(&another).await.unwrap(), DatabaseState::Empty);
        assert_eq!(databases.state("postgres").await.unwrap(), DatabaseState::Empty);
    }
}
