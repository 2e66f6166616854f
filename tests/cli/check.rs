//! `velodrome check` from outside: every diagnostic with its place, and what is good passes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::harness::{Said, Sandbox};

/// The files of a folder of suites, in order.
fn suites(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/suites").join(folder);
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// Checks one text as `suite.yaml`.
fn check(text: &str, arguments: &[&str]) -> Said {
    let sandbox = Sandbox::new();
    sandbox.write("suite.yaml", text);
    sandbox.run(&[&["check", "suite.yaml"], arguments].concat())
}

/// A suite with one scenario over these parameters, and further lines.
fn probe(parameters: &str, more: &str) -> String {
    format!(
        "suite: probe\ntargets: [blackhole]\nscenarios:\n  - name: a\n    workload:\n      iot: {{ {parameters} }}\n{more}"
    )
}

#[test]
fn every_bad_suite_is_told_apart() {
    for file in suites("bad") {
        let name = file.file_stem().unwrap().to_str().unwrap();
        let sandbox = Sandbox::new();
        for other in suites("bad") {
            sandbox.write(other.file_name().unwrap().to_str().unwrap(), &std::fs::read_to_string(&other).unwrap());
        }
        let said = sandbox.run(&["check", &format!("{name}.yaml")]);
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{name}: {}", said.err);
        insta::assert_snapshot!(format!("bad-{name}"), said.err);
    }
}

#[test]
fn every_good_suite_passes() {
    for file in suites("good") {
        let said = Sandbox::new().run(&["check", file.to_str().unwrap()]);
        assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{}", file.display());
    }
}

#[test]
fn every_suite_that_ships_passes_from_the_binary_alone() {
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/suites")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if name.ends_with(".yaml") {
            let said = Sandbox::new().run(&["check", &format!("suites/{name}")]);
            assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{name}");
        }
    }
}

/// Each code that reading a suite can say has a bad suite or a test of its own here.
#[test]
fn every_code_has_its_bad_suite() {
    let mut codes = BTreeSet::new();
    let mut waiting = vec![PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src/suite"))];
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            for kind in ["error", "warning", "note"] {
                for (at, start) in text.match_indices(&format!("Diagnostic::{kind}(")) {
                    let rest = text[at + start.len()..].trim_start();
                    let code = rest.strip_prefix('"').and_then(|rest| rest.split('"').next());
                    codes.extend(code.map(|code| format!("{kind}[{code}]")));
                }
            }
        }
    }
    assert!(codes.len() > 30, "{codes:?}");
    let mut said = std::fs::read_to_string(file!()).unwrap();
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/snapshots")).unwrap() {
        said.push_str(&std::fs::read_to_string(entry.unwrap().path()).unwrap());
    }
    let missing: Vec<&String> = codes.iter().filter(|code| !said.contains(*code)).collect();
    assert!(missing.is_empty(), "no bad suite shows {missing:?}");
}

