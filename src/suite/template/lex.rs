//! Cuts the text between `{{` and `}}` into tokens.
//!
//! It must not know grammar. Invariant: ranges are those of the whole template's text.

use std::ops::Range;

use super::error::TemplateError;
use crate::value::Quantity;

/// A token.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token<'a> {
    /// A name or a word of the grammar; dots join the parts of one name.
    Word(&'a str),
    /// A number, duration or size.
    Quantity(Quantity),
    /// A text in quotes.
    Text(&'a str),
    /// An operator or bracket.
    Sign(&'static str),
}

/// Longer signs come before those that they begin with.
const SIGNS: [&str; 19] =
    ["**", "//", "==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "%", "~", "(", ")", ",", "|", "="];

/// A token with its range in the template's text.
pub(super) type Placed<'a> = (Token<'a>, Range<usize>);

/// The tokens of `text[from..]` until `}}`, and the offset after it.
pub(super) fn tokens(text: &str, open: usize) -> Result<(Vec<Placed<'_>>, usize), TemplateError> {
    let mut tokens = Vec::new();
    let mut at = open + 2;
    loop {
        at += text[at..].len() - text[at..].trim_start().len();
        let rest = &text[at..];
        if rest.is_empty() {
            return Err(TemplateError::new(open..open + 2, "this `{{` has no `}}`"));
        }
        if rest.starts_with("}}") {
            return Ok((tokens, at + 2));
        }
        let (token, length) = token(rest, at)?;
        tokens.push((token, at..at + length));
        at += length;
    }
}

fn token(rest: &str, at: usize) -> Result<(Token<'_>, usize), TemplateError> {
    let Some(first) = rest.chars().next() else { return Err(TemplateError::new(at..at, "nothing follows")) };
    if first.is_ascii_digit() {
        return quantity(rest, at);
    }
    if first.is_alphabetic() || first == '_' {
        let length = word_length(rest);
        return Ok((Token::Word(&rest[..length]), length));
    }
    if first == '"' || first == '\'' {
        let Some(end) = rest[1..].find(first) else {
            return Err(TemplateError::new(at..at + 1, "this quote is not closed"));
        };
        return Ok((Token::Text(&rest[1..=end]), end + 2));
    }
    match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
        Some(sign) => Ok((Token::Sign(sign), sign.len())),
        None => Err(TemplateError::new(at..at + first.len_utf8(), format!("`{first}` has no meaning in a template"))),
    }
}

fn word_length(rest: &str) -> usize {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut length = 0;
    loop {
        let part = rest[length..].find(|c| !is_part(c)).unwrap_or(rest.len() - length);
        length += part;
        let dotted = rest[length..].strip_prefix('.').is_some_and(|next| next.starts_with(is_part));
        if !dotted {
            return length;
        }
        length += 1;
    }
}

/// A number with all that belongs to it: digits, letters, `_`, points, and a sign after an exponent's `e`.
fn quantity(rest: &str, at: usize) -> Result<(Token<'_>, usize), TemplateError> {
    let bytes = rest.as_bytes();
    let mut length = 0;
    while length < bytes.len() {
        let signed = matches!(bytes[length], b'+' | b'-')
            && matches!(bytes[length - 1], b'e' | b'E')
            && bytes[..length - 1].iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'_'));
        if !(bytes[length].is_ascii_alphanumeric() || matches!(bytes[length], b'_' | b'.') || signed) {
            break;
        }
        length += 1;
    }
    let typed = &rest[..length];
    match Quantity::read(typed) {
        Some(quantity) => Ok((Token::Quantity(quantity), length)),
        None => Err(TemplateError::new(at..at + length, format!("`{typed}` is no number, duration or size"))),
    }
}
