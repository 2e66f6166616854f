//! Failures and samples: a block for each trial without a number, the kinds of failed operation, and a statement a kind.
//!
//! It must not show a measurement of a failed trial. Invariant: each block ends with the command that runs its cell alone, where known.

use super::block::{Block, Item};
use super::overview::when;
use super::table::{Table, Tags};
use crate::report::model::failures::{ErrorKind, Failure};
use crate::report::model::report::ReportModel;
use crate::report::model::samples::Sample;
use crate::report::model::settings::unique;
use crate::report::model::trial::Trial;
use crate::report::number::{count, span};

/// Blocks that a page shows at most; report.json has all.
const MOST: usize = 50;

/// The section's blocks.
pub(crate) fn failures(model: &ReportModel) -> Vec<Block> {
    let mut blocks = Vec::new();
    if model.failures.is_empty() {
        blocks.push(Block::Text("No trial failed.".to_owned()));
    }
    for failure in model.failures.iter().take(MOST) {
        blocks.push(Block::Heading(format!("{}, round {}: {}", failure.case, failure.round, failure.status)));
        blocks.push(Block::List(facts(failure)));
        if !failure.log.is_empty() {
            blocks.push(Block::Code("The last lines of the server's log".to_owned(), failure.log.join("\n")));
        }
        if let Some(command) = &failure.command {
            blocks.push(Block::Code("To run this cell alone".to_owned(), command.clone()));
        }
    }
    if model.failures.len() > MOST {
        blocks.push(Block::Text(format!("{} more failures are in report.json.", model.failures.len() - MOST)));
    }
    blocks.extend(errors(&model.errors).map(Block::Table));
    blocks.extend(
        statuses(&model.trials)
            .map(|table| Block::Fold("The status of each trial".to_owned(), vec![Block::Table(table)])),
    );
    blocks.extend(samples(&model.samples));
    blocks
}

fn facts(failure: &Failure) -> Vec<Item> {
    let mut facts = Vec::new();
    let mut tell = |word: &str, text: String| {
        facts.push(Item { word: word.to_owned(), sign: String::new(), text });
    };
    if let Some(what) = &failure.what {
        tell("what", what.clone());
    }
    let after = failure.after_s.map(|seconds| format!(", {} after the trial began", span(seconds))).unwrap_or_default();
    let phase = failure.phase.as_deref().map(|phase| format!(", in the phase {phase}")).unwrap_or_default();
    tell("when", format!("{}{after}{phase}", when(&failure.at)));
    if let Some(code) = failure.exit_code {
        tell("exit code", code.to_string());
    }
    if let Some(killed) = failure.out_of_memory {
        tell("out of memory", if killed { "yes, killed by the kernel" } else { "no" }.to_owned());
    }
    let attempted: Vec<String> = failure
        .attempted
        .iter()
        .filter(|(_, ok, failed)| ok + failed > 0)
        .map(|(name, ok, failed)| format!("{name}: {} had succeeded, {} had failed", count(*ok), count(*failed)))
        .collect();
    if !attempted.is_empty() {
        tell("until then", attempted.join("; "));
    }
    for (operation, class, message, times) in &failure.errors {
        tell("error", format!("{operation}, {class}, {} times: {message}", count(*times)));
    }
    facts
}

fn errors(rows: &[ErrorKind]) -> Option<Table> {
    if rows.is_empty() {
        return None;
    }
    let tags = rows.iter().map(|row| Tags::new(&row.scenario, Some(&row.operation), Some(&row.column))).collect();
    Some(
        Table::new("errors", "Failed operations in trials that count", tags)
            .texts("Case", rows.iter().map(|row| row.case.clone()))
            .texts("Operation", rows.iter().map(|row| row.operation.clone()))
            .texts("Class", rows.iter().map(|row| row.class.clone()))
            .texts("First message", rows.iter().map(|row| row.message.clone()))
            .counts("How often", rows.iter().map(|row| Some(row.count))),
    )
}

/// The status of each trial, with its times.
pub(crate) fn statuses(trials: &[Trial]) -> Option<Table> {
    if trials.is_empty() {
        return None;
    }
    let tags = trials.iter().map(|trial| Tags::new(&trial.scenario, None, Some(&trial.column))).collect();
    let phases = unique(trials.iter().flat_map(|trial| trial.phases.iter().map(|(phase, _)| phase.as_str())));
    let mut table = Table::new("trials", "Trials", tags)
        .texts("Case", trials.iter().map(|trial| trial.case.clone()))
        .counts("Round", trials.iter().map(|trial| Some(u64::from(trial.round))))
        .texts("Status", trials.iter().map(|trial| trial.status.clone()))
        .plain("Measured", Some("s"), trials.iter().map(|trial| trial.elapsed_s))
        .options("Started", trials.iter().map(|trial| trial.started.clone()))
        .texts("Ended", trials.iter().map(|trial| trial.ended.clone()));
    for phase in phases {
        let seconds =
            |trial: &Trial| trial.phases.iter().find(|(known, _)| known == phase).map(|(_, seconds)| *seconds);
        table = table.plain(phase, Some("s"), trials.iter().map(seconds));
    }
    Some(
        table
            .counts("Retries", trials.iter().map(|trial| Some(trial.retries)))
            .texts("Marks", trials.iter().map(|trial| trial.marks.join(", ")))
            .options("Taken over from", trials.iter().map(|trial| trial.reused_from.clone()))
            .without_empty_columns(),
    )
}

/// One statement a target and operation, of its first place, with its first answer.
fn samples(samples: &[Sample]) -> Vec<Block> {
    let mut blocks = Vec::new();
    for (scenario, operation) in
        unique(samples.iter().map(|sample| (sample.scenario.as_str(), sample.operation.as_str())))
    {
        let own = samples.iter().filter(|sample| sample.scenario == scenario && sample.operation == operation);
        let mut seen: Vec<&str> = Vec::new();
        let mut inside = Vec::new();
        for sample in own {
            if seen.contains(&sample.column.as_str()) {
                continue;
            }
            seen.push(&sample.column);
            inside.push(Block::Code(format!("{}, {}", sample.column, answer_words(sample)), with_answer(sample)));
        }
        blocks.push(Block::Fold(format!("What was sent: {scenario} · {operation}"), inside));
    }
    if !blocks.is_empty() {
        blocks.insert(0, Block::Heading("Samples".to_owned()));
    }
    blocks
}

fn answer_words(sample: &Sample) -> String {
    if sample.columns.is_empty() && sample.row_count == 0 {
        return "no rows returned".to_owned();
    }
    format!("{} {} returned", count(sample.row_count), if sample.row_count == 1 { "row" } else { "rows" })
}

fn with_answer(sample: &Sample) -> String {
    let mut text = sample.statement.clone();
    if !sample.columns.is_empty() {
        text.push_str(&format!("\n\n{}", sample.columns.join(" | ")));
    }
    for row in &sample.rows {
        text.push_str(&format!("\n{}", row.join(" | ")));
    }
    text
}
