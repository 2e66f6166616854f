//! What cells say when something went wrong, and what is never said of them.
//!
//! They must not look at pixels. Invariant: a trial that does not count gives no number anywhere.

use super::cases::whole;
use crate::report::model::compare::{Cell, Kind, Row};
use crate::report::model::report::{Options, ReportModel, render};
use crate::report::testing::journal::{case, journal, small};
use crate::report::testing::record::trial;
use crate::report::{assertions, csv, html, markdown, terminal, terminal_trial};
use crate::run::journal::events::{CaseInfo, Event};
use crate::run::journal::trial::{Mark, Status, TrialRecord};

fn cell<'a>(model: &'a ReportModel, loops: &str, devices: &str, column: &str) -> (&'a Row, &'a Cell) {
    let index = model.columns.iter().position(|known| known.name == column).unwrap();
    let rows = &model.comparison.iter().find(|group| group.kind == Kind::Writing).unwrap().rows;
    let at = |row: &&Row| row.axes.iter().map(|(_, value)| value.as_str()).eq([loops, devices]);
    let row = rows.iter().find(at).unwrap();
    (row, row.cells[index].as_ref().unwrap())
}

#[test]
fn a_failed_cell_has_no_number_and_never_ranks() {
    let model = whole();
    let (row, failed) = cell(model, "50", "100", "sqlite");
    assert_eq!(failed.state.says, "failed: server out of memory at 41 s");
    assert!(failed.values.is_empty() && !failed.state.counts && !failed.state.ranks);
    assert!(
        row.cells
            .iter()
            .flatten()
            .flat_map(|cell| cell.values.values())
            .all(|value| { value.ratios.iter().all(|ratio| ratio.baseline != "sqlite") })
    );
    let (_, lost) = cell(model, "20", "100", "influxdb-1");
    assert_eq!((lost.state.says.as_str(), lost.values.len()), ("lost 0.2 %", 0));
}

#[test]
fn a_cell_with_a_failed_round_shows_the_others_and_leads_nowhere() {
    let model = whole();
    let (_, partly) = cell(model, "10", "20", "influxdb-1");
    let throughput = &partly.values["throughput"];
    assert_eq!((throughput.rounds.len(), throughput.low), (2, None));
    assert!(throughput.value > 1e6 && !throughput.best && !partly.state.ranks);
    // Its round is dropped from the pairs: two are too few for a verdict.
    assert_eq!((throughput.ratios[0].pairs, throughput.ratios[0].verdict.clone()), (2, None));
}

#[test]
fn zero_and_missing_are_different() {
    let model = whole();
    let (_, good) = cell(model, "50", "50", "postgres");
    assert_eq!(good.values["errors"].value, 0.0);
    assert!(!good.values.contains_key("response_p99"));
    let whole = model.comparison.iter().find(|group| group.kind == Kind::Whole).unwrap();
    let asked = whole.rows.iter().find(|row| row.scenario == "ask").unwrap().cells[0].as_ref().unwrap();
    assert!(!asked.values.contains_key("disk"), "queries do not load: their disk is not measured, not 0");
}

#[test]
fn a_run_that_goes_on_or_was_killed_has_a_report() {
    let lines = journal();
    for kept in [1, 2, 3, 40, lines.len() - 2] {
        let model = render(&[lines[..kept].to_vec()], &Options::default());
        let page = html::html(&model).unwrap();
        assert!(page.contains("has not ended"), "{kept}");
        assert!(page.contains("not run"), "{kept}");
        assert!(!csv::files(&model).is_empty() && !terminal(&model, 80, false).is_empty());
    }
    let begun = render(&[lines[..1].to_vec()], &Options::default());
    assert_eq!(begun.answer.nothing.as_deref(), Some("Nothing can be concluded: no trial gave a number."));
}

#[test]
fn no_journal_at_all_gives_an_empty_report() {
    let model = render(&[], &Options::default());
    assert!(html::html(&model).unwrap().contains("Nothing can be concluded"));
    assert!(markdown::markdown(&model).contains("Nothing can be concluded"));
}

#[test]
fn a_suite_in_which_all_failed_says_so_in_its_table() {
    let cases = vec![case("postgres", "ingest", &[]), case("sqlite", "ingest", &[])];
    let lines = small(cases, 1, |_, case, round| TrialRecord::new(&case.id, &case.hash, round));
    let model = render(&[lines], &Options::default());
    let markdown = markdown::markdown(&model);
    assert!(markdown.contains("| ingest   | INGESTION |"), "{markdown}");
    assert!(html::html(&model).unwrap().contains("did not finish</span>"));
}

