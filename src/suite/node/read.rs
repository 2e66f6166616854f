//! From a file's text to its tree.
//!
//! It must not know what a suite is. Invariant: a text that is no YAML gives one diagnostic and no tree.

use std::collections::HashMap;

use serde_saphyr::{Location, Spanned};

use super::syntax;
use super::tree::{Key, Kind, Node, Scalar, Style};
use super::visit::{Part, parse};
use crate::diagnostic::{Diagnostic, FileId, Span};

/// Reads a file's text; none where its YAML is broken, which is then the only thing told.
pub(crate) fn read(file: FileId, text: &str, found: &mut Vec<Diagnostic>) -> Option<Node> {
    let root = match parse(text) {
        Ok(root) => root,
        Err(error) => {
            found.push(syntax::error(file, text, &error));
            return None;
        }
    };
    let mut builder = Builder { file, text, found, literals: Vec::new() };
    let node = builder.node(root);
    let literals = std::mem::take(&mut builder.literals);
    found.extend(syntax::tabs(file, text, &literals));
    Some(node)
}

struct Builder<'a> {
    file: FileId,
    text: &'a str,
    found: &'a mut Vec<Diagnostic>,
    /// Where quoted and block scalars stand: in them a tab is text.
    literals: Vec<Span>,
}

impl Builder<'_> {
    fn node(&mut self, part: Spanned<Part>) -> Node {
        let span = self.span(&part.defined);
        match part.value {
            Part::Scalar(text) => Node { span, kind: Kind::Scalar(self.scalar(text, span)) },
            Part::List(parts) => {
                let nodes: Vec<Node> = parts.into_iter().map(|part| self.node(part)).collect();
                let end = nodes.last().map_or(span.end, |last| last.span.end.max(span.end));
                Node { span: Span { end, ..span }, kind: Kind::List(nodes) }
            }
            Part::Map(entries) => self.map(span, entries),
        }
    }

    fn scalar(&mut self, text: Option<String>, span: Span) -> Scalar {
        let source = &self.text[span.range()];
        let style = match source.as_bytes().first() {
            Some(b'"' | b'\'') => Style::Quoted,
            _ if self.starts_block(span) => Style::Block,
            _ => Style::Plain,
        };
        if style != Style::Plain {
            self.literals.push(span);
        }
        Scalar { text: text.unwrap_or_else(|| source.to_owned()), style }
    }

    /// Whether the scalar is a block: its content begins lines after its `|` or `>`.
    fn starts_block(&self, span: Span) -> bool {
        let before = self.text[..span.range().start].trim_end_matches(' ');
        let Some(head) = before.strip_suffix('\n') else { return false };
        let header = head.lines().next_back().unwrap_or_default();
        let header = header.split(" #").next().unwrap_or_default().trim_end();
        let header = header.trim_end_matches(|c: char| c.is_ascii_digit() || c == '-' || c == '+');
        header.ends_with(['|', '>'])
    }

    fn map(&mut self, span: Span, entries: Vec<(Spanned<Part>, Spanned<Part>)>) -> Node {
        let mut seen: HashMap<String, Span> = HashMap::new();
        let mut kept = Vec::with_capacity(entries.len());
        let mut end = span.end;
        for (key, value) in entries {
            let key_node = self.node(key);
            let value = self.node(value);
            end = end.max(value.span.end).max(key_node.span.end);
            let Kind::Scalar(scalar) = key_node.kind else {
                if self.text[span.range().start..].starts_with("{{") {
                    return self.unquoted_template(span);
                }
                let message = "a key is a word, and this is a list or a map";
                self.found.push(Diagnostic::error("wrong-type", message).at(key_node.span, ""));
                continue;
            };
            let key = Key { text: scalar.text, span: key_node.span };
            match seen.get(&key.text) {
                Some(first) => self.found.push(twice(&key, *first)),
                None => {
                    seen.insert(key.text.clone(), key.span);
                    kept.push((key, value));
                }
            }
        }
        Node { span: Span { end, ..span }, kind: Kind::Map(kept) }
    }

    /// What was meant by a map in double braces; the node is the scalar that it was to be.
    fn unquoted_template(&mut self, span: Span) -> Node {
        let found = syntax::template_without_quotes(self.text, self.file, span.range().start);
        let span = found.labels[0].span;
        self.found.push(found);
        let text = self.text[span.range()].to_owned();
        Node { span, kind: Kind::Scalar(Scalar { text, style: Style::Plain }) }
    }

    fn span(&self, location: &Location) -> Span {
        let span = location.span();
        let length = self.text.len();
        let place = |offset: Option<u64>| offset.and_then(|offset| usize::try_from(offset).ok());
        let start = place(span.byte_offset()).unwrap_or(0).min(length);
        let end = (start + place(span.byte_len()).unwrap_or(0)).min(length);
        Span { file: self.file, start: start as u32, end: end as u32 }
    }
}

