//! The load's shape: entries by dotted path, templates left for the plan.
//!
//! It must not evaluate templates. Invariant: what holds no template has been read once, so it is right.

use super::context::{Fields, Lower};
use crate::diagnostic::Diagnostic;
use crate::suite::fields::{LOAD, PACING, WARMUP};
use crate::suite::model::{Entry, LoadSpec, Text};
use crate::suite::node::{Key, Kind, Node};
use crate::value::{self, ValueError};

impl Lower<'_, '_> {
    /// `load:` of a scenario.
    pub(super) fn load(&mut self, node: &Node) -> LoadSpec {
        let mut load = LoadSpec::default();
        let Some(fields) = self.fields(node, &LOAD) else { return load };
        self.entry(&mut load, &fields, "clients", "clients", at_least_one);
        if let Some((key, node)) = fields.entry("cores").filter(|(_, node)| !node.is_null()) {
            let template = node.text().filter(Text::is_template);
            let value = template.or_else(|| self.cores(node));
            load.entries.extend(value.map(|value| named(key, "cores", value)));
        }
        self.entry(&mut load, &fields, "duration", "duration", above_zero);
        self.warmup(&mut load, &fields);
        self.pacing(&mut load, &fields);
        load
    }

    /// Reads one scalar and keeps it by its path; a template is kept as it is.
    fn entry<T>(
        &mut self,
        load: &mut LoadSpec,
        fields: &Fields<'_>,
        name: &str,
        path: &str,
        read: impl Fn(&str) -> Result<T, ValueError>,
    ) {
        let Some((key, node)) = fields.entry(name).filter(|(_, node)| !node.is_null()) else { return };
        let Some(value) = self.text(node, &format!("`{name}` takes one value")) else { return };
        if value.is_template() || self.read(&value, read).is_some() {
            load.entries.push(named(key, path, value));
        }
    }

    fn warmup(&mut self, load: &mut LoadSpec, fields: &Fields<'_>) {
        let Some(node) = fields.get("warmup") else { return };
        if !matches!(node.kind, Kind::Map(_)) {
            return self.entry(load, fields, "warmup", "warmup", value::duration);
        }
        let Some(inner) = self.fields(node, &WARMUP) else { return };
        self.entry(load, &inner, "operations", "warmup.operations", at_least_one);
    }

    fn pacing(&mut self, load: &mut LoadSpec, fields: &Fields<'_>) {
        let Some((key, node)) = fields.entry("pacing").filter(|(_, node)| !node.is_null()) else { return };
        if let Kind::Scalar(_) = node.kind {
            let closed = self.word(node, &[("closed", "closed")]);
            load.entries
                .extend(closed.map(|word| named(key, "pacing", Text { text: word.to_owned(), span: node.span })));
            return;
        }
        let Some(inner) = self.fields(node, &PACING) else { return };
        match (inner.entry("rate"), inner.entry("min_interval"), inner.entry("arrival")) {
            (Some((rate, _)), Some((interval, _)), _) => {
                let message =
                    "an open loop has a `rate`, a closed one may have a `min_interval`; both are given".to_owned();
                self.twice(message, interval.span, rate.span, "keep one of them");
            }
            (None, Some(_), Some((arrival, _))) | (None, None, Some((arrival, _))) => {
                let found = Diagnostic::error("missing-key", "`arrival` needs a `rate`").at(arrival.span, "");
                self.say(found.help("write pacing: { rate: 2000/s, arrival: poisson }"));
            }
            (None, None, None) => {
                let found = Diagnostic::error("missing-key", "`pacing:` needs a `rate` or a `min_interval`");
                self.say(found.at(node.span, "").help("or write pacing: closed"));
            }
            _ => {}
        }
        self.entry(load, &inner, "rate", "pacing.rate", value::rate);
        self.entry(load, &inner, "arrival", "pacing.arrival", |_| Ok(()));
        if let Some(node) = inner.get("arrival").filter(|node| !node.text().is_some_and(|text| text.is_template())) {
            let _ = self.word(node, &[("uniform", ()), ("poisson", ())]);
        }
        self.entry(load, &inner, "min_interval", "pacing.min_interval", |text| {
            if text == "point_step" { Ok(()) } else { above_zero(text).map(|_| ()) }
        });
    }
}

fn named(key: &Key, path: &str, value: Text) -> Entry {
    Entry { key: Text { text: path.to_owned(), span: key.span }, value }
}

/// A whole number from 1 on.
pub(super) fn at_least_one(text: &str) -> Result<u32, ValueError> {
    let number = value::unsigned(text)?;
    let fits = u32::try_from(number).ok().filter(|number| *number > 0);
    fits.ok_or_else(|| ValueError::Range { typed: text.to_owned(), expected: "an integer from 1 to 4294967295" })
}

/// A duration above 0.
pub(super) fn above_zero(text: &str) -> Result<std::time::Duration, ValueError> {
    let time = value::duration(text)?;
    let too_short = || ValueError::Range { typed: text.to_owned(), expected: "a duration above 0" };
    if time.is_zero() { Err(too_short()) } else { Ok(time) }
}
