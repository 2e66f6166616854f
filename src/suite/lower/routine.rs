//! Routines: cumulative settings, a test each `TEST`.
//!
//! They must not know what a parameter's value means. Invariant: a test has every setting before it, each name once.

use std::ops::Range;

use super::axes::same_axis;
use super::context::{Lower, with_nearest};
use crate::diagnostic::{Diagnostic, Span, line_and_column};
use crate::suite::fields::ROUTINE;
use crate::suite::known::parameter;
use crate::suite::model::{Entry, RoutineTest, Text};
use crate::suite::node::{Node, Style};
use crate::suite::routine::{Item, Setting, items};
use crate::workload::kind::{ParameterRole, WorkloadKind};

/// A routine's text, and how a range of it is found in its file.
struct Script {
    text: String,
    /// Where the text begins; none where quotes stand between it and the file, so that only the whole has a place.
    start: Option<u32>,
    whole: Span,
}

impl Script {
    fn place(&self, range: &Range<usize>) -> Span {
        match self.start {
            Some(start) => Span { start: start + range.start as u32, end: start + range.end as u32, ..self.whole },
            None => self.whole,
        }
    }
}

impl Lower<'_, '_> {
    /// `routine:`, given as lines or as a file.
    pub(super) fn routine(&mut self, node: &Node, kinds: &[&'static dyn WorkloadKind]) -> Vec<RoutineTest> {
        let Some(script) = self.script(node) else { return Vec::new() };
        let mut tests = Vec::new();
        let mut settings: Vec<Entry> = Vec::new();
        let mut waiting: Vec<Entry> = Vec::new();
        let mut strays = 0;
        for item in items(&script.text) {
            match item {
                Item::Test(range) => {
                    tests.push(RoutineTest { settings: settings.clone(), span: script.place(&range) });
                    waiting.clear();
                }
                Item::Setting(setting) => {
                    let Some(entry) = self.setting(&setting, &script, kinds) else { continue };
                    waiting.push(entry.clone());
                    let same = |known: &&mut Entry| same_axis(&known.key.text, &entry.key.text, kinds);
                    match settings.iter_mut().find(same) {
                        Some(known) => *known = entry,
                        None => settings.push(entry),
                    }
                }
                Item::Stray(word) => {
                    strays += 1;
                    let message = format!("`{}` is neither KEY=VALUE nor TEST", word.text);
                    let found = Diagnostic::error("routine-syntax", message).at(script.place(&word.range), "");
                    self.say(with_nearest(found, &word.text, ["TEST"]));
                }
                Item::LiveComment(range) => {
                    let found = Diagnostic::note(
                        "routine-comment",
                        "this comment runs nothing here; rep-benchmark.sh would have taken it for settings and tests",
                    );
                    self.say(found.at(script.place(&range), ""));
                }
            }
        }
        if tests.is_empty() && strays == 0 {
            let found = Diagnostic::error("routine-without-test", "the routine has no TEST, so it runs nothing");
            let last = waiting.last().map_or(script.whole, |entry| entry.value.span);
            self.say(
                found.at(last, "").help("end each test's line with the word TEST: LOOP=10 DEVICE_NUMBER=100 TEST"),
            );
        } else {
            waiting.iter().for_each(|entry| self.trailing(entry));
        }
        tests
    }

    fn script(&mut self, node: &Node) -> Option<Script> {
        if let Some(scalar) = node.scalar() {
            let span = node.span;
            let quoted = scalar.style == Style::Quoted;
            // A block's text has lost its indentation; its source has the same words, and their places.
            let source = self.files.original(span);
            let text = if quoted { scalar.text.clone() } else { source.to_owned() };
            return Some(Script { text, start: (!quoted).then_some(span.start), whole: span });
        }
        let fields = self.fields(node, &ROUTINE)?;
        let node = fields.get("file")?;
        let path = self.path(node, "a file's path is expected")?;
        match self.files.read(&path, Some(node.span)) {
            Ok((file, text)) => {
                let whole = Span { file, start: 0, end: text.len() as u32 };
                Some(Script { text, start: Some(0), whole })
            }
            Err(found) => {
                self.say(found);
                None
            }
        }
    }

    /// A setting as an entry; none for what has no effect or can't be.
    fn setting(&mut self, setting: &Setting, script: &Script, kinds: &[&'static dyn WorkloadKind]) -> Option<Entry> {
        let key = Text { text: setting.key.text.clone(), span: script.place(&setting.key.range) };
        let value = Text { text: setting.value.text.clone(), span: script.place(&setting.value.range) };
        let spec = kinds.iter().find_map(|kind| parameter(*kind, &key.text));
        if let Some(spec) = spec.filter(|spec| spec.role == ParameterRole::Connection) {
            self.files.map.mask(value.span);
            let named = Text { text: spec.name.to_owned(), span: key.span };
            self.connection_setting(&named);
            return None;
        }
        let entry = Entry { key, value };
        if let Some(spec) = spec {
            let path = self.role(spec, &entry);
            let kept = path.is_some() || matches!(spec.role, ParameterRole::Data | ParameterRole::Own);
            return kept.then_some(entry);
        }
        self.axis_name(&entry.key, kinds).then_some(entry)
    }

    fn trailing(&mut self, entry: &Entry) {
        let text = self.files.map.text(entry.key.span.file);
        let (line, _) = line_and_column(text, entry.key.span.range().start);
        let message = format!(
            "`{}={}` in line {line} comes after the last TEST, so no test has it",
            entry.key.text, entry.value.text
        );
        let span = Span { end: entry.value.span.end, ..entry.key.span };
        self.say(Diagnostic::warning("routine-trailing", message).at(span, "").help("put TEST after it, or remove it"));
    }
}
