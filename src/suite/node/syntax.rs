//! What is said about text that is no YAML, or that YAML takes for something else than was meant.
//!
//! It must not know what a suite is. Invariant: the place is that of the mistake, not of where the parser noticed it.

use crate::diagnostic::{Diagnostic, FileId, Span, line_and_column, offset_of};

/// The one diagnostic of a text that does not parse.
pub(super) fn error(file: FileId, text: &str, error: &serde_saphyr::Error) -> Diagnostic {
    let (line, column) = error.location().map_or((1, 1), |place| (place.line() as usize, place.column() as usize));
    let offset = offset_of(text, line, column);
    // A tab or an unquoted template breaks the parser's idea of the text, there or in the lines after it.
    if let Some(found) = tabs(file, &text[..line_end(text, line_end(text, offset) + 1)], &[]).into_iter().next() {
        return found;
    }
    if let Some(found) = unquoted_template(file, text, offset) {
        return found;
    }
    let message = error.without_snippet().to_string();
    let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(said, _)| said);
    let message = message.strip_suffix(':').unwrap_or(message);
    // A colon is missing at the end of the word, where the parser points at its beginning.
    let missing_colon = message.contains("expected ':'");
    let offset = if missing_colon { offset + text[offset..line_end(text, offset)].trim_end().len() } else { offset };
    let end = text[offset..].chars().next().map_or(offset, |c| offset + if c == '\n' { 0 } else { c.len_utf8() });
    let found = Diagnostic::error("yaml-syntax", format!("this is no YAML: {message}"));
    let found = found.at(Span { file, start: offset as u32, end: end as u32 }, "");
    advice(message).into_iter().fold(found, |found, line| found.help(line))
}

/// What to do about the parser's commonest complaints.
fn advice(message: &str) -> Option<&'static str> {
    let cures = [
        ("expected ':'", "is a colon missing after a key? Write `key: value`"),
        ("mapping values are not allowed", "quote a value that holds `: `, and indent the keys of one map alike"),
        ("':' indicator", "is a `]`, a `}` or a quote missing before this?"),
        ("expected '-' indicator", "indent the items of one list alike, each with `- `"),
        ("unclosed quote", "close the quotes"),
        ("unclosed bracket", "close the bracket"),
        ("unexpected character", "quote a value that begins with this character"),
        ("multiple YAML documents", "a suite is one document: remove the line `---`"),
    ];
    cures.into_iter().find(|(words, _)| message.contains(words)).map(|(_, cure)| cure)
}

/// The byte offset of the end of the line that holds `offset`.
fn line_end(text: &str, offset: usize) -> usize {
    let offset = offset.min(text.len());
    text[offset..].find('\n').map_or(text.len(), |at| offset + at)
}

/// One diagnostic for each line that is indented with a tab; lines that begin inside a quoted or block scalar are text.
pub(super) fn tabs(file: FileId, text: &str, literals: &[Span]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
        let tab = line[..indent].find('\t').map(|at| start + at);
        let has_content = !line.trim().is_empty() && !line.trim_start().starts_with('#');
        let inside = literals.iter().any(|span| span.range().start < start + indent && start < span.range().end);
        if let Some(tab) = tab.filter(|_| has_content && !inside) {
            let span = Span { file, start: tab as u32, end: tab as u32 + 1 };
            let message = "a tab stands in the indentation";
            found.push(
                Diagnostic::error("tab", message).at(span, "").help("YAML is indented with blanks: put two here"),
            );
        }
        start += line.len();
    }
    found
}

/// An unquoted `{{` in the line of the error or the one before it.
fn unquoted_template(file: FileId, text: &str, offset: usize) -> Option<Diagnostic> {
    let line_start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    let start = text[..line_start.saturating_sub(1)].rfind('\n').map_or(0, |at| at + 1);
    let lines = &text[start..line_end(text, offset)];
    let mut quote = None;
    let mut before = ' ';
    for (at, c) in lines.char_indices() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => {}
            // A quote inside a word is an apostrophe.
            None if matches!(c, '"' | '\'') && !before.is_alphanumeric() => quote = Some(c),
            None if lines[at..].starts_with("{{") => return Some(template_without_quotes(text, file, start + at)),
            None => {}
        }
        before = if c == '\n' { ' ' } else { c };
        quote = quote.filter(|_| c != '\n');
    }
    None
}

