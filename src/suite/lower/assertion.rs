//! Assertions: `MEASURE(SELECTOR, …) OP VALUE` or `… OP FACTOR * baseline`.
//!
//! They must not know results. Invariant: measure, operator, value and every name in a selector are known.

use std::ops::Range;

use super::context::{Lower, with_nearest};
use crate::diagnostic::{Diagnostic, Span, nearest};
use crate::suite::model::{Assertion, Suite, Text};
use crate::suite::node::Node;
use crate::suite::template::place;
use crate::value;
use crate::workload::operation::OperationKind;

/// What a measure counts in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    /// Seconds, written as a duration.
    Time,
    /// Points, rows or operations a second, written as a number or a rate.
    Rate,
    /// A share, written as 1% or 0.01.
    Share,
    /// Bytes, written as a size.
    Bytes,
    /// Processor cores, written as a number.
    Cores,
}

/// The measures, by the report's names, with what each counts in.
const MEASURES: [(&str, Unit); 25] = [
    ("throughput", Unit::Rate),
    ("rows", Unit::Rate),
    ("operations", Unit::Rate),
    ("attempted", Unit::Rate),
    ("mean", Unit::Time),
    ("p50", Unit::Time),
    ("p90", Unit::Time),
    ("p95", Unit::Time),
    ("p99", Unit::Time),
    ("p999", Unit::Time),
    ("max", Unit::Time),
    ("response_mean", Unit::Time),
    ("response_p50", Unit::Time),
    ("response_p90", Unit::Time),
    ("response_p99", Unit::Time),
    ("response_p999", Unit::Time),
    ("response_max", Unit::Time),
    ("errors", Unit::Share),
    ("elapsed", Unit::Time),
    ("settle_time", Unit::Time),
    ("disk", Unit::Bytes),
    ("disk_flushed", Unit::Bytes),
    ("stored", Unit::Share),
    ("cpu", Unit::Cores),
    ("memory", Unit::Bytes),
];

/// The names of the measures that assertions may be about.
pub fn measures() -> impl Iterator<Item = &'static str> {
    MEASURES.iter().map(|(name, _)| *name)
}

/// Longer operators come before those that they begin with.
const OPERATORS: [&str; 5] = ["<=", ">=", "==", "<", ">"];

/// What is wrong, where in the text, and what helps.
type Refused = (Range<usize>, String, Option<String>);

impl Lower<'_, '_> {
    /// `assert:`.
    pub(super) fn assertions(&mut self, node: &Node, suite: &Suite) -> Vec<(Assertion, Span)> {
        let texts = self.texts(Some(node), "an assertion is expected, such as p99(scenario=ingest) <= 50ms");
        let mut all = Vec::new();
        for text in texts {
            match parse(&text.text) {
                Ok(parsed) => {
                    let selectors = self.selectors(&text, parsed.selectors, suite);
                    self.needs_baseline(&text, &parsed.assertion, suite);
                    all.push((Assertion { selectors, ..parsed.assertion }, text.span));
                }
                Err((range, message, help)) => {
                    let found = Diagnostic::error("assertion", message).at(place(&text, &range), "");
                    let found = help.into_iter().fold(found, Diagnostic::help);
                    self.say(found.help("an assertion is MEASURE(SELECTOR, …) OP VALUE, or … OP FACTOR * baseline"));
                }
            }
        }
        all
    }

    fn needs_baseline(&mut self, text: &Text, assertion: &Assertion, suite: &Suite) {
        if assertion.of_baseline && suite.report.baseline.is_none() {
            let found =
                Diagnostic::error("assertion", "the assertion compares with the baseline, and the suite names none");
            self.say(found.at(text.span, "").help("name it: report: { baseline: TARGET }"));
        }
    }

    /// Selectors by name; a bare word is a target's or a scenario's name.
    fn selectors(&mut self, text: &Text, parts: Vec<Range<usize>>, suite: &Suite) -> Vec<(String, String)> {
        let mut selectors = Vec::new();
        for range in parts {
            let part = &text.text[range.clone()];
            match self.selector(part, suite) {
                Ok(selector) => selectors.push(selector),
                Err(found) => self.say((*found).at(place(text, &range), "")),
            }
        }
        selectors
    }

