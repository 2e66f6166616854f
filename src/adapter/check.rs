//! Reads an adapter's folder and says everything that is wrong with it.
//!
//! It must not judge whether the database likes the statements. Invariant: an adapter without complaints renders all its
//! templates, given the names that they use.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::catalogue::FILE;
use super::places::{self, Places};
use super::template;
use super::types::{Adapter, AdapterFile, Apply, Disk};
use crate::diagnostic::{Diagnostic, FileId, SourceMap, Span};
use crate::workload::model::DataType;
use crate::workload::operation::OperationKind;

/// What there is around a folder that is checked.
pub(super) struct Known<'a> {
    /// The folder's path, for complaints; its last part is the adapter's name.
    pub folder: &'a str,
    /// The drivers there are.
    pub drivers: &'a [&'static str],
    /// The adapters there are already.
    pub adapters: &'a BTreeMap<String, Arc<Adapter>>,
}

/// Reads adapter.yaml and checks it and the folder's other texts.
pub(super) fn read(
    known: &Known<'_>,
    texts: &BTreeMap<String, String>,
    sources: &mut SourceMap,
) -> Result<AdapterFile, Vec<Diagnostic>> {
    let Some(text) = texts.get(FILE) else {
        let said = Diagnostic::error("adapter-file", format!("the folder {} has no {FILE}", known.folder));
        return Err(vec![said.help(format!("an adapter is a folder with a file called {FILE}"))]);
    };
    let id = sources.add(format!("{}/{FILE}", known.folder), text.as_str());
    let file: AdapterFile =
        serde_saphyr::from_str_with_options(text, options()).map_err(|error| vec![yaml_error(&error, id, text)])?;
    let mut check = Check { known, texts, sources, id, places: Places::read(text, options()), found: Vec::new() };
    check.file(&file);
    if check.found.is_empty() { Ok(file) } else { Err(check.found) }
}

/// YAML 1.2 as people mean it: `on` and `1_000` are texts where no type is known.
fn options() -> serde_saphyr::Options {
    serde_saphyr::options! {
        strict_booleans: true,
        leading_zero_numbers_as_strings: true,
        underscored_numbers_as_strings: true,
        with_snippet: false,
    }
}

fn yaml_error(error: &serde_saphyr::Error, id: FileId, text: &str) -> Diagnostic {
    let message = error.render_with_formatter(&serde_saphyr::UserMessageFormatter);
    // The position is told by the place.
    let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message);
    let said = Diagnostic::error("adapter-yaml", message.trim());
    match error.location() {
        Some(location) => said.at(span_at(id, text, &location), ""),
        None => said,
    }
}

/// The place of a location; where only line and column are known, the rest of that line.
fn span_at(id: FileId, text: &str, location: &serde_saphyr::Location) -> Span {
    let range = places::bytes(location).filter(|range| text.get(range.clone()).is_some()).unwrap_or_else(|| {
        let line = location.line().saturating_sub(1) as usize;
        let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        let rest = text[start..].lines().next().unwrap_or("");
        let column = rest.char_indices().nth(location.column().saturating_sub(1) as usize).map_or(0, |(at, _)| at);
        start + column..start + rest.len()
    });
    Span { file: id, start: range.start as u32, end: range.end as u32 }
}

struct Check<'a> {
    known: &'a Known<'a>,
    texts: &'a BTreeMap<String, String>,
    sources: &'a mut SourceMap,
    id: FileId,
    places: Places,
    found: Vec<Diagnostic>,
}

