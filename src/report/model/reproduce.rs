//! To reproduce: runs, hosts, targets, tunings and cases, as they were.
//!
//! It must not hold a secret: journals hold none. Invariant: what a server did not say of itself is none.

use std::collections::BTreeMap;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use super::fairness::EXISTING;
use super::gather::RunView;
use super::grid::Grid;
use crate::run::journal::events::{Host, RunStarted};

/// One run.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RunFacts {
    /// Its id.
    pub id: String,
    /// The suite's name.
    pub suite: String,
    /// Velodrome's version.
    pub velodrome: String,
    /// When it began, RFC 3339 in UTC.
    pub started: String,
    /// When its last line was written.
    pub last: String,
    /// Seconds between the two.
    pub seconds: Option<f64>,
    /// Whether it came to its end.
    pub ended: bool,
    /// Its exit code.
    pub exit_code: Option<u8>,
    /// Whether a signal ended it.
    pub interrupted: bool,
    /// Whether every case was shrunk to see that it works: its numbers say nothing of the databases.
    pub smoke: bool,
    /// Rounds.
    pub rounds: u32,
    /// Trials planned.
    pub planned: u32,
    /// Trials that ended, whatever became of them.
    pub done: u32,
    /// The seed.
    pub seed: u64,
    /// The plan's hash.
    pub plan_hash: String,
    /// Overrides, as typed.
    pub overrides: Vec<String>,
    /// The command line.
    pub command: String,
    /// The suite's text.
    pub source: String,
    /// The host that the clients ran on.
    pub host: Host,
    /// Messages: severity and text.
    pub messages: Vec<(String, String)>,
}

/// A column of the report: a target, perhaps at settings of its own.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Column {
    /// Its name, one a report.
    pub name: String,
    /// The target's name.
    pub target: String,
    /// Settings that other targets do not have.
    pub own: Vec<(String, String)>,
    /// Whether it is no rival but the client's own ceiling.
    pub ceiling: bool,
    /// The adapter.
    pub adapter: String,
    /// The database's name for people.
    pub title: String,
    /// The version asked for.
    pub version: String,
    /// The version that the server says.
    pub server_version: Option<String>,
    /// The image.
    pub image: Option<String>,
    /// Its digest or id.
    pub digest: Option<String>,
    /// embedded, docker, existing.
    pub place: String,
    /// Its limits; of an existing server they are not known.
    pub limits: Option<String>,
    /// Where an existing server is.
    pub address: Option<String>,
    /// What acknowledged means there.
    pub durability: Option<String>,
}

/// A tuning value, asked for and read back.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct TuningRow {
    /// The column.
    pub column: String,
    /// The scenario.
    pub scenario: String,
    /// The parameter.
    pub name: String,
    /// What was asked.
    pub asked: String,
    /// What the server says; none: can't be read back.
    pub read_back: Option<String>,
    /// Whether the two agree; none: can't be told.
    pub agrees: Option<bool>,
}

/// A case of the expanded plan.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CaseFacts {
    /// The run's id.
    pub run: String,
    /// The case's id.
    pub id: String,
    /// Its hash.
    pub hash: String,
    /// The column.
    pub column: String,
    /// The scenario.
    pub scenario: String,
    /// The workload.
    pub workload: String,
    /// The loading case that it stands on.
    pub on: Option<String>,
    /// Axis values.
    pub axes: Vec<(String, String)>,
    /// All parameters.
    pub parameters: BTreeMap<String, String>,
    /// Clients.
    pub clients: u32,
    /// Whether an open loop paced it.
    pub paced: bool,
    /// Operations planned.
    pub operations: Option<u64>,
    /// Points planned.
    pub points: Option<u64>,
    /// Why the target can't do it.
    pub not_supported: Option<String>,
}

/// The facts of each run.
pub(crate) fn runs(grid: &Grid<'_>) -> Vec<RunFacts> {
    grid.runs.iter().map(run).collect()
}

