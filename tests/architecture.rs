//! Keeps the arrows of dependency and the habits that ARCHITECTURE.md promises.

#![expect(clippy::unwrap_used, reason = "a test ends where it goes wrong")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Which parts each part may name as `crate::PART`. A part may always name itself.
const ARROWS: [(&str, &[&str]); 14] = [
    ("diagnostic", &[]),
    ("value", &[]),
    ("stats", &[]),
    ("observe", &[]),
    ("workload", &["value", "diagnostic", "value"]),
    ("adapter", &["value", "workload", "diagnostic", "value"]),
    ("suite", &["value", "workload", "diagnostic", "value"]),
    ("plan", &["value", "suite", "adapter", "workload", "diagnostic", "value"]),
    ("driver", &["workload"]),
    ("provision", &["adapter", "driver", "observe"]),
    ("engine", &["workload", "driver", "stats"]),
    (
        "run",
        &[
            "value",
            "plan",
            "suite",
            "adapter",
            "workload",
            "driver",
            "provision",
            "engine",
            "observe",
            "stats",
            "diagnostic",
        ],
    ),
    ("report", &["run", "stats"]),
    (
        "cli",
        &[
            "value",
            "diagnostic",
            "stats",
            "observe",
            "workload",
            "adapter",
            "suite",
            "plan",
            "driver",
            "provision",
            "engine",
            "run",
            "report",
        ],
    ),
];

/// Parts that do no I/O, and the words that would be I/O.
const PURE: [&str; 6] = ["value", "suite", "plan", "workload", "stats", "diagnostic"];
const IO: [&str; 9] = [
    "std::fs",
    "std::net",
    "std::env",
    "std::process",
    "tokio::",
    "SystemTime",
    "Instant::now",
    "Timestamp::now",
    "Zoned::now",
];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// A file that is compiled for tests only, by its name or its folder's.
fn is_for_tests(path: &Path) -> bool {
    path.with_extension("").components().any(|part| part.as_os_str() == "tests" || part.as_os_str() == "testing")
}

/// The program's own text in a file: nothing of a file for tests, else all but its `#[cfg(test)] mod tests { … }` at the end
/// and its comments.
fn code(path: &Path) -> String {
    let text = if is_for_tests(path.strip_prefix(root()).unwrap()) {
        String::new()
    } else {
        std::fs::read_to_string(path).unwrap()
    };
    let body = text.split("#[cfg(test)]\nmod ").next().unwrap();
    body.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// The parts named as `crate::PART` or in `crate::{PART::…, PART::…}`.
fn named(code: &str) -> BTreeSet<String> {
    let mut parts = BTreeSet::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        let word: String = rest.chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect();
        assert!(!rest.starts_with('{'), "write `use crate::part::…` a line each, so that arrows can be read");
        parts.insert(word);
    }
    parts
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

#[test]
fn arrows_of_dependency_hold() {
    let mut wrong = Vec::new();
    for (part, allowed) in ARROWS {
        for path in sources(&root().join(part)) {
            for name in named(&code(&path)) {
                let known = ARROWS.iter().any(|(part, _)| *part == name);
                if known && name != part && !allowed.contains(&name.as_str()) {
                    wrong.push(format!("{}: {part} must not know {name}", path.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn report_knows_only_the_journal_of_run() {
    for path in sources(&root().join("report")) {
        let text = code(&path);
        for (at, _) in text.match_indices("crate::run") {
            assert!(text[at..].starts_with("crate::run::journal"), "{}: only run::journal", path.display());
        }
    }
}

#[test]
fn every_part_has_its_arrows() {
    for entry in std::fs::read_dir(root()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            assert!(ARROWS.iter().any(|(part, _)| *part == name), "src/{name} is not in the table of arrows");
        }
    }
}

#[test]
fn the_pure_core_does_no_io() {
    let mut wrong = Vec::new();
    for part in PURE {
        for path in sources(&root().join(part)) {
            let text = code(&path);
            for word in IO {
                if text.contains(word) {
                    wrong.push(format!("{}: {word}", path.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn modules_open_with_their_purpose_and_stay_short() {
    let mut wrong = Vec::new();
    for path in sources(&root()) {
        let text = std::fs::read_to_string(&path).unwrap();
        if !text.starts_with("//!") {
            wrong.push(format!("{}: does not open with //!", path.display()));
        }
        let lines = text.lines().count();
        if lines > 400 {
            wrong.push(format!("{}: {lines} lines", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
