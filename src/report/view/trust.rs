//! Trust: stored against acknowledged, answers across targets, the client, drift, fairness, and what was not checked.
//!
//! It must not hide a failure among notes. Invariant: what was not checked is listed.

use super::block::{Block, Item};
use super::table::{Head, Table, TableCell, Tags, Tone};
use crate::report::model::report::ReportModel;
use crate::report::model::samples::{AnswersCompared, TOLERANCE};
use crate::report::model::trust::{Client, Stored};
use crate::report::number::{Unit, count, significant};

/// The section's blocks.
pub(crate) fn trust(model: &ReportModel) -> Vec<Block> {
    let trust = &model.trust;
    let mut blocks = Vec::new();
    blocks.extend(stored(&trust.stored).map(Block::Table));
    blocks.extend(checked(&trust.stored).map(Block::Table));
    blocks.extend(answers(&trust.answers).map(Block::Table));
    blocks.extend(client(&trust.client).map(Block::Table));
    if !trust.drift.is_empty() {
        blocks.push(Block::Heading("Drift of the host over the run".to_owned()));
        let item = |drift: &crate::report::model::trust::Drift| Item {
            word: "drift".to_owned(),
            sign: "≈".to_owned(),
            text: format!(
                "The blackhole case {} changed by {:+.1} % from its first to its last of {} rounds.",
                drift.place,
                drift.change * 100.0,
                drift.rounds.len()
            ),
        };
        blocks.push(Block::List(trust.drift.iter().map(item).collect()));
    }
    if !trust.fairness.is_empty() {
        blocks.push(Block::Heading("Fairness".to_owned()));
        let item =
            |about: &str, text: &str| Item { word: about.to_owned(), sign: "≠".to_owned(), text: text.to_owned() };
        blocks.push(Block::List(trust.fairness.iter().map(|finding| item(&finding.about, &finding.text)).collect()));
    }
    blocks.push(Block::Heading("Not checked".to_owned()));
    let item = |text: &String| Item { word: "not checked".to_owned(), sign: "–".to_owned(), text: text.clone() };
    blocks.push(Block::List(trust.not_checked.iter().map(item).collect()));
    blocks
}

fn stored(rows: &[Stored]) -> Option<Table> {
    let rows: Vec<&Stored> = rows.iter().filter(|row| row.rounds > 0).collect();
    if rows.is_empty() {
        return None;
    }
    let percent = Some("%".to_owned());
    let head = Head {
        text: "Stored ÷ expected".to_owned(),
        unit: percent.clone(),
        raw_unit: percent,
        numeric: true,
        column: None,
    };
    let share = |row: &&Stored| {
        let share = row.stored as f64 / (row.expected.max(1)) as f64 * 100.0;
        let equal = row.stored == row.expected;
        let cell = TableCell::text(if equal { "100".to_owned() } else { significant(share, 5) });
        TableCell { raw: Some(share.to_string()), ..cell }.toned(if equal { Tone::Plain } else { Tone::Bad })
    };
    let counts = |of: fn(&Stored) -> u64| rows.iter().map(|row| Some(of(row))).collect::<Vec<_>>();
    Some(
        of_stored("stored", "Stored against acknowledged", &rows)
            .counts("Rounds counted", counts(|row| u64::from(row.rounds)))
            .counts("Acknowledged", counts(|row| row.acknowledged))
            .counts("In the warm-up", counts(|row| row.warmup))
            .counts("Expected", counts(|row| row.expected))
            .counts("Stored", counts(|row| row.stored))
            .cells(head, rows.iter().map(share).collect::<Vec<_>>())
            .noted("Points, summed over the rounds. Expected: the distinct points of warm-up and measured part that must be there if nothing was lost."),
    )
}

fn of_stored(id: &str, title: &str, rows: &[&Stored]) -> Table {
    let tags = rows.iter().map(|row| Tags::new(&row.scenario, None, Some(&row.column))).collect();
    let places: Vec<(&str, &[(String, String)])> =
        rows.iter().map(|row| (row.scenario.as_str(), row.axes.as_slice())).collect();
    Table::new(id, title, tags).places(&places).texts("Target", rows.iter().map(|row| row.column.clone()))
}

