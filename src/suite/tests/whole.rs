//! What suites mean, read through the whole of this module.

use std::collections::BTreeMap;

use crate::diagnostic::{Severity, Sources, render};
use crate::suite::fields::{Field, SUITE, Shape, Table};
use crate::suite::model::{Cells, Entry, Place, Reset, SecretRef, State, Suite};
use crate::suite::{Known, KnownAdapter, Overrides, Reading, load};
use crate::workload::kind;

struct Texts(BTreeMap<String, String>);

impl Sources for Texts {
    fn read(&self, path: &str) -> Result<String, String> {
        self.0.get(path).cloned().ok_or_else(|| "there is no such file".to_owned())
    }
}

fn known() -> Known {
    let adapter =
        |name: &str, embedded| KnownAdapter { name: name.to_owned(), embedded, docker: !embedded, existing: !embedded };
    let adapters = vec![
        adapter("sqlite", true),
        adapter("blackhole", true),
        adapter("postgres", false),
        adapter("timescaledb", false),
    ];
    Known { adapters, kinds: kind::kinds().to_vec() }
}

fn read_files(files: &[(&str, &str)], overrides: &Overrides) -> Reading {
    let texts = files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    load(&Texts(texts), files[0].0, &known(), overrides)
}

#[track_caller]
fn good(files: &[(&str, &str)], overrides: &Overrides) -> Suite {
    let reading = read_files(files, overrides);
    let shown = render(&reading.diagnostics, &reading.sources, false);
    reading.suite.unwrap_or_else(|| panic!("{shown}"))
}

#[track_caller]
fn suite(text: &str) -> Suite {
    good(&[("suite.yaml", text)], &Overrides::default())
}

fn set(settings: &[&str]) -> Overrides {
    Overrides { set: settings.iter().map(|text| (*text).to_owned()).collect(), ..Overrides::default() }
}

fn codes(text: &str) -> Vec<&'static str> {
    let reading = read_files(&[("suite.yaml", text)], &Overrides::default());
    reading.diagnostics.iter().map(|found| found.code).collect()
}

/// A suite with one scenario over these parameters, and further lines.
fn probe(parameters: &str, more: &str) -> String {
    format!(
        "suite: p\ntargets: [blackhole]\nscenarios:\n  - name: a\n    workload:\n      iot: {{ {parameters} }}\n{more}"
    )
}

fn shown(entries: &[Entry]) -> Vec<String> {
    entries.iter().map(|entry| format!("{}={}", entry.key.text, entry.value.text)).collect()
}

fn routine(text: &str) -> Vec<Vec<String>> {
    let indented: String = text.lines().map(|line| format!("    {line}\n")).collect();
    let sweep = suite(&probe("LOOP: 100, DEVICE_NUMBER: 6000", &format!("sweep:\n  routine: |\n{indented}"))).sweep;
    match sweep.unwrap().cells {
        Cells::Routine(tests) => tests.iter().map(|test| shown(&test.settings)).collect(),
        other => panic!("{other:?}"),
    }
}

/// Overrides of earlier tests stay for later ones, and nothing else does.
#[test]
fn r01_overrides_stay_for_later_tests() {
    let tests = routine("LOOP=10 DEVICE_NUMBER=100 TEST\nLOOP=20 DEVICE_NUMBER=50 TEST\nLOOP=50 TEST");
    assert_eq!(
        tests,
        [["LOOP=10", "DEVICE_NUMBER=100"], ["LOOP=20", "DEVICE_NUMBER=50"], ["LOOP=50", "DEVICE_NUMBER=50"]]
    );
}

#[test]
fn r06_a_last_line_without_its_end_is_a_test() {
    let text = probe("SENSOR_NUMBER: 4", "sweep: { routine: { file: routine.txt } }\n");
    let read = good(&[("suite.yaml", &text), ("routine.txt", "LOOP=1000 TEST")], &Overrides::default());
    let Cells::Routine(tests) = read.sweep.unwrap().cells else { panic!() };
    assert_eq!(tests.iter().map(|test| shown(&test.settings)).collect::<Vec<_>>(), [["LOOP=1000"]]);
}

#[test]
fn r07_one_line_or_two_are_the_same_test() {
    assert_eq!(routine("LOOP=1000\nTEST"), routine("LOOP=1000 TEST"));
    assert_eq!(routine("LOOP=1000\nTEST"), [["LOOP=1000"]]);
}

