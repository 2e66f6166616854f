//! Sweeps: which cells there are.
//!
//! They must not combine axes. Invariant: one of matrix, zip and routine; every exclude of plain values matches a cell.

use super::axes::same_axis;
use super::context::{Lower, key_text, with_nearest};
use crate::diagnostic::{Diagnostic, Span};
use crate::suite::fields::SWEEP;
use crate::suite::model::{Axis, Cell, Cells, Entry, Sweep, Text};
use crate::suite::node::{Key, Node};
use crate::value::Quantity;
use crate::workload::kind::WorkloadKind;

type Kinds<'k> = &'k [&'static dyn WorkloadKind];

impl Lower<'_, '_> {
    /// `sweep:`; `kinds` are those of the scenarios that it is for.
    pub(super) fn sweep(&mut self, node: &Node, kinds: Kinds<'_>) -> Option<Sweep> {
        let fields = self.fields(node, &SWEEP)?;
        let given: Vec<(&Key, &Node)> =
            ["matrix", "zip", "routine"].iter().filter_map(|name| fields.entry(name)).collect();
        for (key, _) in given.iter().skip(1) {
            let message = format!("`{}` and `{}` exclude one another, and both are given", given[0].0.text, key.text);
            self.twice(message, key.span, given[0].0.span, "keep one of them; another sweep can stand in a scenario");
        }
        if let Some((key, _)) = given.iter().find(|(_, node)| is_empty(node)) {
            let found = Diagnostic::error("empty-axis", format!("`{}` is empty, so it makes no cells", key.text));
            self.say(found.at(key.span, "").help("give it something, such as LOOP: [10, 20], or leave it out"));
            return None;
        }
        let cells = match given.first() {
            Some((key, node)) if key.text == "matrix" => self.matrix(node, kinds),
            Some((key, node)) if key.text == "zip" => self.zip(node, kinds),
            Some((_, node)) => Cells::Routine(self.routine(node, kinds)),
            None => Cells::None,
        };
        let per_target = fields.get("per_target").map(|node| self.per_target(node, kinds)).unwrap_or_default();
        let include = fields.entry("include").filter(|(_, node)| !node.is_null());
        let exclude = fields.entry("exclude").filter(|(_, node)| !node.is_null());
        if let Cells::Routine(_) = cells {
            for (key, _) in include.iter().chain(&exclude) {
                let message = format!("`{}` does not go with a routine, whose tests build on one another", key.text);
                self.say(
                    Diagnostic::error("sweep-conflict", message).at(key.span, "").help("change the routine itself"),
                );
            }
            return Some(Sweep { cells, exclude: Vec::new(), include: Vec::new(), per_target, span: node.span });
        }
        let include = include.map(|(_, node)| self.include(node, &cells, kinds)).unwrap_or_default();
        let exclude = exclude.map(|(_, node)| self.exclude(node, &cells, &per_target, kinds)).unwrap_or_default();
        Some(Sweep { cells, exclude, include, per_target, span: node.span })
    }

    fn matrix(&mut self, node: &Node, kinds: Kinds<'_>) -> Cells {
        let axes = self.axes(node, kinds);
        axes.iter().for_each(|axis| self.distinct(axis));
        Cells::Matrix(axes)
    }

    fn zip(&mut self, node: &Node, kinds: Kinds<'_>) -> Cells {
        let axes = self.axes(node, kinds);
        if let Some((first, others)) = axes.split_first() {
            for other in others.iter().filter(|other| other.values.len() != first.values.len()) {
                let (a, b) = (first.values.len(), other.values.len());
                let message = format!(
                    "the axes of a zip are of one length, and `{}` has {a} values while `{}` has {b}",
                    first.name.text, other.name.text
                );
                let found = Diagnostic::error("unequal-zip", message);
                let found = found.at(other.name.span, format!("{b} values")).at(first.name.span, format!("{a} values"));
                self.say(found.help("give each axis as many values, or use `matrix` for every combination"));
            }
        }
        Cells::Zip(axes)
    }

    fn per_target(&mut self, node: &Node, kinds: Kinds<'_>) -> Vec<(Text, Vec<Axis>)> {
        let mut all = Vec::new();
        for (key, node) in self.entries(node, "axes by target are expected") {
            self.owner(key);
            let axes = self.axes(node, kinds);
            axes.iter().for_each(|axis| self.distinct(axis));
            all.push((key_text(key), axes));
        }
        all
    }

    /// Says of a key that is neither a target's nor an adapter's name.
    pub(super) fn owner(&mut self, key: &Key) {
        if self.owners.contains(&key.text) {
            return;
        }
        let message = format!("`{}` is neither a target's nor an adapter's name in this suite", key.text);
        let found = Diagnostic::error("unknown-target", message).at(key.span, "");
        let owners = self.owners.clone();
        let found = with_nearest(found, &key.text, owners.iter().map(String::as_str));
        self.say(found.help(format!("there are: {}", owners.join(", "))));
    }

    fn cells(&mut self, node: &Node) -> Vec<(Cell, Span)> {
        let nodes = self.list(node, "a list of cells is expected, such as [{ LOOP: 50, DEVICE_NUMBER: 100 }]");
        let nodes = nodes.unwrap_or_default();
        nodes.iter().map(|node| (self.values(node, "axis values by name"), node.span)).collect()
    }

    fn include(&mut self, node: &Node, cells: &Cells, kinds: Kinds<'_>) -> Vec<(Cell, Span)> {
        let axes = axes_of(cells);
        let included = self.cells(node);
        for (cell, span) in &included {
            for entry in cell {
                let is_axis = axes.iter().any(|axis| same_axis(&axis.name.text, &entry.key.text, kinds));
                if axes.is_empty() {
                    let _ = self.axis_name(&entry.key, kinds);
                } else if !is_axis {
                    self.no_axis(entry, axes);
                }
            }
            for axis in axes {
                if !cell.iter().any(|entry| same_axis(&axis.name.text, &entry.key.text, kinds)) {
                    let message = format!("an included cell is a whole one, and this one lacks `{}`", axis.name.text);
                    self.say(Diagnostic::error("missing-key", message).at(*span, ""));
                }
            }
        }
        included
    }

    fn exclude(
        &mut self,
        node: &Node,
        cells: &Cells,
        per_target: &[(Text, Vec<Axis>)],
        kinds: Kinds<'_>,
    ) -> Vec<(Cell, Span)> {
        let mut axes: Vec<Axis> = axes_of(cells).to_vec();
        let shared = axes.len();
        axes.extend(per_target.iter().flat_map(|(_, axes)| axes.iter().cloned()));
        let excluded = self.cells(node);
        for (cell, span) in &excluded {
            let find = |entry: &Entry| axes.iter().position(|axis| same_axis(&axis.name.text, &entry.key.text, kinds));
            let found: Vec<Option<usize>> = cell.iter().map(find).collect();
            for (entry, _) in cell.iter().zip(&found).filter(|(_, found)| found.is_none()) {
                self.no_axis(entry, &axes);
            }
            let wanted: Option<Vec<(usize, &Entry)>> =
                cell.iter().zip(&found).map(|(entry, found)| Some(((*found)?, entry))).collect();
            let Some(wanted) = wanted else { continue };
            if cell.is_empty() || !matches(&axes, shared, matches!(cells, Cells::Zip(_)), &wanted) {
                self.excludes_nothing(cell, *span, &wanted, &axes);
            }
        }
        excluded
    }

    fn no_axis(&mut self, entry: &Entry, axes: &[Axis]) {
        let message = format!("`{}` is no axis of this sweep", entry.key.text);
        let found = Diagnostic::error("unknown-axis", message).at(entry.key.span, "");
        let names = axes.iter().map(|axis| axis.name.text.as_str());
        let found = with_nearest(found, &entry.key.text, names.clone());
        self.say(found.help(format!("its axes are: {}", names.collect::<Vec<_>>().join(", "))));
    }

    fn excludes_nothing(&mut self, cell: &Cell, span: Span, wanted: &[(usize, &Entry)], axes: &[Axis]) {
        let shown: Vec<String> = cell.iter().map(|entry| format!("{}: {}", entry.key.text, entry.value.text)).collect();
        let message = format!("no cell has {}, so this excludes nothing", shown.join(", "));
        let mut found = Diagnostic::error("exclude-nothing", message).at(span, "");
        for (axis, entry) in wanted {
            let axis = &axes[*axis];
            let values: Vec<&str> = axis.values.iter().map(|value| value.text.as_str()).take(12).collect();
            if !axis.values.iter().any(|value| Quantity::same(&value.text, &entry.value.text)) {
                let more = if axis.values.len() > values.len() { ", …" } else { "" };
                found = found.help(format!("`{}` has the values {}{more}", axis.name.text, values.join(", ")));
            }
        }
        self.say(found);
    }
}

/// Whether nothing stands behind `matrix`, `zip` or `routine`.
fn is_empty(node: &Node) -> bool {
    node.is_null() || node.map().is_some_and(<[_]>::is_empty)
}

/// The axes that every target has.
fn axes_of(cells: &Cells) -> &[Axis] {
    match cells {
        Cells::Matrix(axes) | Cells::Zip(axes) => axes,
        Cells::Routine(_) | Cells::None => &[],
    }
}

/// Whether some cell has all wanted values. Values that templates make are known only in a plan: they count as equal.
fn matches(axes: &[Axis], shared: usize, side_by_side: bool, wanted: &[(usize, &Entry)]) -> bool {
    let equal = |value: &Text, entry: &Entry| {
        value.is_template() || entry.value.is_template() || Quantity::same(&value.text, &entry.value.text)
    };
    let alone = |(axis, entry): &(usize, &Entry)| axes[*axis].values.iter().any(|value| equal(value, entry));
    let (zipped, others): (Vec<_>, Vec<_>) =
        wanted.iter().copied().partition(|(axis, _)| side_by_side && *axis < shared);
    let rows = axes.first().map_or(0, |axis| axis.values.len());
    let row_fits = |row: usize| {
        zipped.iter().all(|(axis, entry)| axes[*axis].values.get(row).is_some_and(|value| equal(value, entry)))
    };
    others.iter().all(alone) && (zipped.is_empty() || (0..rows).any(row_fits))
}
