//! From a case to everything its trial needs: workload, tuning, cores, how its database is started.
//!
//! It must not touch a server. Invariant: cases with equal settings are started alike, so that one instance serves them.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::Arc;

use super::context::End;
use crate::adapter::tuning::Tuning;
use crate::adapter::types::Apply;
use crate::plan;
use crate::plan::types::Case;
use crate::provision::cores::{self, Cores};
use crate::provision::types::Place;
use crate::run::journal::trial::{CoresRecord, FailureReason};
use crate::run::stage::How;
use crate::run::world::{TargetParts, World};
use crate::workload::kind::Configured;
use crate::workload::load::Load;

/// What follows from a case.
pub struct Setup {
    /// Its tuning values, checked.
    pub tuning: Tuning,
    /// How its database is started.
    pub how: How,
    /// Its load, with the cores that the clients get.
    pub load: Load,
    /// How many cores the clients have.
    pub client_cores: usize,
    /// For the journal.
    pub cores: CoresRecord,
}

/// The workload of a case.
///
/// # Errors
/// When the plan was made by a velodrome that knew other workloads or parameters.
pub fn workload(case: &Case, seed: u64) -> Result<Arc<dyn Configured>, End> {
    plan::workload::workload(case, seed)
        .map_err(|what| End::Failed(FailureReason::Refused, format!("the plan of {}: {what}", case.id)))
}

/// All else.
///
/// # Errors
/// When a tuning value or a set of cores can't be taken.
pub fn setup(world: &World, parts: &TargetParts, case: &Case) -> Result<Setup, End> {
    let tuning = parts.adapter.tuning(&case.tuning).map_err(|errors| {
        let all: Vec<String> = errors.iter().map(ToString::to_string).collect();
        End::Failed(FailureReason::TuningRefused, all.join("; "))
    })?;
    let at_start = |(name, _): &(&String, &String)| {
        let apply = parts.adapter.file.tuning.get(*name).map(|parameter| &parameter.apply);
        // A value that the running server takes stays in it, so it needs a server of its own as well.
        apply.is_some_and(|apply| apply.needs_start() || matches!(apply, Apply::Server(_)))
    };
    let started: BTreeMap<String, String> =
        case.tuning.iter().filter(at_start).map(|(name, value)| (name.clone(), value.clone())).collect();
    let refuse = |error: cores::CoresError| End::Failed(FailureReason::Refused, error.to_string());
    let mut load = case.load.clone();
    let mut place = parts.place.clone();
    let record = match &mut place {
        Place::Docker(spec) => {
            let split = cores::split(&world.cores, spec.cpuset.as_deref(), &load.cores).map_err(refuse)?;
            spec.cpuset = Some(cores::format(&split.server));
            load.cores.clone_from(&split.client);
            record(&split)
        }
        Place::Embedded => {
            let client = if load.cores.is_empty() { &world.cores } else { &load.cores };
            CoresRecord {
                client: Some(cores::format(client)),
                server: Some(cores::format(client)),
                shared: parts.adapter.file.embedded.as_ref().map(|embedded| embedded.file.is_some()),
            }
        }
        Place::Existing(spec) => {
            let client = if load.cores.is_empty() { &world.cores } else { &load.cores };
            let here = spec.endpoint.hosts.iter().any(|(host, _)| is_this_host(host));
            CoresRecord { client: Some(cores::format(client)), server: None, shared: Some(here) }
        }
    };
    let client_cores = if load.cores.is_empty() { world.cores.len() } else { load.cores.len() };
    Ok(Setup { tuning, how: How { place, tuning: started }, load, client_cores, cores: record })
}

fn record(split: &Cores) -> CoresRecord {
    CoresRecord {
        client: Some(cores::format(&split.client)),
        server: Some(cores::format(&split.server)),
        shared: Some(split.shared),
    }
}

fn is_this_host(host: &str) -> bool {
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_host_is_known_by_its_loopback_names() {
        assert!(is_this_host("localhost") && is_this_host("127.0.0.1") && is_this_host("::1"));
        assert!(!is_this_host("db1") && !is_this_host("192.168.0.1"));
    }
}