/// A routine by another's hand: tests 2 to 6 keep the proportion of test 2; names that had no effect have none.
#[test]
fn r15_settings_of_six_tests_are_cumulative() {
    let tests = routine(
        "OPERATION_PROPORTION=1:0:0:0:0:0:0:0:0 PROJECT_TYPE=INGESTION PROJECT_ID=AGG_TEST_02 TEST\n\
         OPERATION_PROPORTION=0:0:0:0:1:1:1:0:0 PROJECT_TYPE=QUERY QUERY_INTERVAL=10000 TEST\n\
         QUERY_INTERVAL=60000 TEST\nQUERY_INTERVAL=3600000 TEST\nQUERY_INTERVAL=86400000 TEST\nQUERY_INTERVAL=604800000 TEST",
    );
    assert_eq!(tests[0], ["OPERATION_PROPORTION=1:0:0:0:0:0:0:0:0"]);
    let intervals = ["10000", "60000", "3600000", "86400000", "604800000"];
    for (test, interval) in tests[1..].iter().zip(intervals) {
        let wanted = ["OPERATION_PROPORTION=0:0:0:0:1:1:1:0:0".to_owned(), format!("QUERY_INTERVAL={interval}")];
        assert_eq!(*test, wanted);
    }
    assert_eq!(tests.len(), 6);
}

#[test]
fn a_setting_is_one_in_either_case_and_by_either_name() {
    assert_eq!(
        routine("LOOP=1 CLIENT_NUMBER=2 TEST\nloop=3 DATA_CLIENT_NUMBER=4 TEST")[1],
        ["loop=3", "DATA_CLIENT_NUMBER=4"]
    );
}

#[test]
fn parameters_that_are_paths_of_the_suite_become_them() {
    let parameters = "DATA_CLIENT_NUMBER: 5, OP_MIN_INTERVAL: -1, TEST_MAX_TIME: 3000, IS_DELETE_DATA: false, LOOP: 1";
    let scenario = suite(&probe(parameters, "")).scenarios.remove(0);
    assert_eq!(shown(&scenario.parameters), ["LOOP=1"]);
    assert_eq!(shown(&scenario.load.entries), ["clients=5", "pacing.min_interval=point_step", "duration=3000ms"]);
    assert_eq!(scenario.policy.reset, Reset::Never);
    let equal = probe("CLIENT_NUMBER: 5, TEST_MAX_TIME: 3000", "    load: { clients: 5, duration: 3s }\n");
    assert_eq!(shown(&suite(&equal).scenarios[0].load.entries), ["clients=5", "duration=3s"]);
}

#[test]
fn historical_names_are_noted_and_dropped() {
    let reading = read_files(&[("suite.yaml", &probe("LOOP: 1, PROJECT_ID: x", ""))], &Overrides::default());
    assert_eq!(
        reading.diagnostics.iter().map(|found| (found.severity, found.code)).collect::<Vec<_>>(),
        [(Severity::Note, "no-effect")]
    );
    assert_eq!(shown(&reading.suite.unwrap().scenarios[0].parameters), ["LOOP=1"]);
}

#[test]
fn targets_by_a_word_or_a_map() {
    let text = "suite: p\ntargets:\n  - sqlite\n  - { name: pg, adapter: postgres, version: 1.10, docker: { memory: 4GiB, cpuset: 0-3 } }\n  - name: old\n    adapter: postgres\n    existing: { hosts: db1:5432, password: { file: pw }, token: { env: T } }\nscenarios: [{ name: a, workload: iot, state: cold }]\n";
    let read = good(&[("folder/suite.yaml", text)], &Overrides::default());
    let names: Vec<&str> = read.targets.iter().map(|target| target.name.text.as_str()).collect();
    assert_eq!(names, ["sqlite", "pg", "old"]);
    assert_eq!(read.targets[1].version.as_ref().unwrap().text, "1.10");
    assert!(matches!(&read.targets[1].place, Some((Place::Docker(docker), _)) if docker.memory == Some(4 << 30)));
    let Some((Place::Existing(existing), _)) = &read.targets[2].place else { panic!() };
    assert_eq!(existing.password, Some(SecretRef::File("folder/pw".to_owned())));
    assert_eq!(
        (existing.hosts.as_slice(), existing.token.clone()),
        (["db1:5432".to_owned()].as_slice(), Some(SecretRef::Env("T".to_owned())))
    );
    assert_eq!((read.scenarios[0].state, read.scenarios[0].workload.text.as_str()), (State::Cold, "iot"));
}

