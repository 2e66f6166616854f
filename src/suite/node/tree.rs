//! The types of the tree.
//!
//! They must not know what a key means. Invariant: a scalar's text is what was typed, quotes and escapes resolved.

use crate::diagnostic::Span;
use crate::suite::model::Text;

/// How a scalar was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// Without quotes.
    Plain,
    /// In single or double quotes.
    Quoted,
    /// As a block, after `|` or `>`.
    Block,
}

/// A scalar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Scalar {
    /// Its text.
    pub(crate) text: String,
    /// How it was written.
    pub(crate) style: Style,
}

/// A map's key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    /// Its text.
    pub(crate) text: String,
    /// Where it stands.
    pub(crate) span: Span,
}

/// What a node is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A scalar; a value left out is an empty plain one.
    Scalar(Scalar),
    /// A list.
    List(Vec<Node>),
    /// A map, in the order typed.
    Map(Vec<(Key, Node)>),
}

/// A node with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    /// From its first to its last character; a list or map may end before its closing bracket.
    pub(crate) span: Span,
    /// What it is.
    pub(crate) kind: Kind,
}

impl Node {
    /// Whether nothing was typed: no text, `~` or `null`.
    pub(crate) fn is_null(&self) -> bool {
        matches!(&self.kind, Kind::Scalar(scalar) if scalar.is_null())
    }

    /// The scalar, where it is one that is not null.
    pub(crate) fn scalar(&self) -> Option<&Scalar> {
        match &self.kind {
            Kind::Scalar(scalar) if !scalar.is_null() => Some(scalar),
            _ => None,
        }
    }

    /// The scalar's text with its place, where it is one that is not null.
    pub(crate) fn text(&self) -> Option<Text> {
        self.scalar().map(|scalar| Text { text: scalar.text.clone(), span: self.span })
    }

    /// The entries, where it is a map.
    pub(crate) fn map(&self) -> Option<&[(Key, Node)]> {
        match &self.kind {
            Kind::Map(entries) => Some(entries),
            _ => None,
        }
    }

    /// The value of a key, where it is a map that has it.
    pub(crate) fn get(&self, name: &str) -> Option<&Node> {
        self.map()?.iter().find(|(key, _)| key.text == name).map(|(_, node)| node)
    }

    /// What it is, in words: "`ten`", "a list".
    pub(crate) fn describe(&self) -> String {
        match &self.kind {
            Kind::Scalar(scalar) if scalar.is_null() => "nothing".to_owned(),
            Kind::Scalar(scalar) => format!("`{}`", shortened(&scalar.text)),
            Kind::List(_) => "a list".to_owned(),
            Kind::Map(_) => "a map".to_owned(),
        }
    }
}

impl Scalar {
    /// Whether nothing was typed: no text, `~` or `null`, without quotes.
    pub(crate) fn is_null(&self) -> bool {
        self.style == Style::Plain && matches!(self.text.as_str(), "" | "~" | "null" | "Null" | "NULL")
    }
}

/// The first line of a text, cut where it is long: enough to know it by.
pub(crate) fn shortened(text: &str) -> String {
    const LONGEST: usize = 60;
    let line = text.lines().next().unwrap_or_default();
    if line.chars().count() <= LONGEST && line.len() == text.trim_end().len() {
        return line.to_owned();
    }
    let start: String = line.chars().take(LONGEST).collect();
    format!("{start}…")
}
