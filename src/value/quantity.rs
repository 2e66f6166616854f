//! A value that has the type it reads as: a number, a duration or a size.
//!
//! It must not know templates. Invariant: arithmetic keeps the unit right, and is exact until printed.

use std::fmt;

use super::{Exact, duration_text, exact, exact_duration, exact_size, size_text};

/// A number, a duration or a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// A number without unit.
    Number(Exact),
    /// Nanoseconds.
    Duration(Exact),
    /// Bytes.
    Size(Exact),
}

impl Quantity {
    /// What a text reads as; none: it is just text.
    pub fn read(text: &str) -> Option<Quantity> {
        // A cheap look at the first byte: most texts are names, and each parser would copy them into its error.
        if !text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+')) {
            return None;
        }
        if let Some(number) = exact(text) {
            return Some(Quantity::Number(number));
        }
        if let Ok(nanoseconds) = exact_duration(text) {
            return Some(Quantity::Duration(nanoseconds));
        }
        exact_size(text).ok().map(Quantity::Size)
    }

    /// What it is, in words.
    pub fn kind(self) -> &'static str {
        match self {
            Quantity::Number(_) => "a number",
            Quantity::Duration(_) => "a duration",
            Quantity::Size(_) => "a size",
        }
    }

    /// The bare amount: the number, nanoseconds or bytes.
    pub fn amount(self) -> Exact {
        match self {
            Quantity::Number(amount) | Quantity::Duration(amount) | Quantity::Size(amount) => amount,
        }
    }

    /// The same kind with another amount.
    #[must_use]
    pub fn with_amount(self, amount: Exact) -> Quantity {
        match self {
            Quantity::Number(_) => Quantity::Number(amount),
            Quantity::Duration(_) => Quantity::Duration(amount),
            Quantity::Size(_) => Quantity::Size(amount),
        }
    }

    /// Whether both are numbers, durations or sizes.
    pub fn is_like(self, other: Quantity) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other)
    }

    /// Whether two texts mean the same value: equal as quantities of one kind, else equal as texts.
    pub fn same(left: &str, right: &str) -> bool {
        if left == right {
            return true;
        }
        matches!((Quantity::read(left), Quantity::read(right)), (Some(left), Some(right)) if left == right)
    }
}

/// Numbers as [`Exact`] prints them; durations and sizes in the largest unit that is exact.
impl fmt::Display for Quantity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Quantity::Number(number) => number.fmt(formatter),
            Quantity::Duration(nanoseconds) => formatter.write_str(&duration_text(nanoseconds.round())),
            Quantity::Size(bytes) => formatter.write_str(&size_text(bytes.round())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Quantity;

    #[test]
    fn a_text_has_the_type_it_reads_as() {
        let kind = |text| Quantity::read(text).map_or("text", Quantity::kind);
        for (text, wanted) in [("10", "a number"), ("1e3", "a number"), ("10M", "a number"), ("15m", "a duration")] {
            assert_eq!(kind(text), wanted, "{text}");
        }
        for (text, wanted) in
            [("2.58d", "a duration"), ("4GiB", "a size"), ("1:0:0", "text"), ("", "text"), ("-", "text")]
        {
            assert_eq!(kind(text), wanted, "{text}");
        }
    }

    #[test]
    fn texts_that_mean_the_same() {
        assert!(Quantity::same("1e3", "1_000") && Quantity::same("60m", "1h") && Quantity::same("x", "x"));
        assert!(!Quantity::same("1", "1s") && !Quantity::same("x", "X") && !Quantity::same("1", "2"));
    }
}
