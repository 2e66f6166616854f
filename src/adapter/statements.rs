//! What is sent and started for a trial: the container's settings, the statements that make, list and remove its database,
//! those that make, count and empty its tables.
//!
//! It must not know who sends them. Invariant: every text comes from the adapter's folder; nothing is worded here.

use std::collections::BTreeMap;

use minijinja::context;
use minijinja::value::Value;

use super::template::{self, RenderError, environment_of, render, statements};
use super::tuning::{ReadBack, Tuning};
use super::types::{Adapter, ConfigFile, Login, WorkloadPart};
use crate::workload::model::{Schema, Table};

/// A container, ready to be created.
#[derive(Clone, Debug, PartialEq)]
pub struct DockerStart {
    /// The image, by the adapter.
    pub image: String,
    /// The port inside.
    pub port: u16,
    /// The server's command with the arguments of tuning values; empty: the image's own.
    pub command: Vec<String>,
    /// Its environment, that of tuning values included.
    pub environment: BTreeMap<String, String>,
    /// Paths inside, and the texts to be put there.
    pub files: Vec<(String, String)>,
    /// Where its data lies inside.
    pub data: String,
    /// Bytes of /dev/shm, where the image needs more than Docker's own.
    pub shm_bytes: Option<u64>,
    /// How long a clean stop may take, in seconds.
    pub stop_seconds: u32,
    /// How to log in.
    pub login: Login,
}

/// The statements around a trial's own database.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DatabaseStatements {
    /// The database that `create`, `drop` and `list` are sent in.
    pub maintenance: Option<String>,
    /// Makes it.
    pub create: Vec<String>,
    /// Removes it.
    pub drop: Vec<String>,
    /// Sent in it when it has been made.
    pub prepare: Vec<String>,
    /// Sent in it to leave nothing of a user's in it.
    pub empty: Vec<String>,
    /// Lists all databases.
    pub list: Option<String>,
    /// Answers rows where it holds anything of a user's; sent in it.
    pub contents: Option<String>,
}

impl Adapter {
    /// The image for a version; none: it does not run in a container.
    ///
    /// # Errors
    /// A template of the adapter that can't be rendered.
    pub fn image(&self, version: &str) -> Result<Option<String>, RenderError> {
        let render = |docker: &super::types::DockerPart| {
            template::render("docker.image", &docker.image, &context! { version => version })
        };
        self.file.docker.as_ref().map(render).transpose()
    }

    /// What a container of this adapter is created with. `memory_bytes` is the container's limit, where it has one.
    ///
    /// # Errors
    /// No `docker:` in the adapter, or a template that can't be rendered.
    pub fn docker_start(
        &self,
        version: &str,
        tuning: &Tuning,
        memory_bytes: Option<u64>,
    ) -> Result<DockerStart, RenderError> {
        let missing = || RenderError::missing("docker", format!("{} does not run in a container", self.file.name));
        let docker = self.file.docker.as_ref().ok_or_else(missing)?;
        let login = &docker.login;
        let context = context! {
            version => version, tuning => tuning.values(), memory_bytes => memory_bytes,
            login => login_value(login),
        };
        let plan = self.tuning_plan(tuning, "")?;
        let mut command = Vec::new();
        for argument in &docker.command {
            command.push(render("docker.command", argument, &context)?);
        }
        command.extend(plan.command);
        let mut environment = BTreeMap::new();
        for (name, value) in &docker.environment {
            environment.insert(name.clone(), render(&format!("docker.environment.{name}"), value, &context)?);
        }
        environment.extend(plan.environment);
        Ok(DockerStart {
            image: render("docker.image", &docker.image, &context)?,
            port: docker.port,
            command,
            environment,
            files: self.config_files(&docker.files, &context)?,
            data: render("docker.data", &docker.data, &context)?,
            shm_bytes: docker.shm_bytes,
            stop_seconds: docker.stop_seconds,
            login: login.clone(),
        })
    }

    fn config_files(&self, files: &[ConfigFile], context: &Value) -> Result<Vec<(String, String)>, RenderError> {
        let environment = environment_of(self)?;
        let render = |file: &ConfigFile| {
            let template = environment.get_template(&file.template);
            let text = template.and_then(|template| template.render(context.clone()));
            Ok((file.path.clone(), text.map_err(|error| RenderError::of(&file.template, &error))?))
        };
        files.iter().map(render).collect()
    }

    /// The statements around the database of this name.
    ///
    /// # Errors
    /// A template of the adapter that can't be rendered.
    pub fn database_statements(&self, database: &str) -> Result<DatabaseStatements, RenderError> {
        let part = &self.file.database;
        let context = context! { database => database };
        let one = |what: &str, text: &String| render(&format!("database.{what}"), text, &context);
        let all =
            |what: &str, texts: &[String]| texts.iter().map(|text| one(what, text)).collect::<Result<Vec<_>, _>>();
        Ok(DatabaseStatements {
            maintenance: part.maintenance.clone(),
            create: all("create", &part.create)?,
            drop: all("drop", &part.drop)?,
            prepare: all("prepare", &part.prepare)?,
            empty: all("empty", &part.empty)?,
            list: part.list.as_ref().map(|text| one("list", text)).transpose()?,
            contents: part.contents.as_ref().map(|text| one("contents", text)).transpose()?,
        })
    }

