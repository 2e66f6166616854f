//! Shows how far a run is: bars on a terminal, else a line now and then on standard error; results on standard output, and
//! each trial's in its folder.
//!
//! It must not end the run. Invariant: what can't be written, such as to a terminal that was closed, is dropped.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::output::{err, out};
use crate::report;
use crate::run::folder::Folder;
use crate::run::journal::events::{CaseInfo, RunStarted};
use crate::run::journal::trial::TrialRecord;
use crate::run::progress::{Show, Snapshot};

/// How often a line comes where there is no terminal.
const EACH: Duration = Duration::from_secs(10);
/// The bar's columns.
const BAR: usize = 24;
/// The bar's length is counted in thousandths.
const WHOLE: u64 = 1000;

/// The matrices of more cases than this would bury everything else that is printed.
const PRINTED_CASES: usize = 10;
/// The file with a trial's matrices.
const MATRIX: &str = "matrix.txt";

/// Shows a run to whoever started it.
pub(super) struct Shown {
    folder: Folder,
    cases: BTreeMap<String, CaseInfo>,
    /// The trials in the plan's order: case and round.
    trials: Vec<(String, u32)>,
    bar: Option<ProgressBar>,
    last: Mutex<Instant>,
}

impl Shown {
    /// Of the run in this folder, with its journal's first line.
    pub(super) fn new(folder: &Folder, started: &RunStarted) -> Self {
        let id = |(case, round): &(u32, u32)| Some((started.cases.get(*case as usize)?.id.clone(), *round));
        let trials = started.trials.iter().filter_map(id).collect();
        let cases = started.cases.iter().map(|case| (case.id.clone(), case.clone())).collect();
        let terminal = std::io::stderr().is_terminal() && std::env::var("TERM").is_ok_and(|term| term != "dumb");
        Shown { folder: folder.clone(), cases, trials, bar: terminal.then(bar), last: Mutex::new(Instant::now()) }
    }

    /// Where every trial's matrices are, for people.
    pub(super) fn matrices(folder: &Folder) -> String {
        folder.path.join("trials").join("*").join(MATRIX).display().to_string()
    }

    /// Whether a case's matrices are printed with this round: once, with its last.
    fn is_printed(&self, case: &str, round: u32) -> bool {
        let last = self.trials.iter().filter(|(id, _)| id == case).map(|(_, round)| *round).max();
        self.cases.len() <= PRINTED_CASES && last == Some(round)
    }

    /// Keeps a trial's matrices in its folder, where it has one.
    fn keep(&self, record: &TrialRecord, matrices: &str) {
        let own = |(case, round): &(String, u32)| *case == record.case && *round == record.round;
        let Some(index) = self.trials.iter().position(own) else { return };
        let folder = self.folder.trial(index, &record.case, record.round);
        if !folder.is_dir() {
            return;
        }
        let path = folder.join(MATRIX);
        if let Err(error) = std::fs::write(&path, matrices) {
            self.say(&format!("warning: {}: {error}", path.display()));
        }
    }

    /// Writes while the bar is out of the way.
    fn aside(&self, write: impl FnOnce()) {
        match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }
}

fn bar() -> ProgressBar {
    let bar = ProgressBar::new(WHOLE);
    let style = ProgressStyle::with_template(&format!("{{bar:{BAR}.cyan/blue}} {{wide_msg}}"));
    if let Ok(style) = style {
        bar.set_style(style);
    }
    bar
}

impl Show for Shown {
    fn say(&self, text: &str) {
        self.aside(|| err(&format!("{text}\n")));
    }

    fn update(&self, now: &Snapshot) {
        match &self.bar {
            Some(bar) => {
                bar.set_position((now.share.unwrap_or(0.0) * WHOLE as f64) as u64);
                bar.set_message(now.within(super::documents::width_of(std::io::stderr()).saturating_sub(BAR + 1)));
            }
            None => {
                let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
                if last.elapsed() >= EACH {
                    *last = Instant::now();
                    err(&format!("{}\n", now.line()));
                }
            }
        }
    }

    fn ended(&self, record: &TrialRecord) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        if let Some(case) = self.cases.get(&record.case) {
            let matrices = report::terminal_trial(record, case);
            self.keep(record, &matrices);
            if self.is_printed(&record.case, record.round) {
                self.aside(|| out(&matrices));
            }
        }
    }

    fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
