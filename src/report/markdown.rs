//! report.md: the answer, the comparison, space, trust, failures and samples, with the tables as they stand.
//!
//! It must not draw. Invariant: a text from outside can't break a table or open a tag.

use std::fmt::Write;

use unicode_width::UnicodeWidthStr;

use super::model::report::ReportModel;
use super::view::block::{Block, Item};
use super::view::overview::{after_name, overview};
use super::view::sections::sections;
use super::view::table::{Head, Table, TableCell, Tone};

/// The sections that Markdown shows.
const SHOWN: [&str; 4] = ["comparison", "space", "trust", "failures"];

/// The report as Markdown.
pub(super) fn markdown(model: &ReportModel) -> String {
    let overview = overview(model);
    let mut out = format!("# {}\n", inline(&model.title));
    if let Some(question) = &model.question {
        let _ = write!(out, "\n{}\n", inline(question));
    }
    out.push('\n');
    for (name, value) in &overview.facts {
        let _ = writeln!(out, "- {name}: {}", inline(value));
    }
    out.push_str("\n## Answer\n");
    if let Some(nothing) = &overview.nothing {
        let _ = write!(out, "\n{}\n", inline(nothing));
    }
    out.push('\n');
    for line in &model.answer.lines {
        let _ = writeln!(out, "- **{}** ({}): {}", inline(&line.scenario), line.measure, inline(after_name(line)));
    }
    list(&mut out, &overview.assertions);
    list(&mut out, &overview.cautions);
    list(&mut out, &overview.further_cautions);
    table(&mut out, &overview.targets);
    for section in sections(model, true).into_iter().filter(|section| SHOWN.contains(&section.id)) {
        let _ = write!(out, "\n## {}\n", section.title);
        blocks(&mut out, &section.blocks);
    }
    out
}

fn blocks(out: &mut String, all: &[Block]) {
    for block in all {
        match block {
            Block::Heading(title) => {
                let _ = write!(out, "\n### {}\n", inline(title));
            }
            Block::Text(text) => {
                let _ = write!(out, "\n{}\n", inline(text));
            }
            Block::List(items) => list(out, items),
            Block::Table(one) => table(out, one),
            Block::Code(title, text) => code(out, title, text),
            Block::Fold(title, inside) => {
                // A table says its own title.
                if !matches!(inside.as_slice(), [Block::Table(_)]) {
                    let _ = write!(out, "\n### {}\n", inline(title));
                }
                blocks(out, inside);
            }
            Block::Charts(_) => {}
        }
    }
}

fn list(out: &mut String, items: &[Item]) {
    if !items.is_empty() {
        out.push('\n');
    }
    for item in items {
        let _ = writeln!(out, "- {}: {}", item.word, inline(&item.text));
    }
}

/// A fence longer than any run of backticks inside.
fn code(out: &mut String, title: &str, text: &str) {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let _ = write!(out, "\n{}\n\n{fence}\n{}\n{fence}\n", inline(title), text.trim_end());
}

fn table(out: &mut String, table: &Table) {
    let _ = write!(out, "\n### {}\n\n", inline(&table.title));
    let heads: Vec<String> = table.heads.iter().map(head).collect();
    let rows: Vec<Vec<String>> = table.rows.iter().map(|row| row.cells.iter().map(cell).collect()).collect();
    let width = |index: usize| {
        let texts = std::iter::once(&heads[index]).chain(rows.iter().map(|row| &row[index]));
        texts.map(|text| text.width()).max().unwrap_or(0).max(3)
    };
    let widths: Vec<usize> = (0..heads.len()).map(width).collect();
    line(out, table, &heads, &widths);
    for (head, width) in table.heads.iter().zip(&widths) {
        let dashes = "-".repeat(*width);
        out.push_str(&if head.numeric { format!("| {}: ", &dashes[1..]) } else { format!("| {dashes} ") });
    }
    out.push_str("|\n");
    for row in &rows {
        line(out, table, row, &widths);
    }
    if let Some(note) = &table.note {
        let _ = write!(out, "\n{}\n", inline(note));
    }
}

fn line(out: &mut String, table: &Table, texts: &[String], widths: &[usize]) {
    for ((text, width), head) in texts.iter().zip(widths).zip(&table.heads) {
        let room = " ".repeat(width.saturating_sub(text.width()));
        out.push_str(&if head.numeric { format!("| {room}{text} ") } else { format!("| {text}{room} ") });
    }
    out.push_str("|\n");
}

fn head(head: &Head) -> String {
    match &head.unit {
        Some(unit) => format!("{} ({unit})", inline(&head.text)),
        None => inline(&head.text),
    }
}

fn cell(cell: &TableCell) -> String {
    let text = inline(&cell.text);
    match cell.tone {
        Tone::Best if !text.is_empty() => format!("**{text}**"),
        _ => text,
    }
}

/// Text inside a line: no line breaks, no bars, no tags, no emphasis of its own.
fn inline(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' | '\r' => out.push(' '),
            '|' | '*' | '`' | '\\' => {
                out.push('\\');
                out.push(character);
            }
            '<' => out.push_str("&lt;"),
            other => out.push(other),
        }
    }
    out
}