#[test]
fn one_round_shows_ratios_and_no_verdict() {
    let cases = vec![case("postgres", "ingest", &[]), case("sqlite", "ingest", &[])];
    let lines = small(cases, 1, |dice, case, round| trial(dice, case, round, &[("INGESTION", 200, 10, 2.0)]));
    let model = render(&[lines], &Options::default());
    assert!(model.answer.nothing.as_deref().unwrap().contains("at least three rounds are needed"));
    assert!(model.answer.lines[0].says.contains("(1 round: no verdict)"), "{}", model.answer.lines[0].says);
    let value = &model.comparison[0].rows[0].cells[1].as_ref().unwrap().values["throughput"];
    assert_eq!((value.low, value.ratios[0].low, value.ratios[0].verdict.clone()), (None, None, None));
}

#[test]
fn a_time_limit_counts_and_an_interruption_does_not() {
    let cases = vec![case("postgres", "ingest", &[]), case("sqlite", "ingest", &[])];
    let lines = small(cases, 1, |dice, case, round| {
        let mut record = trial(dice, case, round, &[("INGESTION", 200, 10, 2.0)]);
        record.status = if case.target == "sqlite" { Status::Interrupted } else { Status::TimeLimit };
        record
    });
    let model = render(&[lines], &Options::default());
    let cells = &model.comparison[0].rows[0].cells;
    assert_eq!(cells[0].as_ref().unwrap().state.status, "time limit");
    assert!(cells[0].as_ref().unwrap().values.contains_key("throughput"));
    assert_eq!(cells[1].as_ref().unwrap().state.says, "interrupted");
    assert!(cells[1].as_ref().unwrap().values.is_empty());
    // What had been done until then is told as a count, not as a measurement.
    assert_eq!(model.failures[0].attempted, [("INGESTION".to_owned(), 200, 0)]);
}

#[test]
fn a_trial_that_does_not_count_prints_no_matrix() {
    for line in journal() {
        let Event::TrialEnded(record) = line.event else { continue };
        let text = terminal_trial(&record, &case("any", "ingest", &[]));
        assert_eq!(text.contains("Result Matrix"), record.status.counts());
        if record.status.counts() {
            assert_eq!(text.lines().filter(|line| line.starts_with("SET_OPERATION")).count(), 2);
        }
    }
}

#[test]
fn a_cell_without_a_number_misses_its_assertion() {
    let model = whole();
    let results = assertions(model);
    assert_eq!((results[0].held, results[0].cells), (false, 27));
    assert!(results[0].missed[0].contains("lost 0.2 %"), "{:?}", results[0].missed);
    assert_eq!(results[1].text, "throughput(sqlite) >= 0.9 * baseline");
    assert!(results[1].missed.iter().any(|missed| missed.contains("is not >=")), "{:?}", results[1].missed);
}

#[test]
fn an_open_loop_is_compared_by_its_response_time() {
    let model = whole();
    let paced = model.answer.lines.iter().find(|line| line.scenario == "paced").unwrap();
    assert_eq!(paced.measure, "P99 response time");
    let latency = model.latency.iter().find(|one| one.scenario == "paced").unwrap();
    assert!(latency.response.as_ref().unwrap().mean > 2.0 * latency.service.mean);
}

/// A load of two targets and a query case on it, of one round.
fn load_and_ask(operation: &str, change: impl Fn(&mut TrialRecord)) -> ReportModel {
    let on = |target: &str| CaseInfo { on: Some(format!("{target}/load")), ..case(target, "ask", &[]) };
    let cases = vec![case("postgres", "load", &[]), case("sqlite", "load", &[]), on("postgres"), on("sqlite")];
    let lines = small(cases, 1, |dice, case, round| {
        let does = if case.on.is_some() { (operation, 500, 1, 2.0) } else { ("INGESTION", 100, 100, 2.0) };
        let mut record = trial(dice, case, round, &[does]);
        record.warmup_s = None;
        change(&mut record);
        record
    });
    render(&[lines], &Options::default())
}

#[test]
fn an_interrupted_trial_lost_nothing() {
    let model = load_and_ask("TIME_RANGE", |record| {
        record.status = Status::Interrupted;
        record.stored.iter_mut().for_each(|stored| stored.stored = 0);
    });
    assert!(model.trust.stored.iter().all(|row| row.rounds == 0), "{:?}", model.trust.stored);
    assert!(model.answer.cautions.iter().all(|caution| !caution.text.contains("must be there")));
}

