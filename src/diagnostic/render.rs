//! Shows diagnostics as text: code, place, the source line with a caret, help, and how many there are.
//!
//! It must not know what they mean. Invariant: each names `file:line:col` in full, and they come in the order of the text.

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::types::{Diagnostic, Label, Severity, SourceMap};

/// Renders all diagnostics, by place, and how many there are.
pub fn render(diagnostics: &[Diagnostic], sources: &SourceMap, colour: bool) -> String {
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.decor_style(DecorStyle::Ascii);
    let mut ordered: Vec<&Diagnostic> = diagnostics.iter().collect();
    // What has no place comes first; the sort is stable, so that findings of one place keep their order.
    ordered.sort_by_key(|diagnostic| diagnostic.labels.first().map(|label| label.span));
    let mut text = String::new();
    for diagnostic in ordered {
        let groups = groups(diagnostic, sources);
        text.push_str(&renderer.render(&groups));
        text.push_str("\n\n");
    }
    text.push_str(&counts(diagnostics));
    text
}

fn groups<'a>(diagnostic: &'a Diagnostic, sources: &'a SourceMap) -> Vec<Group<'a>> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let title = level.primary_title(diagnostic.message.as_str()).id(diagnostic.code);
    let mut main = Group::with_title(title);
    for snippet in snippets(&diagnostic.labels, sources) {
        main = main.element(snippet);
    }
    let help = diagnostic.help.iter().map(|line| Group::with_title(Level::HELP.secondary_title(line.as_str())));
    std::iter::once(main).chain(help).collect()
}

/// One snippet a file, the primary label's file first.
fn snippets<'a>(labels: &'a [Label], sources: &'a SourceMap) -> Vec<Snippet<'a, annotate_snippets::Annotation<'a>>> {
    let mut files = Vec::new();
    for label in labels {
        if !files.contains(&label.span.file) {
            files.push(label.span.file);
        }
    }
    let of_file = |file| {
        let annotations = labels.iter().enumerate().filter(move |(_, label)| label.span.file == file);
        annotations.map(|(index, label)| {
            let kind = if index == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
            let shown = (!label.text.is_empty()).then_some(label.text.as_str());
            kind.span(clamped(label, sources)).label(shown)
        })
    };
    files
        .into_iter()
        .map(|file| Snippet::source(sources.text(file)).path(sources.name(file)).annotations(of_file(file)))
        .collect()
}

/// The label's range, kept to its first line: a caret under a whole block says nothing.
fn clamped(label: &Label, sources: &SourceMap) -> std::ops::Range<usize> {
    let text = sources.text(label.span.file);
    let range = label.span.range();
    let start = range.start.min(text.len());
    let end = range.end.clamp(start, text.len());
    let first_line = text[start..end].find(['\n', '\r']).map_or(end, |at| start + at);
    start..first_line
}

/// `2 errors, 1 warning` and a line's end; nothing where there is nothing.
fn counts(diagnostics: &[Diagnostic]) -> String {
    let kinds = [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Note, "note")];
    let words: Vec<String> = kinds
        .into_iter()
        .map(|(severity, word)| (diagnostics.iter().filter(|found| found.severity == severity).count(), word))
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{count} {word}{}", if count == 1 { "" } else { "s" }))
        .collect();
    if words.is_empty() { String::new() } else { format!("{}\n", words.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::super::types::{FileId, Span};
    use super::*;

    fn span(file: FileId, text: &str, part: &str) -> Span {
        let start = text.find(part).unwrap() as u32;
        Span { file, start, end: start + part.len() as u32 }
    }

    #[test]
    fn shows_code_place_caret_help_and_counts_in_order() {
        let text = "suite: p\nrounds: tëst\ntargts: [sqlite]\n";
        let mut sources = SourceMap::default();
        let file = sources.add("a/suite.yaml", text);
        let later = Diagnostic::error("unknown-key", "`targts` is not known here")
            .at(span(file, text, "targts"), "")
            .help("perhaps `targets`");
        let first =
            Diagnostic::error("wrong-type", "`tëst` is not an integer").at(span(file, text, "tëst"), "expected 3");
        let flag = Diagnostic::warning("override", "`--set x` has no effect");
        insta::assert_snapshot!(render(&[later, first, flag], &sources, false), @"
        warning[override]: `--set x` has no effect

        error[wrong-type]: `tëst` is not an integer
         --> a/suite.yaml:2:9
          |
        2 | rounds: tëst
          |         ^^^^ expected 3

        error[unknown-key]: `targts` is not known here
         --> a/suite.yaml:3:1
          |
        3 | targts: [sqlite]
          | ^^^^^^
          |
        help: perhaps `targets`

        2 errors, 1 warning
        ");
    }

    #[test]
    fn what_is_masked_is_not_shown() {
        let text = "x: { password: s3crät, y: z }\n";
        let mut sources = SourceMap::default();
        let file = sources.add("suite.yaml", text);
        sources.mask(span(file, text, "s3crät"));
        let other = Diagnostic::error("unknown-key", "`y` is not known here").at(span(file, text, "y:"), "");
        let shown = render(&[other], &sources, false);
        insta::assert_snapshot!(shown, @"
        error[unknown-key]: `y` is not known here
         --> suite.yaml:1:25
          |
        1 | x: { password: *******, y: z }
          |                         ^^

        1 error
        ");
        assert!(!shown.contains("s3cr"));
    }

    #[test]
    fn labels_in_two_files_show_both() {
        let mut sources = SourceMap::default();
        let one = sources.add("one.yaml", "a: 1\n");
        let two = sources.add("two.yaml", "b: 2\n");
        let found =
            Diagnostic::note("n", "both").at(span(two, "b: 2\n", "2"), "here").at(span(one, "a: 1\n", "1"), "there");
        insta::assert_snapshot!(render(&[found], &sources, false), @"
        note[n]: both
         --> two.yaml:1:4
          |
        1 | b: 2
          |    ^ here
          |
         ::: one.yaml:1:4
          |
        1 | a: 1
          |    - there

        1 note
        ");
    }

    #[test]
    fn nothing_is_nothing() {
        assert_eq!(render(&[], &SourceMap::default(), true), "");
    }
}
