//! Shapes of published tables that a report must be able to express as they stand.
//!
//! They must not know a database. Invariant: the expected texts are the published ones where there are any.

use crate::report::model::report::{Options, ReportModel, render};
use crate::report::testing::journal::{case, small};
use crate::report::testing::record::trial;
use crate::report::view::sections::sections;
use crate::report::{csv, markdown, terminal, terminal_trial};
use crate::run::journal::events::{CaseInfo, Event, Line};

/// One round in which each case reached this many points a second.
fn rates(cases: Vec<(CaseInfo, f64)>) -> Vec<Line> {
    let plain = cases.iter().map(|(case, _)| case.clone()).collect();
    small(plain, 1, |dice, case, round| {
        let mut record = trial(dice, case, round, &[("INGESTION", 100, 100_000, 2.0)]);
        let rate = cases.iter().find(|(known, _)| known.id == case.id).unwrap().1;
        record.elapsed_s = Some(1e7 / rate);
        record
    })
}

fn model(cases: Vec<(CaseInfo, f64)>) -> ReportModel {
    render(&[rates(cases)], &Options::default())
}

fn table(model: &ReportModel, id: &str) -> Vec<Vec<String>> {
    let sections = sections(model, true);
    let table = sections.iter().flat_map(|section| section.tables()).find(|table| table.id == id).unwrap();
    table.rows.iter().map(|row| row.cells.iter().map(|cell| cell.text.clone()).collect()).collect()
}

#[test]
fn the_matrices_are_those_that_users_know() {
    let case = case("sqlite", "ingest", &[]);
    let lines = rates(vec![(case.clone(), 1e6)]);
    let Event::TrialEnded(record) = &lines[2].event else { panic!("no trial") };
    let text = terminal_trial(record, &case);
    let result = "Operation                okOperation              okPoint                  failOperation            \
                  failPoint                throughput(point/s)      ";
    let latency = "Operation                AVG         MIN         P10         P25         MEDIAN      P75         P90         \
                   P95         P99         P999        MAX         SLOWEST_THREAD";
    let unused = "GROUP_BY_DESC            0.00        0.00        0.00        0.00        0.00        0.00        0.00        \
                  0.00        0.00        0.00        0.00        0.00        ";
    let lines: Vec<&str> = text.lines().collect();
    let dashes = "-".repeat(58);
    assert_eq!(lines[1], "Create schema cost 0.09 second");
    assert_eq!(lines[2], "Test elapsed time (not include schema creation): 10.00 second");
    assert_eq!(lines[3], format!("{dashes}Result Matrix{dashes}"));
    assert_eq!(lines[4], result);
    assert_eq!(
        lines[5].split_whitespace().collect::<Vec<_>>(),
        ["INGESTION", "100", "10000000", "0", "0", "1000000.00"]
    );
    assert_eq!(lines[18], "-".repeat(129));
    assert_eq!(lines[20], format!("{}Latency (ms) Matrix{}", "-".repeat(74), "-".repeat(74)));
    assert_eq!(lines[21], latency);
    assert_eq!(lines[33], unused);
    assert_eq!(lines.len(), 36);
}

#[test]
fn a_tuning_sweep_is_told_in_percent_of_its_first_setting() {
    let vnodes = [(12, 1_867_506.54, 1_404_185.26), (18, 2_052_924.52, 1_556_203.18), (24, 2_100_190.87, 1_612_303.67)];
    let mut cases = Vec::new();
    for (vnodes, four, five) in vnodes {
        for (scale, rate) in [(1_000_000, four), (10_000_000, five)] {
            cases.push((case("sqlite", "ingest", &[("DEVICE_NUMBER", scale), ("tuning.vnodes", vnodes)]), rate));
        }
    }
    let rows = table(&model(cases), "tuning-1");
    assert_eq!(rows[0], ["tuning.vnodes=12", "1.87", "100.0", "1.40", "100.0"]);
    assert_eq!(rows[1], ["tuning.vnodes=18", "2.05", "109.9", "1.56", "110.8"]);
    assert_eq!(rows[2], ["tuning.vnodes=24", "2.10", "112.5", "1.61", "114.8"]);
}

#[test]
fn one_target_in_percent_of_each_other() {
    let at = |target: &str, devices: u64, rate: f64| (case(target, "ingest", &[("DEVICE_NUMBER", devices)]), rate);
    let model = model(vec![
        at("postgres", 100, 3_322_100.0),
        at("influxdb-1", 100, 1_691_324.7),
        at("sqlite", 100, 1_000_000.0),
        at("postgres", 4_000, 2_000_000.0),
        at("influxdb-1", 4_000, 2_000_000.0),
        at("sqlite", 4_000, 1_000_000.0),
    ]);
    let rows = table(&model, "writing-percent");
    assert_eq!(rows[0], ["ingest", "100", "INGESTION", "196.42", "332.21"]);
    let leads = table(&model, "writing-leads");
    assert_eq!(leads[0][2], "1.00× to 3.32×");
}

#[test]
fn best_of_each_names_its_setting_and_the_same_setting_is_another_table() {
    let at = |target: &str, workers: u64, rate: f64| (case(target, "ingest", &[("load.clients", workers)]), rate);
    let model =
        model(vec![at("postgres", 4, 145e3), at("postgres", 8, 140e3), at("sqlite", 4, 559e3), at("sqlite", 8, 914e3)]);
    let best = table(&model, "best-of-each");
    assert_eq!(
        best[0],
        ["ingest", "INGESTION", "145 k points/s @ load.clients=4", "914 k points/s @ load.clients=8 · 6.30×"]
    );
    let same = table(&model, "writing-throughput");
    assert_eq!(same.len(), 2);
    assert!(same[0][4].starts_with("559 · 3.86×"), "{same:?}");
}

