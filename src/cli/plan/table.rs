//! A table on the terminal: names to the left, numbers to the right.
//!
//! It must not know what it shows. Invariant: columns line up under wide characters too.

use unicode_width::UnicodeWidthStr;

enum Line {
    Row(Vec<String>),
    /// A line over all columns.
    Whole(String),
}

/// A table being filled.
pub(super) struct Table {
    heads: Option<Vec<String>>,
    /// How many columns are names.
    left: usize,
    widths: Vec<usize>,
    lines: Vec<Line>,
}

impl Table {
    /// An empty table with its columns' heads, of which the first `left` stand over names.
    pub(super) fn new(heads: &[&str], left: usize) -> Self {
        let heads: Vec<String> = heads.iter().map(|head| (*head).to_owned()).collect();
        let widths = heads.iter().map(|head| head.width()).collect();
        Table { heads: Some(heads), left, widths, lines: Vec::new() }
    }

    /// Adds a row.
    pub(super) fn row(&mut self, cells: impl Into<Vec<String>>) {
        let cells = cells.into();
        for (width, cell) in self.widths.iter_mut().zip(&cells) {
            *width = (*width).max(cell.width());
        }
        self.lines.push(Line::Row(cells));
    }

    /// Adds a line over all columns.
    pub(super) fn line(&mut self, text: String) {
        self.lines.push(Line::Whole(text));
    }

    /// The text of what there is so far; later rows go on in the same columns.
    pub(super) fn take(&mut self) -> String {
        let mut text = String::new();
        let heads = self.heads.take().map(Line::Row);
        let lines = std::mem::take(&mut self.lines);
        for line in heads.into_iter().chain(lines) {
            match line {
                Line::Row(cells) => self.push(&cells, &mut text),
                Line::Whole(line) => text.push_str(&line),
            }
            text.truncate(text.trim_end_matches(' ').len());
            text.push('\n');
        }
        text
    }

    /// The text of the whole table.
    pub(super) fn text(mut self) -> String {
        self.take()
    }

    fn push(&self, cells: &[String], text: &mut String) {
        for (index, (cell, width)) in cells.iter().zip(&self.widths).enumerate() {
            if index > 0 {
                text.push_str("  ");
            }
            let space = std::iter::repeat_n(' ', width.saturating_sub(cell.width()));
            if index < self.left {
                text.push_str(cell);
                text.extend(space);
            } else {
                text.extend(space);
                text.push_str(cell);
            }
        }
    }
}
