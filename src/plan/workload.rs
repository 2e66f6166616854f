//! A stored case's workload, configured again.
//!
//! It must not know where the case was stored. Invariant: the same case and seed give the workload that the plan was made with.

use std::sync::Arc;

use super::types::Case;
use crate::workload::kind::{Configured, Surroundings, find};
use crate::workload::parameters::RawParameter;

/// The workload of a case, in a suite with this seed.
///
/// # Errors
/// What is wrong with the case, when it was not made by this version.
pub fn workload(case: &Case, seed: u64) -> Result<Arc<dyn Configured>, String> {
    let kind = find(&case.workload).ok_or_else(|| format!("there is no workload {}", case.workload))?;
    let raw: Vec<RawParameter> =
        case.parameters.iter().map(|(name, value)| RawParameter::placeless(name, value)).collect();
    let around = Surroundings { clients: Some(case.load.clients), seed };
    kind.configure(&raw, around)
        .map_err(|found| found.iter().map(|finding| finding.message.as_str()).collect::<Vec<_>>().join("; "))
}
