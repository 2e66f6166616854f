//! Where a target runs, and the secrets that it needs.
//!
//! They must not read secrets. Invariant: no secret stands in a suite; one that does is masked before it is told.

use super::context::{Fields, Lower};
use crate::diagnostic::Diagnostic;
use crate::suite::fields::{DOCKER, EXISTING, SECRET};
use crate::suite::known::KnownAdapter;
use crate::suite::model::{DockerSettings, ExistingSettings, Place, SecretRef, Text};
use crate::suite::node::{Key, Node};
use crate::suite::secrets::is_secret_key;
use crate::value;

/// Docker refuses less.
const LEAST_MEMORY: u64 = 6 << 20;

impl Lower<'_, '_> {
    /// Where a target runs, where it says so.
    pub(super) fn place(
        &mut self,
        fields: &Fields<'_>,
        adapter: Option<&KnownAdapter>,
    ) -> Option<(Place, crate::diagnostic::Span)> {
        let (docker, existing) = (fields.entry("docker"), fields.entry("existing"));
        if let (Some((first, _)), Some((again, _))) = (docker, existing) {
            let message = "a target runs in one place, and both `docker:` and `existing:` are given".to_owned();
            self.twice(message, again.span, first.span, "keep one of them, or make two targets");
        }
        if let Some((key, node)) = docker {
            self.can_run(key, adapter, |adapter| adapter.docker);
            return Some((Place::Docker(self.docker(node)?), key.span));
        }
        let (key, node) = existing?;
        self.can_run(key, adapter, |adapter| adapter.existing);
        Some((Place::Existing(self.existing(node)?), key.span))
    }

    fn can_run(&mut self, key: &Key, adapter: Option<&KnownAdapter>, can: fn(&KnownAdapter) -> bool) {
        let Some(adapter) = adapter.filter(|adapter| !can(adapter)) else { return };
        let ways = [
            (adapter.embedded, "embedded, which needs no key"),
            (adapter.docker, "docker"),
            (adapter.existing, "existing"),
        ];
        let ways: Vec<&str> = ways.into_iter().filter(|(can, _)| *can).map(|(_, way)| way).collect();
        let message = format!("the adapter `{}` can't be had by `{}:`", adapter.name, key.text);
        let found = Diagnostic::error("unsupported-place", message).at(key.span, "");
        self.say(found.help(format!("it runs: {}", ways.join(", "))));
    }

    fn docker(&mut self, node: &Node) -> Option<DockerSettings> {
        if node.is_null() {
            return Some(DockerSettings::default());
        }
        let fields = self.fields(node, &DOCKER)?;
        let text = |lower: &mut Self, name: &str| {
            let node = fields.get(name)?;
            lower.fixed(node, "a text is expected").map(|text| text.text)
        };
        let image = text(self, "image");
        let cpuset = fields.get("cpuset").and_then(|node| self.cores(node)).map(|cores| cores.text);
        let image_tar = fields.get("image_tar").and_then(|node| self.path(node, "a file's path is expected"));
        let port = fields.get("port").and_then(|node| self.port(node));
        let cpus = fields.get("cpus").and_then(|node| self.cpus(node));
        let memory = fields.get("memory").and_then(|node| self.memory(node));
        let mut environment = std::collections::BTreeMap::new();
        for (key, node) in fields
            .get("environment")
            .map(|node| self.entries(node, "variables by name are expected"))
            .unwrap_or_default()
        {
            if is_secret_key(&key.text) {
                self.plain_secret(&key.text, node, "the adapter gives a container's passwords by itself: leave it out");
                continue;
            }
            if let Some(value) = self.fixed(node, "a text is expected") {
                environment.insert(key.text.clone(), value.text);
            }
        }
        let volumes = self.texts(fields.get("volumes"), "a bind mount is expected");
        let command = self.texts(fields.get("command"), "an argument is expected");
        let (volumes, command) = (plain(volumes), plain(command));
        Some(DockerSettings { image, image_tar, port, cpus, cpuset, memory, environment, volumes, command })
    }

    fn port(&mut self, node: &Node) -> Option<u16> {
        let port = self.value(node, "a port is expected, such as 5432", value::unsigned)?;
        if let Some(port) = u16::try_from(port).ok().filter(|port| *port > 0) {
            return Some(port);
        }
        let message = format!("{} is no port: a number from 1 to 65535 is expected", node.describe());
        self.say(Diagnostic::error("wrong-type", message).at(node.span, ""));
        None
    }

    fn cpus(&mut self, node: &Node) -> Option<f64> {
        let cpus = self.value(node, "a number of processors is expected", value::decimal)?;
        if cpus > 0.0 {
            return Some(cpus);
        }
        let message = format!("{} processors are too few: a number above 0 is expected", node.describe());
        self.say(Diagnostic::error("wrong-type", message).at(node.span, ""));
        None
    }

