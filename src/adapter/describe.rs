//! Adapters in words: a list of all, or all that is known of one.
//!
//! It must not know a terminal. Invariant: columns are aligned by the text's own width; nothing is left out of one adapter.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::types::{Adapter, AdapterFile, Apply, Disk, Login, TuningParameter, WorkloadPart};
use crate::workload::operation::OperationKind;

/// What stands where nothing is verified.
const UNVERIFIED: &str = "not verified against a server";

/// A line an adapter: name, title, driver, versions, where it runs, what it was verified on.
pub fn list<'a>(adapters: impl Iterator<Item = &'a Adapter>) -> String {
    let mut rows = vec![["NAME", "TITLE", "DRIVER", "VERSIONS", "RUNS", "VERIFIED ON"].map(str::to_owned)];
    rows.extend(adapters.map(|adapter| {
        let file = &adapter.file;
        let on: Vec<&str> = file.verified.iter().map(|verified| verified.version.as_str()).collect();
        let verified = if on.is_empty() { UNVERIFIED.to_owned() } else { on.join(", ") };
        let runs = places(file).join(", ");
        [file.name.clone(), file.title.clone(), file.driver.clone(), versions(file), runs, verified]
    }));
    aligned(&rows)
}

/// All that is known of an adapter.
pub fn show(adapter: &Adapter) -> String {
    let file = &adapter.file;
    let mut text = format!("{}: {}\n{}\n\n", file.name, file.title, file.about);
    let mut rows = vec![["driver".to_owned(), file.driver.clone()], ["versions".to_owned(), versions(file)]];
    rows.extend(identity(file));
    rows.extend(running(adapter));
    rows.extend(file.workloads.iter().map(|(name, part)| [format!("workload {name}"), operations(part)]));
    rows.extend(storing(adapter));
    rows.extend(exceptions(file));
    text += &aligned(&rows);
    if !file.tuning.is_empty() {
        text += "\ntuning\n";
    }
    for (name, parameter) in &file.tuning {
        text += &tuning(name, parameter);
    }
    text
}

fn identity(file: &AdapterFile) -> Vec<[String; 2]> {
    let mut rows = Vec::new();
    let mut add = |name: &str, value: Option<&String>| rows.extend(value.map(|v| [name.to_owned(), v.clone()]));
    add("home page", file.homepage.as_ref());
    add("licence", file.licence.as_ref());
    add("based on", file.based_on.as_ref());
    let verified =
        |v: &super::types::Verified| ["verified".to_owned(), format!("{} by {}, {}", v.version, v.by, v.date)];
    rows.extend(file.verified.iter().map(verified));
    if file.verified.is_empty() {
        rows.push(["verified".to_owned(), UNVERIFIED.to_owned()]);
    }
    rows
}

fn running(adapter: &Adapter) -> Vec<[String; 2]> {
    let file = &adapter.file;
    let mut rows = Vec::new();
    let mut add = |value: String| rows.push(["runs".to_owned(), value]);
    if let Some(embedded) = &file.embedded {
        let kept = embedded.file.as_ref().map_or("it keeps nothing".to_owned(), |file| format!("file {file}"));
        add(format!("embedded: {kept}"));
    }
    if let Some(docker) = &file.docker {
        let image = adapter.image(&file.versions.default).ok().flatten();
        let image = image.as_ref().unwrap_or(&docker.image);
        add(format!("docker: image {image}, port {}, data in {}", docker.port, docker.data));
        add(format!("docker: {}", login(&docker.login)));
    }
    if let Some(existing) = &file.existing {
        let port = existing.port.map(|port| format!("port {port}, ")).unwrap_or_default();
        add(format!("existing: {port}{}", login(existing)));
    }
    for (name, part) in [("ssh", &file.ssh), ("local", &file.local)] {
        if let Some(part) = part {
            add(format!("{name}: {}", part.start.join("; ")));
        }
    }
    if let Some(ready) = &file.ready {
        let how = format!("{}, answered twice within {} s", ready.statement, ready.seconds);
        rows.push(["ready".to_owned(), how]);
    }
    rows
}

fn login(login: &Login) -> String {
    let parts = [("user", &login.user), ("password", &login.password), ("token", &login.token), ("org", &login.org)];
    let said: Vec<String> =
        parts.iter().filter_map(|(name, value)| value.as_ref().map(|value| format!("{name} {value}"))).collect();
    if said.is_empty() { "no login".to_owned() } else { format!("login {}", said.join(", ")) }
}

