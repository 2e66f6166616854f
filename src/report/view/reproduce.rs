//! To reproduce: the one command, the suite, the hosts beside each other, the cases with their hashes, and the tunings read back.
//!
//! It must not invent a fact. Invariant: what is not known says so.

use super::block::Block;
use super::table::{Head, Table, TableCell, Tags, Tone};
use crate::report::model::report::ReportModel;
use crate::report::model::reproduce::{CaseFacts, RunFacts, TuningRow};
use crate::report::model::settings::unique;
use crate::report::number::{Unit, count};

/// The section's blocks.
pub(crate) fn reproduce(model: &ReportModel) -> Vec<Block> {
    let mut blocks = Vec::new();
    for run in &model.runs {
        blocks.push(Block::Code(format!("Run {}", run.id), run.command.clone()));
    }
    blocks.push(Block::Table(hosts(model)));
    blocks.extend(tunings(&model.tunings).map(Block::Table));
    blocks.push(Block::Fold(
        "The expanded plan: cases and their hashes".to_owned(),
        vec![Block::Table(cases(&model.cases))],
    ));
    for run in &model.runs {
        blocks.push(Block::Fold(
            format!("The suite of run {}", run.id),
            vec![Block::Code(run.suite.clone(), run.source.clone())],
        ));
        let messages: Vec<String> = run.messages.iter().map(|(severity, text)| format!("{severity}: {text}")).collect();
        if !messages.is_empty() {
            blocks.push(Block::Fold(
                format!("Messages of run {}", run.id),
                vec![Block::Code(format!("{} messages", messages.len()), messages.join("\n"))],
            ));
        }
    }
    blocks
}

/// A fact's name, and where a run keeps it.
type Fact = (&'static str, fn(&RunFacts) -> Option<String>);

/// A column a run's client host, and one for the servers; a row a fact.
fn hosts(model: &ReportModel) -> Table {
    let facts: [Fact; 15] = [
        ("Host", |run| Some(run.host.name.clone())),
        ("Processor", |run| run.host.processor.clone()),
        ("Cores", |run| run.host.cores.map(|cores| cores.to_string())),
        ("Memory", |run| run.host.memory_bytes.map(|bytes| Unit::Bytes.show(bytes as f64))),
        ("Disk", |run| run.host.disk_bytes.map(|bytes| Unit::Bytes.show(bytes as f64))),
        ("Kernel", |run| run.host.kernel.clone()),
        ("System", |run| run.host.system.clone()),
        ("Frequency governor", |run| run.host.governor.clone()),
        ("Load average at the start", |run| run.host.load_average.clone()),
        ("Velodrome", |run| Some(run.velodrome.clone())),
        ("Plan's hash", |run| Some(run.plan_hash.clone())),
        ("Seed", |run| Some(run.seed.to_string())),
        ("Overrides", |run| Some(if run.overrides.is_empty() { "none".to_owned() } else { run.overrides.join(" ") })),
        ("Started", |run| Some(run.started.clone())),
        ("Last line written", |run| Some(run.last.clone())),
    ];
    let mut table = Table::new("hosts", "Client and servers", facts.iter().map(|_| Tags::default()).collect())
        .texts("Fact", facts.iter().map(|(name, _)| *name));
    for run in &model.runs {
        table = table.options(&format!("Client, run {}", run.id), facts.iter().map(|(_, of)| of(run)));
    }
    // Embedded targets and containers run on the client's host; of existing servers nothing is known.
    let mut places = unique(model.columns.iter().map(|column| column.place.as_str()));
    places.sort_unstable();
    let servers: Vec<String> = places
        .into_iter()
        .map(|place| match place {
            "embedded" | "docker" => format!("{place}: on the client's host"),
            place => format!("{place}: not known"),
        })
        .collect();
    let rows = facts.iter().enumerate();
    table.options("Servers", rows.map(|(index, _)| (index == 0).then(|| servers.join("; "))))
}

fn tunings(rows: &[TuningRow]) -> Option<Table> {
    if rows.is_empty() {
        return None;
    }
    let tags = rows.iter().map(|row| Tags::new(&row.scenario, None, Some(&row.column))).collect();
    let head = Head { text: "Took".to_owned(), unit: None, raw_unit: None, numeric: false, column: None };
    let took = |row: &TuningRow| match row.agrees {
        Some(true) => TableCell::text("yes"),
        Some(false) => TableCell::text("no").toned(Tone::Bad),
        None => TableCell::text("not checked").toned(Tone::Muted),
    };
    Some(
        Table::new("tunings", "Tunings, asked and read back", tags)
            .texts("Target", rows.iter().map(|row| row.column.clone()))
            .texts("Scenario", rows.iter().map(|row| row.scenario.clone()))
            .texts("Parameter", rows.iter().map(|row| row.name.clone()))
            .texts("Asked", rows.iter().map(|row| row.asked.clone()))
            .options("Read back", rows.iter().map(|row| row.read_back.clone()))
            .cells(head, rows.iter().map(took).collect::<Vec<_>>()),
    )
}

/// The cases; all their parameters are in csv/cases.csv and report.json.
fn cases(rows: &[CaseFacts]) -> Table {
    let tags = rows.iter().map(|row| Tags::new(&row.scenario, None, Some(&row.column))).collect();
    let planned = |of: fn(&CaseFacts) -> Option<u64>| {
        rows.iter().map(move |row| of(row).map_or_else(|| "until time ends it".to_owned(), count)).collect::<Vec<_>>()
    };
    Table::new("plan", "Cases", tags)
        .texts("Case", rows.iter().map(|row| row.id.clone()))
        .texts("Hash", rows.iter().map(|row| row.hash.clone()))
        .texts("Workload", rows.iter().map(|row| row.workload.clone()))
        .texts("Stands on", rows.iter().map(|row| row.on.clone().unwrap_or_default()))
        .counts("Clients", rows.iter().map(|row| Some(u64::from(row.clients))))
        .texts("Operations", planned(|row| row.operations))
        .texts("Points", planned(|row| row.points))
        .texts("Not supported", rows.iter().map(|row| row.not_supported.clone().unwrap_or_default()))
        .without_empty_columns()
        .noted("All parameters of each case are in csv/cases.csv and report.json.")
}

/// Every parameter of every case: a row a case, a column a parameter that any has.
pub(crate) fn parameters(rows: &[CaseFacts]) -> Table {
    let tags = rows.iter().map(|row| Tags::new(&row.scenario, None, Some(&row.column))).collect();
    let mut names = unique(rows.iter().flat_map(|row| row.parameters.keys().map(String::as_str)));
    names.sort_unstable();
    let mut table = Table::new("cases", "Cases", tags)
        .texts("run", rows.iter().map(|row| row.run.clone()))
        .texts("case", rows.iter().map(|row| row.id.clone()))
        .texts("hash", rows.iter().map(|row| row.hash.clone()))
        .texts("target", rows.iter().map(|row| row.column.clone()))
        .texts("scenario", rows.iter().map(|row| row.scenario.clone()))
        .texts("workload", rows.iter().map(|row| row.workload.clone()))
        .texts("stands_on", rows.iter().map(|row| row.on.clone().unwrap_or_default()))
        .texts("clients", rows.iter().map(|row| row.clients.to_string()));
    for name in names {
        table = table.texts(name, rows.iter().map(|row| row.parameters.get(name).cloned().unwrap_or_default()));
    }
    table
}