#[test]
fn a_suite_extends_another() {
    let base = "suite: base\nvars: { n: 1, m: 2 }\ntargets: [sqlite, { adapter: postgres, tuning: { a: 1, b: 2 } }]\nscenarios:\n  - name: a\n    workload: { iot: { LOOP: 1, DEVICE_NUMBER: 5 } }\n    sweep: { matrix: { SENSOR_NUMBER: [1, 2] } }\n  - { name: b, workload: iot }\nrounds: 3\nreport: { formats: [html, md], baseline: sqlite }\n";
    let over = "extends: ../base/suite.yaml\nsuite: over\nvars: { m: 3 }\ntargets:\n  - sqlite\n  - { name: postgres, tuning: { b: 3 } }\n  - blackhole\nscenarios:\n  - name: a\n    workload: { iot: { loop: 7 } }\n    sweep: { matrix: { SENSOR_NUMBER: [9] } }\nrounds:\nreport: { formats: [csv] }\n";
    let read = good(&[("over/suite.yaml", over), ("over/../base/suite.yaml", base)], &Overrides::default());
    assert_eq!((read.name.as_str(), read.rounds), ("over", 1));
    assert_eq!(shown(&read.vars), ["n=1", "m=3"]);
    let targets: Vec<(&str, Vec<String>)> =
        read.targets.iter().map(|target| (target.name.text.as_str(), shown(&target.tuning))).collect();
    assert_eq!(
        targets,
        [("sqlite", vec![]), ("postgres", vec!["a=1".to_owned(), "b=3".to_owned()]), ("blackhole", vec![])]
    );
    assert_eq!(shown(&read.scenarios[0].parameters), ["loop=7", "DEVICE_NUMBER=5"]);
    assert_eq!(read.scenarios.len(), 2);
    let Cells::Matrix(axes) = &read.scenarios[0].sweep.as_ref().unwrap().cells else { panic!() };
    assert_eq!(axes[0].values.iter().map(|value| value.text.as_str()).collect::<Vec<_>>(), ["9"]);
    assert_eq!((read.report.formats, read.report.baseline), (vec!["csv".to_owned()], Some("sqlite".to_owned())));
}

#[test]
fn ranges_make_axes() {
    let values = |range: &str| {
        let read = suite(&probe(
            "SENSOR_NUMBER: 4",
            &format!("vars: {{ v: 1 }}\nsweep: {{ matrix: {{ v: {{ range: {range} }} }} }}\n"),
        ));
        let Cells::Matrix(axes) = read.sweep.unwrap().cells else { panic!() };
        axes[0].values.iter().map(|value| value.text.clone()).collect::<Vec<_>>()
    };
    assert_eq!(values("{ from: 1, to: 4 }"), ["1", "2", "3", "4"]);
    assert_eq!(values("{ from: 10, to: 0, step: -4 }"), ["10", "6", "2"]);
    assert_eq!(values("{ from: 0.1, to: 0.4, step: 0.1 }"), ["0.1", "0.2", "0.3", "0.4"]);
    assert_eq!(values("{ from: 30m, to: 2h, step: 30m }"), ["30m", "1h", "90m", "2h"]);
    assert_eq!(values("{ from: 1GiB, to: 2GiB, step: 512MiB }"), ["1GiB", "1536MiB", "2GiB"]);
    assert_eq!(values("{ from: 1e3, to: 1k, step: 1 }"), ["1000"]);
}

#[test]
fn set_changes_parameters_variables_and_paths() {
    let text =
        probe("LOOP: 2, CLIENT_NUMBER: 3", "    load: { duration: 5s }\n    policy: { timeout: 5m }\nvars: { n: 1 }\n");
    let changed =
        set(&["loop=7", "n=9", "load.clients=4", "policy.timeout=30m", "seed=5", "CLIENT_NUMBER=6", "LOOP=8"]);
    let read = good(&[("suite.yaml", &text)], &changed);
    let scenario = &read.scenarios[0];
    assert_eq!(shown(&scenario.parameters), ["LOOP=8"]);
    assert_eq!(shown(&scenario.load.entries), ["duration=5s", "clients=6"]);
    assert_eq!(shown(&read.vars), ["n=9"]);
    assert_eq!((read.seed, scenario.policy.timeout), (5, Some(std::time::Duration::from_secs(1800))));
    assert_eq!(read.overrides[0], "--set loop=7");
}

