//! What the database holds after a load: counted, and the facts that reports show.
//!
//! It must not judge. Invariant: what can't be counted is absent.

use super::context::{End, Trial};
use super::expected::{Acknowledged, distinct, onto};
use crate::driver::types::{Answer, Cell};
use crate::engine::types::{Ending, Outcome};
use crate::provision::admin::Admin;
use crate::run::journal::trial::StoredRecord;
use crate::workload::operation::OperationKind;

/// The first value cell of an answer: of a column that does not identify a row.
pub fn first_cell(answer: &Answer) -> Option<&Cell> {
    let value = answer.columns.iter().position(|column| column != "time" && column != "device").unwrap_or(0);
    answer.rows.first().and_then(|row| row.get(value).or_else(|| row.first()))
}

/// The sum of all value cells of an answer: a count of points, a column a sensor.
fn sum_of_cells(answer: &Answer) -> u64 {
    let identifies = |at: usize| answer.columns.get(at).is_some_and(|column| column == "time" || column == "device");
    let number = |cell: &Cell| match cell {
        Cell::Integer(number) => u64::try_from(*number).unwrap_or(0),
        Cell::Float(number) => *number as u64,
        Cell::Text(text) => text.trim().parse().unwrap_or(0),
        Cell::Null | Cell::Boolean(_) => 0,
    };
    let cells = answer.rows.iter().flat_map(|row| row.iter().enumerate());
    cells.filter(|(at, _)| !identifies(*at)).map(|(_, cell)| number(cell)).sum()
}

/// Counts the points that the database holds; none: the adapter has no way to count.
///
/// # Errors
/// When the count fails.
pub async fn count(trial: &Trial<'_>, admin: &Admin) -> Result<Option<u64>, End> {
    let statements = trial.parts.adapter.count_statements(&trial.case.workload, &trial.schema, &trial.setup.tuning)?;
    if statements.is_empty() {
        return Ok(None);
    }
    let answers = admin.ask(statements).await?;
    Ok(Some(answers.iter().map(sum_of_cells).sum()))
}

/// What must be stored after a load, nothing counted yet. `before` is what the database held when the load began.
pub fn expected(trial: &Trial<'_>, outcome: &Outcome, before: u64) -> StoredRecord {
    let ingestion = outcome.operations.iter().find(|operation| operation.kind == OperationKind::Ingestion);
    let measured = ingestion.map_or(0, |operation| operation.ok_points);
    let failed = ingestion.map_or(0, |operation| operation.failed_operations + operation.failed_points);
    let whole = outcome.ending == Ending::Finished && failed == 0;
    let acknowledged = Acknowledged { measured, warmup: outcome.warmup_points, whole };
    let load = distinct(&trial.workload.totals(), acknowledged);
    StoredRecord { acknowledged: measured, warmup: outcome.warmup_points, expected: onto(before, load), stored: 0 }
}

/// The facts of the adapter about the data, each as text. One that can't be had is left out and told.
pub async fn facts(trial: &Trial<'_>, admin: &Admin) -> Vec<(String, String)> {
    let asked = trial.parts.adapter.fact_statements(&trial.case.workload, &trial.schema, &trial.setup.tuning);
    let mut facts = Vec::new();
    for (name, statement) in asked.unwrap_or_default() {
        match admin.ask(vec![statement]).await {
            Ok(answers) => facts.extend(answers.first().and_then(first_cell).map(|cell| (name, cell.to_string()))),
            Err(error) => trial.tracker.note(&format!("fact {name}: {error}")),
        }
    }
    facts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_the_sum_of_value_cells() {
        let answer = Answer {
            columns: vec!["time".into(), "s_0".into(), "s_1".into()],
            rows: vec![
                vec![Cell::Integer(0), Cell::Integer(10), Cell::Float(9.0)],
                vec![Cell::Integer(0), Cell::Text("5".into()), Cell::Null],
            ],
        };
        assert_eq!(sum_of_cells(&answer), 24);
        assert_eq!(first_cell(&answer), Some(&Cell::Integer(10)));
    }
}