    /// What `--only` selects: the selectors of each flag.
    pub(crate) fn only(&mut self, flags: &[String], suite: &Suite) -> Vec<Vec<(String, String)>> {
        let mut all = Vec::new();
        for flag in flags {
            let mut selectors = Vec::new();
            for part in flag.split(',').map(str::trim).filter(|part| !part.is_empty()) {
                match self.selector(part, suite) {
                    Ok((name, _)) if name == "operation" => {
                        let message =
                            "`--only`: a case is selected by target, scenario and axis values, not by operation";
                        self.say(Diagnostic::error("override", message));
                    }
                    Ok(selector) => selectors.push(selector),
                    Err(found) => {
                        let message = format!("`--only {flag}`: {}", found.message);
                        self.say(Diagnostic { code: "override", message, ..*found });
                    }
                }
            }
            if flag.trim().is_empty() {
                self.say(Diagnostic::error("override", "`--only` selects nothing: write --only target=NAME,LOOP=10"));
            }
            all.push(selectors);
        }
        all
    }

    /// One selector: `target=NAME`, `scenario=NAME`, `operation=NAME`, AXIS=VALUE, or a target's or scenario's name alone.
    pub(super) fn selector(&self, part: &str, suite: &Suite) -> Result<(String, String), Box<Diagnostic>> {
        let targets: Vec<&str> = suite.targets.iter().map(|target| target.name.text.as_str()).collect();
        let scenarios: Vec<&str> = suite.scenarios.iter().map(|scenario| scenario.name.text.as_str()).collect();
        let operations: Vec<&str> = OperationKind::ALL.iter().map(|kind| kind.short()).collect();
        let Some((name, wanted)) = part.split_once('=').map(|(name, wanted)| (name.trim(), wanted.trim())) else {
            if targets.contains(&part) {
                return Ok(("target".to_owned(), part.to_owned()));
            }
            if scenarios.contains(&part) {
                return Ok(("scenario".to_owned(), part.to_owned()));
            }
            let found = Diagnostic::error("unknown-selector", format!("`{part}` is neither a target nor a scenario"));
            let found = with_nearest(found, part, targets.iter().chain(&scenarios).copied());
            let found = found.help(format!("the targets are: {}", targets.join(", ")));
            return Err(Box::new(found.help(format!("the scenarios are: {}", scenarios.join(", ")))));
        };
        let known = match name {
            "target" => targets,
            "scenario" => scenarios,
            "operation" => operations,
            axis if self.is_axis_of(axis, suite) => return Ok((axis.to_owned(), wanted.to_owned())),
            axis => {
                let found = Diagnostic::error("unknown-selector", format!("no sweep has the axis `{axis}`"));
                let found = with_nearest(found, axis, ["target", "scenario", "operation"]);
                return Err(Box::new(found.help(
                    "a selector is target=, scenario=, operation=, AXIS=VALUE, or a target's or scenario's name",
                )));
            }
        };
        let operation = OperationKind::ALL.iter().find(|kind| {
            name == "operation" && [kind.name(), kind.short()].iter().any(|known| known.eq_ignore_ascii_case(wanted))
        });
        if let Some(operation) = operation {
            return Ok((name.to_owned(), operation.name().to_owned()));
        }
        if known.contains(&wanted) {
            return Ok((name.to_owned(), wanted.to_owned()));
        }
        let found = Diagnostic::error("unknown-selector", format!("there is no {name} `{wanted}`"));
        let found = with_nearest(found, wanted, known.iter().copied());
        Err(Box::new(found.help(format!("the {name}s are: {}", known.join(", ")))))
    }
}

/// An assertion whose selectors are still ranges of its text.
struct Parsed {
    assertion: Assertion,
    selectors: Vec<Range<usize>>,
}

fn parse(text: &str) -> Result<Parsed, Refused> {
    let whole = 0..text.len();
    let at = OPERATORS.iter().filter_map(|operator| {
        let after = text.find(')').unwrap_or(0);
        text[after..].find(operator).map(|at| (after + at, *operator))
    });
    // The first operator in the text; of two that begin at one place the longer, which is listed first.
    let Some((at, comparison)) = at.min_by_key(|(at, operator)| (*at, usize::MAX - operator.len())) else {
        return Err((
            whole,
            "the assertion has no comparison: one of <=, <, >=, > and == is expected".to_owned(),
            None,
        ));
    };
    let (measure, selectors) = subject(text, at)?;
    let known = MEASURES.iter().find(|(name, _)| *name == measure);
    let Some((_, unit)) = known else {
        let near = nearest(measure, measures()).map(|near| format!("perhaps `{near}`"));
        let message =
            format!("there is no measure `{measure}`: there are {}", measures().collect::<Vec<_>>().join(", "));
        return Err((0..measure.len(), message, near));
    };
    let after = &text[at + comparison.len()..];
    let start = text.len() - after.trim_start().len();
    let (value, of_baseline) = amount(after.trim(), *unit).map_err(|message| (start..text.len(), message, None))?;
    let assertion = Assertion {
        text: text.to_owned(),
        measure: measure.to_owned(),
        selectors: Vec::new(),
        comparison: comparison.to_owned(),
        value,
        of_baseline,
    };
    Ok(Parsed { assertion, selectors })
}

