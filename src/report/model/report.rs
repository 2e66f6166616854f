//! The whole model, and the way to it from journals.
//!
//! It must not draw anything. Invariant: a pure function of the journals and the options.

use schemars::JsonSchema;
use serde::Serialize;

use super::answer::{Answer, answer};
use super::assertion::{AssertionResult, evaluate};
use super::compare::{Group, groups};
use super::data::read_all;
use super::failures::{ErrorKind, Failure, error_kinds, failures};
use super::gather::gather;
use super::grid::lay_out;
use super::latency::{Latency, latencies};
use super::measure::ERROR_RATE;
use super::reproduce::{CaseFacts, Column, RunFacts, TuningRow, cases, columns, runs, tunings};
use super::samples::{Sample, samples};
use super::settings::{BestRow, Tuning, settings, unique};
use super::space::{Space, space};
use super::sweep::{Sweep, sweeps};
use super::timeline::{Resources, Timeline, resources, timelines};
use super::trial::{Trial, trials};
use super::trust::{Trust, trust};
use crate::run::journal::events::Line;

/// The version of report.json.
pub(crate) const REPORT_VERSION: u32 = 1;

/// What whoever asks for a report may choose.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The baseline's name, over the suite's own.
    pub baseline: Option<String>,
}

/// Everything that a report says. report.json is this, as it stands.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ReportModel {
    /// The version of this format.
    pub version: u32,
    /// The suite's name; of several suites, their names joined by `+`.
    pub title: String,
    /// The suite's description: the question.
    pub question: Option<String>,
    /// The runs.
    pub runs: Vec<RunFacts>,
    /// The columns of every table: targets, perhaps at settings of their own.
    pub columns: Vec<Column>,
    /// The column that others are compared with.
    pub baseline: Option<String>,
    /// The answer in one screen.
    pub answer: Answer,
    /// What an error rate is here.
    pub error_rate: String,
    /// The comparison tables: all at the same setting.
    pub comparison: Vec<Group>,
    /// Best of each at its own setting: never mixed with the comparison.
    pub best: Vec<BestRow>,
    /// Each target over its settings.
    pub tuning: Vec<Tuning>,
    /// Sweeps over axes.
    pub sweeps: Vec<Sweep>,
    /// Latency of each cell and operation, all rounds merged.
    pub latency: Vec<Latency>,
    /// Over time.
    pub timelines: Vec<Timeline>,
    /// What was used.
    pub resources: Vec<Resources>,
    /// Space.
    pub space: Vec<Space>,
    /// How far the numbers can be trusted.
    pub trust: Trust,
    /// Trials that do not count.
    pub failures: Vec<Failure>,
    /// Failed operations in trials that count.
    pub errors: Vec<ErrorKind>,
    /// Statements and their first answers.
    pub samples: Vec<Sample>,
    /// What was asserted, and whether it held.
    pub assertions: Vec<AssertionResult>,
    /// Tuning values, asked for and read back.
    pub tunings: Vec<TuningRow>,
    /// The expanded plan.
    pub cases: Vec<CaseFacts>,
    /// Every trial.
    pub trials: Vec<Trial>,
}

impl ReportModel {
    /// The baseline, where there is anything to compare with it.
    pub(crate) fn compared_with(&self) -> Option<&str> {
        let rivals = self.columns.iter().filter(|column| !column.ceiling).count();
        self.baseline.as_deref().filter(|_| rivals > 1)
    }
}

/// Makes the model of one or several runs, each given as its journal's lines. A journal without a run's start is left out.
pub fn render(journals: &[Vec<Line>], options: &Options) -> ReportModel {
    let views = journals.iter().filter_map(|lines| gather(lines)).collect();
    let grid = lay_out(views, options.baseline.as_deref());
    let data = read_all(&grid);
    let comparison = groups(&grid, &data);
    let trust = trust(&grid, &data, &comparison);
    let (best, tuning) = settings(&grid, &comparison);
    ReportModel {
        version: REPORT_VERSION,
        title: unique(grid.runs.iter().map(|run| run.started.suite.as_str())).join(" + "),
        question: grid.runs.iter().find_map(|run| run.started.description.clone()),
        runs: runs(&grid),
        columns: columns(&grid),
        baseline: grid.baseline.map(|index| grid.columns[index].name.clone()),
        answer: answer(&grid, &comparison, &trust),
        error_rate: ERROR_RATE.to_owned(),
        sweeps: sweeps(&grid, &comparison),
        latency: latencies(&grid, &data),
        timelines: timelines(&grid),
        resources: resources(&grid, &data),
        space: space(&grid, &data),
        failures: failures(&grid),
        errors: error_kinds(&grid),
        samples: samples(&grid),
        assertions: evaluate(&grid, &comparison),
        tunings: tunings(&grid),
        cases: cases(&grid),
        trials: trials(&grid),
        comparison,
        best,
        tuning,
        trust,
    }
}
