//! How fast things were in the last run of a suite, read from its journal.
//!
//! It must not estimate. Invariant: a run that can't be read is passed over: estimates have other grounds.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;

use crate::plan::estimate::{Rates, Seen};
use crate::run::folder::Folder;
use crate::run::journal::events::{CaseInfo, Event, Line, RunStarted};
use crate::run::journal::reader::read;
use crate::run::journal::status::Phase;
use crate::run::journal::trial::TrialRecord;

/// No more runs than this are looked through for one of the suite.
const RUNS: usize = 50;

/// The rates of the last run of the suite called `suite`; none where there is no such run.
pub(super) fn from_last_run(reports: &Path, suite: &str) -> Rates {
    let mut rates = Rates::default();
    let runs = Folder::all(reports);
    for run in runs.iter().rev().take(RUNS).filter(|run| is_of(run, suite)) {
        let Ok(lines) = read(&run.journal()) else { continue };
        let started = lines.iter().find_map(|line| match &line.event {
            Event::RunStarted(started) => Some(started),
            _ => None,
        });
        let Some(started) = started else { continue };
        let cases: BTreeMap<&str, &CaseInfo> = started.cases.iter().map(|case| (case.id.as_str(), case)).collect();
        for line in &lines {
            let Event::TrialEnded(record) = &line.event else { continue };
            if let Some((case, seen)) =
                cases.get(record.case.as_str()).and_then(|case| Some((case, seen(case, record)?)))
            {
                rates.see(&record.hash, &case.target, &case.scenario, seen);
                rates.run = Some(run.id.clone());
            }
        }
        if rates.run.is_some() {
            return rates;
        }
    }
    rates
}

/// Whether a run is of a suite: its journal's first line says so.
fn is_of(run: &Folder, suite: &str) -> bool {
    let Ok(file) = std::fs::File::open(run.journal()) else { return false };
    let mut line = String::new();
    if BufReader::new(file).read_line(&mut line).is_err() {
        return false;
    }
    let started = serde_json::from_str::<Line>(&line).ok().and_then(|line| match line.event {
        Event::RunStarted(started) => Some(started),
        _ => None,
    });
    started.is_some_and(|started: Box<RunStarted>| started.suite == suite)
}

/// What a trial took; none where it measured nothing that counts.
fn seen(case: &CaseInfo, record: &TrialRecord) -> Option<Seen> {
    let measured_seconds = record.elapsed_s.filter(|_| record.status.counts())?;
    let others = record.phases.iter().filter(|(phase, _)| !matches!(phase, Phase::Measure | Phase::Warmup));
    let ingestion = |kind: &str| kind == crate::workload::operation::OperationKind::Ingestion.name();
    let (mut points, mut queries) = (0, 0);
    for operation in &record.operations {
        if ingestion(&operation.operation) {
            points += operation.ok_points;
        } else {
            queries += operation.ok_operations;
        }
    }
    let disk = record.disk.as_ref().and_then(|disk| disk.settled_bytes.or(disk.flushed_bytes));
    // Raw bytes are planned for all points; a trial that a time limit ended wrote its share of them.
    let share = case.points.filter(|planned| *planned > 0).map_or(0.0, |planned| points as f64 / planned as f64);
    Some(Seen {
        measured_seconds,
        other_seconds: others.map(|(_, seconds)| seconds).sum(),
        points,
        queries,
        raw_bytes: (case.bytes.unwrap_or_default() as f64 * share) as u64,
        disk_bytes: disk,
    })
}