fn run(view: &RunView<'_>) -> RunFacts {
    let started = view.started;
    let instant = |text: &str| text.parse::<Timestamp>().ok();
    let seconds =
        instant(view.started_at).zip(instant(view.last_at)).map(|(from, to)| to.duration_since(from).as_secs_f64());
    let ending = view.ended;
    RunFacts {
        id: started.run.clone(),
        suite: started.suite.clone(),
        velodrome: started.velodrome.clone(),
        started: view.started_at.to_owned(),
        last: ending.map_or(view.last_at, |ending| ending.at).to_owned(),
        seconds,
        ended: ending.is_some(),
        exit_code: ending.map(|ending| ending.exit_code),
        interrupted: ending.is_some_and(|ending| ending.interrupted),
        smoke: is_smoke(started),
        rounds: started.rounds,
        planned: started.trials.len() as u32,
        done: view.trials.len() as u32,
        seed: started.seed,
        plan_hash: started.plan_hash.clone(),
        overrides: started.overrides.clone(),
        command: started.command.clone(),
        source: started.source.clone(),
        host: started.host.clone(),
        messages: view.messages.iter().map(|(severity, text)| ((*severity).to_owned(), (*text).to_owned())).collect(),
    }
}

/// Whether a run's plan was shrunk: its hash says so, and so does its command.
pub(crate) fn is_smoke(started: &RunStarted) -> bool {
    started.plan_hash.starts_with("smoke-")
        || started.plan_hash.ends_with("-smoke")
        || started.command.split_whitespace().any(|word| word == "--smoke")
}

/// The facts of each column, with what its servers said of themselves.
pub(crate) fn columns(grid: &Grid<'_>) -> Vec<Column> {
    grid.columns
        .iter()
        .enumerate()
        .map(|(index, view)| {
            let target = view.target;
            let cells = || grid.places.iter().filter_map(|place| place.cells[index].as_ref());
            let servers = || cells().flat_map(|cell| &cell.trials).map(|trial| &trial.record.server);
            Column {
                name: view.name.clone(),
                target: target.name.clone(),
                own: view.own.clone(),
                ceiling: view.ceiling,
                adapter: target.adapter.clone(),
                title: target.title.clone(),
                version: target.version.clone(),
                server_version: servers().find_map(|server| server.version.clone()),
                image: servers().find_map(|server| server.image.clone()).or_else(|| target.image.clone()),
                digest: servers().find_map(|server| server.digest.clone()),
                place: target.place.clone(),
                limits: target.limits.clone().filter(|_| target.place != EXISTING),
                address: target.limits.clone().filter(|_| target.place == EXISTING),
                durability: target.durability.clone(),
            }
        })
        .collect()
}

/// All tuning values, each once.
pub(crate) fn tunings(grid: &Grid<'_>) -> Vec<TuningRow> {
    let mut rows: Vec<TuningRow> = Vec::new();
    for place in &grid.places {
        for (column, cell) in grid.columns.iter().zip(&place.cells) {
            for tuning in cell.iter().flat_map(|cell| &cell.trials).flat_map(|trial| &trial.record.tuning) {
                rows.push(TuningRow {
                    column: column.name.clone(),
                    scenario: place.scenario.to_owned(),
                    name: tuning.name.clone(),
                    asked: tuning.asked.clone(),
                    read_back: tuning.read_back.clone(),
                    agrees: tuning.agrees,
                });
            }
        }
    }
    rows.sort();
    rows.dedup();
    rows
}

/// The cases, place by place.
pub(crate) fn cases(grid: &Grid<'_>) -> Vec<CaseFacts> {
    let mut all = Vec::new();
    for place in &grid.places {
        for (column, cell) in grid.columns.iter().zip(&place.cells) {
            let Some(cell) = cell else { continue };
            let case = cell.case;
            all.push(CaseFacts {
                run: grid.runs[cell.run].started.run.clone(),
                id: case.id.clone(),
                hash: case.hash.clone(),
                column: column.name.clone(),
                scenario: case.scenario.clone(),
                workload: case.workload.clone(),
                on: case.on.clone(),
                axes: case.axes.clone(),
                parameters: case.parameters.clone(),
                clients: case.clients,
                paced: case.paced,
                operations: case.operations,
                points: case.points,
                not_supported: case.not_supported.clone(),
            });
        }
    }
    all
}
