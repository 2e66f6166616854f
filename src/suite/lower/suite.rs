//! The suite itself.
//!
//! It must not know where its nodes came from. Invariant: names are gathered before anything that uses them is lowered.

use super::context::{Lower, key_text, with_nearest};
use crate::diagnostic::{Diagnostic, Severity, SourceMap};
use crate::suite::fields::{REPORT, SUITE, VERIFY};
use crate::suite::known::parameter;
use crate::suite::model::{
    AnswerCheck, Entry, Order, Policy, ReportSettings, Scenario, Suite, TargetSpec, Text, Verify,
};
use crate::suite::node::{Kind, Node};
use crate::value;
use crate::workload::kind::WorkloadKind;

/// The seed of a suite that gives none: iot-benchmark's DATA_SEED.
const SEED: u64 = 666;

/// The files that a report has where a suite does not say.
const FORMATS: [&str; 4] = ["html", "md", "csv", "json"];

/// What people write for `answers:`, with the word that they mean.
const ANSWERS_MEANT: [(&str, &str); 7] = [
    ("some", "sample"),
    ("few", "sample"),
    ("on", "all"),
    ("true", "all"),
    ("yes", "all"),
    ("off", "none"),
    ("false", "none"),
];

/// Words of templates, which can't be names.
const RESERVED: [&str; 7] = ["if", "else", "and", "or", "not", "true", "false"];

/// Whether a finding is about what cases are made of, and not about where a server is or what belongs to no workload at all.
fn is_about_cases(found: &Diagnostic) -> bool {
    let beside = ["connection-parameter", "plain-secret", "unsupported-tls", "unsupported-parameter"];
    found.severity == Severity::Error && !beside.contains(&found.code)
}

impl Lower<'_, '_> {
    /// Lowers a whole suite. What is given back where an error was found is good for finding more only.
    pub(crate) fn suite(&mut self, root: &Node) -> Option<Suite> {
        let fields = self.fields(root, &SUITE)?;
        self.gather(root);
        let vars = fields.get("vars").map(|node| self.variables(node)).unwrap_or_default();
        let all = self.kinds.clone();
        let name = fields.get("suite").and_then(|node| self.fixed(node, "the suite's name is expected"));
        let description = fields.get("description").and_then(|node| self.fixed(node, "a sentence is expected"));
        let seed = fields.get("seed").and_then(|node| self.value(node, "an integer is expected", value::unsigned));
        let rounds =
            fields.get("rounds").and_then(|node| self.value(node, "an integer is expected", super::load::at_least_one));
        let words = [("interleaved", Order::Interleaved), ("sequential", Order::Sequential)];
        let order = fields.get("order").and_then(|node| self.word(node, &words)).unwrap_or_default();
        let beneath = Policy::default();
        let policy = fields.get("policy").map(|node| self.policy(node, &beneath, true)).unwrap_or(beneath);
        self.scope.clone_from(&all);
        let targets = fields.get("targets").map(|node| self.targets(node)).unwrap_or_default();
        let sweep = fields.get("sweep").and_then(|node| self.sweep(node, &all));
        self.scope.clear();
        let scenarios = fields.get("scenarios").map(|node| self.scenarios(node, &targets, &policy)).unwrap_or_default();
        self.cases_are_wrong = self.found.iter().any(is_about_cases);
        let verify = self.verify(fields.get("verify"));
        let report = self.report(fields.get("report"), &targets);
        let mut suite = Suite {
            name: name.map(|name| name.text).unwrap_or_default(),
            description: description.map(|text| text.text),
            seed: seed.unwrap_or(SEED),
            vars,
            targets,
            scenarios,
            sweep,
            rounds: rounds.unwrap_or(1),
            order,
            policy,
            verify,
            report,
            assertions: Vec::new(),
            overrides: Vec::new(),
            only: Vec::new(),
            sources: SourceMap::default(),
        };
        suite.assertions = fields.get("assert").map(|node| self.assertions(node, &suite)).unwrap_or_default();
        Some(suite)
    }

    /// The names of vars, workloads, targets and adapters, whatever else is wrong with what bears them.
    fn gather(&mut self, root: &Node) {
        let items = |name: &str| match root.get(name).map(|node| &node.kind) {
            Some(Kind::List(nodes)) => nodes.as_slice(),
            _ => &[],
        };
        for node in items("scenarios") {
            let workload = node.get("workload");
            let named = workload.and_then(Node::text).map(|text| text.text);
            let keys = workload.and_then(Node::map).unwrap_or_default().iter().map(|(key, _)| key.text.clone());
            for kind in named.into_iter().chain(keys).filter_map(|name| self.known.kind(&name)) {
                if !self.kinds.iter().any(|known: &&'static dyn WorkloadKind| known.name() == kind.name()) {
                    self.kinds.push(kind);
                }
            }
        }
        for node in items("targets") {
            let names = [Some(node), node.get("name"), node.get("adapter")];
            for name in names.into_iter().flatten().filter_map(Node::text) {
                if !self.owners.contains(&name.text) {
                    self.owners.push(name.text);
                }
            }
        }
    }

