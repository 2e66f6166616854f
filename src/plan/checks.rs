//! What can be wrong with a suite as a whole, once all its cells are known.
//!
//! It must not repeat what the suite's reading has said. Invariant: each complaint names the cells that it is about.

use std::collections::BTreeMap;

use super::block::AllFates;
use super::cell::{Cell, NONE};
use super::expansion::Expansion;
use super::findings::Findings;
use super::select::Chooser;
use super::support::bits;
use super::sweep::{Fate, named, no_such_axis};
use crate::diagnostic::Diagnostic;
use crate::suite::model::{Assertion, Scenario, Suite, Sweep};
use crate::workload::kind::WorkloadKind;
use crate::workload::operation::OperationKind;

/// Says which axes change nothing in any scenario and on any target.
pub(super) fn axes(
    suite: &Suite,
    fates: &AllFates,
    kinds: &[Option<&'static dyn WorkloadKind>],
    findings: &mut Findings,
) {
    let mut say = |sweep: &Sweep, fates: &[Fate], kind: Option<&'static dyn WorkloadKind>| {
        let Some(kind) = kind else { return };
        let key = |name: &crate::suite::model::Text| {
            let meaning = super::axes::meaning(name, kind, &suite.vars);
            meaning.map_or_else(|| name.text.clone(), |meaning| meaning.key(&name.text))
        };
        for (axis, fate) in named(sweep, &key).iter().zip(fates).filter(|(_, fate)| **fate != Fate::Known) {
            findings.push(no_such_axis(&axis.name, *fate));
        }
    };
    if let Some(sweep) = &suite.sweep {
        let loading = suite.scenarios.iter().zip(kinds).find(|(scenario, _)| scenario.on.is_none());
        say(sweep, &fates.top, loading.and_then(|(_, kind)| *kind));
    }
    for ((scenario, fates), kind) in suite.scenarios.iter().zip(&fates.own).zip(kinds) {
        if let Some(sweep) = &scenario.sweep {
            say(sweep, fates, *kind);
        }
    }
}

/// Says which cells no target can do, and which data differ from target to target.
pub(super) fn whole(expansion: &Expansion, findings: &mut Findings) {
    done_by_none(expansion, findings);
    timed_warmups(expansion, findings);
    if expansion.is_empty() && !findings.has_errors() {
        findings.push(Diagnostic::error("no-case", "the suite has no case: its sweep leaves none"));
    }
}

/// Says which assertions are about no case. Where an override has taken their cases away they are left out, else they are
/// mistakes.
pub(super) fn assertions(expansion: &mut Expansion, by_override: bool, findings: &mut Findings) {
    let chosen =
        |assertion: &Assertion| Chooser::new(expansion, &assertion.selectors).chosen(expansion).contains(&true);
    let about_some: Vec<bool> = expansion.suite.assertions.iter().map(|(assertion, _)| chosen(assertion)).collect();
    let mut about_some = about_some.into_iter();
    expansion.suite.assertions.retain(|(_, span)| {
        let keep = about_some.next().unwrap_or(true);
        if !keep && by_override {
            let message = "this assertion is about cases that are left out, so it is not checked";
            findings.push(Diagnostic::warning("override", message).at(*span, ""));
        } else if !keep {
            let error = Diagnostic::error("assertion", "this assertion selects no case").at(*span, "");
            findings.push(error.help("it would hold whatever happens: mend its selectors"));
        }
        keep
    });
}

/// Says of loading scenarios that others stand on that a warm-up by time makes their data unequal: what it writes stays.
fn timed_warmups(expansion: &Expansion, findings: &mut Findings) {
    let scenarios = &expansion.suite.scenarios;
    let mut told = vec![false; scenarios.len()];
    for cell in &expansion.cells {
        let block = &expansion.blocks[cell.block as usize];
        let loading = &scenarios[block.scenario];
        let is_timed = cell.warmup > 0.0 && cell.warmup_operations == 0 && cell.can_write;
        if told[block.scenario] || block.on.is_some() || !is_timed {
            continue;
        }
        let stands = |other: &&Scenario| other.on.as_ref().is_some_and(|on| on.text == loading.name.text);
        let Some(reader) = scenarios.iter().find(stands) else { continue };
        told[block.scenario] = true;
        let part = block.load.iter().rev().find(|part| part.path == "warmup");
        let span = part.map_or(loading.name.span, |part| part.span);
        let message = format!(
            "`{}` warms up for a time, and what it writes then stays: a faster target has more data when `{}` asks",
            loading.name.text, reader.name.text
        );
        let warning = Diagnostic::warning("unequal-data", message).at(span, "");
        findings.push(warning.help("warm up by operations, which are as many everywhere: warmup: { operations: 100 }"));
    }
}

/// Notes which assertions about throughput are about queries too.
pub(super) fn throughputs(expansion: &Expansion, findings: &mut Findings) {
    let is_open = |assertion: &Assertion| {
        assertion.measure == "throughput" && assertion.selectors.iter().all(|(name, _)| name != "operation")
    };
    let ingestion = bits(&[OperationKind::Ingestion]);
    for (assertion, span) in expansion.suite.assertions.iter().filter(|(assertion, _)| is_open(assertion)) {
        let chosen = Chooser::new(expansion, &assertion.selectors).chosen(expansion);
        let kinds =
            expansion.cells.iter().zip(chosen).filter(|(_, chosen)| *chosen).fold(0, |all, (cell, _)| all | cell.kinds);
        if kinds & ingestion == 0 || kinds == ingestion {
            continue;
        }
        let queries = OperationKind::ALL.iter().filter(|kind| bits(&[**kind]) & kinds & !ingestion != 0);
        let queries: Vec<&str> = queries.map(|kind| kind.short()).collect();
        let message = format!("this throughput is checked for queries too: {}", queries.join(", "));
        let note = Diagnostic::note("assertion", message).at(*span, "");
        findings.push(note.help("add the selector operation=INGESTION where only writes are meant"));
    }
}

/// The cells of all targets that are one cell: scenario, its ordinal, and that of the cell that it stands on.
type Shared = (usize, u64, u64);

fn done_by_none(expansion: &Expansion, findings: &mut Findings) {
    let shared = |cell: &Cell| -> Shared {
        let below = if cell.head == NONE { 0 } else { expansion.cells[cell.head as usize].ordinal };
        (expansion.blocks[cell.block as usize].scenario, cell.ordinal, below)
    };
    let mut undone: BTreeMap<Shared, Vec<usize>> = BTreeMap::new();
    for (index, cell) in expansion.cells.iter().enumerate().filter(|(_, cell)| cell.reason != NONE) {
        undone.entry(shared(cell)).or_default().push(index);
    }
    if undone.is_empty() {
        return;
    }
    for cell in expansion.cells.iter().filter(|cell| cell.reason == NONE) {
        undone.remove(&shared(cell));
    }
    for ((scenario, ..), cells) in undone {
        let name = &expansion.suite.scenarios[scenario].name;
        let mut reasons: Vec<String> = Vec::new();
        for case in cells {
            let (target, _) = expansion.place(case);
            let target = &expansion.suite.targets[target].name.text;
            let reason = format!("{target}: {}", expansion.not_supported(case).unwrap_or_default());
            if !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
        let message = format!("no target of this suite can do `{}`: {}", name.text, reasons.join("; "));
        findings.push(Diagnostic::error("not-supported", message).at(name.span, ""));
    }
}
