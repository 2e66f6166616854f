//! What is said of adapters that are wrong.

use std::collections::BTreeMap;

use super::DRIVERS;
use crate::adapter::catalogue::Catalogue;
use crate::diagnostic::Diagnostic;

const GOOD: &str = "format: 1\nname: mine\ntitle: Mine\nabout: A test.\ndriver: sqlite\nversions: { default: '1' }\n\
                    embedded: {}\n";

/// Each complaint as `file:line:column code: message`.
fn complaints(files: &[(&str, &str)]) -> Vec<String> {
    let texts: BTreeMap<_, _> = files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    let mut catalogue = Catalogue::builtin(&DRIVERS).unwrap();
    let said = catalogue.with_folder("dir/mine", texts).err().unwrap_or_default();
    said.iter().map(|diagnostic| shown(&catalogue, diagnostic)).collect()
}

fn shown(catalogue: &Catalogue, said: &Diagnostic) -> String {
    let place = said.labels.first().map_or(String::new(), |label| {
        let before = &catalogue.sources().text(label.span.file)[..label.span.start as usize];
        let (line, column) =
            (before.matches('\n').count() + 1, before.len() - before.rfind('\n').map_or(0, |at| at + 1));
        format!("{}:{line}:{} ", catalogue.sources().name(label.span.file), column + 1)
    });
    format!("{place}{}: {}", said.code, said.message)
}

fn with(more: &str) -> Vec<String> {
    complaints(&[("adapter.yaml", &format!("{GOOD}{more}"))])
}

#[test]
fn a_good_one_has_no_complaints() {
    assert_eq!(with(""), [""; 0]);
}

#[test]
fn yaml_is_strict_and_says_where() {
    let unknown = with("tunning: {}\n");
    assert!(unknown[0].starts_with("dir/mine/adapter.yaml:8:1 adapter-yaml: unknown field `tunning`"), "{unknown:?}");
    let twice = with("licence: a\nlicence: b\n");
    assert!(twice[0].starts_with("dir/mine/adapter.yaml:9:1 adapter-yaml: duplicate"), "{twice:?}");
    let kind = with("limits: { columns: many }\n");
    assert!(kind[0].starts_with("dir/mine/adapter.yaml:8:20 adapter-yaml: "), "{kind:?}");
    assert_eq!(complaints(&[("x.sql", "")]), ["adapter-file: the folder dir/mine has no adapter.yaml"]);
}

#[test]
fn everything_that_is_wrong_is_told_at_once() {
    let text = GOOD.replace("sqlite", "oracle").replace("format: 1", "format: 2");
    let more = "\
aggregates: { median: m }
types: { UUID: uuid }
tuning:
  a: { about: x, type: integer, default: ten, apply: schema }
  b: { about: x, type: text, apply: { session: 'SET b = {{ value' } }
workloads:
  iot:
    create: iot/create.sql
    queries: { Q1: q1.sql, Q13: q1.sql }
unsupported: [{ when: 'operation ==', reason: x }]
";
    let said = complaints(&[("adapter.yaml", &(text + more)), ("q1.sql", "SELECT\n{% if %}")]);
    let place = "dir/mine/adapter.yaml";
    assert_eq!(
        said,
        [
            format!("{place}:1:9 adapter-format: format 2 is not known"),
            format!("{place}:5:9 adapter-driver: there is no driver oracle"),
            format!("{place}:9:10 adapter-key: UUID is not known here"),
            format!("{place}:8:15 adapter-key: median is not known here"),
            format!("{place}:11:42 adapter-default: a: \"ten\" is not an integer"),
            format!(
                "{place}:12:48 adapter-template: bad template: syntax error: unexpected end of input, expected end of variable block"
            ),
            format!("{place}:15:13 adapter-file: there is no file iot/create.sql in dir/mine"),
            format!("{place}:16:28 adapter-key: Q13 is not known here"),
            format!(
                "{place}:17:23 adapter-expression: bad expression: syntax error: unexpected end of input, expected expression"
            ),
            "dir/mine/q1.sql:2:7 adapter-template: bad template: syntax error: unexpected end of block".to_owned(),
        ]
    );
}

#[test]
fn an_adapter_can_stand_on_another() {
    let mut catalogue = Catalogue::builtin(&DRIVERS).unwrap();
    let text = "format: 1\nname: mine\ntitle: Mine\nabout: A test.\nbased_on: postgres\ndriver: postgres\n\
                versions: { default: '1' }\nexisting: { port: 5433 }\nworkloads: { iot: { create: iot/create.sql } }\n";
    let texts = BTreeMap::from([("adapter.yaml".to_owned(), text.to_owned())]);
    catalogue.with_folder("mine", texts.clone()).unwrap();
    let mine = catalogue.get("mine").unwrap();
    assert!(mine.file.tuning.contains_key("shared_buffers"));
    assert!(mine.texts.contains_key("iot/create.sql"));
    let hash = mine.hash.clone();

    let other = BTreeMap::from([("adapter.yaml".to_owned(), text.replace("5433", "5434"))]);
    catalogue.with_folder("mine", other).unwrap();
    assert_ne!(catalogue.get("mine").unwrap().hash, hash, "the hash covers the file");

    let base = with("based_on: nosuch\n");
    assert_eq!(base, ["dir/mine/adapter.yaml:8:11 adapter-base: no adapter nosuch is known here"]);
}