    fn variables(&mut self, node: &Node) -> Vec<Entry> {
        let mut vars = Vec::new();
        for (key, node) in self.entries(node, "variables by name are expected") {
            let name = key_text(key);
            let first = name.text.chars().next();
            let is_name = first.is_some_and(|c| c.is_alphabetic() || c == '_')
                && name.text.chars().all(|c| c.is_alphanumeric() || c == '_')
                && !RESERVED.contains(&name.text.as_str());
            if !is_name {
                let message = format!(
                    "`{}` can't be a variable: letters, digits and `_` are what its name is made of",
                    name.text
                );
                self.say(Diagnostic::error("bad-name", message).at(name.span, ""));
            }
            if let Some(spec) = self.kinds.iter().find_map(|kind| parameter(*kind, &name.text)) {
                let message = format!("the variable `{}` hides the workload's parameter `{}`", name.text, spec.name);
                self.say(Diagnostic::error("bad-name", message).at(name.span, "").help("give it another name"));
            }
            if let Some(value) = self.text(node, &format!("`{}` takes one value", name.text)) {
                vars.push(Entry { key: name.clone(), value });
            }
            self.vars.push(name.text);
        }
        vars
    }

    fn verify(&mut self, node: Option<&Node>) -> Verify {
        let mut verify = Verify { counts: true, answers: AnswerCheck::default() };
        let Some(fields) = node.and_then(|node| self.fields(node, &VERIFY)) else { return verify };
        let counts = fields.get("counts").and_then(|node| self.value(node, "on or off is expected", value::switch));
        verify.counts = counts.unwrap_or(verify.counts);
        let words = [("all", AnswerCheck::All), ("sample", AnswerCheck::Sample), ("none", AnswerCheck::None)];
        let answers = fields.get("answers").and_then(|node| self.word_meant(node, &words, &ANSWERS_MEANT));
        verify.answers = answers.unwrap_or(verify.answers);
        verify
    }

    fn report(&mut self, node: Option<&Node>, targets: &[TargetSpec]) -> ReportSettings {
        let every = || FORMATS.map(str::to_owned).to_vec();
        let Some(fields) = node.and_then(|node| self.fields(node, &REPORT)) else {
            return ReportSettings { baseline: None, formats: every() };
        };
        let baseline = fields.get("baseline").and_then(|node| self.fixed(node, "a target's name is expected"));
        if let Some(name) = baseline.as_ref().filter(|name| !targets.iter().any(|target| target.name.text == name.text))
        {
            self.no_target(name, targets);
        }
        let formats = match fields.get("formats") {
            None => every(),
            Some(node) => {
                let words = FORMATS.map(|word| (word, word));
                let nodes = self.one_or_more(node);
                nodes.iter().filter_map(|node| self.word(node, &words)).map(str::to_owned).collect()
            }
        };
        ReportSettings { baseline: baseline.map(|name| name.text), formats }
    }

    fn no_target(&mut self, name: &Text, targets: &[TargetSpec]) {
        // A target that could not be lowered has been told of; its name is still known.
        if self.owners.contains(&name.text) && !self.known.adapters.iter().any(|adapter| adapter.name == name.text) {
            return;
        }
        let names: Vec<&str> = targets.iter().map(|target| target.name.text.as_str()).collect();
        let found =
            Diagnostic::error("unknown-target", format!("there is no target `{}`", name.text)).at(name.span, "");
        let found = with_nearest(found, &name.text, names.iter().copied());
        self.say(found.help(format!("the targets are: {}", names.join(", "))));
    }

    /// The names of the axes that a suite's sweeps have, and of the variables and parameters that can be labels.
    pub(super) fn is_axis_of(&self, name: &str, suite: &Suite) -> bool {
        let sweeps =
            suite.sweep.iter().chain(suite.scenarios.iter().filter_map(|scenario: &Scenario| scenario.sweep.as_ref()));
        // An axis of the data that a scenario stands on may have that one's name before it.
        let of_scenario = |(scenario, axis)| suite.scenarios.iter().any(|s| s.name.text == scenario).then_some(axis);
        let below = name.split_once('.').and_then(of_scenario);
        let is = |axis: &str| {
            let names = std::iter::once(name).chain(below);
            names.into_iter().any(|name| super::axes::same_axis(axis, name, &self.kinds))
        };
        sweeps.flat_map(super::axes::axis_names).any(is)
    }
}