/// The measure's name and the ranges of its selectors.
fn subject(text: &str, end: usize) -> Result<(&str, Vec<Range<usize>>), Refused> {
    let left = text[..end].trim_end();
    let Some(open) = left.find('(') else { return Ok((left.trim(), Vec::new())) };
    let Some(inner) = left[open + 1..].strip_suffix(')') else {
        return Err((open..left.len(), "`)` is expected after the selectors".to_owned(), None));
    };
    let mut selectors = Vec::new();
    let mut start = open + 1;
    for part in inner.split(',') {
        let from = start + (part.len() - part.trim_start().len());
        if part.trim().is_empty() && !inner.trim().is_empty() {
            return Err((start..start + part.len(), "a selector is expected here".to_owned(), None));
        }
        if !part.trim().is_empty() {
            selectors.push(from..from + part.trim().len());
        }
        start += part.len() + 1;
    }
    Ok((left[..open].trim(), selectors))
}

/// The number compared with, and whether it is a factor of the baseline's.
fn amount(text: &str, unit: Unit) -> Result<(f64, bool), String> {
    if text == "baseline" {
        return Ok((1.0, true));
    }
    let factor = text.strip_suffix("baseline").and_then(|rest| rest.trim_end().strip_suffix('*'));
    if let Some(factor) = factor {
        let factor = factor.trim();
        return value::decimal(factor)
            .or_else(|_| value::share(factor))
            .map(|factor| (factor, true))
            .map_err(|error| error.to_string());
    }
    let read = match unit {
        Unit::Time => value::duration(text).map(|time| time.as_secs_f64()),
        Unit::Rate => value::rate(text).or_else(|_| value::decimal(text)),
        Unit::Share => value::share(text),
        Unit::Bytes => value::size(text).map(|bytes| bytes as f64),
        Unit::Cores => value::decimal(text),
    };
    read.map(|value| (value, false)).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        match parse(text) {
            Ok(Parsed { assertion, selectors }) => {
                let selectors: Vec<&str> = selectors.into_iter().map(|range| &text[range]).collect();
                let (measure, comparison, value) = (assertion.measure, assertion.comparison, assertion.value);
                let baseline = if assertion.of_baseline { " of baseline" } else { "" };
                format!("{measure} {selectors:?} {comparison} {value}{baseline}")
            }
            Err((range, message, _)) => format!("{range:?} {message}"),
        }
    }

    #[test]
    fn assertions_are_taken_apart() {
        for (text, wanted) in [
            ("p99(scenario=ingest) <= 50ms", "p99 [\"scenario=ingest\"] <= 0.05"),
            ("throughput(sqlite) >= 0.9 * baseline", "throughput [\"sqlite\"] >= 0.9 of baseline"),
            ("throughput(sqlite,LOOP=10)>=90% *baseline", "throughput [\"sqlite\", \"LOOP=10\"] >= 0.9 of baseline"),
            ("throughput >= 2k/s", "throughput [] >= 2000"),
            ("throughput() > baseline", "throughput [] > 1 of baseline"),
            ("errors(a) == 0%", "errors [\"a\"] == 0"),
            ("disk( a , b ) < 4KiB", "disk [\"a\", \"b\"] < 4096"),
        ] {
            assert_eq!(shown(text), wanted, "{text}");
        }
    }

    #[test]
    fn what_is_no_assertion_is_refused() {
        for (text, wanted) in [
            ("p99(a)", "0..6 the assertion has no comparison: one of <=, <, >=, > and == is expected"),
            ("p99(a <= 5ms", "3..5 `)` is expected after the selectors"),
            ("p99(a,,b) <= 5ms", "6..6 a selector is expected here"),
            ("p99(a) <= 5", "10..11 `5` is not a duration, such as 500ms, 5s, 15m, 1h30m or 2.58d"),
            ("stored(a) >= many", "13..17 `many` is not a share, such as 1% or 0.01"),
        ] {
            assert_eq!(shown(text), wanted, "{text}");
        }
        assert!(shown("p98(a) <= 5ms").starts_with("0..3 there is no measure `p98`"));
    }

    proptest::proptest! {
        #[test]
        fn nothing_panics(text in "[a-c9(),<>=* ßbaseline%p]{0,40}") {
            let _ = shown(&text);
        }
    }
}