#[test]
fn settings_of_one_target_alone_become_columns_of_it() {
    let model = model(vec![
        (case("postgres", "ingest", &[("LOOP", 10)]), 1e6),
        (case("sqlite", "ingest", &[("LOOP", 10), ("tuning.cache", 1)]), 2e6),
        (case("sqlite", "ingest", &[("LOOP", 10), ("tuning.cache", 2)]), 3e6),
    ]);
    let names: Vec<&str> = model.columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names, ["postgres", "sqlite (cache=1)", "sqlite (cache=2)"]);
    assert_eq!(model.comparison[0].rows.len(), 1);
    assert_eq!(model.best[0].entries["sqlite"].at, [("tuning.cache".to_owned(), "2".to_owned())]);
}

#[test]
fn a_routine_is_one_axis_and_a_cell_that_did_not_finish_is_legal() {
    let at = |loops: u64, devices: u64, rate: f64| {
        (case("sqlite", "ingest", &[("LOOP", loops), ("DEVICE_NUMBER", devices)]), rate)
    };
    let model = model(vec![at(10, 100, 1e6), at(20, 50, 2e6), at(50, 20, 3e6)]);
    assert_eq!(model.sweeps.len(), 1);
    assert_eq!(model.sweeps[0].axes[0].name, "LOOP · DEVICE_NUMBER");
    assert_eq!(model.sweeps[0].axes[0].values, ["10 · 100", "20 · 50", "50 · 20"]);
}

#[test]
fn knees_and_crossings_are_told_in_words() {
    let mut cases = Vec::new();
    for (devices, postgres, sqlite) in [(100, 1e5, 5e4), (1_000, 2e5, 1.9e5), (10_000, 2.1e5, 8e5)] {
        cases.push((case("postgres", "ingest", &[("DEVICE_NUMBER", devices)]), postgres));
        cases.push((case("sqlite", "ingest", &[("DEVICE_NUMBER", devices)]), sqlite));
    }
    let plain = cases.iter().map(|(case, _)| case.clone()).collect();
    let lines = small(plain, 3, |dice, case, round| {
        let mut record = trial(dice, case, round, &[("INGESTION", 100, 1_000, 2.0)]);
        let rate = cases.iter().find(|(known, _)| known.id == case.id).unwrap().1;
        record.elapsed_s = Some(1e5 / rate * dice.around(0.001));
        record
    });
    let findings = render(&[lines], &Options::default()).sweeps[0].findings.clone();
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert!(
        findings[0].starts_with("beyond DEVICE_NUMBER 1,0") && findings[0].ends_with("sqlite leads postgres"),
        "{findings:?}"
    );
}

#[test]
fn a_databases_own_compression_can_exceed_a_hundred_percent() {
    let lines = small(vec![case("sqlite", "ingest", &[])], 1, |dice, case, round| {
        let mut record = trial(dice, case, round, &[("INGESTION", 100, 1_000, 2.0)]);
        let fact = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        record.facts = vec![
            fact("bytes before compression", "4841552"),
            fact("bytes after compression", "16612380"),
            fact("chunks", "12"),
            fact("index", "btree"),
        ];
        record
    });
    let model = render(&[lines], &Options::default());
    assert!((model.space[0].own_compression.unwrap() - 3.43).abs() < 0.01);
    assert_eq!(model.space[0].chunks, Some(12.0));
    assert_eq!(table(&model, "facts")[0], ["ingest", "sqlite", "index", "btree"]);
}

fn two() -> ReportModel {
    let mut cases = Vec::new();
    for devices in [10, 100] {
        cases.push(case("postgres", "ingest", &[("DEVICE_NUMBER", devices)]));
        cases.push(case("sqlite", "ingest", &[("DEVICE_NUMBER", devices)]));
    }
    let lines = small(cases, 3, |dice, case, round| {
        let pace = if case.target == "sqlite" { 4.0 } else { 2.0 } * dice.around(0.05);
        let mut record = trial(dice, case, round, &[("INGESTION", 150, 100, pace)]);
        record.series.clear();
        record
    });
    render(&[lines], &Options::default())
}

#[test]
fn the_markdown_is_as_it_was() {
    insta::assert_snapshot!(markdown::markdown(&two()));
}

#[test]
fn the_terminal_is_as_it_was() {
    insta::assert_snapshot!(terminal(&two(), 100, false));
}

#[test]
fn a_narrow_terminal_has_no_wide_line() {
    use unicode_width::UnicodeWidthStr;
    for width in [40, 60, 80, 132] {
        let text = terminal(super::cases::whole(), width, false);
        let widest = text.lines().max_by_key(|line| line.width()).unwrap();
        assert!(widest.width() <= width, "{width}: {widest}");
    }
    assert!(terminal(&two(), 100, true).contains("\x1b[1m"));
}

#[test]
fn the_wide_csv_is_as_it_was() {
    let text = csv::files(&two()).into_iter().find(|(name, _)| name == "comparison.csv").unwrap().1;
    let kept: Vec<&str> =
        text.lines().filter(|line| line.contains("throughput") || line.starts_with("scenario")).collect();
    insta::assert_snapshot!(kept.join("\n"));
}
