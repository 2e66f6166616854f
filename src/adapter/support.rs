//! What an adapter can't do and what it warns of, for one case.
//!
//! It must not know suites. Invariant: the answer depends on the facts alone; ask once for equal facts.

use std::collections::BTreeMap;

use minijinja::context;
use minijinja::value::Value;

use super::template::{RenderError, is_true};
use super::tuning::Tuning;
use super::types::Adapter;
use crate::workload::model::{DataType, Schema};
use crate::workload::operation::OperationKind;

/// What a case is, as far as an adapter may care.
#[derive(Clone, Copy, Debug)]
pub struct CaseFacts<'a> {
    /// The workload's name.
    pub workload: &'a str,
    /// The kinds of operation that can come.
    pub operations: &'a [OperationKind],
    /// The shape of the data.
    pub schema: &'a Schema,
    /// How many clients there are.
    pub clients: u32,
    /// The workload's parameters.
    pub parameters: &'a BTreeMap<String, String>,
    /// The tuning values.
    pub tuning: &'a Tuning,
}

impl Adapter {
    /// Why it can't do a case; none: it can.
    ///
    /// # Errors
    /// An expression of the adapter that can't be evaluated.
    pub fn not_supported(&self, facts: &CaseFacts<'_>) -> Result<Option<String>, RenderError> {
        let Some(part) = self.file.workloads.get(facts.workload) else {
            return Ok(Some(format!("{} has no templates for the workload {}", self.file.title, facts.workload)));
        };
        let common = context(facts);
        for kind in facts.operations {
            let context = context! { operation => kind.short(), ..common.clone() };
            for entry in &self.file.unsupported {
                if is_true(&entry.when, &context)? {
                    return Ok(Some(entry.reason.clone()));
                }
            }
            if *kind != OperationKind::Ingestion && !part.queries.contains_key(kind.short()) {
                let what = format!("{} ({})", kind.short(), kind.name());
                return Ok(Some(format!("{} has no template for {what}", self.file.title)));
            }
        }
        Ok(self.unstorable(facts))
    }

    /// Why it can't store the data.
    fn unstorable(&self, facts: &CaseFacts<'_>) -> Option<String> {
        let title = &self.file.title;
        for table in &facts.schema.tables {
            let undeclared = |t: &DataType| !self.file.types.is_empty() && !self.file.types.contains_key(t.name());
            if let Some(sensor) = table.sensors.iter().find(|sensor| undeclared(&sensor.data_type)) {
                return Some(format!("{title} can't store {} (sensor {})", sensor.data_type.name(), sensor.name));
            }
            let columns = table.sensors.len() + table.tags.len() + 2;
            if let Some(most) = self.file.limits.columns.filter(|most| columns > *most as usize) {
                let made = format!("{} sensors, {} tags, device and time", table.sensors.len(), table.tags.len());
                return Some(format!("{title} takes {most} columns a table at most, not {columns} ({made})"));
            }
        }
        None
    }

    /// What to warn of in the plan.
    ///
    /// # Errors
    /// An expression of the adapter that can't be evaluated.
    pub fn cautions(&self, facts: &CaseFacts<'_>) -> Result<Vec<String>, RenderError> {
        let context = context(facts);
        let mut said = Vec::new();
        for caution in &self.file.cautions {
            if is_true(&caution.when, &context)? {
                said.push(super::template::render("cautions", &caution.say, &context)?);
            }
        }
        Ok(said)
    }
}

/// What expressions get.
fn context(facts: &CaseFacts<'_>) -> Value {
    let schema = facts.schema;
    let mut types: Vec<&str> = schema.tables.iter().flat_map(|t| &t.sensors).map(|s| s.data_type.name()).collect();
    types.sort_unstable();
    types.dedup();
    context! {
        devices => schema.devices,
        sensors => schema.tables.iter().map(|table| table.sensors.len()).max(),
        tags => schema.tables.iter().map(|table| table.tags.len()).max(),
        tables => schema.tables.len(),
        types => types,
        precision => schema.precision.name(),
        clients => facts.clients,
        parameters => Value::from(facts.parameters.clone()),
        tuning => facts.tuning.values(),
    }
}
