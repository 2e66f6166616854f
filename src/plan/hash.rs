//! Content hashes of cases and plans.
//!
//! It must not know names of targets and scenarios. Invariant: a case's hash depends on which entries its content has, not on
//! their order; so one changed entry costs one digest, and a case in a sweep of a million costs no more than its changes.

use sha2::{Digest, Sha256};

/// What one entry adds to a [`Content`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part([u64; 4]);

impl Part {
    /// The part that `key` = `value` is in the section `section`.
    pub(super) fn of(section: &str, key: &str, value: &str) -> Part {
        let mut hasher = Sha256::new();
        for text in [section, key, value] {
            // The length before each text keeps `ab`+`c` and `a`+`bc` apart.
            hasher.update((text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
        }
        let digest = hasher.finalize();
        let mut words = [0; 4];
        for (word, bytes) in words.iter_mut().zip(digest.chunks_exact(8)) {
            let mut eight = [0; 8];
            eight.copy_from_slice(bytes);
            *word = u64::from_le_bytes(eight);
        }
        Part(words)
    }
}

/// A set of entries, as the sum of their digests modulo 2^256.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Content([u64; 4]);

impl Content {
    /// Adds all entries of another.
    pub(super) fn add_all(&mut self, other: Content) {
        self.add(Part(other.0));
    }

    /// Adds an entry.
    pub(super) fn add(&mut self, part: Part) {
        let mut carry = false;
        for (sum, word) in self.0.iter_mut().zip(part.0) {
            let (once, first) = sum.overflowing_add(word);
            let (twice, second) = once.overflowing_add(u64::from(carry));
            (*sum, carry) = (twice, first || second);
        }
    }

    /// Takes an entry out that was added before.
    pub(super) fn remove(&mut self, part: Part) {
        let mut borrow = false;
        for (sum, word) in self.0.iter_mut().zip(part.0) {
            let (once, first) = sum.overflowing_sub(word);
            let (twice, second) = once.overflowing_sub(u64::from(borrow));
            (*sum, borrow) = (twice, first || second);
        }
    }

    /// The hash.
    pub(super) fn finish(self) -> Hash {
        let mut hasher = Sha256::new();
        hasher.update(b"velodrome case");
        for word in self.0 {
            hasher.update(word.to_le_bytes());
        }
        Hash(hasher.finalize().into())
    }
}

/// A finished hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hash(pub(super) [u8; 32]);

impl std::fmt::Display for Hash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut text = [0; 64];
        for (two, byte) in text.chunks_exact_mut(2).zip(self.0) {
            two[0] = DIGITS[usize::from(byte >> 4)];
            two[1] = DIGITS[usize::from(byte & 15)];
        }
        f.write_str(std::str::from_utf8(&text).map_err(|_| std::fmt::Error)?)
    }
}

impl Hash {
    /// Reads a hash as it is printed.
    pub fn parse(text: &str) -> Option<Hash> {
        let digits = text.as_bytes();
        let mut bytes = [0; 32];
        if digits.len() != 64 {
            return None;
        }
        for (byte, two) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            let digit = |digit: u8| char::from(digit).to_digit(16);
            *byte = (digit(two[0])? * 16 + digit(two[1])?) as u8;
        }
        Some(Hash(bytes))
    }

    /// The hash of a case that stands on another.
    pub(super) fn on(self, below: Hash) -> Hash {
        let mut hasher = Sha256::new();
        hasher.update(b"velodrome on");
        hasher.update(self.0);
        hasher.update(below.0);
        Hash(hasher.finalize().into())
    }
}

/// The hash of a plan: over its cases in order, its rounds and its trials as pairs of a case's position and a round.
pub(super) fn plan_hash(
    cases: impl Iterator<Item = Hash>,
    rounds: u32,
    trials: impl Iterator<Item = (u32, u32)>,
) -> Hash {
    let mut hasher = Sha256::new();
    hasher.update(b"velodrome plan");
    hasher.update(rounds.to_le_bytes());
    for case in cases {
        hasher.update(case.0);
    }
    for (case, round) in trials {
        hasher.update(case.to_le_bytes());
        hasher.update(round.to_le_bytes());
    }
    Hash(hasher.finalize().into())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn content(entries: &[(String, String)]) -> Content {
        let mut content = Content::default();
        entries.iter().for_each(|(key, value)| content.add(Part::of("workload", key, value)));
        content
    }

    proptest! {
        #[test]
        fn order_does_not_matter_and_what_is_removed_leaves_no_trace(
            mut entries in proptest::collection::vec(("[A-Z]{1,6}", "[a-z0-9]{0,4}"), 1..12),
            more in ("[A-Z]{1,6}", "[a-z0-9]{0,4}"),
        ) {
            let before = content(&entries).finish();
            entries.reverse();
            let mut after = content(&entries);
            prop_assert_eq!(after.finish(), before);
            after.add(Part::of("tuning", &more.0, &more.1));
            prop_assert_ne!(after.finish(), before);
            after.remove(Part::of("tuning", &more.0, &more.1));
            prop_assert_eq!(after.finish(), before);
        }
    }

    #[test]
    fn section_key_and_value_are_kept_apart() {
        let parts =
            [Part::of("a", "b", "c"), Part::of("ab", "", "c"), Part::of("a", "bc", ""), Part::of("", "ab", "c")];
        for (index, part) in parts.iter().enumerate() {
            assert!(!parts[index + 1..].contains(part));
        }
    }

    #[test]
    fn printed_as_hex() {
        let hash = Hash([0xa5; 32]);
        assert_eq!(hash.to_string(), "a5".repeat(32));
        assert_eq!(Hash::parse(&hash.to_string()), Some(hash));
        assert_eq!((Hash::parse("a5"), Hash::parse(&"x".repeat(64))), (None, None));
    }
}
