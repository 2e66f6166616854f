//! Text for a terminal: plain signs, padding by what characters are wide, wrapping, and colours only where asked.
//!
//! It must not print. Invariant: a style never changes how wide a text is.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// How a text is set off where colours are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Plain,
    Bold,
    Good,
    Poor,
    Bad,
    Faint,
}

impl Style {
    fn code(self) -> &'static str {
        match self {
            Style::Plain => "",
            Style::Bold => "1",
            Style::Good => "36",
            Style::Poor => "33",
            Style::Bad => "31",
            Style::Faint => "2",
        }
    }
}

/// The text set off, where colours are asked for.
pub(super) fn styled(text: &str, style: Style, colour: bool) -> String {
    if colour && style != Style::Plain && !text.is_empty() {
        format!("\x1b[{}m{text}\x1b[0m", style.code())
    } else {
        text.to_owned()
    }
}

/// Signs that every terminal has.
pub(super) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '×' => out.push('x'),
            '±' => out.push_str("+-"),
            'µ' => out.push('u'),
            '–' | '·' => out.push('-'),
            '÷' => out.push('/'),
            '…' => out.push_str("..."),
            '\u{1b}' | '\r' => {}
            other => out.push(other),
        }
    }
    out
}

/// The text to the right of a column so wide.
pub(super) fn right(text: &str, width: usize) -> String {
    format!("{}{text}", " ".repeat(width.saturating_sub(text.width())))
}

/// The text to the left of a column so wide.
pub(super) fn left(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}

/// The text cut where it would be wider, its end as `..`.
pub(super) fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut taken = 0;
    for character in text.chars() {
        taken += character.width().unwrap_or(0);
        if taken + 2 > width {
            break;
        }
        out.push(character);
    }
    out + &"."[..usize::from(width > 0)].repeat(2.min(width))
}

/// The words in lines no wider than `width`, the lines after the first indented.
pub(super) fn wrap(text: &str, width: usize, indent: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.trim().is_empty() && line.width() + 1 + word.width() > width {
            lines.push(std::mem::replace(&mut line, " ".repeat(indent)));
        }
        if !line.trim().is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    let lines: Vec<String> = lines.iter().map(|line| cut(line, width)).collect();
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_characters_count_twice() {
        assert_eq!(right("数据", 6), "  数据");
        assert_eq!(left("数", 4), "数  ");
        assert_eq!(cut("数据库很快", 6), "数据..");
        assert_eq!(cut("abc", 3), "abc");
        assert_eq!(cut("abcd", 1), ".");
    }

    #[test]
    fn no_line_is_wider_than_asked() {
        let text = wrap("one two three four averyveryverylongword five", 12, 2);
        assert!(text.lines().all(|line| line.width() <= 12), "{text}");
        assert!(text.starts_with("one two\n  three"), "{text}");
    }

    #[test]
    fn colours_only_where_asked() {
        assert_eq!(styled("a", Style::Bad, false), "a");
        assert_eq!(styled("a", Style::Bad, true), "\x1b[31ma\x1b[0m");
        assert_eq!(plain("1.83× ±2 µs"), "1.83x +-2 us");
    }
}