/// Answers checked against what must be there.
fn checked(rows: &[Stored]) -> Option<Table> {
    let rows: Vec<&Stored> = rows.iter().filter(|row| row.answers_checked.is_some()).collect();
    let wrong = |row: &&Stored| {
        let wrong = row.answers_wrong.unwrap_or(0);
        let tone = if wrong > 0 { Tone::Bad } else { Tone::Plain };
        TableCell { raw: Some(wrong.to_string()), ..TableCell::text(count(wrong)) }.toned(tone)
    };
    let head = Head { text: "Wrong".to_owned(), numeric: true, ..Head::default() };
    (!rows.is_empty()).then(|| {
        of_stored("answers-checked", "Answers against what must be there", &rows)
            .counts("Checked", rows.iter().map(|row| row.answers_checked))
            .cells(head, rows.iter().map(wrong).collect::<Vec<_>>())
            .noted("Summed over the rounds.")
    })
}

fn answers(rows: &[AnswersCompared]) -> Option<Table> {
    if rows.is_empty() {
        return None;
    }
    let tags = rows.iter().map(|row| Tags::new(&row.scenario, Some(&row.operation), None)).collect();
    let places: Vec<(&str, &[(String, String)])> =
        rows.iter().map(|row| (row.scenario.as_str(), row.axes.as_slice())).collect();
    let head = Head { text: "First answers".to_owned(), unit: None, raw_unit: None, numeric: false, column: None };
    let verdict = |row: &AnswersCompared| {
        TableCell::text(row.verdict.clone()).toned(match row.verdict.as_str() {
            "differ" => Tone::Bad,
            "equal" => Tone::Plain,
            _ => Tone::Warn,
        })
    };
    let note = format!(
        "The first answer of each target to the same question. Numbers within {TOLERANCE} of one another are equal; times are \
         compared in milliseconds, whatever their writing. Equal says that the targets agree with each other, not that their answers were checked against \
         the data."
    );
    Some(
        Table::new("answers", "Answers compared across targets", tags)
            .places(&places)
            .texts("Operation", rows.iter().map(|row| row.operation.clone()))
            .cells(head, rows.iter().map(verdict).collect::<Vec<_>>())
            .texts("In what", rows.iter().map(|row| row.says.clone()))
            .texts("Compared", rows.iter().map(|row| row.columns.join(", ")))
            .without_empty_columns()
            .noted(note),
    )
}

fn client(rows: &[Client]) -> Option<Table> {
    if rows.is_empty() {
        return None;
    }
    let tags = rows.iter().map(|row| Tags::new(&row.scenario, None, Some(&row.column))).collect();
    let places: Vec<(&str, &[(String, String)])> =
        rows.iter().map(|row| (row.scenario.as_str(), row.axes.as_slice())).collect();
    let shared = |shared: Option<bool>| shared.map(|shared| if shared { "shared" } else { "apart" });
    Some(
        Table::new("client", "The client", tags)
            .places(&places)
            .texts("Target", rows.iter().map(|row| row.column.clone()))
            .numbers("Client CPU, mean", Unit::Cores, rows.iter().map(|row| Some(row.cores_used)))
            .counts("Cores it may use", rows.iter().map(|row| row.cores.map(u64::from)))
            .options("Client's cores", rows.iter().map(|row| row.client_cores.clone()))
            .options("Server's cores", rows.iter().map(|row| row.server_cores.clone()))
            .options("Cores", rows.iter().map(|row| shared(row.shared)))
            .numbers("Of the client's ceiling", Unit::Share, rows.iter().map(|row| row.ceiling_share))
            .without_empty_columns()
            .noted("The client's ceiling is what it reaches in the same place against the blackhole target, which drops what it is sent."),
    )
}
