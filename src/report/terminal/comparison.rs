//! The comparison of a whole run, as wide as the terminal.
//!
//! It must not print. Invariant: no line is wider than asked, and columns line up under wide characters.

use unicode_width::UnicodeWidthStr;

use super::text::{Style, cut, left, plain, right, styled, wrap};
use crate::report::model::caution::Severity;
use crate::report::model::compare::{Group, Kind, PACED_MEASURE, Row};
use crate::report::model::grid::place_label;
use crate::report::model::measure::Measure;
use crate::report::model::report::ReportModel;
use crate::report::number::{Scale, Unit, three};
use crate::report::view::comparison::{PERCENTILES, Shown, head, hoisted, scale, show, tables, title_of};
use crate::report::view::overview::{after_name, overview};

/// The least width that a table is made for.
const LEAST: usize = 40;
/// Rows beyond which a table is left to the other reports.
const MOST_ROWS: usize = 60;
/// Lines beyond which the latencies are left to the other reports.
const MOST_LATENCIES: usize = 40;
/// The columns of the latency table.
const LATENCY: [(&str, &str); 8] = [
    ("mean", "mean"),
    ("p50", "p50"),
    ("p90", "p90"),
    ("p95", "p95"),
    ("p99", "p99"),
    ("p999", "p99.9"),
    ("max", "max"),
    ("errors", "errors"),
];

/// The comparison for a terminal `width` columns wide, with colours where asked.
pub fn terminal(model: &ReportModel, width: usize, colour: bool) -> String {
    let screen = Screen { model, width: width.max(LEAST), colour };
    let mut out = String::new();
    screen.answer(&mut out);
    for group in tables(model).iter().filter(|group| group.kind != Kind::Whole) {
        screen.group(&mut out, group);
        screen.percentiles(&mut out, group);
    }
    if model.comparison.iter().any(|group| group.kind != Kind::Whole) {
        out.push_str(&wrap(&plain("* leads its row, alone or in a tie. + few samples."), screen.width, 0));
        out.push_str(&wrap(&plain(&model.error_rate), screen.width, 0));
    }
    out
}

struct Screen<'a> {
    model: &'a ReportModel,
    width: usize,
    colour: bool,
}

/// A cell of a table here: the number, what stands behind it, and how both are set off. A cell without a number has only the latter.
struct Piece {
    number: String,
    rest: String,
    style: Style,
}

impl Piece {
    fn new(number: &str, rest: &str, style: Style) -> Self {
        Piece { number: plain(number), rest: plain(rest), style }
    }

    fn is_empty(&self) -> bool {
        self.number.is_empty() && self.rest.is_empty()
    }

    /// Numbers to the right of `numbers` columns, the rest to the left behind them; a text without a number over the whole.
    fn text(&self, numbers: usize) -> String {
        match (self.number.as_str(), self.rest.as_str()) {
            ("", rest) => rest.to_owned(),
            (number, "") => right(number, numbers),
            (number, rest) => format!("{} {rest}", right(number, numbers)),
        }
    }
}

/// How wide the numbers of a column are, and the column in all.
fn widths<'a>(cells: impl Iterator<Item = &'a Piece> + Clone) -> (usize, usize) {
    let numbers = cells.clone().map(|cell| cell.number.width()).max().unwrap_or(0);
    (numbers, cells.map(|cell| cell.text(numbers).width()).max().unwrap_or(0))
}

