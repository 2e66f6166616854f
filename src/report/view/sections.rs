//! The sections after the answer, in the order a reader needs them.
//!
//! It must not know a renderer. Invariant: a section without anything to say is left out, except failures: there it says so.

use super::block::{Block, Section};
use super::comparison::{matrix, side_by_side, tables};
use super::{failures, further, latency, reproduce, space, sweeps, time, trust};
use crate::report::model::report::ReportModel;

/// Rows beyond which a table is folded.
const LONG: usize = 36;

/// The sections two to nine. The tables of one measure each can be left out, by a renderer that has its own.
pub(crate) fn sections(model: &ReportModel, with_matrices: bool) -> Vec<Section> {
    let sections = [
        Section { id: "comparison", title: "Comparison", blocks: comparison(model, with_matrices) },
        Section { id: "sweeps", title: "Sweeps", blocks: sweeps::sweeps(model) },
        Section { id: "latency", title: "Latency", blocks: latency::latency(model) },
        Section { id: "time", title: "Over time and resources", blocks: time::time(model) },
        Section { id: "space", title: "Space", blocks: space::space(model) },
        Section { id: "trust", title: "Trust", blocks: trust::trust(model) },
        Section { id: "failures", title: "Failures and samples", blocks: failures::failures(model) },
        Section { id: "reproduce", title: "To reproduce", blocks: reproduce::reproduce(model) },
    ];
    let fold = |section: Section| Section { blocks: section.blocks.into_iter().map(fold_long).collect(), ..section };
    sections.into_iter().filter(|section| !section.blocks.is_empty()).map(fold).collect()
}

/// A table that is longer than a screen is folded.
fn fold_long(block: Block) -> Block {
    match block {
        Block::Table(table) if table.rows.len() > LONG => {
            Block::Fold(format!("{} ({} rows)", table.title, table.rows.len()), vec![Block::Table(table)])
        }
        other => other,
    }
}

/// The tables at each group's default measure, then all measures side by side, then the further tables.
fn comparison(model: &ReportModel, with_matrices: bool) -> Vec<Block> {
    let mut blocks = Vec::new();
    for group in tables(model).iter().filter(|_| with_matrices) {
        blocks.extend(matrix(model, group, &group.default_measure).map(Block::Table));
    }
    for group in &model.comparison {
        blocks.extend(side_by_side(model, group).map(Block::Table));
    }
    blocks.extend(further::further(model));
    blocks
}