fn twice(key: &Key, first: Span) -> Diagnostic {
    Diagnostic::error("duplicate-key", format!("the key `{}` is given twice", key.text))
        .at(key.span, "again here")
        .at(first, "first given here")
        .help("keep one of them")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(text: &str) -> (Option<Node>, Vec<Diagnostic>) {
        let mut found = Vec::new();
        let node = read(FileId(0), text, &mut found);
        (node, found)
    }

    fn scalars(node: &Node, out: &mut Vec<(String, Style)>) {
        match &node.kind {
            Kind::Scalar(scalar) => out.push((scalar.text.clone(), scalar.style)),
            Kind::List(nodes) => nodes.iter().for_each(|node| scalars(node, out)),
            Kind::Map(entries) => entries.iter().for_each(|(_, node)| scalars(node, out)),
        }
    }

    #[test]
    fn scalars_keep_what_was_typed() {
        let text = "a: [1.10, 017, 1_000, 1e3, on, No, True, 0x1F, 1:0:0, 2024-01-01]\nb: \"q\\n\"\nc: 'it''s'\nd: |\n  x\n   y\n";
        let (node, found) = read_all(text);
        assert_eq!(found, []);
        let mut all = Vec::new();
        scalars(&node.unwrap(), &mut all);
        let texts: Vec<&str> = all.iter().map(|(text, _)| text.as_str()).collect();
        let plain = ["1.10", "017", "1_000", "1e3", "on", "No", "True", "0x1F", "1:0:0", "2024-01-01"];
        assert_eq!(texts[..10], plain);
        assert_eq!(texts[10..], ["q\n", "it's", "x\n y\n"]);
        let styles: Vec<Style> = all[10..].iter().map(|(_, style)| *style).collect();
        assert_eq!(styles, [Style::Quoted, Style::Quoted, Style::Block]);
    }

    #[test]
    fn spans_cut_out_the_source() {
        let text = "ß: { LOOP: 10 }\nlist:\n  - x\n";
        let (node, _) = read_all(text);
        let node = node.unwrap();
        let value = node.get("ß").unwrap().get("LOOP").unwrap();
        assert_eq!(&text[value.span.range()], "10");
        assert_eq!(&text[node.get("ß").unwrap().span.range()], "{ LOOP: 10");
        assert_eq!(&text[node.get("list").unwrap().span.range()], "- x");
    }

    #[test]
    fn every_repeated_key_is_told_and_the_first_kept() {
        let (node, found) = read_all("a: 1\na: 2\nb: { c: 1, c: 2 }\na: 3\n");
        let codes: Vec<&str> = found.iter().map(|one| one.code).collect();
        assert_eq!(codes, ["duplicate-key", "duplicate-key", "duplicate-key"]);
        assert_eq!(node.unwrap().get("a").unwrap().describe(), "`1`");
    }

    #[test]
    fn nothing_typed_is_null() {
        let (node, _) = read_all("a:\nb: ~\nc: null\nd: \"\"\ne: 'null'\n");
        let node = node.unwrap();
        let nulls = ["a", "b", "c", "d", "e"].map(|key| node.get(key).unwrap().is_null());
        assert_eq!(nulls, [true, true, true, false, false]);
    }

    #[test]
    fn aliases_and_merges_point_at_their_definition() {
        let text = "a: &one { x: 1 }\nb: *one\nc: { <<: *one, y: 2 }\n";
        let (node, found) = read_all(text);
        assert_eq!(found, []);
        let node = node.unwrap();
        for key in ["b", "c"] {
            let value = node.get(key).unwrap().get("x").unwrap();
            assert_eq!((value.describe().as_str(), value.span.start), ("`1`", 13), "{key}");
        }
    }

    #[test]
    fn a_long_axis_is_read_and_an_alias_bomb_is_refused() {
        let values: Vec<String> = (0..25_000).map(|number| number.to_string()).collect();
        let (node, found) = read_all(&format!("axis: [{}]\n", values.join(", ")));
        assert_eq!(found, []);
        assert!(matches!(&node.unwrap().get("axis").unwrap().kind, Kind::List(nodes) if nodes.len() == 25_000));
        let mut bomb = "a0: &a0 [x, x]\n".to_owned();
        for level in 1..30 {
            bomb.push_str(&format!("a{level}: &a{level} [*a{0}, *a{0}]\n", level - 1));
        }
        let (node, found) = read_all(&bomb);
        assert_eq!((node, found.len(), found[0].code), (None, 1, "yaml-syntax"));
    }

    proptest::proptest! {
        #[test]
        fn nothing_panics(text in "[ \\t\\n{}\\[\\]:,#&*!|>'\"%@a-c0-9ß<~-]{0,60}") {
            let _ = read_all(&text);
        }
    }
}