#[test]
fn answers_of_unlike_rows_are_not_compared() {
    let differing = |record: &mut TrialRecord| {
        let count = record.case.len().to_string();
        record.samples.iter_mut().for_each(|sample| sample.rows = vec![vec!["0".to_owned(), count.clone()]]);
    };
    let says = |operation: &str, change: &dyn Fn(&mut TrialRecord)| {
        let model = load_and_ask(operation, |record| {
            differing(record);
            change(record);
        });
        let row = model.trust.answers[0].clone();
        let red = model.answer.cautions.iter().any(|caution| caution.text.contains("first answers"));
        assert_eq!(red, row.verdict == "differ", "{row:?}");
        (row.verdict, row.says)
    };
    let loads = |record: &TrialRecord| record.case.ends_with("load");
    let warmed = |record: &mut TrialRecord| record.warmup_s = loads(record).then_some(1.0);
    let writing = |record: &mut TrialRecord| {
        let mut write = record.operations[0].clone();
        write.operation = "INGESTION".to_owned();
        record.operations.push(write);
    };
    let limited = |record: &mut TrialRecord| record.status = Status::TimeLimit;
    assert_eq!(says("AGG_VALUE", &|_| {}).0, "differ");
    assert_eq!(says("TIME_RANGE", &warmed).0, "differ");
    assert_eq!(says("AGG_VALUE", &warmed), ("not comparable".to_owned(), "warm-up rows differ".to_owned()));
    assert_eq!(says("AGG_VALUE", &limited).0, "not comparable");
    assert!(says("TIME_RANGE", &writing).1.starts_with("data in flight"));
}

#[test]
fn raw_bytes_are_those_of_the_points_stored() {
    let model = load_and_ask("TIME_RANGE", |_| {});
    let planned = case("postgres", "load", &[]);
    let each = planned.bytes.unwrap() as f64 / planned.points.unwrap() as f64;
    let space = &model.space[0];
    assert!((space.raw_bytes.unwrap() - each * space.points.unwrap()).abs() < 1e-6);
}

#[test]
fn what_was_not_checked_is_told_apart_for_writes_and_queries() {
    let model = load_and_ask("TIME_RANGE", |record| {
        record.marks.push(Mark::NotChecked);
        record.answers = None;
    });
    let marked = |kind: Kind| {
        let group = model.comparison.iter().find(|group| group.kind == kind).unwrap();
        !group.rows[0].cells[0].as_ref().unwrap().marks.is_empty()
    };
    assert!(!marked(Kind::Writing) && marked(Kind::Asking));
}

#[test]
fn a_smoke_run_says_so_on_top() {
    let mut lines = journal();
    let Event::RunStarted(started) = &mut lines[0].event else { panic!("no start") };
    started.plan_hash = format!("smoke-{}", started.plan_hash);
    let model = render(&[lines], &Options::default());
    for text in [html::html(&model).unwrap(), markdown::markdown(&model), terminal(&model, 100, false)] {
        assert!(text.contains("Smoke run: ") && !text.contains("at least three rounds"), "{}", &text[..400]);
    }
}

#[test]
fn an_address_is_no_limit_and_another_version_is_a_warning() {
    let mut lines = journal();
    let Event::RunStarted(started) = &mut lines[0].event else { panic!("no start") };
    started.targets.truncate(2);
    for target in &mut started.targets {
        target.place = "existing".to_owned();
        target.limits = Some(format!("{}.example:1", target.name));
    }
    for line in &mut lines {
        if let Event::TrialEnded(record) = &mut line.event {
            record.server.version = Some("15.20 (Debian)".to_owned());
        }
    }
    let model = render(&[lines], &Options::default());
    assert!(model.trust.fairness.iter().all(|finding| finding.about != "limits"));
    assert_eq!(model.columns[0].address.as_deref(), Some("postgres.example:1"));
    let said: Vec<&str> = model.trust.fairness.iter().map(|finding| finding.text.as_str()).collect();
    assert!(
        said.iter().any(|text| text.contains("postgres was asked for version 15.5; the server says 15.20")),
        "{said:?}"
    );
}

#[test]
fn a_mean_latencys_quotient_is_its_ratio() {
    let lines = small(vec![case("postgres", "ask", &[]), case("sqlite", "ask", &[])], 3, |dice, case, round| {
        trial(dice, case, round, &[("TIME_RANGE", 100 * u64::from(round).pow(3), 1, 2.0 * f64::from(round))])
    });
    let model = render(&[lines], &Options::default());
    let cells = &model.comparison.iter().find(|group| group.kind == Kind::Asking).unwrap().rows[0].cells;
    let mean = |index: usize| &cells[index].as_ref().unwrap().values["mean"];
    assert!((mean(1).value / mean(0).value - mean(1).ratios[0].ratio).abs() < 1e-9);
}
