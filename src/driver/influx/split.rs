//! Cuts line protocol into requests that the server takes.
//!
//! It must not know what a line says. Invariant: no line is cut, and every line is in exactly one part.

use std::ops::Range;

use crate::driver::error::{DriverError, ErrorClass};

/// Lines for one request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// Their bytes.
    pub range: Range<usize>,
    /// How many there are.
    pub lines: u64,
}

/// Cuts `bytes`, which hold `rows` lines, into parts of at most `most` bytes.
///
/// # Errors
/// Rejected, where a single line is longer.
pub(super) fn parts(bytes: &[u8], rows: u64, most: usize) -> Result<Vec<Part>, DriverError> {
    if bytes.len() <= most {
        return Ok(vec![Part { range: 0..bytes.len(), lines: rows }]);
    }
    let mut parts = Vec::new();
    let mut part = Part { range: 0..0, lines: 0 };
    for end in line_ends(bytes) {
        if end - part.range.start > most && part.lines > 0 {
            let next = Part { range: part.range.end..part.range.end, lines: 0 };
            parts.push(std::mem::replace(&mut part, next));
        }
        if end - part.range.start > most {
            let said = format!("one row has {} bytes; the server takes {most} a request", end - part.range.start);
            return Err(DriverError::new(ErrorClass::Rejected, said));
        }
        part = Part { range: part.range.start..end, lines: part.lines + 1 };
    }
    parts.push(part);
    Ok(parts)
}

/// Where each line ends, its line feed included. A line feed in a quoted text ends none.
fn line_ends(bytes: &[u8]) -> impl Iterator<Item = usize> {
    let (mut quoted, mut escaped) = (false, false);
    bytes.iter().enumerate().filter_map(move |(at, byte)| {
        let ends = *byte == b'\n' && !quoted;
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => quoted = !quoted,
            _ => {}
        }
        (ends || at + 1 == bytes.len()).then_some(at + 1)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn texts(bytes: &[u8], most: usize) -> Vec<String> {
        let parts = parts(bytes, 0, most).unwrap();
        parts.into_iter().map(|part| String::from_utf8_lossy(&bytes[part.range]).into_owned()).collect()
    }

    #[test]
    fn what_fits_is_one_part() {
        assert_eq!(texts(b"a\nb\n", 4), ["a\nb\n"]);
        assert_eq!(texts(b"", 4), [""]);
    }

    #[test]
    fn lines_stay_whole_even_with_line_feeds_in_texts() {
        assert_eq!(texts(b"a 1\nb 2\nc 3\n", 8), ["a 1\nb 2\n", "c 3\n"]);
        assert_eq!(texts(b"a=\"x\ny\\\"\n\" 1\nb 2\n", 16), ["a=\"x\ny\\\"\n\" 1\n", "b 2\n"]);
    }

    #[test]
    fn a_line_that_fits_nowhere_is_refused() {
        let error = parts(b"a\nlong line\n", 2, 5).unwrap_err();
        assert_eq!(error.message, "one row has 10 bytes; the server takes 5 a request");
    }

    proptest! {
        #[test]
        fn parts_are_the_whole_and_small_enough(lengths in prop::collection::vec(1usize..30, 1..60), most in 31usize..90) {
            let bytes: Vec<u8> = lengths.iter().flat_map(|length| [vec![b'x'; *length], vec![b'\n']].concat()).collect();
            let parts = parts(&bytes, lengths.len() as u64, most).unwrap();
            let mut end = 0;
            for part in &parts {
                prop_assert!(part.range.start == end && part.range.len() <= most);
                end = part.range.end;
            }
            prop_assert_eq!(end, bytes.len());
            prop_assert_eq!(parts.iter().map(|part| part.lines).sum::<u64>(), lengths.len() as u64);
        }
    }
}
