//! The rows of a sweep: which value each axis has in each cell, found on demand.
//!
//! It must not know what an axis means. Invariant: rows are numbered from 0 without gaps, in the sweep's order; rows of two
//! targets that agree on all axes that both have bear the same ordinal.

use std::ops::Range;

/// The position of a value on its axis; [`ABSENT`] where a row does not set it.
pub(super) type ValueIndex = u32;

/// The row does not set this axis.
pub(super) const ABSENT: ValueIndex = ValueIndex::MAX;

/// Every combination of values, perhaps with some left out; the last axis turns fastest.
#[derive(Clone, Debug)]
struct Grid {
    sizes: Vec<u32>,
    /// How many of the last combinations differ only in axes that some targets do not have.
    inner: u64,
    /// The combinations that stay, ascending; none: all.
    kept: Option<Vec<u32>>,
}

/// A row that is written out: of a zip, a routine, or an included cell.
#[derive(Clone, Debug)]
pub(super) struct Listed {
    /// The value of each axis.
    pub(super) values: Vec<ValueIndex>,
    /// Its ordinal among the listed rows of all targets.
    pub(super) ordinal: u64,
}

/// The rows of one sweep.
#[derive(Clone, Debug)]
pub(super) struct Section {
    /// Which axes of the block are set by it.
    pub(super) axes: Range<usize>,
    grid: Option<Grid>,
    listed: Vec<Listed>,
}

impl Section {
    /// Rows of a matrix, then listed ones. `sizes` are the lengths of its axes, of which the last `inner` are not shared by all
    /// targets; `left_out` says which combinations do not come (none: every one comes).
    pub(super) fn matrix(axes: Range<usize>, sizes: Vec<u32>, inner: usize, left_out: Option<&[bool]>) -> Section {
        let split = sizes.len() - inner;
        let inner = product(&sizes[split..]);
        let kept = left_out.map(|out| {
            let kept = out.iter().enumerate().filter(|(_, out)| !**out);
            kept.map(|(index, _)| index as u32).collect()
        });
        Section { axes, grid: Some(Grid { sizes, inner, kept }), listed: Vec::new() }
    }

    /// Listed rows alone.
    pub(super) fn list(axes: Range<usize>, listed: Vec<Listed>) -> Section {
        Section { axes, grid: None, listed }
    }

    /// Adds listed rows behind all others.
    pub(super) fn append(&mut self, rows: impl IntoIterator<Item = Listed>) {
        self.listed.extend(rows);
    }

    fn grid_len(&self) -> u64 {
        let Some(grid) = &self.grid else { return 0 };
        grid.kept.as_ref().map_or_else(|| product(&grid.sizes), |kept| kept.len() as u64)
    }

    /// How many rows there are.
    pub(super) fn len(&self) -> u64 {
        self.grid_len() + self.listed.len() as u64
    }

    /// Writes row `row` into `values`, one a axis of this section.
    pub(super) fn fill(&self, row: u64, values: &mut [ValueIndex]) {
        let in_grid = self.grid_len();
        match &self.grid {
            Some(grid) if row < in_grid => grid.fill(grid.raw(row), values),
            _ => values.copy_from_slice(&self.listed[(row - in_grid) as usize].values),
        }
    }

    /// The ordinal of row `row`: equal for the rows of two targets that differ only in axes that one of them lacks.
    pub(super) fn ordinal(&self, row: u64) -> u64 {
        let in_grid = self.grid_len();
        match &self.grid {
            Some(grid) if row < in_grid => grid.raw(row) / grid.inner,
            grid => {
                let before = grid.as_ref().map_or(0, |grid| product(&grid.sizes) / grid.inner);
                before + self.listed[(row - in_grid) as usize].ordinal
            }
        }
    }
}

impl Grid {
    fn raw(&self, row: u64) -> u64 {
        self.kept.as_ref().map_or(row, |kept| u64::from(kept[row as usize]))
    }

    fn fill(&self, mut raw: u64, values: &mut [ValueIndex]) {
        for (value, size) in values.iter_mut().zip(&self.sizes).rev() {
            *value = (raw % u64::from(*size)) as ValueIndex;
            raw /= u64::from(*size);
        }
    }
}

