//! A database for a test: its server in a container started as its adapter says, or a file.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use velodrome::adapter::catalogue::Catalogue;
use velodrome::adapter::statements::DatabaseStatements;
use velodrome::adapter::tuning::Tuning;
use velodrome::adapter::types::Adapter;
use velodrome::driver::error::DriverError;
use velodrome::driver::protocol::{Driver, Session};
use velodrome::driver::registry;
use velodrome::driver::types::{Answer, Endpoint, Secret, SessionOptions};
use velodrome::workload::model::Schema;

use crate::scene::{Run, docker};

/// The database of the tests.
pub(crate) const DATABASE: &str = "velodrome_test";

/// The adapter that is compiled in by this name.
pub(crate) fn adapter(name: &str) -> Arc<Adapter> {
    Arc::clone(Catalogue::builtin(registry::names()).unwrap().get(name).unwrap())
}

/// A running database.
pub(crate) struct Server {
    pub(crate) adapter: Arc<Adapter>,
    pub(crate) driver: Arc<dyn Driver>,
    pub(crate) endpoint: Endpoint,
    pub(crate) container: Option<String>,
    /// The tuning values that it was started with, and that every session has.
    pub(crate) tuning: Tuning,
    file: Option<PathBuf>,
    /// Removes the container.
    _run: Run,
}

impl Drop for Server {
    fn drop(&mut self) {
        for end in ["", "-wal", "-shm"] {
            let _ = self.file.as_ref().map(|file| std::fs::remove_file(format!("{}{end}", file.display())));
        }
    }
}

impl Server {
    /// Starts it for the test of this name, with further environment for its container, and waits until it answers.
    pub(crate) async fn start(name: &str, test: &str, environment: &[(&str, &str)]) -> Self {
        Server::start_tuned(name, test, environment, &[]).await
    }

    /// The same with tuning values.
    pub(crate) async fn start_tuned(
        name: &str,
        test: &str,
        environment: &[(&str, &str)],
        tuning: &[(&str, &str)],
    ) -> Self {
        let adapter = adapter(name);
        let driver = registry::find(&adapter.file.driver).unwrap();
        let asked = tuning.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let tuning = adapter.tuning(&asked).unwrap();
        let run = Run::new(&format!("{name}-{test}"));
        if adapter.file.embedded.is_some() {
            let file = std::env::temp_dir().join(format!("{}.sqlite", run.0));
            let endpoint = Endpoint { file: Some(file.clone()), ..Endpoint::default() };
            return Server { adapter, driver, endpoint, container: None, tuning, file: Some(file), _run: run };
        }
        let (container, endpoint) = container(&adapter, &tuning, &run, environment);
        let server = Server { adapter, driver, endpoint, container: Some(container), tuning, file: None, _run: run };
        server.is_ready().await;
        server
    }

    async fn is_ready(&self) {
        let ready = self.adapter.file.ready.as_ref().unwrap();
        let (began, mut good) = (Instant::now(), 0);
        while good < 2 {
            let asked = self.ask_in(ready.database.as_deref().unwrap_or(""), &ready.statement).await;
            // A server that wants another login than ours is ready as well.
            let refused = asked.as_ref().is_err_and(|error| error.message.contains("refused the login"));
            good = if asked.is_ok() || refused { good + 1 } else { 0 };
            assert!(began.elapsed() < Duration::from_secs(60), "{asked:?}");
            tokio::time::sleep(Duration::from_millis(if good == 1 { 500 } else { 100 })).await;
        }
    }

    /// The endpoint in a database.
    pub(crate) fn in_database(&self, database: &str) -> Endpoint {
        Endpoint { database: database.to_owned(), ..self.endpoint.clone() }
    }

    /// What a session is connected with.
    pub(crate) fn options(&self, schema: Option<&Arc<Schema>>, write_method: Option<&str>) -> SessionOptions {
        let plan = self.adapter.tuning_plan(&self.tuning, DATABASE).unwrap();
        SessionOptions {
            schema: schema.cloned(),
            write_method: write_method.map(str::to_owned),
            on_connect: plan.on_connect,
            max_request_bytes: self.adapter.file.limits.request_bytes,
            ..SessionOptions::default()
        }
    }

    /// Asks in a session of its own.
    pub(crate) async fn ask_in(&self, database: &str, statement: &str) -> Result<Answer, DriverError> {
        let mut session = self.driver.connect(&self.in_database(database), &self.options(None, None)).await?;
        let mut answer = Answer::default();
        session.query(statement, &mut answer).await.map(|()| answer)
    }

    /// Makes the database and the schema's tables in it anew; answers a session that can write.
    pub(crate) async fn fresh(&self, schema: &Arc<Schema>, write_method: Option<&str>) -> Box<dyn Session> {
        let statements = self.adapter.database_statements(DATABASE).unwrap();
        self.administrate(&statements).await;
        if let Some(file) = &self.file {
            let _ = std::fs::remove_file(file);
        }
        let options = self.options(Some(schema), write_method);
        let mut session = self.driver.connect(&self.in_database(DATABASE), &options).await.unwrap();
        let plan = self.adapter.tuning_plan(&self.tuning, DATABASE).unwrap();
        let tuned = plan.database.iter().map(|tuning| &tuning.statement);
        let made = self.adapter.schema_statements("iot", schema, &self.tuning).unwrap();
        for statement in statements.prepare.iter().chain(tuned).chain(&made) {
            session.execute(statement).await.unwrap_or_else(|error| panic!("{error}: {statement}"));
        }
        session
    }

    async fn administrate(&self, statements: &DatabaseStatements) {
        let maintenance = statements.maintenance.as_deref().unwrap_or("");
        let Some(list) = &statements.list else { return };
        let mut session = self.driver.connect(&self.in_database(maintenance), &self.options(None, None)).await.unwrap();
        let mut listed = Answer::default();
        session.query(list, &mut listed).await.unwrap();
        let column = listed.columns.iter().position(|column| column == "name").unwrap();
        let there = listed.rows.iter().any(|row| row[column].to_string() == DATABASE);
        let dropped = statements.drop.iter().filter(|_| there);
        for statement in dropped.chain(&statements.create) {
            session.execute(statement).await.unwrap();
        }
    }
}

/// Starts the adapter's container from the image for tests; answers its id and where it listens.
fn container(adapter: &Adapter, tuning: &Tuning, run: &Run, environment: &[(&str, &str)]) -> (String, Endpoint) {
    let start = adapter.docker_start(&adapter.file.versions.default, tuning, None).unwrap();
    let (label, port) = (format!("velodrome.run={}", run.0), format!("127.0.0.1::{}", start.port));
    let mut arguments = vec!["run", "--detach", "--label", &label, "--publish", &port];
    let own = start.environment.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let variables: Vec<String> = own.chain(environment.iter().copied()).map(|(n, v)| format!("{n}={v}")).collect();
    variables.iter().for_each(|variable| arguments.extend(["--env", variable]));
    let image = format!("velodrome-test/{}:local", adapter.file.name);
    arguments.push(&image);
    arguments.extend(start.command.iter().map(String::as_str));
    let id = docker(&arguments);
    let published = docker(&["port", &id, &start.port.to_string()]);
    let port = published.lines().next().unwrap().rsplit_once(':').unwrap().1.parse().unwrap();
    let endpoint = Endpoint {
        hosts: vec![("127.0.0.1".to_owned(), port)],
        user: start.login.user,
        password: start.login.password.map(Secret::new),
        ..Endpoint::default()
    };
    (id, endpoint)
}
