//! From a sweep and the axes that it has somewhere to rows.
//!
//! It must not know what an axis means. Invariant: each row comes once, but for a routine's, which may repeat a test.

use std::collections::{HashMap, HashSet};

use super::findings::Findings;
use super::rows::{ABSENT, Listed, Section, ValueIndex, product};
use super::scope::{Axis, AxisValue};
use super::sweep::{Asker, MOST_CELLS, Taken, axis_value, distinct};
use crate::diagnostic::Diagnostic;
use crate::suite::model::{Cells, Entry, RoutineTest, Sweep, Text};
use crate::value::Quantity;

/// A sweep being drawn into rows.
pub(super) struct Drawn<'a, 'b> {
    /// For whom.
    pub(super) asker: &'a Asker<'b>,
    /// The sweep.
    pub(super) sweep: &'a Sweep,
    /// Its axes there.
    pub(super) axes: &'a mut [Axis],
    /// The position of `axes` in the block.
    pub(super) first: usize,
    /// What the axes mean.
    pub(super) taken: &'a [Taken],
}

impl Drawn<'_, '_> {
    /// The rows; none where the sweep makes none there.
    pub(super) fn section(&mut self, findings: &mut Findings) -> Option<Section> {
        let range = self.first..self.first + self.axes.len();
        if self.axes.is_empty() {
            return None;
        }
        match &self.sweep.cells {
            Cells::Matrix(_) => {
                let sizes: Vec<u32> = self.axes.iter().map(|axis| axis.values.len() as u32).collect();
                if product(&sizes) > MOST_CELLS {
                    findings.push(too_many(self.sweep, product(&sizes)));
                    return None;
                }
                let left_out = self.left_out(&sizes);
                let inner = self.taken.iter().filter(|axis| !axis.shared).count();
                let mut section = Section::matrix(range, sizes.clone(), inner, left_out.as_deref());
                section.append(self.included(findings, |values| is_in(values, &sizes, left_out.as_deref())));
                Some(section)
            }
            Cells::Zip(axes) => {
                let positions: Vec<Vec<ValueIndex>> =
                    self.taken.iter().map(|axis| distinct(&axes[axis.index].values).1).collect();
                let len = positions.iter().map(Vec::len).min().unwrap_or(0);
                let rows = (0..len).map(|row| positions.iter().map(|axis| axis[row]).collect()).collect();
                let listed = self.side_by_side(rows);
                let there: HashSet<Vec<ValueIndex>> = listed.iter().map(|row| row.values.clone()).collect();
                let mut section = Section::list(range, listed);
                section.append(self.included(findings, |values| there.contains(values)));
                Some(section)
            }
            Cells::Routine(tests) => {
                let row = |(test, ordinal): (&RoutineTest, u64)| Listed { values: self.row(&test.settings), ordinal };
                let rows = tests.iter().zip(0..).map(row).collect();
                Some(Section::list(range, rows))
            }
            Cells::None if self.sweep.include.is_empty() => None,
            Cells::None => Some(Section::list(range, self.included(findings, |_| false))),
        }
    }

    /// The position of the axis that a name means.
    fn axis(&self, name: &Text) -> Option<usize> {
        let key = self.asker.key(name);
        self.axes.iter().position(|axis| axis.meaning.key(&axis.name.text) == key)
    }

    /// A row that is written out; what it does not set is absent.
    fn row(&self, settings: &[Entry]) -> Vec<ValueIndex> {
        let mut row = vec![ABSENT; self.axes.len()];
        for entry in settings {
            let Some(axis) = self.axis(&entry.key) else { continue };
            row[axis] = find(&self.axes[axis], &entry.value).unwrap_or(ABSENT);
        }
        row
    }

    /// Rows side by side, each once, without excluded ones; the ordinal is the first row that has the same values on the axes
    /// that all targets have.
    fn side_by_side(&self, rows: Vec<Vec<ValueIndex>>) -> Vec<Listed> {
        let excludes: Vec<_> = self.excludes().into_iter().flatten().collect();
        let mut first: HashMap<Vec<ValueIndex>, u64> = HashMap::new();
        let mut there = HashSet::new();
        let mut listed = Vec::new();
        for (values, index) in rows.into_iter().zip(0..) {
            let shared = self.taken.iter().zip(&values).filter(|(axis, _)| axis.shared).map(|(_, value)| *value);
            let ordinal = *first.entry(shared.collect()).or_insert(index);
            let out = excludes.iter().any(|cell| matches(cell, &values));
            // A row that differs from an earlier one only in axes that this target lacks is that row again.
            if !out && there.insert(values.clone()) {
                listed.push(Listed { values, ordinal });
            }
        }
        listed
    }