fn operations(part: &WorkloadPart) -> String {
    let asked = OperationKind::ALL[1..].iter().filter(|kind| part.queries.contains_key(kind.short()));
    let names = asked.map(|kind| format!("{} {}", kind.short(), kind.name()));
    std::iter::once("INGESTION".to_owned()).chain(names).collect::<Vec<_>>().join(", ")
}

fn storing(adapter: &Adapter) -> Vec<[String; 2]> {
    let file = &adapter.file;
    let mut rows = Vec::new();
    let mut add = |name: &str, value: String| rows.push([name.to_owned(), value]);
    if let Some((default, others)) = file.write_methods.split_first() {
        let others: String = others.iter().map(|method| format!(", {method}")).collect();
        add("write methods", format!("{default} (default){others}"));
    }
    let defaults = adapter.tuning(&BTreeMap::new()).ok();
    let durability = defaults.and_then(|defaults| adapter.durability(&defaults).ok().flatten());
    if let Some(durability) = durability.or_else(|| file.durability.clone()) {
        add("durability", durability);
    }
    file.flush.iter().for_each(|statement| add("flush", statement.clone()));
    match &file.disk {
        Some(Disk::Statement(statement)) => add("disk", statement.clone()),
        Some(Disk::Files) => add("disk", "the files below its data path".to_owned()),
        None => {}
    }
    if let Some(bytes) = file.limits.request_bytes {
        add("limit", format!("{bytes} bytes a request; larger batches are split"));
    }
    if let Some(columns) = file.limits.columns {
        add("limit", format!("{columns} columns a table"));
    }
    rows
}

fn exceptions(file: &AdapterFile) -> Vec<[String; 2]> {
    let unsupported =
        file.unsupported.iter().map(|e| ["not supported".to_owned(), format!("{}: {}", e.when, e.reason)]);
    let cautions = file.cautions.iter().map(|c| ["caution".to_owned(), format!("{}: {}", c.when, c.say)]);
    unsupported.chain(cautions).collect()
}

fn tuning(name: &str, parameter: &TuningParameter) -> String {
    let default = parameter.default.as_deref().unwrap_or("left to the database");
    let mut rows = vec![
        ["  type".to_owned(), parameter.kind.words()],
        ["  default".to_owned(), default.to_owned()],
        ["  applied".to_owned(), applied(&parameter.apply)],
    ];
    let back = parameter.read_back.as_deref().unwrap_or("can't be read back");
    let unit = parameter.read_back_unit.as_ref().map(|unit| format!(" (in {unit})")).unwrap_or_default();
    rows.push(["  read back".to_owned(), format!("{back}{unit}")]);
    let mut text = String::new();
    let _ = write!(text, "  {name}: {}\n{}", parameter.about, indented(&aligned(&rows)));
    text
}

fn applied(apply: &Apply) -> String {
    let how = match apply {
        Apply::Command(arguments) => format!("arguments of the server: {}", arguments.join(" ")),
        Apply::Environment(variable) => format!("environment of the server: {variable}"),
        Apply::Config => "a configuration file of the server".to_owned(),
        Apply::Server(statement) => format!("statement to the server: {statement}"),
        Apply::Database(statement) => format!("statement in the database: {statement}"),
        Apply::Session(statement) => format!("statement of every session: {statement}"),
        Apply::Connect => "a statement of every session".to_owned(),
        Apply::Schema => "in the tables' definition".to_owned(),
        Apply::Driver(word) => format!("the driver's setting {word}"),
    };
    if apply.needs_start() { format!("{how} (at its start)") } else { how }
}

fn versions(file: &AdapterFile) -> String {
    let default = &file.versions.default;
    let others: String = file
        .versions
        .known
        .iter()
        .filter(|version| *version != default)
        .map(|version| format!(", {version}"))
        .collect();
    format!("{default} (default){others}")
}

fn places(file: &AdapterFile) -> Vec<&'static str> {
    let places = [
        ("embedded", file.embedded.is_some()),
        ("docker", file.docker.is_some()),
        ("existing", file.existing.is_some()),
        ("ssh", file.ssh.is_some()),
        ("local", file.local.is_some()),
    ];
    places.into_iter().filter(|(_, there)| *there).map(|(name, _)| name).collect()
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}\n")).collect()
}

/// Rows with their columns below one another; the last column is as wide as it is.
fn aligned<const N: usize>(rows: &[[String; N]]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..N).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        text += cells.collect::<Vec<_>>().join("  ").trim_end();
        text.push('\n');
    }
    text
}
