//! Scenarios.
//!
//! They must not know what a workload does. Invariant: names are unique among targets and scenarios together.

use super::context::{Lower, key_text, with_nearest};
use super::parameters::Beside;
use crate::diagnostic::Diagnostic;
use crate::suite::fields::SCENARIO;
use crate::suite::model::{Entry, LoadSpec, Policy, Scenario, State, TargetSpec, Text};
use crate::suite::node::{Kind, Node};
use crate::workload::kind::WorkloadKind;

impl Lower<'_, '_> {
    /// All scenarios.
    pub(super) fn scenarios(&mut self, node: &Node, targets: &[TargetSpec], policy: &Policy) -> Vec<Scenario> {
        let nodes = self.list(node, "a list of scenarios is expected").unwrap_or_default();
        if nodes.is_empty() && matches!(node.kind, Kind::List(_)) {
            let found = Diagnostic::error("missing-key", "a suite needs a scenario, and this list is empty");
            self.say(found.at(node.span, ""));
        }
        let mut scenarios: Vec<Scenario> = Vec::new();
        for node in nodes {
            let Some(scenario) = self.scenario(node, policy) else { continue };
            let name = &scenario.name;
            let target = targets.iter().map(|target| &target.name).find(|other| other.text == name.text);
            let earlier = scenarios.iter().map(|earlier| &earlier.name).find(|other| other.text == name.text);
            if let Some(other) = target.or(earlier) {
                let both = if target.is_some() { "a target and a scenario" } else { "two scenarios" };
                let message = format!("{both} are called `{}`", name.text);
                let (again, first) = (name.span, other.span);
                self.twice(message, again, first, "give each a name of its own: assertions select by it");
            }
            scenarios.push(scenario);
        }
        self.standing(&scenarios, nodes);
        scenarios
    }

    fn scenario(&mut self, node: &Node, beneath: &Policy) -> Option<Scenario> {
        let fields = self.fields(node, &SCENARIO)?;
        let name = fields.get("name").and_then(|node| self.fixed(node, "a name is expected"));
        let name = name.and_then(|text| self.name(text));
        let on = fields.get("on").and_then(|node| self.fixed(node, "a scenario's name is expected"));
        let words = [("warm", State::Warm), ("cold", State::Cold)];
        let state = fields.get("state").and_then(|node| self.word(node, &words)).unwrap_or_default();
        let workload = fields.get("workload").and_then(|node| self.workload(node));
        self.scope = workload.iter().map(|(kind, _, _)| *kind).collect();
        let mut load = fields.get("load").map(|node| self.load(node)).unwrap_or_default();
        let policy_node = fields.get("policy");
        let mut policy = policy_node.map_or_else(|| beneath.clone(), |node| self.policy(node, beneath, false));
        let parameters = workload.as_ref().map(|(kind, _, node)| {
            self.parameters(*kind, node, Beside { load: &mut load, policy: &mut policy, policy_node })
        });
        let tuning = fields.get("tuning").map(|node| self.tuning(node)).unwrap_or_default();
        let sweep = match (fields.get("sweep"), &workload) {
            (Some(node), Some((kind, _, _))) => self.sweep(node, &[*kind]),
            _ => None,
        };
        self.scope.clear();
        let (_, workload, _) = workload?;
        let parameters: Vec<Entry> = parameters?;
        let load: LoadSpec = load;
        Some(Scenario { name: name?, on, state, workload, parameters, load, tuning, sweep, policy, span: node.span })
    }

    /// Exactly one kind of workload, with the node of its parameters.
    fn workload<'n>(&mut self, node: &'n Node) -> Option<(&'static dyn WorkloadKind, Text, &'n Node)> {
        let (name, parameters) = match &node.kind {
            Kind::Map(entries) => match entries.as_slice() {
                [(key, parameters)] => (key_text(key), parameters),
                [] => {
                    let found = Diagnostic::error("missing-key", "`workload:` needs a workload, such as `iot: {}`");
                    self.say(found.at(node.span, ""));
                    return None;
                }
                [(first, _), (again, _), ..] => {
                    let message = format!(
                        "a scenario has one workload, and both `{}` and `{}` are given",
                        first.text, again.text
                    );
                    self.twice(message, again.span, first.span, "make a scenario of each");
                    return None;
                }
            },
            _ => (
                self.fixed(node, "a workload's name is expected, with its parameters: iot: { LOOP: 10 }")?,
                &NO_PARAMETERS,
            ),
        };
        if let Some(kind) = self.known.kind(&name.text) {
            return Some((kind, name, parameters));
        }
        let names: Vec<&str> = self.known.kinds.iter().map(|kind| kind.name()).collect();
        let found = Diagnostic::error("unknown-workload", format!("there is no workload `{}`", name.text));
        let found = with_nearest(found.at(name.span, ""), &name.text, names.iter().copied());
        self.say(found.help(format!("the workloads are: {}", names.join(", "))));
        None
    }

    /// `tuning:` of a scenario: values by a target's or an adapter's name.
    fn tuning(&mut self, node: &Node) -> Vec<(Text, Vec<Entry>)> {
        let mut all = Vec::new();
        for (key, node) in self.entries(node, "tuning values by target are expected") {
            self.owner(key);
            all.push((key_text(key), self.values(node, "tuning values by name")));
        }
        all
    }

    fn on_itself(&mut self, on: &Text, scenarios: &[Scenario]) {
        let loading = scenarios.iter().filter(|other| other.on.is_none()).map(|other| other.name.text.as_str());
        let loading: Vec<&str> = loading.collect();
        let found = Diagnostic::error("stands-on-reader", format!("`{}` can't stand on itself", on.text));
        let found = found.at(on.span, "").help("leave `on:` out where it loads its own data");
        self.say(match loading.as_slice() {
            [] => found,
            names => found.help(format!("the scenarios that load data are: {}", names.join(", "))),
        });
    }

    /// Checks that each `on:` names a scenario that loads data itself.
    fn standing(&mut self, scenarios: &[Scenario], nodes: &[Node]) {
        let named = |name: &str| {
            nodes.iter().any(|node| node.get("name").and_then(Node::text).is_some_and(|text| text.text == name))
        };
        for scenario in scenarios {
            let Some(on) = &scenario.on else { continue };
            if on.text == scenario.name.text {
                self.on_itself(on, scenarios);
                continue;
            }
            let beneath = scenarios.iter().find(|other| other.name.text == on.text);
            if beneath.is_none() && !named(&on.text) {
                let found =
                    Diagnostic::error("unknown-scenario", format!("there is no scenario `{}` to stand on", on.text));
                let names: Vec<&str> = scenarios.iter().map(|other| other.name.text.as_str()).collect();
                let found = with_nearest(found.at(on.span, ""), &on.text, names.iter().copied());
                self.say(found.help(format!("the scenarios are: {}", names.join(", "))));
            }
            if let Some(Text { text: root, span }) = beneath.and_then(|beneath| beneath.on.as_ref()) {
                let message = format!("`{}` stands on data that it did not load: it is `on: {root}` itself", on.text);
                let found = Diagnostic::error("stands-on-reader", message).at(on.span, "").at(*span, "here");
                self.say(found.help(format!("write on: {root}")));
            }
        }
    }
}

/// What `workload: iot` has in place of a map.
static NO_PARAMETERS: Node = Node {
    span: crate::diagnostic::Span { file: crate::diagnostic::FileId(0), start: 0, end: 0 },
    kind: Kind::Map(Vec::new()),
};
