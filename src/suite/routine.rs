//! Reads iot-benchmark's routines: lines of `KEY=VALUE … TEST`, whose settings stay for later tests.
//!
//! It must not know parameters. Invariant: a line that begins with `#` runs nothing, and nothing is dropped in silence.

use std::ops::Range;

/// A word of a routine with its range in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) range: Range<usize>,
}

/// One `KEY=VALUE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Setting {
    pub(super) key: Word,
    pub(super) value: Word,
}

/// What a routine holds, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Item {
    /// A setting.
    Setting(Setting),
    /// `TEST`.
    Test(Range<usize>),
    /// A word that is neither.
    Stray(Word),
    /// A comment in which the original would have seen settings or tests: from its `#` on.
    LiveComment(Range<usize>),
}

/// Reads a routine's text.
pub(super) fn items(text: &str) -> Vec<Item> {
    let mut items = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        line_items(line, start, &mut items);
        start += line.len();
    }
    items
}

fn line_items(line: &str, start: usize, items: &mut Vec<Item>) {
    let mut at = 0;
    loop {
        let rest = &line[at..];
        at += rest.len() - rest.trim_start().len();
        let rest = &line[at..];
        if rest.is_empty() {
            return;
        }
        if rest.starts_with('#') {
            let is_live = |word: &str| word == "TEST" || word.split_once('=').is_some_and(|(key, _)| is_key(key));
            if rest.split_whitespace().any(is_live) {
                items.push(Item::LiveComment(start + at..start + at + rest.trim_end().len()));
            }
            return;
        }
        let length = rest.find(char::is_whitespace).unwrap_or(rest.len());
        items.push(item(&rest[..length], start + at));
        at += length;
    }
}

fn item(word: &str, start: usize) -> Item {
    let end = start + word.len();
    if word == "TEST" {
        return Item::Test(start..end);
    }
    match word.split_once('=') {
        Some((key, value)) if is_key(key) => {
            let middle = start + key.len();
            let key = Word { text: key.to_owned(), range: start..middle };
            let value = Word { text: value.to_owned(), range: middle + 1..end };
            Item::Setting(Setting { key, value })
        }
        _ => Item::Stray(Word { text: word.to_owned(), range: start..end }),
    }
}

fn is_key(key: &str) -> bool {
    !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.'))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shown(text: &str) -> Vec<String> {
        let show = |item| match item {
            Item::Setting(setting) => format!("{}={}", setting.key.text, setting.value.text),
            Item::Test(_) => "TEST".to_owned(),
            Item::Stray(word) => format!("?{}", word.text),
            Item::LiveComment(range) => text[range].to_owned(),
        };
        items(text).into_iter().map(show).collect()
    }

    #[test]
    fn words_in_order_whatever_the_lines_end_with() {
        for text in [
            "LOOP=10 D=100 TEST\nLOOP=20 TEST",
            "LOOP=10\r\n  D=100\tTEST\r\nLOOP=20\r\nTEST\r\n",
            "\n\nLOOP=10 D=100\nTEST LOOP=20 TEST",
        ] {
            assert_eq!(shown(text), ["LOOP=10", "D=100", "TEST", "LOOP=20", "TEST"], "{text:?}");
        }
    }

    #[test]
    fn comments_run_nothing() {
        assert_eq!(
            shown("# a note\n  # LOOP=5 TEST\nLOOP=3 TEST # TEST\n"),
            ["# LOOP=5 TEST", "LOOP=3", "TEST", "# TEST"]
        );
    }

    #[test]
    fn strays_are_kept() {
        assert_eq!(shown("LOOP=4 TST\n=5 X==1\n"), ["LOOP=4", "?TST", "?=5", "X==1"]);
    }

    proptest! {
        #[test]
        fn ranges_cut_out_what_they_name(text in "[A-C=T#ES \\n\\r\\tß]{0,60}") {
            for item in items(&text) {
                match item {
                    Item::Setting(setting) => {
                        prop_assert_eq!(&text[setting.key.range], &setting.key.text);
                        prop_assert_eq!(&text[setting.value.range], &setting.value.text);
                    }
                    Item::Test(range) => prop_assert_eq!(&text[range], "TEST"),
                    Item::Stray(word) => prop_assert_eq!(&text[word.range], &word.text),
                    Item::LiveComment(range) => prop_assert!(text[range].starts_with('#')),
                }
            }
        }

        #[test]
        fn any_layout_means_the_same(
            settings in prop::collection::vec(("[A-Z_]{1,8}", "[0-9:]{0,5}"), 1..6),
            blanks in prop::collection::vec("[ \\t\\n\\r]{1,3}", 12),
        ) {
            let plain: String = settings.iter().map(|(key, value)| format!("{key}={value} ")).collect::<String>() + "TEST";
            let words = plain.split(' ');
            let spread: String = words.zip(&blanks).map(|(word, blank)| format!("{word}{blank}")).collect();
            prop_assert_eq!(shown(&plain), shown(&spread));
        }
    }
}
