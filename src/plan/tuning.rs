//! Checks tuning values against an adapter.
//!
//! It must not apply them. Invariant: a name that is not known is told with the nearest one and all there are.

use std::collections::BTreeMap;

use crate::adapter::types::{Adapter, Apply};
use crate::diagnostic::nearest;

/// What is wrong with an entry.
#[derive(Debug)]
pub(super) struct Wrong {
    /// The diagnostic's code.
    pub(super) code: &'static str,
    /// Whether its name is wrong, not its value.
    pub(super) in_name: bool,
    /// In words.
    pub(super) message: String,
    /// How to mend it, where the words do not say.
    pub(super) help: Option<String>,
}

impl From<String> for Wrong {
    fn from(message: String) -> Self {
        Wrong { code: "value", in_name: false, message, help: None }
    }
}

/// Checks a tuning value; `below` are the values that the data stand on was loaded with.
///
/// # Errors
/// What is wrong, in words.
pub(super) fn check(
    adapter: &Adapter,
    name: &str,
    value: &str,
    below: Option<&BTreeMap<String, String>>,
) -> Result<(), Wrong> {
    let Some(parameter) = adapter.file.tuning.get(name) else {
        return Err(Wrong { code: "unknown-tuning", in_name: true, message: unknown(adapter, name), help: None });
    };
    adapter.check_tuning(name, value).map_err(|error| Wrong {
        code: "tuning-value",
        help: error.help().map(str::to_owned),
        ..Wrong::from(format!("tuning.{error}"))
    })?;
    let shapes = matches!(parameter.apply, Apply::Schema | Apply::Database(_));
    let loaded_with = below.filter(|_| shapes).and_then(|tuning| tuning.get(name)).map(String::as_str);
    if below.is_some() && shapes && loaded_with != Some(value) {
        let with = loaded_with.map_or_else(|| "its default".to_owned(), |value| format!("`{value}`"));
        return Err(format!("tuning.{name} shapes the data, which were loaded with {with}, not with `{value}`").into());
    }
    Ok(())
}

fn unknown(adapter: &Adapter, name: &str) -> String {
    let known: Vec<&str> = adapter.file.tuning.keys().map(String::as_str).collect();
    let near = nearest(name, known.iter().copied()).map(|near| format!("; perhaps `{near}`")).unwrap_or_default();
    let list = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    format!("{} has no tuning parameter `{name}`{near}; there are: {list}", adapter.file.name)
}
