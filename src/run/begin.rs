//! The journal's first line: all of the plan that a report needs, and the host.
//!
//! It must not know how a trial is run. Invariant: no secret: places are told by their limits, never by their logins.

use std::collections::{BTreeMap, BTreeSet};

use super::journal::events::{AssertionInfo, CaseInfo, Host, RunStarted, TargetInfo};
use super::words::bytes;
use crate::adapter::types::Adapter;
use crate::plan::types::{Case, Plan, Target};
use crate::suite::model::{Assertion, DockerSettings, Place};
use crate::workload::load::Pacing;

/// What the first line holds beside the plan.
pub struct Beginning<'a> {
    /// The run's id.
    pub run: &'a str,
    /// The command line, without secrets.
    pub command: String,
    /// The host of the clients.
    pub host: Host,
    /// Warnings of the plan, and fairness findings.
    pub findings: Vec<String>,
    /// The adapters by target.
    pub adapters: &'a BTreeMap<String, &'a Adapter>,
}

/// The journal's first line.
pub fn run_started(plan: &Plan, beginning: Beginning<'_>) -> RunStarted {
    let index: BTreeMap<&str, u32> =
        plan.cases.iter().zip(0..).map(|(case, index)| (case.id.as_str(), index)).collect();
    let trial = |trial: &crate::plan::types::Trial| Some((*index.get(trial.case.as_str())?, trial.round));
    RunStarted {
        run: beginning.run.to_owned(),
        velodrome: env!("CARGO_PKG_VERSION").to_owned(),
        suite: plan.suite.clone(),
        description: plan.description.clone(),
        plan_hash: plan.hash.clone(),
        seed: plan.seed,
        rounds: plan.rounds,
        overrides: plan.overrides.clone(),
        command: beginning.command,
        source: plan.source.clone(),
        host: beginning.host,
        targets: plan.targets.iter().map(|t| target_info(plan, t, beginning.adapters.get(&t.name).copied())).collect(),
        cases: plan.cases.iter().map(case_info).collect(),
        trials: plan.trials.iter().filter_map(trial).collect(),
        baseline: plan.report.baseline.clone(),
        formats: plan.report.formats.clone(),
        assertions: plan.assertions.iter().map(assertion_info).collect(),
        findings: beginning.findings,
    }
}

fn target_info(plan: &Plan, target: &Target, adapter: Option<&Adapter>) -> TargetInfo {
    let (place, limits) = match &target.place {
        Place::Embedded => ("embedded", None),
        Place::Docker(settings) => ("docker", limits(settings)),
        Place::Existing(settings) => ("existing", Some(settings.hosts.join(", "))),
    };
    TargetInfo {
        name: target.name.clone(),
        adapter: target.adapter.clone(),
        title: adapter.map_or_else(|| target.adapter.clone(), |adapter| adapter.file.title.clone()),
        version: target.version.clone(),
        image: target.image.clone(),
        place: place.to_owned(),
        limits,
        durability: adapter.and_then(|adapter| durability(plan, target, adapter)),
    }
}

/// What acknowledged means with the tuning values of each of the target's cases; each meaning once.
fn durability(plan: &Plan, target: &Target, adapter: &Adapter) -> Option<String> {
    let tunings: BTreeSet<_> = plan.cases.iter().filter(|case| case.target == target.name).map(|c| &c.tuning).collect();
    let said = tunings.into_iter().filter_map(|asked| adapter.durability(&adapter.tuning(asked).ok()?).ok().flatten());
    let each: BTreeSet<String> = said.collect();
    (!each.is_empty()).then(|| each.into_iter().collect::<Vec<_>>().join("; or "))
}

/// A container's limits for people; none where it has none.
fn limits(settings: &DockerSettings) -> Option<String> {
    let parts = [
        settings.cpus.map(|cpus| format!("cpus {cpus}")),
        settings.cpuset.as_ref().map(|cores| format!("cores {cores}")),
        settings.memory.map(|memory| format!("memory {}", bytes(memory))),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(" · "))
}

fn case_info(case: &Case) -> CaseInfo {
    CaseInfo {
        id: case.id.clone(),
        hash: case.hash.clone(),
        target: case.target.clone(),
        scenario: case.scenario.clone(),
        workload: case.workload.clone(),
        on: case.on.clone(),
        axes: case.axes.clone(),
        parameters: case.parameters.clone(),
        clients: case.load.clients,
        paced: matches!(case.load.pacing, Pacing::Open { .. }),
        tuning: case.tuning.clone(),
        operations: case.operations,
        points: case.points,
        bytes: case.bytes,
        not_supported: case.not_supported.clone(),
    }
}

fn assertion_info(assertion: &Assertion) -> AssertionInfo {
    AssertionInfo {
        text: assertion.text.clone(),
        measure: assertion.measure.clone(),
        selectors: assertion.selectors.clone(),
        comparison: assertion.comparison.clone(),
        value: assertion.value,
        of_baseline: assertion.of_baseline,
    }
}
