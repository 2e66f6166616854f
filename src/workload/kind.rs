//! What the suite language and the plan need of a kind of workload: its parameters by name, and how they are read.
//!
//! It must not know YAML or a database. Invariant: a configured workload is valid; building it can't fail.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::iot::IotKind;
use super::model::{Outline, Schema};
use super::operation::OperationKind;
use super::parameters::RawParameter;
use super::stream::{Totals, Workload};
use crate::diagnostic::Diagnostic;

/// What becomes of a parameter that is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterRole {
    /// It shapes the data: a reader takes it from the case it stands on.
    Data,
    /// It is a scenario's own.
    Own,
    /// The same value as a path of the suite (`load.clients`, `load.pacing`, `load.duration`, `policy.reset`).
    SuitePath(&'static str),
    /// It belongs under `targets:` (connection settings): an error.
    Connection,
    /// It is known and has no effect here: a note; the text says why.
    NoEffect(&'static str),
    /// It is known and not supported yet: an error; the text says why.
    Unsupported(&'static str),
}

/// One parameter.
#[derive(Clone, Copy, Debug)]
pub struct ParameterSpec {
    /// The canonical name, in the original's spelling.
    pub name: &'static str,
    /// Other names for the same value.
    pub aliases: &'static [&'static str],
    /// What it is; becomes the schema's and the reference's text.
    pub about: &'static str,
    /// Its type in words (`integer`, `boolean`, `ratio list`, …).
    pub kind: &'static str,
    /// The default as text; none where it is derived.
    pub default: Option<&'static str>,
    /// What becomes of it.
    pub role: ParameterRole,
}

/// The code of findings about one value that is wrong whatever the others are, such as a word where a number is meant.
pub const BAD_VALUE: &str = "bad-value";

/// What a workload is told from outside its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Surroundings {
    /// load.clients, where the suite says so; the default is min(10, devices).
    pub clients: Option<u32>,
    /// The suite's seed; DATA_SEED and QUERY_SEED override it.
    pub seed: u64,
}

/// A kind of workload, such as `iot`.
pub trait WorkloadKind: Send + Sync {
    /// Its name in suites.
    fn name(&self) -> &'static str;
    /// All parameters that it knows.
    fn parameters(&self) -> &'static [ParameterSpec];
    /// Reads parameters into a valid workload, or says everything that is wrong. Roles `SuitePath`, `Connection`, `NoEffect`
    /// and `Unsupported` have been dealt with before; unknown names too. Names may come in either case.
    ///
    /// # Errors
    /// All findings, each with a span of the parameters it is about.
    fn configure(&self, raw: &[RawParameter], around: Surroundings) -> Result<Arc<dyn Configured>, Vec<Diagnostic>>;
}

/// A workload whose parameters are read and valid.
pub trait Configured: Any + Send + Sync {
    /// Canonical name → resolved value, defaults included; enough to configure it again. Equal for equal workloads.
    fn canonical(&self) -> BTreeMap<String, String>;
    /// A copy with some parameters changed: cheap, for sweeps over many cells.
    ///
    /// # Errors
    /// As [`WorkloadKind::configure`].
    fn with(&self, changes: &[RawParameter], around: Surroundings) -> Result<Arc<dyn Configured>, Vec<Diagnostic>>;
    /// How many clients there are.
    fn clients(&self) -> u32;
    /// Canonical entries whose value is not the one that `other`, of the same kind, has: name and this one's value.
    fn difference(&self, other: &dyn Configured) -> Vec<(String, String)> {
        let others = other.canonical();
        self.canonical().into_iter().filter(|(name, value)| others.get(name) != Some(value)).collect()
    }
    /// The shape of the data.
    fn schema(&self) -> Arc<Schema>;
    /// The sizes and types of that shape; cheaper than the shape itself where a kind says so.
    fn outline(&self) -> Outline {
        self.schema().outline()
    }
    /// What the measured part does in all.
    fn totals(&self) -> Totals;
    /// The kinds of operation that can come.
    fn kinds(&self) -> Vec<OperationKind>;
    /// Whether it writes.
    fn writes(&self) -> bool;
    /// About how many bytes the client needs in memory.
    fn memory_bytes(&self) -> u64;
    /// The workload itself.
    fn build(&self) -> Arc<dyn Workload>;
}

/// All kinds of workload, by name.
pub fn kinds() -> &'static [&'static dyn WorkloadKind] {
    &[&IotKind]
}

/// The kind by this name.
pub fn find(name: &str) -> Option<&'static dyn WorkloadKind> {
    kinds().iter().copied().find(|kind| kind.name() == name)
}