/// Says that a template is not quoted.
pub(super) fn template_without_quotes(text: &str, file: FileId, start: usize) -> Diagnostic {
    let rest = &text[start..line_end(text, start)];
    let end = rest.find("}}").map_or(rest.len(), |at| at + 2);
    let template = &rest[..end];
    let span = Span { file, start: start as u32, end: (start + end) as u32 };
    let (line, _) = line_and_column(text, start);
    Diagnostic::error(
        "unquoted-template",
        format!("the template `{template}` in line {line} is not quoted, so YAML reads it as a map"),
    )
    .at(span, "")
    .help(format!("write \"{template}\""))
}

#[cfg(test)]
mod tests {
    use super::super::read::read;
    use super::*;

    fn first(text: &str) -> (String, String, (usize, usize)) {
        let mut found = Vec::new();
        let _ = read(FileId(0), text, &mut found);
        let one = &found[0];
        let start = one.labels[0].span.range().start;
        (one.code.to_owned(), one.message.clone(), line_and_column(text, start))
    }

    #[test]
    fn a_tab_is_told_where_it_stands() {
        for (text, place) in [
            ("suite: p\n\ttargets: [sqlite]\n", (2, 1)),
            ("suite: p\n  \ttargets: [sqlite]\n", (2, 3)),
            ("a:\n\tb: 1\n", (2, 1)),
            ("a:\n  - x\n\t- y\n", (3, 1)),
            ("a: x\n\ty\n", (2, 1)),
            ("a: [x,\n\ty]\n", (2, 1)),
        ] {
            let (code, _, at) = first(text);
            assert_eq!((code.as_str(), at), ("tab", place), "{text:?}");
        }
    }

    #[test]
    fn a_tab_elsewhere_is_text() {
        for text in ["a: |\n  x\n  \ty\n", "a: \"x\n\ty\"\n", "a: 1\t# note\n", "a: 1\n\t\nb: 2\n"] {
            let mut found = Vec::new();
            assert!(read(FileId(0), text, &mut found).is_some(), "{text:?}");
            assert_eq!(found, [], "{text:?}");
        }
    }

    #[test]
    fn an_unquoted_template_is_told_where_it_stands() {
        for (text, place) in [
            ("a: {{ x }}\n", (1, 4)),
            ("a: {{ span / 12 }}\n", (1, 4)),
            ("a: {{ x }}ms\n", (1, 4)),
            ("a: { b: 'c', LOOP: {{ x }} }\n", (1, 20)),
            ("a:\n  - {{ x }}\n", (2, 5)),
            ("a: [1, {{ x * 2 }}]\n", (1, 8)),
        ] {
            let (code, message, at) = first(text);
            assert_eq!((code.as_str(), at), ("unquoted-template", place), "{text:?} {message}");
        }
    }

    #[test]
    fn quoted_templates_do_not_hide_another_mistake() {
        let (code, _, at) = first("a: \"{{ x }}\"\nb\nc: 1\n");
        assert_eq!((code.as_str(), at), ("yaml-syntax", (2, 2)));
    }

    /// elastic/rally and others showed a stack trace: here the place, the line and nothing else.
    #[test]
    fn s04_a_missing_colon_far_down_names_its_place() {
        let mut text = String::from("suite: p\n");
        for number in 2..72 {
            text.push_str(&format!("key{number}: 1\n"));
        }
        text.push_str("a_key_that_has_no\nkey73: 1\n");
        let (code, message, at) = first(&text);
        assert_eq!((code.as_str(), at), ("yaml-syntax", (72, 18)), "{message}");
    }
}