impl Check<'_> {
    fn file(&mut self, file: &AdapterFile) {
        self.identity(file);
        self.templates(file);
        self.tuning(file);
        self.workloads(file);
        self.expressions(file);
        for name in self.texts.keys().filter(|name| *name != FILE) {
            self.text_file(name);
        }
    }

    fn identity(&mut self, file: &AdapterFile) {
        if file.format != 1 {
            self.say(&["format"], "adapter-format", format!("format {} is not known", file.format), "write format: 1");
        }
        let folder = self.known.folder.rsplit('/').next().unwrap_or_default();
        if file.name != folder {
            let message = format!("the adapter is called {}, its folder {folder}", file.name);
            self.say(&["name"], "adapter-name", message, "give both the same name");
        }
        if !self.known.drivers.contains(&file.driver.as_str()) {
            let help = format!("the drivers are {}", self.known.drivers.join(", "));
            self.say(&["driver"], "adapter-driver", format!("there is no driver {}", file.driver), &help);
        }
        if let Some(other) = file.based_on.as_ref().filter(|other| !self.known.adapters.contains_key(*other)) {
            let help = "name one that is compiled in, or whose folder's name sorts before this one";
            self.say(&["based_on"], "adapter-base", format!("no adapter {other} is known here"), help);
        }
        if !file.versions.known.is_empty() && !file.versions.known.contains(&file.versions.default) {
            let message = format!("the default version {} is not among the known ones", file.versions.default);
            self.say(&["versions", "default"], "adapter-version", message, "add it to known, or take one of those");
        }
        let somewhere = file.embedded.is_some() || file.docker.is_some() || file.existing.is_some();
        if !somewhere && file.ssh.is_none() && file.local.is_none() {
            let help = "give embedded, docker, existing, ssh or local";
            self.say(&["name"], "adapter-place", format!("{} can run nowhere", file.name), help);
        }
        let types: Vec<&str> = DataType::ALL.iter().map(|t| t.name()).collect();
        self.names(&["types"], file.types.keys(), &types);
        self.names(&["aggregates"], file.aggregates.keys(), &["count", "avg", "sum", "max", "min"]);
    }

    /// Keys that must be among known names.
    fn names<'k>(&mut self, path: &[&str], keys: impl Iterator<Item = &'k String>, known: &[&str]) {
        for key in keys.filter(|key| !known.contains(&key.as_str())) {
            let (path, help) = ([path, &[key, "@"]].concat(), format!("the names are {}", known.join(", ")));
            self.say(&path, "adapter-key", format!("{key} is not known here"), &help);
        }
    }

    /// Texts of adapter.yaml that are templates, outside tuning and workloads.
    fn templates(&mut self, file: &AdapterFile) {
        if let Some(docker) = &file.docker {
            self.text(&["docker", "image"], &docker.image);
            self.text(&["docker", "data"], &docker.data);
            self.list(&["docker", "command"], &docker.command);
            for (name, value) in &docker.environment {
                self.text(&["docker", "environment", name], value);
            }
            for (position, config) in docker.files.iter().enumerate() {
                self.needs_file(&["docker", "files", &position.to_string(), "template"], file, &config.template);
            }
        }
        self.list(&["on_connect"], &file.on_connect);
        self.list(&["database", "create"], &file.database.create);
        self.list(&["database", "drop"], &file.database.drop);
        self.list(&["database", "prepare"], &file.database.prepare);
        self.list(&["database", "empty"], &file.database.empty);
        for (name, text) in [("list", &file.database.list), ("contents", &file.database.contents)] {
            if let Some(text) = text {
                self.text(&["database", name], text);
            }
        }
        if let Some(Disk::Statement(text)) = &file.disk {
            self.text(&["disk", "statement"], text);
        }
    }

    fn tuning(&mut self, file: &AdapterFile) {
        for (name, parameter) in &file.tuning {
            if let Some(Err(error)) = parameter.default.as_ref().map(|value| parameter.check(name, value)) {
                self.say(
                    &["tuning", name, "default"],
                    "adapter-default",
                    error.to_string(),
                    "mend the default or the type",
                );
            }
            let path = |how: &'static str| ["tuning", name.as_str(), "apply", how];
            match &parameter.apply {
                Apply::Command(arguments) => self.list(&path("command"), arguments),
                Apply::Environment(text) => self.text(&path("environment"), text),
                Apply::Server(text) => self.text(&path("server"), text),
                Apply::Database(text) => self.text(&path("database"), text),
                Apply::Session(text) => self.text(&path("session"), text),
                Apply::Schema | Apply::Connect | Apply::Config | Apply::Driver(_) => {}
            }
            if let Some(text) = &parameter.read_back {
                self.text(&["tuning", name, "read_back"], text);
            }
        }
    }

    fn workloads(&mut self, file: &AdapterFile) {
        let queries: Vec<&str> = OperationKind::ALL[1..].iter().map(|kind| kind.short()).collect();
        for (workload, part) in &file.workloads {
            let path = ["workloads", workload.as_str()];
            for (name, template) in [("create", &part.create), ("truncate", &part.truncate), ("count", &part.count)] {
                if let Some(template) = template {
                    self.needs_file(&[path.as_slice(), &[name]].concat(), file, template);
                }
            }
            self.names(&[path.as_slice(), &["queries"]].concat(), part.queries.keys(), &queries);
            for (query, template) in &part.queries {
                self.needs_file(&[path.as_slice(), &["queries", query]].concat(), file, template);
            }
            for (fact, text) in &part.facts {
                self.text(&[path.as_slice(), &["facts", fact]].concat(), text);
            }
        }
    }

    fn expressions(&mut self, file: &AdapterFile) {
        let cautions = file.cautions.iter().map(|caution| ("cautions", &caution.when));
        let unsupported = file.unsupported.iter().map(|entry| ("unsupported", &entry.when));
        let mut position = BTreeMap::new();
        for (list, expression) in cautions.chain(unsupported) {
            let at = position.entry(list).or_insert(0);
            if let Err(error) = template::check_expression(expression) {
                let message = format!("bad expression: {}", template::RenderError::of(expression, &error).message);
                self.say(&[list, &at.to_string(), "when"], "adapter-expression", message, "see docs/adapters.md");
            }
            *at += 1;
        }
        for (position, caution) in file.cautions.iter().enumerate() {
            self.text(&["cautions", &position.to_string(), "say"], &caution.say);
        }
    }

    fn list(&mut self, path: &[&str], texts: &[String]) {
        for (position, text) in texts.iter().enumerate() {
            self.text(&[path, &[&position.to_string()]].concat(), text);
        }
    }

    /// A template inside adapter.yaml.
    fn text(&mut self, path: &[&str], text: &str) {
        if let Err(error) = template::check(text) {
            let message = format!("bad template: {}", template::RenderError::of("", &error).message);
            self.say(path, "adapter-template", message, "see docs/adapters.md");
        }
    }

    /// A template that is a file.
    fn needs_file(&mut self, path: &[&str], file: &AdapterFile, name: &str) {
        let other = file.based_on.as_ref().and_then(|other| self.known.adapters.get(other));
        if name == FILE || !(self.texts.contains_key(name) || other.is_some_and(|o| o.texts.contains_key(name))) {
            let message = format!("there is no file {name} in {}", self.known.folder);
            let mut files: Vec<&str> = self.texts.keys().map(String::as_str).filter(|name| *name != FILE).collect();
            files.truncate(20);
            self.say(path, "adapter-file", message, &format!("its files are {}", files.join(", ")));
        }
    }

    /// A file of the folder: is it a good template?
    fn text_file(&mut self, name: &str) {
        let text = &self.texts[name];
        let Err(error) = template::check(text) else { return };
        let id = self.sources.add(format!("{}/{name}", self.known.folder), text.as_str());
        let line = error.line().unwrap_or(1).max(1);
        let start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
        let end = start + text[start..].lines().next().unwrap_or("").len();
        let range = error.range().filter(|range| text.get(range.clone()).is_some()).unwrap_or(start..end);
        let span = Span { file: id, start: range.start as u32, end: range.end as u32 };
        let message = format!("bad template: {}", template::RenderError::of(name, &error).message);
        self.found.push(Diagnostic::error("adapter-template", message).at(span, "").help("see docs/adapters.md"));
    }

    fn say(&mut self, path: &[&str], code: &'static str, message: String, help: &str) {
        let mut said = Diagnostic::error(code, message);
        if let Some(range) = self.places.find(path) {
            said = said.at(Span { file: self.id, start: range.start as u32, end: range.end as u32 }, "");
        }
        self.found.push(said.help(help));
    }
}
