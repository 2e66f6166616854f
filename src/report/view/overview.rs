//! The first screen: what was asked, what was compared, the answer a scenario, and what spoils it.
//!
//! It must not weigh: the model has. Invariant: every target of a scenario is in its card, with a word.

use jiff::Timestamp;
use serde::Serialize;

use super::block::Item;
use super::table::{Head, Table, TableCell, Tags};
use crate::report::model::answer::{AnswerLine, Standing};
use crate::report::model::caution::{Caution, Severity};
use crate::report::model::report::ReportModel;
use crate::report::model::reproduce::RunFacts;
use crate::report::number::span;
use crate::report::svg::canvas::style_class;
use crate::report::svg::strip::{advantage_axis, advantage_scale, advantages};

/// Cautions that stand on the first screen.
const FIRST_CAUTIONS: usize = 8;

/// A target's row in a card.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct CardRow {
    pub(crate) name: String,
    /// The class of the target's colour and shape.
    pub(crate) style: String,
    /// The verdict's sign and word.
    pub(crate) sign: &'static str,
    pub(crate) word: &'static str,
    /// For the style: better, worse, tie, mixed, base, open, bad.
    pub(crate) class: &'static str,
    /// The sentence after the name.
    pub(crate) rest: String,
    pub(crate) value: String,
    /// A small picture of its advantages; empty where there are none.
    pub(crate) strip: String,
}

/// A scenario's card.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Card {
    pub(crate) scenario: String,
    pub(crate) measure: String,
    pub(crate) cells: u32,
    pub(crate) baseline: String,
    /// The strips' axis as a picture; empty where there are no strips.
    pub(crate) axis: String,
    pub(crate) rows: Vec<CardRow>,
}

/// The first screen.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Overview {
    /// Name and value: date, duration, rounds …
    pub(crate) facts: Vec<(String, String)>,
    pub(crate) cards: Vec<Card>,
    pub(crate) nothing: Option<String>,
    pub(crate) cautions: Vec<Item>,
    /// Those that a first screen has no room for.
    pub(crate) further_cautions: Vec<Item>,
    pub(crate) assertions: Vec<Item>,
    pub(crate) targets: Table,
}

/// Makes the first screen.
pub(crate) fn overview(model: &ReportModel) -> Overview {
    let mut cautions: Vec<Item> = model.answer.cautions.iter().map(caution).collect();
    let further_cautions = cautions.split_off(cautions.len().min(FIRST_CAUTIONS));
    Overview {
        cautions,
        further_cautions,
        facts: facts(model),
        cards: model.answer.lines.iter().map(|line| card(model, line)).collect(),
        nothing: model.answer.nothing.clone(),
        assertions: model
            .assertions
            .iter()
            .map(|result| {
                let (sign, word) = if result.held { ("✓", "held") } else { ("✕", "missed") };
                let missed = match result.missed.as_slice() {
                    [] => format!("{} cells", result.cells),
                    missed => crate::report::model::trust::several(missed),
                };
                Item { word: word.to_owned(), sign: sign.to_owned(), text: format!("{}: {missed}", result.text) }
            })
            .collect(),
        targets: targets(model),
    }
}

fn caution(caution: &Caution) -> Item {
    let (sign, word) = match caution.severity {
        Severity::Error => ("✕", "error"),
        Severity::Warning => ("!", "warning"),
        Severity::Note => ("i", "note"),
    };
    Item { word: word.to_owned(), sign: sign.to_owned(), text: caution.text.clone() }
}

fn facts(model: &ReportModel) -> Vec<(String, String)> {
    let mut facts = Vec::new();
    for run in &model.runs {
        let name = if model.runs.len() > 1 { format!("Run {}", run.id) } else { "Run".to_owned() };
        facts.push((name, run_words(run)));
    }
    let names: Vec<&str> = model.columns.iter().map(|column| column.name.as_str()).collect();
    facts.push(("Compared".to_owned(), names.join(", ")));
    if let Some(baseline) = model.compared_with() {
        facts.push(("Baseline".to_owned(), baseline.to_owned()));
    }
    facts
}

fn run_words(run: &RunFacts) -> String {
    let mut words = vec![when(&run.started)];
    words.extend(run.seconds.map(|seconds| format!("took {}", span(seconds))));
    words.push(if run.rounds == 1 { "1 round".to_owned() } else { format!("{} rounds", run.rounds) });
    words.push(format!("{} of {} trials", run.done, run.planned));
    if run.smoke {
        words.push("smoke run".to_owned());
    }
    if !run.ended {
        words.push("not ended".to_owned());
    }
    words.join(", ")
}

