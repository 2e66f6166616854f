//! Keeps the reference of the suite language current: its tables of keys are made from the table that the reader goes by.
//!
//! It must not be part of the program. Invariant: `docs/suite-language.md` holds between its marks what is made here.

use crate::suite::fields::{SUITE, Shape, Table};
use crate::workload::kind::{self, ParameterRole, ParameterSpec};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/suite-language.md");
const BEGIN: &str = "<!-- made from the table of keys: `VELODROME_BLESS=1 cargo test reference` writes it anew -->\n";
const END: &str = "<!-- end -->\n";

/// All tables, each after the one that names it first.
fn tables() -> Vec<&'static Table> {
    let mut all: Vec<&'static Table> = vec![&SUITE];
    let mut next = 0;
    while next < all.len() {
        for field in all[next].fields {
            inner(&field.shape, &mut all);
        }
        next += 1;
    }
    all
}

fn inner(shape: &'static Shape, all: &mut Vec<&'static Table>) {
    match shape {
        Shape::Map(table) if !all.iter().any(|known| std::ptr::eq(*known, *table)) => all.push(table),
        Shape::List(shape) | Shape::OneOrMore(shape) | Shape::Entries { value: shape, .. } => inner(shape, all),
        Shape::Either(shapes) => shapes.iter().for_each(|shape| inner(shape, all)),
        _ => {}
    }
}

fn words(shape: &Shape) -> String {
    match shape {
        Shape::Text => "text".to_owned(),
        Shape::Path => "path".to_owned(),
        Shape::Integer(least) => format!("integer from {least}"),
        Shape::Number => "number".to_owned(),
        Shape::Switch => "on or off".to_owned(),
        Shape::Duration => "duration".to_owned(),
        Shape::Size => "size".to_owned(),
        Shape::Share => "share".to_owned(),
        Shape::Rate => "rate".to_owned(),
        Shape::Words(words) => {
            words.iter().map(|(word, about)| format!("`{word}` ({about})")).collect::<Vec<_>>().join(", ")
        }
        Shape::WordList(words) => {
            format!("list of {}", words.iter().map(|(word, _)| format!("`{word}`")).collect::<Vec<_>>().join(", "))
        }
        Shape::Value => "value".to_owned(),
        Shape::List(inner) => format!("list of {}", words(inner)),
        Shape::OneOrMore(inner) => format!("{} or a list of them", words(inner)),
        Shape::Map(table) => format!("[{}](#{})", table.id, table.id),
        Shape::Entries { key, value } => format!("map from {key} to {}", words(value)),
        Shape::Either(shapes) => shapes.iter().map(words).collect::<Vec<_>>().join(", or "),
        Shape::Workload => "one workload with its parameters".to_owned(),
    }
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn keys() -> String {
    let mut page = String::new();
    for table in tables() {
        page.push_str(&format!(
            "\n### {}\n\n{}\n\n| key | type | default | meaning |\n|---|---|---|---|\n",
            table.id, table.about
        ));
        for field in table.fields {
            let default = match (field.required, field.default) {
                (true, _) => "must be given".to_owned(),
                (false, Some(default)) => default.to_owned(),
                (false, None) => String::new(),
            };
            let row = [format!("`{}`", field.name), words(&field.shape), default, field.about.to_owned()];
            page.push_str(&format!("| {} |\n", row.map(|text| cell(&text)).join(" | ")));
        }
    }
    page
}

fn parameters() -> String {
    let mut page = String::new();
    for kind in kind::kinds() {
        page.push_str(&format!(
            "\n### Workload `{}`\n\n| parameter | type | default | meaning |\n|---|---|---|---|\n",
            kind.name()
        ));
        let is_read = |spec: &&ParameterSpec| {
            matches!(spec.role, ParameterRole::Data | ParameterRole::Own | ParameterRole::SuitePath(_))
        };
        for spec in kind.parameters().iter().filter(is_read) {
            let names: Vec<String> =
                std::iter::once(&spec.name).chain(spec.aliases).map(|name| format!("`{name}`")).collect();
            let about = match spec.role {
                ParameterRole::SuitePath(path) => format!("The same value as `{path}`."),
                _ => spec.about.to_owned(),
            };
            let row = [names.join(", "), spec.kind.to_owned(), spec.default.unwrap_or_default().to_owned(), about];
            page.push_str(&format!("| {} |\n", row.map(|text| cell(&text)).join(" | ")));
        }
    }
    page
}

#[test]
fn the_sample_is_one_that_is_checked() {
    let sample = include_str!("../../../tests/cli/suites/good/sample.yaml");
    let (_, sample) = sample.split_once('\n').unwrap();
    assert!(std::fs::read_to_string(PAGE).unwrap().contains(&format!("```yaml\n{sample}```\n")));
}

#[test]
fn the_reference_is_current() {
    let page = std::fs::read_to_string(PAGE).unwrap();
    let (before, rest) = page.split_once(BEGIN).unwrap();
    let (_, after) = rest.split_once(END).unwrap();
    let wanted = format!("{before}{BEGIN}{}{}\n{END}{after}", keys(), parameters());
    if std::env::var_os("VELODROME_BLESS").is_some() {
        std::fs::write(PAGE, &wanted).unwrap();
    } else {
        assert_eq!(page, wanted, "run VELODROME_BLESS=1 cargo test reference");
    }
}
