//! Public cases with their right values, and the schema.
//!
//! They must not need a server. Invariant: each is named by its case.

use std::sync::OnceLock;

use crate::report::model::measure::ERROR_RATE;
use crate::report::model::report::{Options, ReportModel, render};
use crate::report::testing::journal::{case, journal, small};
use crate::report::testing::record::trial;
use crate::report::{csv, html, json, markdown, terminal, terminal_trial};
use crate::run::journal::trial::TrialRecord;

/// The model of the whole journal, and its page: made once.
pub(super) fn whole() -> &'static ReportModel {
    static WHOLE: OnceLock<ReportModel> = OnceLock::new();
    WHOLE.get_or_init(|| render(&[journal()], &Options::default()))
}

pub(super) fn page() -> &'static str {
    static PAGE: OnceLock<String> = OnceLock::new();
    PAGE.get_or_init(|| html::html(whole()).unwrap())
}

fn rows(text: &str) -> Vec<::csv::StringRecord> {
    // Not flexible: a row of another length is an error.
    ::csv::Reader::from_reader(text.as_bytes()).records().collect::<Result<_, _>>().unwrap()
}

fn column(text: &str, name: &str) -> usize {
    ::csv::Reader::from_reader(text.as_bytes()).headers().unwrap().iter().position(|head| head == name).unwrap()
}

fn file(model: &ReportModel, name: &str) -> String {
    csv::files(model).into_iter().find(|(known, _)| known == name).unwrap().1
}

#[test]
fn t01_header_is_the_union_of_parameters() {
    let cases = vec![case("sqlite", "a", &[]), case("sqlite", "b", &[("DEVICE_NUMBER", 20)])];
    let lines = small(cases, 1, |dice, case, round| trial(dice, case, round, &[("INGESTION", 200, 10, 2.0)]));
    let model = &render(&[lines], &Options::default());
    for name in ["long.csv", "comparison.csv"] {
        let text = file(model, name);
        let (scenario, axis) = (column(&text, "scenario"), column(&text, "DEVICE_NUMBER"));
        for row in rows(&text) {
            assert_eq!(&row[axis], if &row[scenario] == "a" { "" } else { "20" }, "{name}");
        }
    }
}

#[test]
fn t02_every_row_of_every_csv_has_as_many_fields_as_its_header() {
    let files = csv::files(whole());
    assert!(files.len() > 12);
    for (name, text) in files {
        assert!(!rows(&text).is_empty(), "{name} is empty");
        assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{name}");
    }
}

#[test]
fn t05_the_comparison_shows_the_percentiles_of_single_reports() {
    let model = whole();
    let wide = file(model, "comparison.csv");
    let measure = column(&wide, "measure");
    let told: Vec<String> = rows(&wide).iter().map(|row| row[measure].to_owned()).collect();
    for key in ["p50", "p90", "p95", "p99", "p999", "max"] {
        assert!(told.iter().any(|known| known == key), "{key}");
    }
    let markdown = markdown::markdown(model);
    let page = page();
    let screen = terminal(model, 100, false);
    for name in ["P50", "P90", "P95", "P99", "P99.9"] {
        assert!(markdown.contains(&format!("{name} (ms)")), "{name}");
        assert!(page.contains(&format!(">{name}<span class=\"unit\">")), "{name}");
        assert!(screen.contains(&name.to_lowercase()), "{name}");
    }
}

#[test]
fn t11_the_error_rate_is_always_there_and_above_zero_stands_out() {
    let model = whole();
    let page = page();
    let markdown = markdown::markdown(model);
    assert!(page.contains("Error rate<span class=\"unit\">%") && markdown.contains("Error rate (%)"));
    // 3 rounds of 400 batches of 1000 points, of which 1500 failed: the failed points count, not the failed batches.
    let rate = 1_500.0 / (400_000.0 + 1_500.0);
    let writing = &model.comparison[0];
    let row = writing.rows.iter().find(|row| row.axes == [axis("LOOP", "20"), axis("DEVICE_NUMBER", "20")]).unwrap();
    let errors = &row.cells[0].as_ref().unwrap().values["errors"];
    assert!((errors.value - rate).abs() < 1e-9, "{}", errors.value);
    assert!(page.contains("errors 0.374 %") && markdown.contains("errors 0.374 %"));
    assert!(page.contains("Operations failed in 1 cell: postgres"));
    assert!(model.error_rate == ERROR_RATE && page.contains("a partly failed batch counts its failed points"));
    assert!(terminal(model, 100, false).contains("failed points / attempted points"));
}

fn axis(name: &str, value: &str) -> (String, String) {
    (name.to_owned(), value.to_owned())
}

