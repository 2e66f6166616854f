//! Whether a target can do a case, and what its adapter warns of; asked once for equal facts.
//!
//! It must not know why an adapter asks. Invariant: facts that no rule of the adapter looks at are asked about once only.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use minijinja::Environment;

use crate::adapter::support::CaseFacts;
use crate::adapter::types::Adapter;
use crate::workload::kind::Configured;
use crate::workload::model::{Outline, Precision};
use crate::workload::operation::OperationKind;

/// What of a case the adapter's rules look at; what none looks at is left out.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    kinds: u16,
    types: [bool; 6],
    precision: Precision,
    devices: Option<u64>,
    tables: Option<u32>,
    sensors: Option<u32>,
    tags: Option<u32>,
    clients: Option<u32>,
    tuning: Option<BTreeMap<String, String>>,
    parameters: Option<BTreeMap<String, String>>,
}

/// What an adapter says of a case.
#[derive(Clone, Debug, Default)]
pub(super) struct Answer {
    /// Why it can't do it.
    pub(super) not_supported: Option<Arc<str>>,
    /// What it warns of.
    pub(super) cautions: Vec<String>,
}

/// One adapter's answers for one workload.
pub(super) struct Support {
    adapter: Arc<Adapter>,
    workload: &'static str,
    looked_at: HashSet<String>,
    limits_columns: bool,
    known: HashMap<Key, Arc<Answer>>,
    /// The last answer: cells next to one another mostly have the same.
    last: Option<(Key, Arc<Answer>)>,
}

/// The kinds of operation as bits.
pub(super) fn bits(kinds: &[OperationKind]) -> u16 {
    kinds.iter().fold(0, |bits, kind| bits | 1 << kind.index())
}

impl Support {
    /// For an adapter and a workload.
    pub(super) fn new(adapter: &Arc<Adapter>, workload: &'static str) -> Self {
        let environment = Environment::new();
        let unsupported = adapter.file.unsupported.iter().map(|rule| &rule.when);
        let cautions = adapter.file.cautions.iter();
        let expressions = unsupported.chain(cautions.clone().map(|rule| &rule.when));
        let mut looked_at: HashSet<String> = expressions
            .filter_map(|text| environment.compile_expression(text).ok())
            .flat_map(|expression| expression.undeclared_variables(false))
            .collect();
        for caution in cautions {
            let template = environment.template_from_str(&caution.say).ok();
            looked_at.extend(template.into_iter().flat_map(|template| template.undeclared_variables(false)));
        }
        let limits_columns = adapter.file.limits.columns.is_some();
        Support { adapter: Arc::clone(adapter), workload, looked_at, limits_columns, known: HashMap::new(), last: None }
    }

    /// What the adapter says of a case, and whether that has not been said of another before.
    ///
    /// # Errors
    /// A rule of the adapter that can't be evaluated.
    pub(super) fn ask(
        &mut self,
        configured: &dyn Configured,
        outline: &Outline,
        kinds: &[OperationKind],
        clients: u32,
        tuning: &BTreeMap<String, String>,
    ) -> Result<(Arc<Answer>, bool), String> {
        let looks = |name: &str| self.looked_at.contains(name);
        let columns = |name: &str| looks(name) || self.limits_columns;
        let key = Key {
            kinds: bits(kinds),
            types: outline.types,
            precision: outline.precision,
            devices: looks("devices").then_some(outline.devices),
            tables: looks("tables").then_some(outline.tables),
            sensors: columns("sensors").then_some(outline.sensors),
            tags: columns("tags").then_some(outline.tags),
            clients: looks("clients").then_some(clients),
            tuning: looks("tuning").then(|| tuning.clone()),
            parameters: looks("parameters").then(|| configured.canonical()),
        };
        if let Some((_, answer)) = self.last.as_ref().filter(|(last, _)| *last == key) {
            return Ok((Arc::clone(answer), false));
        }
        let known = self.known.get(&key).map(Arc::clone);
        let is_new = known.is_none();
        let answer = match known {
            Some(known) => known,
            None => Arc::new(self.answer(configured, kinds, clients, tuning)?),
        };
        if is_new {
            self.known.insert(key.clone(), Arc::clone(&answer));
        }
        self.last = Some((key, Arc::clone(&answer)));
        Ok((answer, is_new))
    }

    fn answer(
        &self,
        configured: &dyn Configured,
        operations: &[OperationKind],
        clients: u32,
        tuning: &BTreeMap<String, String>,
    ) -> Result<Answer, String> {
        let tuning = self
            .adapter
            .tuning(tuning)
            .map_err(|errors| errors.first().map_or_else(|| "tuning can't be read".to_owned(), ToString::to_string))?;
        let (schema, parameters) = (configured.schema(), configured.canonical());
        let facts = CaseFacts {
            workload: self.workload,
            operations,
            schema: &schema,
            clients,
            parameters: &parameters,
            tuning: &tuning,
        };
        let said = |error: crate::adapter::template::RenderError| error.to_string();
        let not_supported = self.adapter.not_supported(&facts).map_err(said)?;
        let cautions = self.adapter.cautions(&facts).map_err(said)?;
        Ok(Answer { not_supported: not_supported.map(Arc::from), cautions })
    }
}