    /// Each excluded cell as the values it asks of axes; none where it names an axis that is not here.
    fn excludes(&self) -> Vec<Option<Vec<(usize, ValueIndex)>>> {
        let wanted = |entry: &Entry| {
            let axis = self.axis(&entry.key)?;
            Some((axis, find(&self.axes[axis], &entry.value)?))
        };
        self.sweep.exclude.iter().map(|(cell, _)| cell.iter().map(wanted).collect()).collect()
    }

    /// Which combinations of a matrix are excluded; none where none are.
    fn left_out(&self, sizes: &[u32]) -> Option<Vec<bool>> {
        let excludes: Vec<_> = self.excludes().into_iter().flatten().collect();
        if excludes.is_empty() {
            return None;
        }
        let mut left_out = vec![false; product(sizes) as usize];
        let mut values = vec![0; sizes.len()];
        for out in &mut left_out {
            *out = excludes.iter().any(|cell| matches(cell, &values));
            advance(&mut values, sizes);
        }
        Some(left_out)
    }

    /// The included cells that are not there already; their values are added to the axes.
    fn included(&mut self, findings: &mut Findings, is_there: impl Fn(&[ValueIndex]) -> bool) -> Vec<Listed> {
        let mut rows: Vec<Listed> = Vec::new();
        for (index, (cell, span)) in self.sweep.include.iter().enumerate() {
            let mut values = vec![ABSENT; self.axes.len()];
            for entry in cell {
                let Some(axis) = self.axis(&entry.key) else { continue };
                let known = find(&self.axes[axis], &entry.value);
                values[axis] = known.unwrap_or_else(|| {
                    self.axes[axis].values.push(axis_value(&entry.value));
                    (self.axes[axis].values.len() - 1) as ValueIndex
                });
            }
            for (axis, _) in self.axes.iter().zip(&values).filter(|(_, value)| **value == ABSENT) {
                let error = Diagnostic::error("part-of-a-cell", format!("this cell gives no `{}`", axis.name.text));
                findings.push(
                    error.at(*span, "").help("`include` adds whole cells: give a value for every axis of the sweep"),
                );
            }
            if !is_there(&values) && !rows.iter().any(|row| row.values == values) {
                rows.push(Listed { values, ordinal: index as u64 });
            }
        }
        rows
    }
}

/// The position of a value on an axis.
fn find(axis: &Axis, value: &Text) -> Option<ValueIndex> {
    let is = |known: &AxisValue| Quantity::same(&known.text.text, &value.text);
    axis.values.iter().position(is).map(|position| position as ValueIndex)
}

fn matches(cell: &[(usize, ValueIndex)], values: &[ValueIndex]) -> bool {
    cell.iter().all(|(axis, wanted)| values[*axis] == *wanted)
}

/// Whether a matrix of these sizes has a combination.
fn is_in(values: &[ValueIndex], sizes: &[u32], left_out: Option<&[bool]>) -> bool {
    if values.iter().zip(sizes).any(|(value, size)| value >= size) {
        return false;
    }
    let index = values.iter().zip(sizes).fold(0, |index, (value, size)| index * *size as usize + *value as usize);
    left_out.is_none_or(|out| !out[index])
}

/// The next combination, the last axis turning fastest.
fn advance(values: &mut [ValueIndex], sizes: &[u32]) {
    for (value, size) in values.iter_mut().zip(sizes).rev() {
        *value += 1;
        if *value < *size {
            return;
        }
        *value = 0;
    }
}

fn too_many(sweep: &Sweep, cells: u64) -> Diagnostic {
    let error = Diagnostic::error("too-many-cells", format!("this sweep has {cells} cells, more than {MOST_CELLS}"));
    error.at(sweep.span, "").help("take fewer values, or a `zip` where axes go together")
}
