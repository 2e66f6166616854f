//! Finds what looks like a secret in plain text, so that no diagnostic shows it.
//!
//! It must not decide what is allowed. Invariant: it works on any text, also one that is no YAML.

use std::ops::Range;

/// Parts of keys whose values are secrets.
const WORDS: [&str; 6] = ["password", "passwd", "token", "secret", "api_key", "apikey"];

/// Whether a key's value is a secret.
pub(super) fn is_secret_key(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    WORDS.iter().any(|word| key.contains(word))
}

/// The ranges of values that stand in plain text after such a key, and of passwords in URLs.
pub(super) fn plain(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let content = line.trim_end_matches(['\n', '\r']);
        for (colon, _) in content.match_indices([':', '=']) {
            let key_start = colon
                - content[..colon].chars().rev().take_while(|c| is_key_part(*c)).map(char::len_utf8).sum::<usize>();
            let named = is_secret_key(&content[key_start..colon]);
            let range = match content[colon..].strip_prefix("://") {
                Some(_) => password_in_url(content, colon + 3),
                None if named => value_after(content, colon),
                None => None,
            };
            found.extend(range.map(|range| start + range.start..start + range.end));
        }
        start += line.len();
    }
    found
}

fn is_key_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '"' | '\'' | '.')
}

/// The value behind the colon, unless it is a map (`{ env: NAME }`), an alias or nothing.
fn value_after(line: &str, colon: usize) -> Option<Range<usize>> {
    let rest = &line[colon + 1..];
    let start = colon + 1 + (rest.len() - rest.trim_start().len());
    let value = &line[start..];
    let first = value.chars().next()?;
    if matches!(first, '{' | '&' | '*' | '|' | '>' | '#' | ',' | '}') {
        return None;
    }
    if matches!(first, '"' | '\'') {
        let end = value[1..].find(first).map_or(line.len(), |at| start + at + 2);
        return Some(start..end);
    }
    if line[colon..].starts_with('=') {
        let end = value.find(char::is_whitespace).unwrap_or(value.len());
        return Some(start..start + end);
    }
    // In braces a value ends with its comma or brace; otherwise it may hold either.
    let in_braces = line[..colon].contains('{');
    let end = if in_braces { value.find([',', '}']) } else { value.find(" #") };
    let end = start + end.unwrap_or(value.len());
    Some(start..start + line[start..end].trim_end().len())
}

/// `p` of `scheme://u:p@host`.
fn password_in_url(line: &str, start: usize) -> Option<Range<usize>> {
    let rest = &line[start..];
    let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '/' | '"' | '\'' | ',')).unwrap_or(rest.len());
    let at = rest[..end].rfind('@')?;
    let password = rest[..at].find(':')? + 1;
    Some(start + password..start + at)
}

#[cfg(test)]
mod tests {
    use super::plain;

    fn found(text: &str) -> Vec<&str> {
        plain(text).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn secrets_in_plain_text_are_found() {
        for (text, wanted) in [
            ("password: s3cr3t-Pw\n", "s3cr3t-Pw"),
            ("a: { user: u, password: s3cr3t, x: 1 }\n", "s3cr3t"),
            ("  token: \"tok-123\"  # mine\n", "\"tok-123\""),
            ("TD_PASSWORD: a,b}c # x\n", "a,b}c"),
            ("hosts: [\"http://u:p4ss@h:1\"]\n", "p4ss"),
            ("    PASSWORD=root TEST\n", "root"),
            ("\"password\": 'x y'\n", "'x y'"),
        ] {
            assert_eq!(found(text), [wanted], "{text}");
        }
    }

    #[test]
    fn references_are_none() {
        for text in
            ["password: { env: TD_PASSWORD }\n", "password:\n  env: X\n", "a: http://host:80/x@y\n", "user: u\n"]
        {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn ranges_are_inside_the_text(text in "(password|token|http|[:={}/@, \"'#éa-c\\n]){0,30}") {
            for range in plain(&text) {
                proptest::prop_assert!(text.get(range).is_some());
            }
        }
    }
}
