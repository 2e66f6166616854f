//! Policies: the suite's, and what a scenario has of its own over it.
//!
//! They must not know how a limit is kept. Invariant: what is not given is as in the policy beneath.

use super::context::Lower;
use super::load::above_zero;
use crate::diagnostic::Diagnostic;
use crate::suite::fields::{ON_ERROR, POLICY};
use crate::suite::model::{Policy, Reset};
use crate::suite::node::{Kind, Node};
use crate::value::{self, ValueError};

/// The words of `reset:`.
pub(super) const RESETS: [(&str, Reset); 4] =
    [("case", Reset::Case), ("target", Reset::Target), ("truncate", Reset::Truncate), ("never", Reset::Never)];

impl Lower<'_, '_> {
    /// `policy:`, over the policy beneath; `top` where it is the suite's own.
    pub(super) fn policy(&mut self, node: &Node, beneath: &Policy, top: bool) -> Policy {
        let mut policy = beneath.clone();
        let Some(fields) = self.fields(node, &POLICY) else { return policy };
        if let Some(node) = fields.get("on_error") {
            self.on_error(node, &mut policy);
        }
        let time = |lower: &mut Self, name: &str| {
            let node = fields.get(name)?;
            lower.value(node, "a duration is expected, such as 30m", above_zero)
        };
        policy.timeout = time(self, "timeout").or(policy.timeout);
        policy.write_timeout = time(self, "write_timeout").unwrap_or(policy.write_timeout);
        policy.query_timeout = time(self, "query_timeout").unwrap_or(policy.query_timeout);
        policy.stall_timeout = time(self, "stall_timeout").unwrap_or(policy.stall_timeout);
        policy.suite_timeout = time(self, "suite_timeout").or(policy.suite_timeout);
        if let Some((key, _)) = fields.entry("suite_timeout").filter(|_| !top) {
            let found = Diagnostic::error("unknown-key", "`suite_timeout` is for the whole suite, not for a scenario");
            self.say(found.at(key.span, "").help("put it under `policy:` at the top of the suite, or write `timeout`"));
        }
        let retries = fields.get("retries").and_then(|node| self.value(node, "an integer is expected", count));
        policy.retries = retries.unwrap_or(policy.retries);
        policy.reset = fields.get("reset").and_then(|node| self.word(node, &RESETS)).unwrap_or(policy.reset);
        let refused = fields.get("on_refused").and_then(|node| self.word(node, &[("fail", false), ("default", true)]));
        policy.refused_to_default = refused.unwrap_or(policy.refused_to_default);
        policy
    }

    fn on_error(&mut self, node: &Node, policy: &mut Policy) {
        if !matches!(node.kind, Kind::Map(_)) {
            let abort = self.word(node, &[("continue", false), ("abort", true)]);
            policy.abort = abort.unwrap_or(policy.abort);
            return;
        }
        let Some(fields) = self.fields(node, &ON_ERROR) else { return };
        let share = fields.get("threshold").and_then(|node| self.value(node, "a share is expected", value::share));
        if let Some(share) = share {
            (policy.abort, policy.threshold) = (false, share);
        }
    }
}

fn count(text: &str) -> Result<u32, ValueError> {
    let number = value::unsigned(text)?;
    u32::try_from(number)
        .map_err(|_| ValueError::Range { typed: text.to_owned(), expected: "an integer to 4294967295" })
}
