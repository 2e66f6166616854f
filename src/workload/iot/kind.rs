//! Workload `iot` as suites and plans see it: parameters in, a valid workload out.
//!
//! It must not know YAML. Invariant: what is configured has passed every check.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use super::canonical::Value;
use super::key::{self, Key};
use super::parameters::IotParameters;
use super::workload::Iot;
use super::{canonical, check, read, shape, table, totals};
use crate::diagnostic::{Diagnostic, Span};
use crate::workload::kind::{BAD_VALUE, Configured, ParameterSpec, Surroundings, WorkloadKind};
use crate::workload::model::{Outline, Schema};
use crate::workload::operation::OperationKind;
use crate::workload::parameters::RawParameter;
use crate::workload::stream::{Totals, Workload};

/// The kind of workload called `iot`.
#[derive(Clone, Copy, Debug, Default)]
pub struct IotKind;

impl WorkloadKind for IotKind {
    fn name(&self) -> &'static str {
        "iot"
    }

    fn parameters(&self) -> &'static [ParameterSpec] {
        table::all()
    }

    fn configure(&self, raw: &[RawParameter], around: Surroundings) -> Result<Arc<dyn Configured>, Vec<Diagnostic>> {
        configure(IotParameters::new(around), &[], raw)
    }
}

/// Changes `parameters`, whose typed values stand at `places`, and checks them.
fn configure(
    mut parameters: IotParameters,
    places: &[(Key, Span)],
    raw: &[RawParameter],
) -> Result<Arc<dyn Configured>, Vec<Diagnostic>> {
    let mut found = Vec::new();
    let mut changed: Vec<(Key, Span)> = Vec::with_capacity(places.len() + raw.len());
    for (at, parameter) in raw.iter().enumerate() {
        let Some(key) = key::find(&parameter.name) else {
            let message = format!("workload iot has no parameter {}", parameter.name);
            found.push(Diagnostic::error("unknown-parameter", message).at(parameter.name_span, ""));
            continue;
        };
        if let Some(twice) = twice(key, parameter, &raw[..at], &changed) {
            found.push(twice);
        }
        changed.push((key, parameter.value_span));
        if let Err(expected) = read::set(&mut parameters, key, &parameter.value) {
            found.push(refused(key, parameter, &expected));
        }
    }
    if found.is_empty() {
        // Later places win: a change stands in front of what it changes.
        let place = |key: Key| {
            let of = |place: &&(Key, Span)| place.0 == key;
            changed.iter().rev().find(of).or_else(|| places.iter().find(of)).map(|place| place.1)
        };
        found = check::check(&parameters, &place);
    }
    if !found.is_empty() {
        return Err(found);
    }
    let new = changed.len();
    for place in places {
        if !changed[..new].iter().any(|(key, _)| *key == place.0) {
            changed.push(*place);
        }
    }
    Ok(Arc::new(IotConfigured { parameters, places: changed, totals: OnceLock::new() }))
}

/// The same parameter twice, perhaps by another of its names, with different values.
fn twice(key: Key, parameter: &RawParameter, earlier: &[RawParameter], places: &[(Key, Span)]) -> Option<Diagnostic> {
    places.iter().find(|place| place.0 == key)?;
    let first = earlier.iter().find(|first| key::find(&first.name) == Some(key) && first.value != parameter.value)?;
    let message = format!(
        "{} is given twice: {} {} and {} {}",
        key.name(),
        first.name,
        first.value,
        parameter.name,
        parameter.value
    );
    let diagnostic = Diagnostic::error("given-twice", message);
    Some(diagnostic.at(parameter.name_span, "").at(first.name_span, "first given here").help("keep one of them"))
}

/// A value that does not fit its parameter.
fn refused(key: Key, parameter: &RawParameter, expected: &str) -> Diagnostic {
    let message = format!("{} is `{}`; expected {expected}", key.name(), parameter.value);
    Diagnostic::error(BAD_VALUE, message).at(parameter.value_span, "")
}

/// Valid parameters of workload `iot`.
#[derive(Debug)]
pub(super) struct IotConfigured {
    parameters: IotParameters,
    places: Vec<(Key, Span)>,
    totals: OnceLock<Box<Totals>>,
}

impl Configured for IotConfigured {
    fn canonical(&self) -> BTreeMap<String, String> {
        Key::ALL
            .iter()
            .map(|key| (key.name().to_owned(), canonical::value(&self.parameters, *key).to_string()))
            .collect()
    }

    fn with(&self, changes: &[RawParameter], around: Surroundings) -> Result<Arc<dyn Configured>, Vec<Diagnostic>> {
        let parameters = IotParameters { around, ..self.parameters.clone() };
        configure(parameters, &self.places, changes)
    }

    fn clients(&self) -> u32 {
        self.parameters.clients()
    }

    fn difference(&self, other: &dyn Configured) -> Vec<(String, String)> {
        let other: &dyn Any = other;
        let Some(other) = other.downcast_ref::<IotConfigured>() else {
            return self.canonical().into_iter().collect();
        };
        // Most cells of a sweep share their names: nothing to compare then.
        let shared = Arc::ptr_eq(&self.parameters.names, &other.parameters.names);
        let differs = |key: &&Key| match canonical::value(&self.parameters, **key) {
            Value::Name(_) if shared => false,
            value => value != canonical::value(&other.parameters, **key),
        };
        let mut names: Vec<&Key> = Key::ALL.iter().filter(differs).collect();
        names.sort_unstable_by_key(|key| key.name());
        names.iter().map(|key| (key.name().to_owned(), canonical::value(&self.parameters, **key).to_string())).collect()
    }

    fn schema(&self) -> Arc<Schema> {
        Arc::new(shape::schema(&self.parameters))
    }

    fn outline(&self) -> Outline {
        let p = &self.parameters;
        Outline {
            devices: p.devices,
            tables: p.groups,
            sensors: p.sensors,
            tags: p.tags,
            types: shape::type_counts(p).map(|(_, count)| count > 0),
            precision: p.precision,
        }
    }

    fn totals(&self) -> Totals {
        Totals::clone(self.totals.get_or_init(|| Box::new(totals::totals(&self.parameters))))
    }

    fn kinds(&self) -> Vec<OperationKind> {
        self.parameters.kinds().collect()
    }

    fn writes(&self) -> bool {
        self.parameters.writes()
    }

    fn memory_bytes(&self) -> u64 {
        let p = &self.parameters;
        // A client holds one batch as columns, the same encoded, and its histograms.
        let batch = u64::from(p.batch) * (8 + u64::from(p.sensors) * (8 + u64::from(p.string_length)));
        u64::from(p.clients()) * (2 * batch + (1 << 20)) + (8 << 20)
    }

    fn build(&self) -> Arc<dyn Workload> {
        Arc::new(Iot::new(self.parameters.clone()))
    }
}