impl Screen<'_> {
    fn answer(&self, out: &mut String) {
        let overview = overview(self.model);
        out.push_str(&styled(&cut(&plain(&self.model.title), self.width), Style::Bold, self.colour));
        out.push('\n');
        for (name, value) in &overview.facts {
            out.push_str(&wrap(&plain(&format!("{name}: {value}")), self.width, 2));
        }
        out.push('\n');
        if let Some(nothing) = &overview.nothing {
            out.push_str(&wrap(&plain(nothing), self.width, 0));
        }
        for line in &self.model.answer.lines {
            out.push_str(&wrap(
                &plain(&format!("{} ({}): {}", line.scenario, line.measure, after_name(line))),
                self.width,
                2,
            ));
        }
        for item in &overview.assertions {
            out.push_str(&wrap(&plain(&format!("assertion {}: {}", item.word, item.text)), self.width, 2));
        }
        for caution in &self.model.answer.cautions {
            let (word, style) = match caution.severity {
                Severity::Error => ("error", Style::Bad),
                Severity::Warning => ("warning", Style::Poor),
                Severity::Note => ("note", Style::Faint),
            };
            let text = wrap(&plain(&format!("{word}: {}", caution.text)), self.width, 2);
            out.push_str(&text.replacen(word, &styled(word, style, self.colour), 1));
        }
    }

    /// The percentiles of a group below its tables.
    fn percentiles(&self, out: &mut String, group: &Group) {
        if group.rows.len() * self.model.columns.len() <= MOST_LATENCIES {
            self.latency(out, group);
        } else {
            out.push_str(&wrap("The percentiles of all cells are in the report's files.", self.width, 0));
        }
    }

    fn group(&self, out: &mut String, group: &Group) {
        let Some(measure) = group.measures.iter().find(|measure| measure.key == group.default_measure) else { return };
        let scale = scale(group, measure);
        let hoisted = hoisted(group);
        out.push('\n');
        let title = plain(&format!("{}: {}", title_of(group), head(measure, scale)));
        out.push_str(&styled(&cut(&title, self.width), Style::Bold, self.colour));
        out.push('\n');
        if !hoisted.is_empty() {
            out.push_str(&wrap(&plain(&format!("All numbers: {}.", hoisted.join(", "))), self.width, 2));
        }
        if measure.key == PACED_MEASURE {
            out.push_str(&wrap(&plain(PERCENTILES), self.width, 2));
        }
        let rows = &group.rows[..group.rows.len().min(MOST_ROWS)];
        let cells = |row: &Row| self.cells(row, measure, scale, &hoisted);
        let table: Vec<(String, Vec<Piece>)> = rows.iter().map(|row| (label(row), cells(row))).collect();
        self.matrix(out, &table);
        if rows.len() < group.rows.len() {
            let text = format!("{} more rows are in the report's files.", group.rows.len() - rows.len());
            out.push_str(&wrap(&text, self.width, 0));
        }
    }

    fn cells(&self, row: &Row, measure: &Measure, scale: Scale, hoisted: &[String]) -> Vec<Piece> {
        let columns = self.model.columns.iter().zip(&row.cells);
        let cell = |(column, cell): (&crate::report::model::reproduce::Column, &Option<_>)| match cell {
            Some(cell) => piece(&show(cell, measure, scale, self.model.compared_with(), &column.name, hoisted)),
            None => Piece::new("", "", Style::Plain),
        };
        columns.map(cell).collect()
    }

    /// A column a target where that fits; else a block a row, a line a target.
    fn matrix(&self, out: &mut String, rows: &[(String, Vec<Piece>)]) {
        let names: Vec<String> = self.model.columns.iter().map(|column| plain(&column.name)).collect();
        let first = rows.iter().map(|(label, _)| label.width()).max().unwrap_or(0);
        let columns: Vec<(usize, usize)> = names
            .iter()
            .enumerate()
            .map(|(index, name)| {
                let (numbers, all) = widths(rows.iter().map(|(_, cells)| &cells[index]));
                (numbers, all.max(name.width()))
            })
            .collect();
        if first + columns.iter().map(|(_, all)| all + 3).sum::<usize>() <= self.width {
            let heads: Vec<Piece> = names.iter().map(|name| Piece::new("", name, Style::Faint)).collect();
            self.line(out, "", first, &heads, &columns);
            for (label, cells) in rows {
                self.line(out, label, first, cells, &columns);
            }
            return;
        }
        let longest = names.iter().map(|name| name.width()).max().unwrap_or(0).min(self.width / 2);
        let (numbers, _) = widths(rows.iter().flat_map(|(_, cells)| cells));
        for (label, cells) in rows {
            out.push_str(&cut(label, self.width));
            out.push('\n');
            for (name, cell) in names.iter().zip(cells).filter(|(_, cell)| !cell.is_empty()) {
                let text = cut(&cell.text(numbers), self.width.saturating_sub(longest + 4));
                let name = left(&cut(name, longest), longest);
                out.push_str(&format!("  {name}  {}\n", styled(&text, cell.style, self.colour)));
            }
        }
    }

    fn line(&self, out: &mut String, label: &str, first: usize, cells: &[Piece], columns: &[(usize, usize)]) {
        let mut line = left(label, first);
        let last = cells.len().saturating_sub(1);
        for (index, (cell, (numbers, all))) in cells.iter().zip(columns).enumerate() {
            let text = cell.text(*numbers);
            // The last column is not padded: no line ends in blanks.
            let text = if index == last { text } else { left(&text, *all) };
            line.push_str("   ");
            line.push_str(&styled(&text, cell.style, self.colour));
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }

    /// The same percentiles as in every report, a line a target.
    fn latency(&self, out: &mut String, group: &Group) {
        let counts = |row: &&Row| row.cells.iter().flatten().any(|cell| cell.state.counts);
        // A head without a line below it says nothing.
        if group.rows.iter().find(counts).is_none() {
            return;
        }
        let measures: Vec<(&Measure, &str)> = LATENCY
            .iter()
            .filter_map(|(key, name)| Some((group.measures.iter().find(|measure| measure.key == *key)?, *name)))
            .collect();
        let times = measures.iter().filter(|(measure, _)| measure.unit == Unit::Seconds);
        let all = times.flat_map(|(measure, _)| {
            let cells = group.rows.iter().flat_map(|row| row.cells.iter().flatten());
            cells.filter_map(|cell| Some(cell.values.get(&measure.key)?.value))
        });
        let scale = Unit::Seconds.scale(all);
        let names: Vec<String> = self.model.columns.iter().map(|column| plain(&column.name)).collect();
        let longest = names.iter().map(|name| name.width()).max().unwrap_or(0).max(8).min(self.width / 3);
        let widths = vec![7; measures.len()];
        let title = plain(&format!("{}: latency, {}; errors, %", title_of(group), scale.name));
        out.push_str(&format!("\n{}\n", styled(&cut(&title, self.width), Style::Bold, self.colour)));
        let heads: Vec<Piece> = measures.iter().map(|(_, name)| Piece::new(name, "", Style::Faint)).collect();
        self.narrow(out, "", longest, &heads, &widths);
        for row in group.rows.iter().filter(counts) {
            out.push_str(&cut(&label(row), self.width));
            out.push('\n');
            for (name, cell) in names.iter().zip(&row.cells) {
                let Some(cell) = cell.as_ref().filter(|cell| cell.state.counts) else { continue };
                let number = |(measure, _): &(&Measure, &str)| {
                    let Some(value) = cell.values.get(&measure.key) else { return Piece::new("-", "", Style::Faint) };
                    let divisor = if measure.unit == Unit::Share { 0.01 } else { scale.divisor };
                    let few = if value.marks.iter().any(|mark| mark == "few samples") { "+" } else { "" };
                    let style =
                        if measure.unit == Unit::Share && value.value > 0.0 { Style::Bad } else { Style::Plain };
                    Piece::new(&format!("{}{few}", three(value.value / divisor)), "", style)
                };
                let cells: Vec<Piece> = measures.iter().map(number).collect();
                self.narrow(out, &cut(name, longest), longest, &cells, &widths);
            }
        }
    }

    /// A line whose last columns are left out where the terminal is too narrow for them.
    fn narrow(&self, out: &mut String, name: &str, longest: usize, cells: &[Piece], widths: &[usize]) {
        let mut room = self.width.saturating_sub(longest + 2);
        let fitting = cells.iter().zip(widths).take_while(|(cell, width)| {
            let wanted = cell.number.width().max(**width) + 1;
            let fits = wanted <= room;
            room = room.saturating_sub(wanted);
            fits
        });
        let mut line = format!("  {}", left(name, longest));
        for (cell, width) in fitting {
            line.push(' ');
            line.push_str(&styled(&right(&cell.number, *width), cell.style, self.colour));
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
}

/// `ingest INGESTION, LOOP=10`.
fn label(row: &Row) -> String {
    let operation = row.operation.as_deref().unwrap_or_default();
    plain(place_label(&format!("{} {operation}", row.scenario), &row.axes).trim())
}

/// A cell in words: `*1.24`, `+-0.03 1.83x faster (noisy)`.
fn piece(shown: &Shown) -> Piece {
    if shown.value.is_empty() {
        let style = if shown.status == "failed" { Style::Bad } else { Style::Faint };
        return Piece::new("", &shown.says, style);
    }
    let parts = [&shown.interval, &shown.ratio, &shown.verdict];
    let mut rest = parts.iter().filter(|part| !part.is_empty()).map(|part| part.as_str()).collect::<Vec<_>>().join(" ");
    let mut beside = shown.marks.clone();
    if !shown.says.is_empty() {
        beside.push(shown.says.clone());
    }
    if !beside.is_empty() {
        rest.push_str(&format!(" ({})", beside.join(", ")));
    }
    let style = match shown.verdict.as_str() {
        _ if shown.best => Style::Bold,
        "faster" => Style::Good,
        "slower" => Style::Poor,
        _ => Style::Plain,
    };
    let lead = if shown.best { "*" } else { "" };
    Piece::new(&format!("{lead}{}", shown.value), &rest, style)
}