/// `2026-03-06 18:00 UTC` of an RFC 3339 text; the text itself where it is none.
pub(crate) fn when(text: &str) -> String {
    text.parse::<Timestamp>().map_or_else(|_| text.to_owned(), |at| at.strftime("%Y-%m-%d %H:%M UTC").to_string())
}

fn card(model: &ReportModel, line: &AnswerLine) -> Card {
    let turned = line.better == "lower";
    let axis = advantage_axis(line.standings.iter().flat_map(|standing| &standing.advantages));
    Card {
        scenario: line.scenario.clone(),
        measure: line.measure.clone(),
        cells: line.cells,
        baseline: model.baseline.clone().unwrap_or_default(),
        axis: if line.standings.iter().all(|standing| standing.advantages.is_empty()) {
            String::new()
        } else {
            advantage_scale(&axis, turned)
        },
        rows: line
            .standings
            .iter()
            .map(|standing| {
                let style = model.columns.iter().position(|column| column.name == standing.column).unwrap_or(0);
                let (sign, word, class) = verdict(model, standing);
                CardRow {
                    name: standing.column.clone(),
                    style: style_class(style),
                    sign,
                    word,
                    class,
                    rest: rest(standing),
                    value: standing.value.clone().unwrap_or_default(),
                    strip: if standing.advantages.is_empty() {
                        String::new()
                    } else {
                        advantages(style, &standing.column, &standing.advantages, &axis, turned)
                    },
                }
            })
            .collect(),
    }
}

/// A line without the scenario's name in front.
pub(crate) fn after_name(line: &AnswerLine) -> &str {
    line.says.strip_prefix(&format!("{}: ", line.scenario)).unwrap_or(&line.says)
}

/// The sentence without the name that it begins with, nor the value that is told beside it.
fn rest(standing: &Standing) -> String {
    let rest = standing.says.strip_prefix(&standing.column).unwrap_or(&standing.says);
    let value = standing.value.as_ref().map(|value| format!(": {value}")).unwrap_or_default();
    rest.strip_suffix(&value).unwrap_or(rest).to_owned()
}

fn verdict(model: &ReportModel, standing: &Standing) -> (&'static str, &'static str, &'static str) {
    match standing.verdict.as_deref() {
        _ if standing.value.is_none() => ("✕", "no number", "bad"),
        _ if model.columns.iter().any(|column| column.ceiling && column.name == standing.column) => {
            ("^", "client's ceiling", "open")
        }
        _ if model.compared_with().is_none() => ("○", "measured", "base"),
        _ if model.baseline.as_ref() == Some(&standing.column) => ("○", "baseline", "base"),
        Some("faster") => ("▲", "faster", "better"),
        Some("slower") => ("▼", "slower", "worse"),
        Some("mostly faster") => ("▲", "mostly faster", "better"),
        Some("mostly slower") => ("▼", "mostly slower", "worse"),
        Some("mostly tie") => ("=", "mostly tie", "tie"),
        Some("tie") => ("=", "tie", "tie"),
        Some(_) => ("◆", "mixed", "mixed"),
        None => ("–", "no verdict", "open"),
    }
}

/// The first digits of a digest; the whole for whoever points at it.
fn digest(digest: Option<&str>) -> TableCell {
    let Some(whole) = digest else { return TableCell::missing() };
    let short = match whole.char_indices().nth(19) {
        Some((end, _)) => format!("{}…", &whole[..end]),
        None => whole.to_owned(),
    };
    TableCell { raw: Some(whole.to_owned()), ..TableCell::text(short) }.titled(whole)
}

fn targets(model: &ReportModel) -> Table {
    let columns = &model.columns;
    let tags = columns.iter().map(|column| Tags { column: Some(column.name.clone()), ..Tags::default() }).collect();
    Table::new("targets", "What was compared", tags)
        .texts("Target", columns.iter().map(|column| column.name.clone()))
        .texts("Database", columns.iter().map(|column| column.title.clone()))
        .texts("Version", columns.iter().map(|column| column.version.clone()))
        .options("It says of itself", columns.iter().map(|column| column.server_version.clone()))
        .texts("Runs", columns.iter().map(|column| column.place.clone()))
        .options("Limits", columns.iter().map(|column| column.limits.clone()))
        .options("Address", columns.iter().map(|column| column.address.clone()))
        .options("Acknowledged means", columns.iter().map(|column| column.durability.clone()))
        .options("Image", columns.iter().map(|column| column.image.clone()))
        .cells(
            Head { text: "Digest".to_owned(), ..Head::default() },
            columns.iter().map(|column| digest(column.digest.as_deref())),
        )
        .without_empty_columns()
}
