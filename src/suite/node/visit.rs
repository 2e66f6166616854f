//! The hand-written serde visitor that takes a YAML text apart, with the place of each part.
//!
//! It must not give types: it keeps what was typed. Invariant: each part has the byte range it was defined at.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::Spanned;
use serde_saphyr::options::{DuplicateKeyPolicy, NonFiniteFloatPolicy};

/// A part of a YAML text.
#[derive(Debug)]
pub(super) enum Part {
    /// A scalar; its text where the parser gives it as text, else its source text is what counts.
    Scalar(Option<String>),
    /// A list.
    List(Vec<Spanned<Part>>),
    /// A map; keys may be anything and may come twice.
    Map(Vec<(Spanned<Part>, Spanned<Part>)>),
}

/// Parses a text strictly: YAML 1.2 words, nothing converted, each repeated key handed over.
pub(super) fn parse(text: &str) -> Result<Spanned<Part>, serde_saphyr::Error> {
    let options = serde_saphyr::options! {
        strict_booleans: true,
        leading_zero_numbers_as_strings: true,
        underscored_numbers_as_strings: true,
        reject_unsupported_tags: true,
        non_finite_float_policy: NonFiniteFloatPolicy::AsString,
        duplicate_keys: DuplicateKeyPolicy::PassThrough,
        with_snippet: false,
        // An axis may have tens of thousands of values, while an alias bomb must end at once.
        budget: serde_saphyr::budget! { max_nodes: 500_000, max_depth: 64 },
        alias_limits: serde_saphyr::alias_limits! { max_total_replayed_events: 100_000 },
    };
    serde_saphyr::from_str_with_options(text, options)
}

impl<'de> Deserialize<'de> for Part {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PartVisitor)
    }
}

struct PartVisitor;

impl<'de> Visitor<'de> for PartVisitor {
    type Value = Part;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a scalar, a list or a map")
    }

    fn visit_bool<E: de::Error>(self, _: bool) -> Result<Part, E> {
        Ok(Part::Scalar(None))
    }

    fn visit_i64<E: de::Error>(self, _: i64) -> Result<Part, E> {
        Ok(Part::Scalar(None))
    }

    fn visit_u64<E: de::Error>(self, _: u64) -> Result<Part, E> {
        Ok(Part::Scalar(None))
    }

    fn visit_i128<E: de::Error>(self, _: i128) -> Result<Part, E> {
        Ok(Part::Scalar(None))
    }

    fn visit_u128<E: de::Error>(self, _: u128) -> Result<Part, E> {
        Ok(Part::Scalar(None))
    }

    fn visit_f64<E: de::Error>(self, _: f64) -> Result<Part, E> {
        Ok(Part::Scalar(None))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Part, E> {
        Ok(Part::Scalar(Some(text.to_owned())))
    }

    fn visit_string<E: de::Error>(self, text: String) -> Result<Part, E> {
        Ok(Part::Scalar(Some(text)))
    }

    fn visit_unit<E: de::Error>(self) -> Result<Part, E> {
        Ok(Part::Scalar(None))
    }

    fn visit_none<E: de::Error>(self) -> Result<Part, E> {
        Ok(Part::Scalar(None))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Part, A::Error> {
        let mut parts = Vec::new();
        while let Some(part) = access.next_element()? {
            parts.push(part);
        }
        Ok(Part::List(parts))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Part, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = access.next_entry()? {
            entries.push(entry);
        }
        Ok(Part::Map(entries))
    }
}
