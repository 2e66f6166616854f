//! What the name of an axis means: a parameter, a variable, or a path in the case.
//!
//! It must not know cells. Invariant: two names with the same meaning have the same key.

use crate::suite::model::{Entry, Text};
use crate::suite::parameter;
use crate::workload::kind::{ParameterRole, ParameterSpec, WorkloadKind};

/// What an axis changes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Meaning {
    /// A workload parameter.
    Parameter(&'static ParameterSpec),
    /// A variable.
    Variable,
    /// A path below `load.` or `policy.`, and the parameter whose values are meant where it was named by one.
    Suite(Option<&'static ParameterSpec>),
    /// A tuning parameter of the target's adapter, by the name that was typed.
    Tuning,
}

impl Meaning {
    /// What two names that mean the same have in common.
    pub(super) fn key(self, name: &str) -> String {
        match self {
            Meaning::Parameter(spec) => spec.name.to_owned(),
            Meaning::Suite(Some(spec)) => path_of(spec).unwrap_or(name).to_owned(),
            Meaning::Suite(None) | Meaning::Variable | Meaning::Tuning => name.to_owned(),
        }
    }

    /// The name in ids, labels and selectors: canonical where the name is a parameter's.
    pub(super) fn label(self, name: &str) -> String {
        match self {
            Meaning::Parameter(spec) | Meaning::Suite(Some(spec)) => spec.name.to_owned(),
            Meaning::Suite(None) | Meaning::Variable | Meaning::Tuning => name.to_owned(),
        }
    }
}

/// The path of the suite that a parameter is the same as.
pub(super) fn path_of(spec: &'static ParameterSpec) -> Option<&'static str> {
    match spec.role {
        ParameterRole::SuitePath(path) => Some(path),
        _ => None,
    }
}

/// What the name of an axis means for a workload; none where it means nothing there. Names that can't be axes have been
/// refused before.
pub(super) fn meaning(name: &Text, kind: &'static dyn WorkloadKind, vars: &[Entry]) -> Option<Meaning> {
    match name.text.split_once('.') {
        Some(("tuning", _)) => return Some(Meaning::Tuning),
        Some(("load" | "policy", _)) => return Some(Meaning::Suite(None)),
        Some(_) => return None,
        None => {}
    }
    // A variable is meant before a parameter of the same name: its axis was typed in the suite that made the variable.
    if vars.iter().any(|entry| entry.key.text == name.text) {
        return Some(Meaning::Variable);
    }
    let spec = parameter(kind, &name.text)?;
    match spec.role {
        ParameterRole::Data | ParameterRole::Own => Some(Meaning::Parameter(spec)),
        ParameterRole::SuitePath(_) => Some(Meaning::Suite(Some(spec))),
        ParameterRole::Connection | ParameterRole::NoEffect(_) | ParameterRole::Unsupported(_) => None,
    }
}
