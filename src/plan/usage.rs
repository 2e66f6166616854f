//! Which variables texts use, through other variables too.
//!
//! It must not evaluate. Invariant: a text that does not compile uses nothing; whoever resolves it says what is wrong.

use std::collections::HashSet;

use crate::suite::model::{Entry, Text};
use crate::suite::template::Template;

/// The variables that texts use.
pub(super) fn variables(texts: impl Iterator<Item = Text>, vars: &[Entry]) -> HashSet<String> {
    let mut used = HashSet::new();
    let mut open: Vec<Text> = texts.filter(Text::is_template).collect();
    while let Some(text) = open.pop() {
        let Ok(template) = Template::compile(&text.text) else { continue };
        for name in template.names() {
            let Some(entry) = vars.iter().find(|entry| entry.key.text == *name) else { continue };
            if used.insert(name.clone()) && entry.value.is_template() {
                open.push(entry.value.clone());
            }
        }
    }
    used
}