    fn memory(&mut self, node: &Node) -> Option<u64> {
        let memory = self.value(node, "a size is expected, such as 4GiB", value::size)?;
        if memory >= LEAST_MEMORY {
            return Some(memory);
        }
        let message = format!("{} is too little memory: Docker needs 6MiB at least", node.describe());
        self.say(
            Diagnostic::error("wrong-type", message).at(node.span, "").help("write a size with its unit, such as 4GiB"),
        );
        None
    }

    fn existing(&mut self, node: &Node) -> Option<ExistingSettings> {
        let fields = self.fields(node, &EXISTING)?;
        let hosts = self.texts(fields.get("hosts"), "`host:port` is expected");
        hosts.iter().for_each(|host| self.host(host));
        let text = |lower: &mut Self, name: &str| {
            let node = fields.get(name)?;
            lower.fixed(node, "a text is expected").map(|text| text.text)
        };
        let (user, org, database) = (text(self, "user"), text(self, "org"), text(self, "database"));
        let secret = |lower: &mut Self, name: &str| fields.get(name).and_then(|node| lower.secret(name, node));
        let (password, token) = (secret(self, "password"), secret(self, "token"));
        let switch = |lower: &mut Self, name: &str| {
            let node = fields.get(name)?;
            lower.value(node, "on or off is expected", value::switch)
        };
        let drop_existing = switch(self, "drop_existing").unwrap_or(false);
        let tls = switch(self, "tls").unwrap_or(false);
        if let Some(node) = fields.get("tls").filter(|_| tls) {
            let found = Diagnostic::error("unsupported-tls", "no driver of this version speaks TLS").at(node.span, "");
            self.say(
                found.help("leave `tls:` out, or connect through a tunnel that does, such as `ssh -L` or stunnel"),
            );
        }
        Some(ExistingSettings { hosts: plain(hosts), user, password, token, org, database, drop_existing, tls })
    }

    fn host(&mut self, host: &Text) {
        let (name, port) = match host.text.rsplit_once(':') {
            Some((name, port)) if !name.contains(':') || name.ends_with(']') => (name, Some(port)),
            _ => (host.text.as_str(), None),
        };
        let port_fits = port.is_none_or(|port| port.parse::<u16>().is_ok_and(|port| port > 0));
        let name_fits = !name.is_empty() && !name.contains(['/', '@', ' ']);
        if name_fits && port_fits {
            return;
        }
        // The text itself is not repeated: it may be a URL with a password in it.
        let found = Diagnostic::error("wrong-type", "this is no `host:port`").at(host.span, "");
        self.say(found.help("write host and port alone, such as db1:5432; user and password have keys of their own"));
    }

    fn secret(&mut self, name: &str, node: &Node) -> Option<SecretRef> {
        if node.scalar().is_some() {
            self.plain_secret(name, node, "write `{ env: NAME }` or `{ file: path }` in its place");
            return None;
        }
        let fields = self.fields(node, &SECRET)?;
        match (fields.get("env"), fields.get("file")) {
            (Some(env), None) => self.fixed(env, "a variable's name is expected").map(|text| SecretRef::Env(text.text)),
            (None, Some(file)) => self.path(file, "a file's path is expected").map(SecretRef::File),
            _ => {
                let found = Diagnostic::error("missing-key", format!("`{name}:` needs either `env` or `file`"));
                self.say(found.at(node.span, ""));
                None
            }
        }
    }

    /// Masks a secret in plain text, and says that one stands there without repeating it.
    fn plain_secret(&mut self, name: &str, node: &Node, cure: &str) {
        self.files.map.mask(node.span);
        let message = format!("`{name}` stands here in plain text, and a suite holds no secrets");
        self.say(Diagnostic::error("plain-secret", message).at(node.span, "").help(cure));
    }

    /// The texts of a list, or of one alone.
    pub(super) fn texts(&mut self, node: Option<&Node>, expected: &str) -> Vec<Text> {
        let nodes = node.map(|node| self.one_or_more(node)).unwrap_or_default();
        nodes.iter().filter_map(|node| self.fixed(node, expected)).collect()
    }

    /// Cores as one text: `0,1,4-7`.
    pub(super) fn cores(&mut self, node: &Node) -> Option<Text> {
        let texts = self.texts(Some(node), "cores are expected, such as 0-3,5");
        for text in &texts {
            let part_fits = |part: &str| {
                let (first, last) = part.split_once('-').unwrap_or((part, part));
                matches!((first.trim().parse::<u32>(), last.trim().parse::<u32>()), (Ok(first), Ok(last)) if first <= last)
            };
            if !text.text.split(',').all(part_fits) {
                let message = format!("`{}` names no cores: write numbers and ranges, such as 0-3,5", text.text);
                self.say(Diagnostic::error("wrong-type", message).at(text.span, ""));
                return None;
            }
        }
        let joined: Vec<&str> = texts.iter().map(|text| text.text.as_str()).collect();
        (!joined.is_empty()).then(|| Text { text: joined.join(","), span: node.span })
    }
}

fn plain(texts: Vec<Text>) -> Vec<String> {
    texts.into_iter().map(|text| text.text).collect()
}