#[test]
fn m06_the_ok_rate_is_compared_and_the_attempted_rate_is_told() {
    let failing = |record: &mut TrialRecord| {
        record.operations[0].failed_operations = record.operations[0].ok_operations;
        record.operations[0].failed_points = record.operations[0].ok_points;
    };
    let cases = vec![case("postgres", "ingest", &[]), case("sqlite", "ingest", &[])];
    let lines = small(cases, 3, |dice, case, round| {
        let mut record = trial(dice, case, round, &[("INGESTION", 400, 10, 2.0)]);
        record.elapsed_s = Some(0.08);
        if case.target == "sqlite" {
            failing(&mut record);
        }
        record
    });
    let model = &render(&[lines], &Options::default());
    let value =
        |column: usize, key: &str| model.comparison[0].rows[0].cells[column].as_ref().unwrap().values[key].value;
    assert!((value(1, "attempted") / value(1, "operations") - 2.0).abs() < 1e-9);
    assert!((value(0, "throughput") / value(1, "throughput") - 1.0).abs() < 1e-9, "failing faster never raises it");
    assert_eq!((value(0, "errors"), value(1, "errors")), (0.0, 0.5));
    let markdown = markdown::markdown(model);
    assert!(markdown.contains("| Ok (k operations/s) | Attempted (k operations/s) |"), "{markdown}");
}

#[test]
fn m10_eight_samples_give_the_greatest_as_p99_with_a_mark_and_no_nan() {
    let model = whole();
    let asking = model.comparison.iter().find(|group| group.default_measure == "mean").unwrap();
    let row = asking.rows.iter().find(|row| row.operation.as_deref() == Some("GROUP_BY")).unwrap();
    let values = &row.cells[0].as_ref().unwrap().values;
    assert_eq!(values["p99"].samples, 24);
    assert_eq!(values["p99"].value, values["max"].value);
    assert!(values["p99"].marks.contains(&"few samples".to_owned()));
    assert!(!values["p50"].marks.contains(&"few samples".to_owned()));
    for (name, text) in csv::files(model) {
        assert!(rows(&text).iter().flatten().all(|field| !["NaN", "inf", "-inf"].contains(&field)), "{name}");
    }
    for nan in [">NaN", "NaN<", "\"NaN", " NaN", ">inf<", "inf "] {
        assert!(!page().contains(nan) && !markdown::markdown(model).contains(nan), "{nan}");
    }
}

#[test]
fn m16_throughput_times_elapsed_is_the_points_within_the_printed_rounding() {
    let case = case("sqlite", "ingest", &[]);
    let lines = small(vec![case.clone()], 1, |dice, case, round| {
        let mut record = trial(dice, case, round, &[("INGESTION", 200, 30_000, 2.0)]);
        record.elapsed_s = Some(19.307_3);
        record
    });
    let model = &render(std::slice::from_ref(&lines), &Options::default());
    let operation = &model.trials[0].operations[0];
    assert_eq!(operation.ok_points, 6_000_000);
    assert!((operation.points_per_s.unwrap() * 19.307_3 - 6_000_000.0).abs() < 1.0);
    let crate::run::journal::events::Event::TrialEnded(record) = &lines[2].event else { panic!("no trial") };
    let text = terminal_trial(record, &case);
    let number = |line: &str, from: usize| line[from..from + 25].trim().parse::<f64>().unwrap();
    let row = text.lines().find(|line| line.starts_with("INGESTION")).unwrap();
    let elapsed = text.lines().find(|line| line.starts_with("Test elapsed time")).unwrap();
    assert_eq!(elapsed, "Test elapsed time (not include schema creation): 19.31 second");
    let points = number(row, 125) * 19.31;
    assert!((points - number(row, 50)).abs() <= 0.005 * number(row, 125) + 0.2, "{points}");
}

#[test]
fn the_schema_of_report_json_is_current() {
    let schema = serde_json::to_string_pretty(&schemars::schema_for!(ReportModel)).unwrap() + "\n";
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/report-schema.json");
    if std::env::var_os("VELODROME_BLESS").is_some() {
        std::fs::write(path, &schema).unwrap();
    }
    let current = schema == std::fs::read_to_string(path).unwrap();
    assert!(current, "docs/report-schema.json is old: run VELODROME_BLESS=1 cargo test schema");
}

#[test]
fn every_key_of_report_json_is_in_its_schema() {
    let schema = serde_json::to_value(schemars::schema_for!(ReportModel)).unwrap();
    let report: serde_json::Value = serde_json::from_str(&json::json(whole()).unwrap()).unwrap();
    let known: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
    assert_eq!(known.len(), report.as_object().unwrap().len());
    assert!(report.as_object().unwrap().keys().all(|key| known.contains(&key)));
    assert_eq!(report["version"], 1);
}
