//! Several runs in one report: cells merged by scenario and axis values, and what is said about it.
//!
//! They must not need files. Invariant: no cell mixes trials of two runs.

use crate::report::model::report::{Options, render};
use crate::report::testing::journal::{case, small};
use crate::report::testing::record::trial;
use crate::run::journal::events::{CaseInfo, Event, Line};
use crate::run::journal::trial::TrialRecord;

fn run(id: &str, cases: Vec<CaseInfo>) -> Vec<Line> {
    let mut lines = small(cases, 3, |dice, case, round| {
        trial(dice, case, round, &[("INGESTION", 200, 10, 2.0 + f64::from(round))])
    });
    if let Event::RunStarted(started) = &mut lines[0].event {
        started.run = id.to_owned();
        let used: Vec<String> = started.cases.iter().map(|case| case.target.clone()).collect();
        started.targets.retain(|target| used.contains(&target.name));
    }
    lines
}

fn names(journals: &[Vec<Line>]) -> Vec<String> {
    render(journals, &Options::default()).columns.into_iter().map(|column| column.name).collect()
}

fn at(target: &str, devices: u64) -> CaseInfo {
    case(target, "ingest", &[("DEVICE_NUMBER", devices)])
}

#[test]
fn targets_of_two_runs_stand_side_by_side() {
    let journals = [run("a", vec![at("postgres", 10)]), run("b", vec![at("sqlite", 10)])];
    let model = render(&journals, &Options::default());
    assert_eq!(model.columns.len(), 2);
    assert_eq!(model.comparison[0].rows.len(), 1);
    assert_eq!(model.comparison[0].rows[0].cells[1].as_ref().unwrap().values["throughput"].ratios[0].pairs, 3);
    assert!(model.trust.fairness.iter().any(|finding| finding.text.contains("were not interleaved")));
    assert_eq!(model.title, "iot-routine");
}

#[test]
fn new_cells_of_a_target_fill_its_column() {
    assert_eq!(names(&[run("a", vec![at("sqlite", 10)]), run("b", vec![at("sqlite", 20)])]), ["sqlite"]);
}

#[test]
fn a_cell_measured_twice_splits_its_target_by_run() {
    let journals = [run("a", vec![at("sqlite", 10)]), run("b", vec![at("sqlite", 10), at("sqlite", 20)])];
    assert_eq!(names(&journals), ["sqlite @ a", "sqlite @ b"]);
}

#[test]
fn trials_taken_over_are_not_counted_twice() {
    let first = run("a", vec![at("sqlite", 10)]);
    let mut second = run("b", vec![at("sqlite", 10), at("sqlite", 20)]);
    for line in &mut second {
        if let Event::TrialEnded(record) = &mut line.event
            && record.case.ends_with("=10")
        {
            record.reused_from = Some("a".to_owned());
        }
    }
    assert_eq!(names(&[first, second.clone()]), ["sqlite"]);
    let alone = render(&[second], &Options::default());
    assert!(alone.trust.fairness.iter().any(|finding| finding.text.contains("3 trials from a")));
}

#[test]
fn unlike_hosts_are_told() {
    let first = run("a", vec![at("postgres", 10)]);
    let mut second = run("b", vec![at("sqlite", 10)]);
    if let Event::RunStarted(started) = &mut second[0].event {
        started.host.cores = Some(64);
    }
    let model = render(&[first, second], &Options::default());
    let finding = model.trust.fairness.iter().find(|finding| finding.about == "host").unwrap();
    assert!(finding.text.contains("unlike hosts") && finding.text.contains("64 cores"), "{}", finding.text);
    assert!(model.answer.cautions.iter().any(|caution| caution.text.contains("unlike hosts")));
}

#[test]
fn different_work_is_not_compared() {
    let mut other = at("sqlite", 10);
    other.parameters.insert("BATCH_SIZE_PER_WRITE".to_owned(), "1000".to_owned());
    let model = render(&[run("a", vec![at("postgres", 10), other])], &Options::default());
    let row = &model.comparison[0].rows[0];
    let why = row.not_comparable.as_deref().unwrap();
    assert_eq!(why, "parameters differ: BATCH_SIZE_PER_WRITE: 100 (postgres), 1000 (sqlite)");
    let value = &row.cells[1].as_ref().unwrap().values["throughput"];
    assert!(value.ratios.is_empty() && !value.best);
}

#[test]
fn after_a_resume_the_last_ending_of_a_trial_stands() {
    let mut lines = run("a", vec![at("sqlite", 10)]);
    let ended = lines.iter().position(|line| matches!(line.event, Event::TrialEnded(_))).unwrap();
    let mut cut = lines[ended].clone();
    if let Event::TrialEnded(record) = &mut cut.event {
        **record = TrialRecord::new(&record.case, &record.hash, record.round);
    }
    lines.insert(ended, cut);
    let model = render(&[lines], &Options::default());
    assert_eq!(model.comparison[0].rows[0].cells[0].as_ref().unwrap().state.status, "valid");
}
