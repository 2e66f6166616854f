//! The page: nothing from outside, whole without its script, every status in it.
//!
//! They must not need a browser. Invariant: what they look for is what a reader must see.

use super::cases::{page, whole};
use crate::report::html;
use crate::report::model::report::{Options, render};
use crate::report::testing::journal::{case, journal, small};
use crate::report::testing::record::trial;

/// The page without its scripts.
fn without_scripts(page: &str) -> String {
    let mut out = String::new();
    let mut rest = page;
    while let Some(start) = rest.find("<script") {
        out.push_str(&rest[..start]);
        rest = rest[start..].split_once("</script>").unwrap().1;
    }
    out + rest
}

#[test]
fn t08_the_page_refers_to_nothing_outside() {
    let page = page();
    assert!(!page.contains("://"), "a reference to somewhere else");
    for start in ["src=", "@import", "<iframe", "<link rel=\"stylesheet"] {
        assert!(!page.contains(start), "{start}");
    }
    for (at, _) in page.match_indices("href=\"") {
        let target = &page[at + 6..at + 16];
        assert!(target.starts_with('#') || target.starts_with("data:"), "{target}");
    }
    assert!(!page.contains("url("));
}

#[test]
fn t08_charts_are_pictures_in_the_page() {
    let page = without_scripts(page());
    assert!(page.matches("<svg class=\"chart\"").count() > 30);
    assert_eq!(page.matches("<svg").count(), page.matches("</svg>").count());
}

#[test]
fn the_page_is_whole_without_its_script() {
    let page = without_scripts(page());
    for id in ["answer", "comparison", "sweeps", "latency", "time", "space", "trust", "failures", "reproduce"] {
        assert!(page.contains(&format!("<section id=\"{id}\">")), "{id}");
        assert!(page.contains(&format!("href=\"#{id}\"")), "{id}");
    }
    for status in [
        "failed: server out of memory at 41 s",
        "lost 0.2 %",
        "not supported",
        "1 of 3 rounds: failed: server died at 3.1 s",
        "saturated",
        "noisy",
        "errors 0.374 %",
    ] {
        assert!(page.contains(status), "{status}");
    }
    // The answer in words and numbers, and the verdicts as words beside their signs.
    assert!(page.contains("the time of postgres"));
    for word in ["▲</span> mostly faster", "▼</span> mostly slower", "=</span> tie", "✕</span> no number"] {
        assert!(page.contains(word), "{word}");
    }
    assert!(page.contains("Client and servers") && page.contains("Not checked"));
}

#[test]
fn texts_from_outside_can_not_become_markup() {
    let page = page();
    assert!(page.contains("TIME_RANGE &lt;&amp;&gt;") && !page.contains("TIME_RANGE <&>"));
    assert!(page.contains("PANIC: &lt;could not&gt; write to file"));
    let lines = small(vec![case("sqlite", "</script><b>x", &[])], 1, |dice, case, round| {
        trial(dice, case, round, &[("INGESTION", 20, 10, 2.0)])
    });
    let page = html::html(&render(&[lines], &Options::default())).unwrap();
    assert!(!page.contains("</script><b>") && !page.contains("<b>x"));
    assert_eq!(page.matches("<script").count(), page.matches("</script>").count());
}

#[test]
fn the_same_journal_gives_the_same_page() {
    assert_eq!(html::html(whole()).unwrap(), page());
}

#[test]
fn ids_are_unique() {
    let page = without_scripts(page());
    let mut ids: Vec<&str> =
        page.match_indices(" id=\"").map(|(at, _)| page[at + 5..].split('"').next().unwrap()).collect();
    let all = ids.len();
    ids.sort_unstable();
    let twice: Vec<&&str> = ids.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| &pair[0]).collect();
    assert!(twice.is_empty() && all > 50, "{twice:?}");
}

#[test]
fn every_baseline_and_measure_can_be_chosen_from_what_is_in_the_page() {
    let page = html::html(&render(&[journal()], &Options { baseline: Some("sqlite".to_owned()) })).unwrap();
    let data = page.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0;
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    assert_eq!(data["baseline"], "sqlite");
    let cell = &data["tables"]["writing"]["p99"][3][1];
    assert_eq!(cell["r"].as_array().unwrap().len(), 3);
    assert!(cell["r"][0][0].as_str().unwrap().ends_with('×'));
    assert_eq!(cell["r"][1][0], "baseline");
}

#[test]
fn no_head_is_empty() {
    let page = html::html(whole()).unwrap();
    for head in page.split("<th scope=\"col\"").skip(1) {
        let text = head.split_once('>').unwrap().1;
        assert!(!text.starts_with("</th>") && !text.starts_with("<span"), "{}", &head[..200.min(head.len())]);
    }
}
