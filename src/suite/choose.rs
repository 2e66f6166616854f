//! What overrides leave of a lowered suite: axes with one value, and some of the targets.
//!
//! It must not read anything. Invariant: what is left is a valid suite.

use super::lower::{same_axis, same_effect, with_nearest};
use super::model::{Axis, Cells, Entry, Suite, Sweep, Text};
use super::overrides::Pinned;
use crate::diagnostic::Diagnostic;
use crate::workload::kind::WorkloadKind;

type Kinds<'k> = &'k [&'static dyn WorkloadKind];

/// Gives axes that `--set` names their one value.
pub(super) fn pin(suite: &mut Suite, pinned: &[Pinned], kinds: Kinds<'_>) {
    let of_scenarios = suite.scenarios.iter_mut().filter_map(|scenario| scenario.sweep.as_mut());
    for sweep in suite.sweep.iter_mut().chain(of_scenarios) {
        pinned.iter().for_each(|pinned| pin_sweep(sweep, pinned, kinds));
    }
}

fn pin_sweep(sweep: &mut Sweep, pinned: &Pinned, kinds: Kinds<'_>) {
    let is = |name: &Text| same_effect(&name.text, &pinned.name, kinds);
    // The name is that of the flag too: CLIENT_NUMBER and load.clients are one, but their values may be written differently.
    let rename = |name: &mut Text| {
        if !same_axis(&name.text, &pinned.name, kinds) {
            name.text.clone_from(&pinned.name);
        }
    };
    let pin_axis = |axis: &mut Axis| {
        rename(&mut axis.name);
        axis.values.iter_mut().for_each(|slot| *slot = pinned.value.clone());
    };
    let pin_entry = |entry: &mut Entry| {
        rename(&mut entry.key);
        entry.value = pinned.value.clone();
    };
    match &mut sweep.cells {
        Cells::Matrix(axes) => pin_alone(axes.iter_mut().filter(|axis| is(&axis.name)), pin_axis),
        Cells::Zip(axes) if axes.iter().any(|axis| is(&axis.name)) => {
            axes.iter_mut().filter(|axis| is(&axis.name)).for_each(pin_axis);
            distinct_rows(axes);
        }
        Cells::Routine(tests) => {
            let settings = tests.iter_mut().flat_map(|test| &mut test.settings);
            settings.filter(|entry| is(&entry.key)).for_each(pin_entry);
        }
        Cells::Zip(_) | Cells::None => {}
    }
    let further = sweep.per_target.iter_mut().flat_map(|(_, axes)| axes);
    pin_alone(further.filter(|axis| is(&axis.name)), pin_axis);
    sweep.exclude.retain(|(cell, _)| !cell.iter().any(|entry| is(&entry.key)));
    let included = sweep.include.iter_mut().flat_map(|(cell, _)| cell);
    included.filter(|entry| is(&entry.key)).for_each(pin_entry);
}

/// Gives axes that are combined with others one value each.
fn pin_alone<'a>(axes: impl Iterator<Item = &'a mut Axis>, pin: impl Fn(&mut Axis)) {
    for axis in axes {
        axis.values.truncate(1);
        pin(axis);
    }
}

/// Keeps the first of equal rows of a zip.
fn distinct_rows(axes: &mut [Axis]) {
    let rows = axes.iter().map(|axis| axis.values.len()).min().unwrap_or(0);
    let row = |axes: &[Axis], index: usize| -> Vec<String> {
        axes.iter().map(|axis| axis.values[index].text.clone()).collect()
    };
    let mut seen = std::collections::HashSet::new();
    let kept: Vec<bool> = (0..rows).map(|index| seen.insert(row(axes, index))).collect();
    for axis in axes {
        let mut keep = kept.iter();
        axis.values.retain(|_| keep.next().copied().unwrap_or(false));
    }
}

/// Keeps the targets that `--targets` names, in the suite's order.
pub(super) fn targets(suite: &mut Suite, typed: Option<&str>, found: &mut Vec<Diagnostic>) {
    let Some(typed) = typed else { return };
    let wanted: Vec<&str> = typed.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
    let names: Vec<String> = suite.targets.iter().map(|target| target.name.text.clone()).collect();
    let known = || names.iter().map(String::as_str);
    for name in wanted.iter().filter(|name| !known().any(|known| known == **name)) {
        let error = Diagnostic::error("override", format!("`--targets`: there is no target `{name}`"));
        found.push(with_nearest(error, name, known()).help(format!("the targets are: {}", names.join(", "))));
    }
    if wanted.is_empty() {
        let error = Diagnostic::error("override", "`--targets` names no target");
        found.push(error.help(format!("the targets are: {}", names.join(", "))));
    }
    suite.targets.retain(|target| wanted.contains(&target.name.text.as_str()));
    let left_out = |name: &str| !wanted.contains(&name) && names.iter().any(|known| known == name);
    if let Some(name) = suite.report.baseline.take_if(|name| left_out(name)) {
        let message = format!("the baseline `{name}` is left out by `--targets`, so nothing is compared with it");
        found.push(Diagnostic::warning("override", message));
    }
    let without_baseline = suite.report.baseline.is_none();
    suite.assertions.retain(|(assertion, span)| {
        let unselected = assertion.selectors.iter().any(|(name, value)| name == "target" && left_out(value));
        let lost = unselected || (assertion.of_baseline && without_baseline);
        if lost {
            let message = "this assertion needs a target that `--targets` leaves out, so it is not checked";
            found.push(Diagnostic::warning("override", message).at(*span, ""));
        }
        !lost
    });
}