/// The product of lengths, as far as it fits.
pub(super) fn product(sizes: &[u32]) -> u64 {
    sizes.iter().fold(1_u64, |product, size| product.saturating_mul(u64::from(*size)))
}

/// The rows of a block: every combination of its sections' rows, the last section's turning fastest.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    /// The sweep at the top, the scenario's own, and the axes of this target only.
    pub(super) sections: [Option<Section>; 3],
    /// Which of them is a routine.
    pub(super) routine: Option<usize>,
}

impl Rows {
    /// Whether rows of some section are written out, so that one may be there twice.
    pub(super) fn is_listed(&self) -> bool {
        self.sections.iter().flatten().any(|section| section.grid.is_none())
    }

    /// How many rows there are: 1 without any section.
    pub(super) fn len(&self) -> u64 {
        self.sections.iter().flatten().fold(1_u64, |product, section| product.saturating_mul(section.len()))
    }

    /// Writes row `row` into `values`, one a axis of the block.
    pub(super) fn fill(&self, mut row: u64, values: &mut [ValueIndex]) {
        for section in self.sections.iter().flatten().rev() {
            let len = section.len();
            section.fill(row % len, &mut values[section.axes.clone()]);
            row /= len;
        }
    }

    /// Equal for the rows that differ only in the routine's test.
    pub(super) fn beside_routine(&self, mut row: u64) -> u64 {
        let (mut key, mut scale) = (0, 1);
        for (place, section) in self.sections.iter().enumerate().rev() {
            let Some(section) = section else { continue };
            let len = section.len();
            if self.routine != Some(place) {
                key += row % len * scale;
                scale *= len;
            }
            row /= len;
        }
        key
    }

    /// The ordinal of row `row`: equal for two targets' rows that agree on all axes that both have, ascending with the row
    /// among rows of one target that differ in shared axes.
    pub(super) fn ordinal(&self, mut row: u64) -> u64 {
        let mut ordinal = 0;
        for (place, section) in self.sections.iter().enumerate().rev() {
            let Some(section) = section else { continue };
            let len = section.len();
            // The third section is of one target only. A sweep has fewer than 2^32 rows, so that two ordinals fit.
            let shift = [32, 0][..].get(place);
            ordinal += shift.map_or(0, |shift| section.ordinal(row % len) << shift);
            row /= len;
        }
        ordinal
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(rows: &Rows, width: usize) -> Vec<Vec<ValueIndex>> {
        let mut values = vec![ABSENT; width];
        (0..rows.len())
            .map(|row| {
                rows.fill(row, &mut values);
                values.clone()
            })
            .collect()
    }

    #[test]
    fn the_last_axis_turns_fastest_and_listed_rows_follow() {
        let mut section = Section::matrix(0..2, vec![2, 2], 0, Some(&[false, true, false, false]));
        section.append([Listed { values: vec![2, ABSENT], ordinal: 0 }]);
        let own = Section::matrix(2..3, vec![2], 1, None);
        let rows = Rows { sections: [Some(section), Some(own), None], routine: Some(0) };
        let wanted = [[0, 0, 0], [0, 0, 1], [1, 0, 0], [1, 0, 1], [1, 1, 0], [1, 1, 1], [2, ABSENT, 0], [2, ABSENT, 1]];
        assert_eq!(all(&rows, 3), wanted);
        let ordinals: Vec<u64> = (0..rows.len()).map(|row| rows.ordinal(row) >> 32).collect();
        assert_eq!(ordinals, [0, 0, 2, 2, 3, 3, 4, 4]);
        let beside: Vec<u64> = (0..rows.len()).map(|row| rows.beside_routine(row)).collect();
        assert_eq!(beside, [0, 1, 0, 1, 0, 1, 0, 1]);
        assert!((0..rows.len()).all(|row| rows.ordinal(row) & 0xffff_ffff == 0), "an axis of some targets only");
    }

    #[test]
    fn no_section_is_one_row() {
        assert_eq!(all(&Rows::default(), 0), [Vec::<ValueIndex>::new()]);
    }
}