#[test]
fn set_gives_an_axis_one_value() {
    let axis = |sweep: &str| {
        let text = probe("SENSOR_NUMBER: 4", &format!("sweep:\n{sweep}"));
        good(&[("suite.yaml", &text)], &set(&["LOOP=7"])).sweep.unwrap()
    };
    let texts = |cells: &Cells| match cells {
        Cells::Matrix(axes) | Cells::Zip(axes) => {
            axes.iter().map(|axis| axis.values.iter().map(|value| value.text.clone()).collect::<Vec<_>>()).collect()
        }
        Cells::Routine(tests) => tests.iter().map(|test| shown(&test.settings)).collect::<Vec<_>>(),
        Cells::None => Vec::new(),
    };
    let matrix = axis(
        "  matrix: { loop: [1, 2], DEVICE_NUMBER: [3, 4] }\n  exclude: [{ LOOP: 1, DEVICE_NUMBER: 3 }, { DEVICE_NUMBER: 4 }]\n",
    );
    assert_eq!(
        (texts(&matrix.cells), matrix.exclude.len()),
        (vec![vec!["7".to_owned()], vec!["3".to_owned(), "4".to_owned()]], 1)
    );
    let zip = axis("  zip: { LOOP: [1, 2, 3], DEVICE_NUMBER: [3, 3, 4] }\n");
    assert_eq!(texts(&zip.cells), [["7", "7"], ["3", "4"]]);
    let routine = axis("  routine: LOOP=1 TEST LOOP=2 DEVICE_NUMBER=5 TEST\n");
    assert_eq!(texts(&routine.cells), [vec!["LOOP=7"], vec!["LOOP=7", "DEVICE_NUMBER=5"]]);
}

#[test]
fn set_wins_over_other_ways_to_say_the_same() {
    let text =
        probe("CLIENT_NUMBER: 5, TEST_MAX_TIME: 9000", "sweep: { matrix: { LOOP: [1], OP_MIN_INTERVAL: [5, 6] } }\n");
    let read = good(&[("suite.yaml", &text)], &set(&["load.clients=7", "load.duration=5s", "load.pacing.rate=9/s"]));
    assert_eq!(shown(&read.scenarios[0].parameters), Vec::<String>::new());
    assert_eq!(shown(&read.scenarios[0].load.entries), ["clients=7", "duration=5s", "pacing.rate=9/s"]);
    let Cells::Matrix(axes) = read.sweep.unwrap().cells else { panic!() };
    assert_eq!((axes[1].name.text.as_str(), axes[1].values.len()), ("load.pacing.rate", 1));
    let text = probe("LOOP: 1", "    load: { clients: 3 }\nsweep: { zip: { load.duration: [5s, 6s] } }\n");
    let read = good(&[("suite.yaml", &text)], &set(&["CLIENT_NUMBER=7", "TEST_MAX_TIME=4000"]));
    assert_eq!(shown(&read.scenarios[0].load.entries), ["clients=7", "duration=4000ms"]);
    let Cells::Zip(axes) = read.sweep.unwrap().cells else { panic!() };
    assert_eq!((axes[0].name.text.as_str(), axes[0].values[0].text.as_str()), ("TEST_MAX_TIME", "4000"));
}

#[test]
fn only_and_targets_choose() {
    let text = "suite: p\ntargets: [sqlite, blackhole]\nscenarios: [{ name: a, workload: iot, tuning: { sqlite: { x: 1 } } }]\nsweep: { matrix: { LOOP: [1, 2] } }\n";
    let overrides = Overrides {
        only: vec!["blackhole, loop=1".to_owned(), "scenario=a".to_owned()],
        targets: Some("blackhole".to_owned()),
        ..Overrides::default()
    };
    let read = good(&[("suite.yaml", text)], &overrides);
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(read.only, [vec![pair("target", "blackhole"), pair("loop", "1")], vec![pair("scenario", "a")]]);
    assert_eq!(read.targets.len(), 1);
}

