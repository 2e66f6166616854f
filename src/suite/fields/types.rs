//! How a key is described: its name, what may stand behind it, what it is for.
//!
//! It must not know a particular key. Invariant: a description is static, so that all who go by it see the same.

/// A word that may be typed, and what it means.
pub(crate) type Word = (&'static str, &'static str);

/// What may stand behind a key.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    /// Any text.
    Text,
    /// The path of a file, as seen from the folder of the file that holds it.
    Path,
    /// A whole number, at least so large.
    Integer(u64),
    /// A decimal number.
    Number,
    /// on or off.
    Switch,
    /// A duration: 15m.
    Duration,
    /// A size: 4GiB.
    Size,
    /// A share: 1%.
    Share,
    /// A rate: 2000/s.
    Rate,
    /// One of these words.
    Words(&'static [Word]),
    /// One or more of these words, as a list.
    WordList(&'static [Word]),
    /// Any scalar; templates may stand in it.
    Value,
    /// A list.
    List(&'static Shape),
    /// One alone, or a list.
    OneOrMore(&'static Shape),
    /// A map with these keys.
    Map(&'static Table),
    /// A map with free keys.
    Entries {
        /// What a key names.
        key: &'static str,
        /// What stands behind each.
        value: &'static Shape,
    },
    /// Any of these.
    Either(&'static [Shape]),
    /// Exactly one workload's name, with its parameters.
    Workload,
}

/// One key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    /// Its name.
    pub(crate) name: &'static str,
    /// What may stand behind it.
    pub(crate) shape: Shape,
    /// What it is for: a sentence or two.
    pub(crate) about: &'static str,
    /// What is in force where it is not given; none: nothing, or it must be given.
    pub(crate) default: Option<&'static str>,
    /// Whether it must be given.
    pub(crate) required: bool,
}

impl Field {
    pub(super) const fn new(name: &'static str, shape: Shape, about: &'static str) -> Self {
        Field { name, shape, about, default: None, required: false }
    }

    pub(super) const fn or(mut self, default: &'static str) -> Self {
        self.default = Some(default);
        self
    }

    pub(super) const fn required(mut self) -> Self {
        self.required = true;
        self
    }
}

/// A map with fixed keys.
#[derive(Debug)]
pub(crate) struct Table {
    /// What it is called in messages: `a target`, `` `policy:` ``.
    pub(crate) name: &'static str,
    /// Its name in the schema.
    pub(crate) id: &'static str,
    /// What it is.
    pub(crate) about: &'static str,
    /// Its keys.
    pub(crate) fields: &'static [Field],
}

/// The dotted paths of all scalars below a table, such as `pacing.rate`.
pub(crate) fn paths(table: &'static Table) -> Vec<String> {
    let mut all = Vec::new();
    for field in table.fields {
        let shapes = match &field.shape {
            Shape::Either(shapes) => shapes,
            shape => std::slice::from_ref(shape),
        };
        for shape in shapes {
            match shape {
                Shape::Map(inner) => all.extend(paths(inner).iter().map(|path| format!("{}.{path}", field.name))),
                // A duration or a word: one path for both.
                _ if all.last().is_some_and(|last| last == field.name) => {}
                _ => all.push(field.name.to_owned()),
            }
        }
    }
    all
}
