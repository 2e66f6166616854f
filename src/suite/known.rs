//! What a suite may name: adapters and kinds of workload.
//!
//! It must not hold adapters' data. Invariant: names are looked up here and nowhere else.

use crate::workload::kind::{ParameterSpec, WorkloadKind};

/// An adapter, as far as a suite needs to know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownAdapter {
    /// Its name.
    pub name: String,
    /// Whether it runs inside this process.
    pub embedded: bool,
    /// Whether it runs in a container.
    pub docker: bool,
    /// Whether it can be a server that runs already.
    pub existing: bool,
}

/// All that a suite may name.
#[derive(Clone)]
pub struct Known {
    /// The adapters.
    pub adapters: Vec<KnownAdapter>,
    /// The kinds of workload.
    pub kinds: Vec<&'static dyn WorkloadKind>,
}

impl Known {
    /// The adapter by this name.
    pub fn adapter(&self, name: &str) -> Option<&KnownAdapter> {
        self.adapters.iter().find(|adapter| adapter.name == name)
    }

    /// The kind of workload by this name.
    pub fn kind(&self, name: &str) -> Option<&'static dyn WorkloadKind> {
        self.kinds.iter().copied().find(|kind| kind.name() == name)
    }
}

/// A workload's parameter by its name or another name for it, in either case.
pub fn parameter(kind: &dyn WorkloadKind, name: &str) -> Option<&'static ParameterSpec> {
    let is = |known: &str| known.eq_ignore_ascii_case(name);
    kind.parameters().iter().find(|spec| is(spec.name) || spec.aliases.iter().any(|alias| is(alias)))
}
