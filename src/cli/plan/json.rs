//! A plan as JSON, written while its cases are found, so that a million of them take no memory.
//!
//! It must not decide anything. Invariant: the keys are those that the design names.

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::cli::output::out;
use crate::plan::Expansion;
use crate::plan::estimate::{Estimator, Totals};
use crate::plan::types::PLAN_VERSION;

/// So many bytes are gathered before they are written.
const CHUNK: usize = 1 << 18;

/// One case.
#[derive(Serialize)]
struct CaseView<'a> {
    id: &'a str,
    hash: &'a str,
    target: &'a str,
    scenario: &'a str,
    parameters: std::collections::BTreeMap<String, String>,
    operations: Option<u64>,
    points: Option<u64>,
    bytes: Option<u64>,
    memory: u64,
    disk: u64,
    seconds: f64,
    not_supported: Option<&'a str>,
}

/// One trial.
#[derive(Serialize)]
struct TrialView<'a> {
    case: &'a str,
    round: u32,
}

/// Prints the plan; answers how many seconds it is estimated to take.
pub(super) fn print(expansion: &Expansion, estimator: &Estimator<'_>) -> f64 {
    let mut text = format!("{{\"version\":{PLAN_VERSION},\"hash\":\"{}\",\"cases\":[\n", expansion.hash());
    for (index, case) in expansion.cases().enumerate() {
        let cost = estimator.cost(index);
        let view = CaseView {
            id: &case.id,
            hash: &case.hash,
            target: &case.target,
            scenario: &case.scenario,
            parameters: expansion.shown_parameters(&case),
            operations: case.operations,
            points: case.points,
            bytes: case.bytes,
            memory: cost.memory,
            disk: cost.disk,
            seconds: rounded(cost.seconds),
            not_supported: case.not_supported.as_deref(),
        };
        push(&mut text, index, &view);
    }
    text.push_str("\n],\"trials\":[\n");
    for (index, (case, round)) in expansion.trials().iter().enumerate() {
        push(&mut text, index, &TrialView { case: &expansion.id(*case as usize), round: *round });
    }
    let (totals, _) = estimator.totals();
    let seconds = totals.seconds + estimator.switching_seconds();
    text.push_str(&format!("\n],\"totals\":{}}}\n", Value::Object(view(&totals, seconds))));
    out(&text);
    seconds
}

fn push(text: &mut String, index: usize, view: &impl Serialize) {
    if index > 0 {
        text.push_str(",\n");
    }
    // Plain data of ours can't fail to be written.
    text.push_str(&serde_json::to_string(view).unwrap_or_default());
    if text.len() > CHUNK {
        out(text);
        text.clear();
    }
}

fn view(totals: &Totals, seconds: f64) -> Map<String, Value> {
    let value = json!({
        "cases": totals.cases,
        "trials": totals.trials,
        "operations": totals.operations,
        "points": totals.points,
        "bytes": totals.bytes,
        "memory": totals.memory,
        "disk": totals.disk,
        "seconds": rounded(seconds),
        "not_supported": totals.not_supported,
    });
    value.as_object().cloned().unwrap_or_default()
}

/// To a thousandth: more digits would say more than an estimate knows.
fn rounded(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}