    /// What acknowledged means with these tuning values, for people.
    ///
    /// # Errors
    /// A template of the adapter that can't be rendered.
    pub fn durability(&self, tuning: &Tuning) -> Result<Option<String>, RenderError> {
        let context = context! { tuning => tuning.values() };
        self.file.durability.as_ref().map(|text| render("durability", text, &context)).transpose()
    }

    /// The part for a workload.
    ///
    /// # Errors
    /// When the adapter has none.
    pub fn workload(&self, workload: &str) -> Result<&WorkloadPart, RenderError> {
        let missing = || RenderError::missing("workloads", format!("{} has no {workload}", self.file.name));
        self.file.workloads.get(workload).ok_or_else(missing)
    }

    /// Makes the tables.
    ///
    /// # Errors
    /// No such workload, or a template of the adapter that can't be rendered.
    pub fn schema_statements(
        &self,
        workload: &str,
        schema: &Schema,
        tuning: &Tuning,
    ) -> Result<Vec<String>, RenderError> {
        self.file_statements(self.workload(workload)?.create.as_deref(), &self.schema_context(schema, tuning))
    }

    /// Empties the tables.
    ///
    /// # Errors
    /// As [`Adapter::schema_statements`].
    pub fn truncate_statements(
        &self,
        workload: &str,
        schema: &Schema,
        tuning: &Tuning,
    ) -> Result<Vec<String>, RenderError> {
        self.file_statements(self.workload(workload)?.truncate.as_deref(), &self.schema_context(schema, tuning))
    }

    /// Counts stored points: all value cells of all answers together. Empty: they can't be counted.
    ///
    /// # Errors
    /// As [`Adapter::schema_statements`].
    pub fn count_statements(
        &self,
        workload: &str,
        schema: &Schema,
        tuning: &Tuning,
    ) -> Result<Vec<String>, RenderError> {
        self.file_statements(self.workload(workload)?.count.as_deref(), &self.schema_context(schema, tuning))
    }

    /// Facts to read after the load, by name: each statement's first cell.
    ///
    /// # Errors
    /// As [`Adapter::schema_statements`].
    pub fn fact_statements(
        &self,
        workload: &str,
        schema: &Schema,
        tuning: &Tuning,
    ) -> Result<Vec<(String, String)>, RenderError> {
        let context = self.schema_context(schema, tuning);
        let fact =
            |(name, text): (&String, &String)| Ok((name.clone(), render(&format!("facts.{name}"), text, &context)?));
        self.workload(workload)?.facts.iter().map(fact).collect()
    }

    /// The values asked for, each with how it is read back when the schema stands.
    ///
    /// # Errors
    /// A template of the adapter that can't be rendered.
    pub fn read_backs(&self, tuning: &Tuning, schema: &Schema) -> Result<Vec<ReadBack>, RenderError> {
        self.read_backs_over(tuning, &self.schema_context(schema, tuning))
    }

    fn file_statements(&self, file: Option<&str>, context: &Value) -> Result<Vec<String>, RenderError> {
        let Some(file) = file else { return Ok(Vec::new()) };
        let environment = environment_of(self)?;
        let text = environment.get_template(file).and_then(|template| template.render(context.clone()));
        Ok(statements(&text.map_err(|error| RenderError::of(file, &error))?))
    }

    /// What the schema's templates get: `tables` (each `name`, `sensors`, `tags`), `devices`, `precision`, `per_second`,
    /// `types` and `tuning`.
    fn schema_context(&self, schema: &Schema, tuning: &Tuning) -> Value {
        context! {
            tables => schema.tables.iter().map(table_value).collect::<Vec<_>>(),
            devices => schema.devices,
            precision => schema.precision.name(),
            per_second => schema.precision.per_second(),
            types => Value::from(self.file.types.clone()),
            tuning => tuning.values(),
        }
    }
}

fn login_value(login: &Login) -> Value {
    context! {
        user => login.user.as_deref(),
        password => login.password.as_deref(),
        token => login.token.as_deref(),
        org => login.org.as_deref(),
    }
}

/// A table as templates get it; sensors have `name` and `type`, tags `name`.
pub(super) fn table_value(table: &Table) -> Value {
    let sensor = |s: &crate::workload::model::Sensor| context! { name => s.name.as_str(), type => s.data_type.name() };
    context! {
        name => table.name.as_str(),
        sensors => table.sensors.iter().map(sensor).collect::<Vec<_>>(),
        tags => table.tags.iter().map(|tag| context! { name => tag.name.as_str() }).collect::<Vec<_>>(),
    }
}
