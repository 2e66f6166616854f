//! What a section is made of: words, tables, charts, and blocks that can be folded.
//!
//! It must not know how any of them is drawn. Invariant: every chart has the table of its data.

use serde::Serialize;

use super::table::{Table, Tags};

/// A chart: its picture and its data.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Chart {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) note: Option<String>,
    pub(crate) tags: Tags,
    /// Targets to be named above the picture, where it has no labels of its own.
    pub(crate) legend: Vec<String>,
    /// The picture, inline SVG.
    pub(crate) svg: String,
    /// Wide pictures scroll in their own box on small screens.
    pub(crate) wide: bool,
    pub(crate) data: Table,
}

/// An item of a list.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Item {
    /// A word in front, such as `warning`.
    pub(crate) word: String,
    /// The word's sign.
    pub(crate) sign: String,
    pub(crate) text: String,
}

/// A part of a section.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", content = "content", rename_all = "snake_case")]
pub(crate) enum Block {
    /// A heading inside the section.
    Heading(String),
    Text(String),
    List(Vec<Item>),
    Table(Table),
    /// Charts side by side.
    Charts(Vec<Chart>),
    /// Lines as they stand, under a title.
    Code(String, String),
    /// Folded: a summary, and what is inside.
    Fold(String, Vec<Block>),
}

/// A section of the report.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Section {
    /// The anchor.
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    pub(crate) blocks: Vec<Block>,
}

impl Section {
    /// All tables in it, those of charts left out.
    pub(crate) fn tables(&self) -> Vec<&Table> {
        fn walk<'a>(blocks: &'a [Block], tables: &mut Vec<&'a Table>) {
            for block in blocks {
                match block {
                    Block::Table(table) => tables.push(table),
                    Block::Fold(_, inside) => walk(inside, tables),
                    _ => {}
                }
            }
        }
        let mut tables = Vec::new();
        walk(&self.blocks, &mut tables);
        tables
    }
}
