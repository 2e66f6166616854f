//! Queries in a database's language: templates compiled once, rendered a query in a few microseconds.
//!
//! It must not know when a query is asked. Invariant: the same query gives the same statement.

use std::sync::Arc;

use minijinja::Environment;
use minijinja::value::{Object, Value};

use super::statements::table_value;
use super::template::{RenderError, environment_of};
use super::types::Adapter;
use crate::workload::model::Schema;
use crate::workload::operation::{OperationKind, Query};

/// An adapter's queries over one schema.
#[derive(Debug)]
pub struct Queries {
    environment: Environment<'static>,
    /// The template's name, at the kind's index.
    templates: Vec<Option<String>>,
    schema: Arc<Schema>,
    /// Each table's name and sensors, as templates get them.
    tables: Vec<(Value, Vec<Value>)>,
    /// The aggregates' names here.
    aggregates: Vec<(&'static str, Value)>,
}

impl Queries {
    /// Compiles an adapter's query templates for a workload.
    ///
    /// # Errors
    /// No such workload, or a template with a syntax error.
    pub fn new(adapter: &Adapter, workload: &str, schema: Arc<Schema>) -> Result<Self, RenderError> {
        let part = adapter.workload(workload)?;
        let mut environment = environment_of(adapter)?;
        environment.add_global("precision", schema.precision.name());
        environment.add_global("types", Value::from(adapter.file.types.clone()));
        let table = |table| {
            let value = table_value(table);
            let sensors = value.get_attr("sensors").and_then(|sensors| Ok(sensors.try_iter()?.collect()));
            Ok((Value::from(table.name.as_str()), sensors.map_err(|error| RenderError::of("tables", &error))?))
        };
        Ok(Queries {
            environment,
            templates: OperationKind::ALL.iter().map(|kind| part.queries.get(kind.short()).cloned()).collect(),
            tables: schema.tables.iter().map(table).collect::<Result<_, _>>()?,
            aggregates: aggregates(adapter),
            schema,
        })
    }

    /// The statement for a query.
    ///
    /// # Errors
    /// No template for its kind, or one that can't be rendered; the error names it.
    pub fn statement(&self, query: &Query) -> Result<String, RenderError> {
        let missing = || RenderError::missing(query.kind.short(), format!("no template for {}", query.kind.name()));
        let name = self.templates[query.kind.index()].as_deref().ok_or_else(missing)?;
        let template = self.environment.get_template(name);
        let text = template.and_then(|template| template.render(Value::from_object(self.asked(query))));
        text.map(|text| text.trim_end().to_owned()).map_err(|error| RenderError::of(name, &error))
    }

    fn asked(&self, query: &Query) -> Asked {
        let (table, sensors) = &self.tables[query.table as usize];
        let aggregate = query.aggregate.name();
        let named = self.aggregates.iter().find(|(name, _)| *name == aggregate);
        Asked {
            operation: query.kind.short(),
            table: table.clone(),
            devices: query.devices.iter().map(|device| Value::from(self.schema.device_name(*device))).collect(),
            sensors: query.sensors.iter().map(|sensor| sensors[*sensor as usize].clone()).collect(),
            start: query.start,
            end: query.end,
            lower_value: query.lower_value,
            aggregate: named.map_or_else(|| Value::from(aggregate), |(_, value)| value.clone()),
            group_by: query.group_by,
            row_limit: query.row_limit,
        }
    }
}

/// SQL's names of the aggregates, each with its name here.
fn aggregates(adapter: &Adapter) -> Vec<(&'static str, Value)> {
    use crate::workload::operation::Aggregate::{Avg, Count, Max, Min, Sum};
    let named = |name: &'static str| {
        let here = adapter.file.aggregates.get(name).map_or(name, String::as_str);
        (name, Value::from(here))
    };
    [Count, Avg, Sum, Max, Min].map(|aggregate| named(aggregate.name())).to_vec()
}

/// What query templates get.
#[derive(Debug)]
struct Asked {
    operation: &'static str,
    table: Value,
    devices: Value,
    sensors: Value,
    start: i64,
    end: i64,
    lower_value: f64,
    aggregate: Value,
    group_by: i64,
    row_limit: Option<u64>,
}

impl Object for Asked {
    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        self.get_value_by_str(key.as_str()?)
    }

    fn get_value_by_str(self: &Arc<Self>, key: &str) -> Option<Value> {
        Some(match key {
            "operation" => Value::from(self.operation),
            "table" => self.table.clone(),
            "devices" => self.devices.clone(),
            "sensors" => self.sensors.clone(),
            "start" => Value::from(self.start),
            "end" => Value::from(self.end),
            "lower_value" => Value::from(self.lower_value),
            "aggregate" => self.aggregate.clone(),
            "group_by" => Value::from(self.group_by),
            "row_limit" => self.row_limit.map_or(Value::from(()), Value::from),
            _ => return None,
        })
    }
}
