//! Where the values of a YAML text stand, so that complaints about their meaning can point at them.
//!
//! It must not know what the text says. Invariant: every range lies inside the text, on character boundaries.

use std::fmt;
use std::ops::Range;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::{Location, Options, Spanned};

/// A value's place, and those of the values in it.
#[derive(Debug)]
enum Node {
    Leaf,
    Map(Vec<(Spanned<String>, Spanned<Node>)>),
    List(Vec<Spanned<Node>>),
}

/// The places of a whole text.
#[derive(Debug)]
pub(super) struct Places(Option<Spanned<Node>>);

impl Places {
    /// Reads the places; none of them where the text is no YAML.
    pub(super) fn read(text: &str, options: Options) -> Self {
        Places(serde_saphyr::from_str_with_options(text, options).ok())
    }

    /// The bytes of the value at a path of keys and list positions, or of the deepest value on the way to it. A path that
    /// ends in `@` is a key itself.
    pub(super) fn find(&self, path: &[&str]) -> Option<Range<usize>> {
        let mut here = self.0.as_ref()?;
        let mut found = None;
        for (depth, step) in path.iter().enumerate() {
            let next = match &here.value {
                Node::Leaf => None,
                Node::Map(entries) => {
                    let entry = entries.iter().find(|(key, _)| key.value == *step);
                    if let Some((key, _)) = entry.filter(|_| path.get(depth + 1) == Some(&"@")) {
                        return bytes(&key.referenced);
                    }
                    entry.map(|(key, value)| {
                        found = bytes(&key.referenced);
                        value
                    })
                }
                Node::List(items) => step.parse().ok().and_then(|position: usize| items.get(position)),
            };
            let Some(next) = next else { return found };
            // A block's own range runs to the next key; its own key is the better place to point at.
            if matches!(next.value, Node::Leaf) {
                found = bytes(&next.referenced);
            }
            here = next;
        }
        found
    }
}

/// The bytes of a location, where they are known.
pub(super) fn bytes(location: &Location) -> Option<Range<usize>> {
    let span = location.span();
    let (start, length) = (span.byte_offset()? as usize, span.byte_len()? as usize);
    Some(start..start + length)
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NodeVisitor)
    }
}

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_bool<E>(self, _: bool) -> Result<Node, E> {
        Ok(Node::Leaf)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Node, E> {
        Ok(Node::Leaf)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Node, E> {
        Ok(Node::Leaf)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Node, E> {
        Ok(Node::Leaf)
    }

    fn visit_str<E>(self, _: &str) -> Result<Node, E> {
        Ok(Node::Leaf)
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Leaf)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Node, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Node::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Node::Map(entries))
    }
}