#[test]
fn assertions_know_names_and_operations() {
    let more = "report: { baseline: blackhole }\nsweep: { matrix: { LOOP: [1] } }\nassert: ['p99(a, operation=q1, LOOP=1) <= 50ms', 'throughput > 0.5 * baseline']\n";
    let read = suite(&probe("SENSOR_NUMBER: 4", more));
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let wanted = [pair("scenario", "a"), pair("operation", "PRECISE_POINT"), pair("LOOP", "1")];
    assert_eq!(read.assertions[0].0.selectors, wanted);
    assert!(read.assertions[1].0.of_baseline);
}

#[test]
fn a_reader_or_another_scenario_hides_no_mistake() {
    let text = "suite: p\ntargets: [blackhole]\nscenarios:\n  - { name: a, workload: { iott: {} } }\n  - { name: b, on: a, workload: iot, load: { clents: 5 } }\n";
    assert_eq!(codes(text), ["unknown-workload", "unknown-key"]);
}

#[test]
fn an_alias_is_looked_at_twice_and_told_once() {
    let text = "suite: p\ntargets: [blackhole]\nscenarios:\n  - { name: a, workload: iot, load: &load { clents: 5 } }\n  - { name: b, workload: iot, load: *load }\n";
    assert_eq!(codes(text), ["unknown-key"]);
}

#[test]
fn long_axes_are_read() {
    let values: Vec<String> = (1..=25_000).map(|number| number.to_string()).collect();
    let axes = format!("sweep:\n  zip:\n    LOOP: [{0}]\n    DEVICE_NUMBER: [{0}]\n", values.join(", "));
    let read = suite(&probe("SENSOR_NUMBER: 4", &axes));
    assert!(matches!(read.sweep.unwrap().cells, Cells::Zip(axes) if axes[1].values.len() == 25_000));
}

/// Every word that the table of keys lists is read, and no other.
#[test]
fn every_word_of_the_table_is_read() {
    let mut seen = 0;
    words(&SUITE, "", &mut |path, word| {
        let (scenario, top) = match path.split_once('.') {
            Some(("scenarios", rest)) => (nested(rest, word), String::new()),
            _ => (String::new(), nested(path, word)),
        };
        let text =
            format!("suite: p\ntargets: [blackhole]\nscenarios: [{{ name: a, workload: iot{scenario} }}]\n{top}\n");
        let text = text.replace("arrival: ", "rate: 5/s, arrival: ");
        assert_eq!(codes(&text), Vec::<&str>::new(), "{path}: {word}\n{text}");
        seen += 1;
    });
    assert!(seen > 15, "{seen}");
}

/// `policy.reset` and `case` as `policy: { reset: case }`.
fn nested(path: &str, word: &str) -> String {
    let names: Vec<&str> = path.split('.').collect();
    let is_of_scenario = matches!(names[0], "state" | "load");
    let inner = names.iter().rev().fold(String::new(), |inner, name| {
        if inner.is_empty() { format!("{name}: {word}") } else { format!("{name}: {{ {inner} }}") }
    });
    if is_of_scenario { format!(", {inner}") } else { inner }
}

/// Calls with the path and each word of every field that takes words, scenarios' own policies left out.
fn words(table: &'static Table, path: &str, call: &mut dyn FnMut(&str, &str)) {
    for Field { name, shape, .. } in table.fields {
        if *name == "targets" || *name == "sweep" || (*name == "policy" && path == "scenarios.") {
            continue;
        }
        words_of(shape, &format!("{path}{name}"), call);
    }
}

fn words_of(shape: &'static Shape, path: &str, call: &mut dyn FnMut(&str, &str)) {
    match shape {
        Shape::Words(all) => all.iter().for_each(|(word, _)| call(path, word)),
        Shape::WordList(all) => all.iter().for_each(|(word, _)| call(path, &format!("[{word}]"))),
        Shape::Either(shapes) => shapes.iter().for_each(|shape| words_of(shape, path, call)),
        Shape::List(inner) | Shape::OneOrMore(inner) => words_of(inner, path, call),
        Shape::Map(inner) => words(inner, &format!("{path}."), call),
        _ => {}
    }
}