#[test]
fn secrets_are_never_shown() {
    for file in suites("bad") {
        let said = Sandbox::new().run(&["check", file.to_str().unwrap()]);
        for secret in ["s3cr3t", "tok-123", "hunter2", "geheim"] {
            assert!(!said.err.contains(secret), "{}: {}", file.display(), said.err);
        }
    }
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let said = Sandbox::new().run(&["check", "nosuch.yaml"]);
    assert_eq!(said.code, Some(2));
    insta::assert_snapshot!(said.err, @"
    error[file-not-read]: nosuch.yaml can't be read: there is no such file

    1 error

    more may be found once these are mended
    ");
}

#[test]
fn a_file_that_is_no_text_is_named() {
    let sandbox = Sandbox::new();
    std::fs::write(sandbox.path().join("suite.yaml"), [0x73, 0xff, 0xfe]).unwrap();
    let said = sandbox.run(&["check", "suite.yaml"]);
    assert_eq!(said.code, Some(2));
    insta::assert_snapshot!(said.err, @"
    error[file-not-read]: suite.yaml can't be read: it is no UTF-8 text

    1 error

    more may be found once these are mended
    ");
}

#[test]
fn suites_extend_one_another() {
    let sandbox = Sandbox::new();
    sandbox.write("base/suite.yaml", &probe("LOOP: 2, LOPP: 3", "rounds: 2\n"));
    sandbox.write(
        "suite.yaml",
        "extends: base/suite.yaml\nrounds: two\nscenarios:\n  - name: a\n    load: { clients: 0 }\n",
    );
    let said = sandbox.run(&["check", "suite.yaml"]);
    assert_eq!(said.code, Some(2));
    insta::assert_snapshot!(said.err, @"
    error[wrong-type]: `two` is not an integer, such as 1000, 1_000, 1e3 or 10k
     --> suite.yaml:2:9
      |
    2 | rounds: two
      |         ^^^

    error[wrong-type]: `0` is out of range: an integer from 1 to 4294967295 is expected
     --> suite.yaml:5:22
      |
    5 |     load: { clients: 0 }
      |                      ^

    error[unknown-parameter]: `iot` has no parameter `LOPP`
     --> base/suite.yaml:6:23
      |
    6 |       iot: { LOOP: 2, LOPP: 3 }
      |                       ^^^^
      |
    help: perhaps `LOOP`

    3 errors

    more may be found once these are mended
    ");
}

#[test]
fn suites_that_extend_one_another_in_a_circle_are_told() {
    let sandbox = Sandbox::new();
    sandbox.write("a.yaml", "extends: b.yaml\n").write("b.yaml", "extends: ./a.yaml\n");
    let said = sandbox.run(&["check", "a.yaml"]);
    assert_eq!(said.code, Some(2));
    insta::assert_snapshot!(said.err, @"
    error[extends-cycle]: suites extend one another in a circle: a.yaml → b.yaml → a.yaml
     --> b.yaml:1:10
      |
    1 | extends: ./a.yaml
      |          ^^^^^^^^

    1 error

    more may be found once these are mended
    ");
}

/// elastic/rally said "perhaps you intend to use  instead": here the nearest name in the case typed, or no such sentence.
#[test]
fn s01_an_unknown_parameter_names_the_nearest_or_none() {
    let said = check(&probe("devise_number: 10, zzz: 1", ""), &[]);
    assert_eq!(said.code, Some(2));
    insta::assert_snapshot!(said.err, @"
    error[unknown-parameter]: `iot` has no parameter `devise_number`
     --> suite.yaml:6:14
      |
    6 |       iot: { devise_number: 10, zzz: 1 }
      |              ^^^^^^^^^^^^^
      |
    help: perhaps `device_number`

    error[unknown-parameter]: `iot` has no parameter `zzz`
     --> suite.yaml:6:33
      |
    6 |       iot: { devise_number: 10, zzz: 1 }
      |                                 ^^^

    2 errors

    more may be found once these are mended
    ");
}

/// Others showed a stack trace: here file, line and column with the line itself.
#[test]
fn s04_broken_yaml_far_down_names_its_place() {
    let mut text = probe("LOOP: 2", "");
    for number in 7..71 {
        text.push_str(&format!("# line {}\n", number + 1));
    }
    for (line, column) in
        [("rounds: 5\n\torder: interleaved\n", "72:1"), ("rounds: 5\nkey_without_colon\nseed: 1\n", "72:18")]
    {
        let said = check(&format!("{text}{line}"), &[]);
        assert_eq!(said.code, Some(2));
        assert!(said.err.contains(&format!("suite.yaml:{column}\n")), "{}", said.err);
        assert!(!said.err.contains("backtrace") && !said.err.contains("panicked"), "{}", said.err);
    }
}

/// `--only nosuch` ran nothing and said nothing elsewhere: here it lists what there is.
#[test]
fn s08_only_that_names_nothing_lists_what_there_is() {
    let text = probe("SENSOR_NUMBER: 4", "sweep: { matrix: { LOOP: [1, 2] } }\n");
    let mut all = String::new();
    for only in ["nosuch", "target=nosuch", "scenario=b", "DEVICE_NUMBER=5", "operation=Q1", ""] {
        let said = check(&text, &["--only", only]);
        assert_eq!(said.code, Some(2), "{only}");
        all.push_str(&format!("# --only '{only}'\n{}\n", said.err));
    }
    insta::assert_snapshot!("only", all);
    assert_eq!(check(&text, &["--only", "blackhole,LOOP=2", "--only", "a"]).code, Some(0));
}

#[test]
fn flags_that_change_nothing_say_what_there_is() {
    let text = probe("LOOP: 2", "vars: { n: 1 }\nreport: { baseline: blackhole }\n");
    let mut all = String::new();
    for flags in [
        ["--set", "LOOP"],
        ["--set", "LOPP=2"],
        ["--set", "vars.m=2"],
        ["--set", "sweep.matrix=2"],
        ["--set", "rounds=many"],
        ["--set", "LOOP=ten"],
        ["--set", "targets.blackhol.version=1"],
        ["--set", "targets.blackhole.existing={ hosts: h, password: hunter2 }"],
        ["--rounds", "none"],
        ["--targets", "blackhole,sqlit"],
    ] {
        let said = check(&text, &flags);
        assert_eq!(said.code, Some(2), "{flags:?}");
        assert!(!said.err.contains("hunter2"), "{flags:?}");
        all.push_str(&format!("# {}\n{}\n", flags.join(" ").replace("hunter2", "SECRET"), said.err));
    }
    insta::assert_snapshot!("flags", all);
}

#[test]
fn flags_that_change_something_pass() {
    let text = probe("LOOP: 2", "vars: { n: 1 }\nreport: { baseline: blackhole }\nsweep: { zip: { LOOP: [1, 2] } }\n");
    for flags in [
        ["--set", "LOOP=7"],
        ["--set", "device_number=7"],
        ["--set", "n={{ 5 }}"],
        ["--set", "vars.n=5"],
        ["--set", "load.clients=4"],
        ["--set", "load.pacing={ rate: 5/s }"],
        ["--set", "CLIENT_NUMBER=4"],
        ["--set", "policy.timeout=30m"],
        ["--set", "report.formats=[html]"],
        ["--set", "scenarios.a.state=cold"],
        ["--set", "targets.blackhole.tuning.encode=csv"],
        ["--rounds", "3"],
        ["--targets", "blackhole"],
    ] {
        let said = check(&text, &flags);
        assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{flags:?}");
    }
}

#[test]
fn targets_left_out_take_their_assertions_along() {
    let text = "suite: p\ntargets: [sqlite, blackhole]\nscenarios: [{ name: a, workload: iot }]\nreport: { baseline: sqlite }\nassert: [\"throughput(blackhole) >= 2 * baseline\", errors(sqlite) == 0%]\n";
    let said = check(text, &["--targets", "blackhole"]);
    assert_eq!(said.code, Some(0));
    insta::assert_snapshot!(said.err, @r#"
    warning[override]: the baseline `sqlite` is left out by `--targets`, so nothing is compared with it

    warning[override]: this assertion needs a target that `--targets` leaves out, so it is not checked
     --> suite.yaml:5:10
      |
    5 | assert: ["throughput(blackhole) >= 2 * baseline", errors(sqlite) == 0%]
      |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

    warning[override]: this assertion needs a target that `--targets` leaves out, so it is not checked
     --> suite.yaml:5:51
      |
    5 | assert: ["throughput(blackhole) >= 2 * baseline", errors(sqlite) == 0%]
      |                                                   ^^^^^^^^^^^^^^^^^^^^

    3 warnings
    "#);
}

#[test]
fn a_timed_warm_up_beneath_others_and_a_throughput_of_queries_are_told() {
    let text = "suite: p\ntargets: [sqlite, blackhole]\nscenarios:\n  - { name: a, workload: { iot: { LOOP: 2 } }, load: { warmup: 5s } }\n  - { name: b, on: a, workload: { iot: { LOOP: 2, OPERATION_PROPORTION: \"0:1:1\" } }, load: { warmup: 1s } }\nassert: [throughput(sqlite) >= 5/s, throughput(a) >= 5/s, \"throughput(sqlite,operation=INGESTION) >= 5/s\"]\n";
    let said = check(text, &[]);
    assert_eq!(said.code, Some(0));
    insta::assert_snapshot!("equal-data", said.err);
    let said = check(&text.replace("warmup: 5s", "warmup: { operations: 9 }"), &[]);
    assert!(said.code == Some(0) && !said.err.contains("unequal-data"), "{}", said.err);
}

/// A routine's last settings without a TEST ran nothing, in silence.
#[test]
fn r09_settings_after_the_last_test_are_warned_of() {
    let said = check(&probe("LOOP: 2", "sweep:\n  routine: |\n    TEST\n    LOOP=9\n"), &[]);
    assert_eq!(said.code, Some(0));
    insta::assert_snapshot!(said.err, @"
    warning[routine-trailing]: `LOOP=9` in line 10 comes after the last TEST, so no test has it
      --> suite.yaml:10:5
       |
    10 |     LOOP=9
       |     ^^^^^^
       |
    help: put TEST after it, or remove it

    1 warning
    ");
}

/// rep-benchmark.sh runs what stands in comments.
#[test]
fn r11_a_comment_runs_nothing_and_is_noted() {
    let said = check(&probe("LOOP: 2", "sweep:\n  routine: |\n    # LOOP=5 TEST\n    LOOP=3 TEST\n"), &[]);
    assert_eq!(said.code, Some(0));
    insta::assert_snapshot!(said.err, @"
    note[routine-comment]: this comment runs nothing here; rep-benchmark.sh would have taken it for settings and tests
     --> suite.yaml:9:5
      |
    9 |     # LOOP=5 TEST
      |     ^^^^^^^^^^^^^

    1 note
    ");
}

#[test]
fn a_routine_in_a_file_has_its_own_places() {
    let sandbox = Sandbox::new();
    sandbox.write("suites/suite.yaml", &probe("SENSOR_NUMBER: 4", "sweep: { routine: { file: routines/one } }\n"));
    sandbox.write("suites/routines/one", "LOOP=10 TEST\r\nLOPP=20 TEST\r\nLOOP=30\r\n");
    let said = sandbox.run(&["check", "suites/suite.yaml"]);
    assert_eq!(said.code, Some(2));
    insta::assert_snapshot!(said.err, @"
    error[unknown-axis]: no scenario has the axis `LOPP`
     --> suites/routines/one:2:1
      |
    2 | LOPP=20 TEST
      | ^^^^
      |
    help: perhaps `LOOP`
    help: an axis is a workload parameter, a name in `vars:`, or a path such as load.clients or tuning.NAME

    warning[routine-trailing]: `LOOP=30` in line 3 comes after the last TEST, so no test has it
     --> suites/routines/one:3:1
      |
    3 | LOOP=30
      | ^^^^^^^
      |
    help: put TEST after it, or remove it

    1 error, 1 warning

    more may be found once these are mended
    ");
}

#[test]
fn the_schema_that_editors_use_is_current() {
    let said = Sandbox::new().run(&["schema"]);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/suites/schema.json");
    if std::env::var_os("VELODROME_BLESS").is_some() {
        std::fs::write(path, &said.out).unwrap();
    }
    assert_eq!(said.code, Some(0));
    assert_eq!(said.out, std::fs::read_to_string(path).unwrap(), "run VELODROME_BLESS=1 cargo test schema");
}
