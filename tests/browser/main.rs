//! A report opened in a real browser that can resolve no host name.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test ends where it goes wrong")]

mod devtools;
#[path = "../cli/harness.rs"]
mod harness;

use devtools::Browser;
use harness::Sandbox;

const SUITE: &str = "
suite: browser
targets: [{name: one, adapter: blackhole}, {name: two, adapter: blackhole}]
scenarios:
  - name: ingest
    workload: { iot: { SENSOR_NUMBER: 2, BATCH_SIZE_PER_WRITE: 5 } }
    sweep: { matrix: { LOOP: [2, 4], DEVICE_NUMBER: [10, 20] } }
rounds: 3
";

/// T08, and the whole page at every width: self-contained, charts there, nothing wider than the window.
#[test]
fn t08_report_is_whole_without_a_network() {
    let sandbox = Sandbox::new();
    sandbox.write("suite.yaml", SUITE);
    let said = sandbox.run(&["run", "suite.yaml", "--no-calibration"]);
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
    let run = std::fs::read_dir(sandbox.path().join("reports")).unwrap().next().unwrap().unwrap().path();
    let mut browser = Browser::start(sandbox.path());
    for (width, dark) in [(360, false), (360, true), (1920, false), (1920, true)] {
        browser.window(width, 900, dark);
        browser.requests.clear();
        browser.open(&run.join("report.html"));
        assert!(browser.evaluate("document.querySelectorAll('svg').length").as_u64().unwrap() > 0, "no charts");
        assert!(browser.evaluate("document.querySelectorAll('table').length").as_u64().unwrap() > 2, "no tables");
        let beyond = browser.evaluate("document.documentElement.scrollWidth - window.innerWidth");
        assert!(beyond.as_i64().unwrap() <= 0, "wider than {width} px by {beyond}");
        let asked: Vec<&String> = browser.requests.iter().filter(|url| !url.starts_with("data:")).collect();
        assert_eq!(asked.len(), 1, "{asked:?}");
        assert!(asked[0].starts_with("file://"), "{asked:?}");
        browser.picture(&sandbox.path().join(format!("{width}-{dark}.png")));
    }
}
