//! Takes secrets out of texts before they are kept or shown.
//!
//! It must not know where a text goes. Invariant: what a server says comes out without any secret that this run was given
//! (one that is also a public name apart, as it hides nothing) and without a login inside a URL.

use std::collections::BTreeSet;

use super::journal::trial::TrialRecord;
use crate::driver::types::Secret;

/// What stands in a secret's place.
const HIDDEN: &str = "***";
/// Below this many characters a secret is likely to be a part of any text.
const SHORT: usize = 4;
/// Letters alone are likely to be a word of ours below this many.
const WORD: usize = 16;

/// The secrets of a run.
#[derive(Clone, Default)]
pub struct Scrub {
    secrets: Vec<Secret>,
}

impl Scrub {
    /// For these secrets; the longest first, so that one that holds another is taken out whole. One that is the same as a
    /// public name, such as a target's or a user's, is left: everybody can read it anyway.
    pub fn new(mut secrets: Vec<Secret>, names: &BTreeSet<String>) -> Self {
        secrets.retain(|secret| !secret.expose().is_empty() && !names.contains(secret.expose()));
        secrets.sort_by_key(|secret| std::cmp::Reverse(secret.expose().len()));
        Scrub { secrets }
    }

    /// A text from outside without secrets. One that may be an ordinary word is taken out where it stands alone, any other
    /// wherever it is.
    pub fn clean(&self, text: &str) -> String {
        self.without(text, |_| true)
    }

    /// A text of our own or of the suite without secrets. One that may be an ordinary word is left, as it would make the text
    /// unreadable, and no secret is put into such a text.
    pub fn own(&self, text: &str) -> String {
        self.without(text, |secret| !may_be_a_word(secret))
    }

    /// A sentence of ours that quotes someone after its first `: `.
    pub fn sentence(&self, text: &str) -> String {
        let (ours, quoted) = text.split_at(text.find(": ").unwrap_or(text.len()));
        format!("{}{}", self.own(ours), self.clean(quoted))
    }

    fn without(&self, text: &str, wanted: impl Fn(&str) -> bool) -> String {
        let mut clean = without_logins(text);
        for secret in self.secrets.iter().map(Secret::expose).filter(|secret| wanted(secret)) {
            if clean.contains(secret) {
                clean =
                    if may_be_a_word(secret) { without_word(&clean, secret) } else { clean.replace(secret, HIDDEN) };
            }
        }
        clean
    }

    /// Takes secrets out of all texts of a record that came from outside.
    pub fn record(&self, record: &mut TrialRecord) {
        let clean = |text: &mut String| *text = self.clean(text);
        record.errors.iter_mut().for_each(|error| clean(&mut error.message));
        for sample in &mut record.samples {
            clean(&mut sample.statement);
            sample.rows.iter_mut().flatten().for_each(clean);
        }
        record.facts.iter_mut().for_each(|(_, value)| clean(value));
        for tuning in &mut record.tuning {
            tuning.read_back.iter_mut().for_each(clean);
        }
        if let Some(failure) = &mut record.failure {
            failure.what = self.sentence(&failure.what);
            failure.log.iter_mut().for_each(clean);
            failure.command.iter_mut().for_each(|command| *command = self.own(command));
        }
    }
}

/// Whether a secret can be met in a text that does not give it away.
fn may_be_a_word(secret: &str) -> bool {
    let length = secret.chars().count();
    length < SHORT || length < WORD && secret.chars().all(char::is_alphabetic)
}

/// The text with a word taken out where no letter or digit stands next to it.
fn without_word(text: &str, word: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut done = 0;
    for (at, _) in text.match_indices(word) {
        let end = at + word.len();
        let before = text[..at].chars().next_back().is_some_and(char::is_alphanumeric);
        let after = text[end..].chars().next().is_some_and(char::is_alphanumeric);
        if !before && !after {
            clean.push_str(&text[done..at]);
            clean.push_str(HIDDEN);
            done = end;
        }
    }
    clean.push_str(&text[done..]);
    clean
}

/// The text with `user:password@` taken out of every URL.
fn without_logins(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("://") {
        let (before, after) = rest.split_at(at + 3);
        clean.push_str(before);
        let end = after.find(|c: char| c.is_whitespace() || "/\"'<>`,]}".contains(c)).unwrap_or(after.len());
        rest = match after[..end].rfind('@') {
            Some(login) => {
                clean.push_str(HIDDEN);
                &after[login..]
            }
            None => after,
        };
    }
    clean.push_str(rest);
    clean
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::journal::trial::FailureRecord;

    #[test]
    fn t10_no_secret_is_left() {
        let scrub =
            Scrub::new(vec![Secret::new("tok-123"), Secret::new("s3cr3t-Pw"), Secret::new("")], &BTreeSet::new());
        assert_eq!(
            scrub.clean("login as root:s3cr3t-Pw at http://u:p@h:8086/x?token=tok-123, or https://a@b"),
            "login as root:*** at http://***@h:8086/x?token=***, or https://***@b"
        );
        assert_eq!(scrub.clean("see https://example.org/a@b"), "see https://example.org/a@b");
        let mut record = TrialRecord::new("c", "h", 1);
        record.failure =
            Some(FailureRecord { what: "s3cr3t-Pw".into(), log: vec!["tok-123".into()], ..Default::default() });
        scrub.record(&mut record);
        let text = serde_json::to_string(&record).unwrap();
        assert!(!text.contains("s3cr3t") && !text.contains("tok-123"), "{text}");
    }

    #[test]
    fn a_secret_that_is_a_word_leaves_our_own_words_readable() {
        let names = BTreeSet::from(["postgres".to_owned()]);
        let scrub = Scrub::new(vec![Secret::new("postgres"), Secret::new("ready"), Secret::new("on")], &names);
        let text = "postgres was not ready after 60 s: login on db with ready refused, already; postgres";
        let said = "postgres was not ready after 60 s: login *** db with *** refused, already; postgres";
        assert_eq!(scrub.sentence(text), said);
        assert_eq!(scrub.own("ready, on"), "ready, on");
        assert_eq!(scrub.clean("password=ready&u=on"), "password=***&u=***");
    }
}
