//! Lines and columns of byte offsets.
//!
//! They must not know files. Invariant: lines and columns count from 1, and columns count characters.

/// Line and column of a byte offset; an offset beyond the text is its end.
pub fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let before = &text[..offset];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

/// The byte offset of a line and column; beyond the line's end, its end.
pub fn offset_of(text: &str, line: usize, column: usize) -> usize {
    let start = match line {
        0 | 1 => 0,
        _ => text.match_indices('\n').nth(line - 2).map_or(text.len(), |(at, _)| at + 1),
    };
    let rest = &text[start..];
    let content = rest.find('\n').map_or(rest, |end| &rest[..end]);
    start + content.char_indices().nth(column.saturating_sub(1)).map_or(content.len(), |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        let text = "a\nß→x\n";
        assert_eq!(line_and_column(text, 0), (1, 1));
        assert_eq!(line_and_column(text, text.find('x').unwrap()), (2, 3));
        assert_eq!(line_and_column(text, 999), (3, 1));
        assert_eq!(offset_of(text, 2, 3), text.find('x').unwrap());
        assert_eq!(offset_of(text, 2, 99), text.find("\n").unwrap() + "ß→x".len() + 1);
        assert_eq!(offset_of(text, 99, 1), text.len());
    }

    #[test]
    fn an_offset_inside_a_character_is_its_start() {
        assert_eq!(line_and_column("ß", 1), (1, 1));
    }
}
