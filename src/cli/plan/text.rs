//! A plan for people.
//!
//! It must not decide anything. Invariant: of many cases the first and last are shown, and how many are between.

use std::fmt::Write;

use super::table::Table;
use crate::cli::output::out;
use crate::plan::Expansion;
use crate::plan::estimate::{Basis, Estimator, Group, Rates, Totals};
use crate::run::words::{bytes, duration, thousands};
use crate::suite::model::{Order, Place};

/// No more cases than this are shown, unless all are asked for.
const CASES: usize = 40;
/// No more different warm-ups of a scenario than this.
const WARMUPS: usize = 3;
/// No more trials than this.
const TRIALS: usize = 12;

/// What is printed.
pub(super) struct Shown<'a> {
    /// The plan.
    pub(super) expansion: &'a Expansion,
    /// What its estimates rest on.
    pub(super) rates: &'a Rates,
    /// Its estimates.
    pub(super) estimator: &'a Estimator<'a>,
    /// Free bytes where runs are written.
    pub(super) free_disk: Option<u64>,
    /// Every case is to be shown.
    pub(super) all: bool,
}

impl Shown<'_> {
    /// Prints the plan; answers how many seconds it is estimated to take.
    pub(super) fn print(&self) -> f64 {
        let (totals, groups) = self.estimator.totals();
        let switching = self.estimator.switching_seconds();
        let seconds = totals.seconds + switching;
        out(&format!("{}\n{}\n", self.head(&totals), self.targets()));
        self.cases();
        out(&format!("\n{}\n{}\n", self.groups(&groups), self.trials()));
        out(&format!("{}{}", self.sums(&totals, seconds, switching), self.notes(&totals)));
        seconds
    }

    fn head(&self, totals: &Totals) -> String {
        let suite = self.expansion.suite();
        let about = suite.description.as_ref().map(|text| format!(": {text}")).unwrap_or_default();
        let order = match suite.order {
            Order::Interleaved => "interleaved",
            Order::Sequential => "sequential",
        };
        let counted =
            |count: u64, word: &str| format!("{} {word}{}", thousands(count), if count == 1 { "" } else { "s" });
        let counts = [
            counted(self.expansion.targets().count() as u64, "target"),
            counted(totals.cases, "case"),
            counted(u64::from(suite.rounds), "round"),
            counted(totals.trials, "trial"),
        ];
        let hash = self.expansion.hash();
        format!("{}{about}\nplan {hash}\nseed {} · {}, {order}\n", suite.name, suite.seed, counts.join(" · "))
    }

    fn targets(&self) -> String {
        let mut table = Table::new(&["target", "adapter", "version", "place"], 4);
        for target in self.expansion.targets() {
            let place = match &target.place {
                Place::Embedded => "embedded".to_owned(),
                Place::Docker(settings) => {
                    let image = target.image.as_deref().unwrap_or("");
                    let cpus = settings.cpus.map(|cpus| format!(" · cpus {cpus}")).unwrap_or_default();
                    let cpuset = settings.cpuset.as_ref().map(|set| format!(" · cpuset {set}")).unwrap_or_default();
                    let memory =
                        settings.memory.map(|memory| format!(" · memory {}", bytes(memory))).unwrap_or_default();
                    format!("docker {image}{cpus}{cpuset}{memory}")
                }
                Place::Existing(settings) => format!("existing {}", settings.hosts.join(", ")),
            };
            table.row([target.name.clone(), target.adapter.clone(), target.version.clone(), place]);
        }
        table.text()
    }

    /// The table of cases, printed part by part where all are asked for.
    fn cases(&self) {
        let count = self.expansion.len();
        let (first, last) = if self.all || count <= CASES { (count, count) } else { (CASES - 10, count - 10) };
        let heads = ["case", "operations", "points", "raw", "memory", "disk", "time"];
        let mut table = Table::new(&heads, 1);
        let mut written = 0;
        for case in (0..first).chain(last..count) {
            if case == last && last > first {
                let between = thousands((last - first) as u64);
                table.line(format!("… {between} more cases; --all shows them …"));
            }
            self.case(case, &mut table);
            written += 1;
            if written % 1000 == 0 {
                out(&table.take());
            }
        }
        out(&table.text());
    }

    fn case(&self, case: usize, table: &mut Table) {
        let id = self.expansion.id(case);
        if let Some(reason) = self.expansion.not_supported(case) {
            return table.line(format!("{id}  not supported: {reason}"));
        }
        let (summary, cost) = (self.expansion.summary(case), self.estimator.cost(case));
        let at_most = |count: u64| match count {
            1.. if summary.most_seconds.is_finite() => format!("≤ {}", thousands(count)),
            _ => thousands(count),
        };
        let disk = if summary.writes == 0 { "–".to_owned() } else { bytes(cost.disk) };
        table.row([
            id,
            at_most(summary.writes + summary.queries),
            at_most(summary.points),
            bytes(summary.bytes),
            bytes(cost.memory),
            disk,
            duration(cost.seconds),
        ]);
    }

    fn groups(&self, groups: &[Group]) -> String {
        let heads = ["target", "scenario", "cases", "trials", "operations", "points", "raw", "disk", "time"];
        let mut table = Table::new(&heads, 2);
        let suite = self.expansion.suite();
        for Group { target, scenario, totals } in groups {
            table.row([
                suite.targets[*target].name.text.clone(),
                suite.scenarios[*scenario].name.text.clone(),
                thousands(totals.cases),
                thousands(totals.trials),
                thousands(totals.operations),
                thousands(totals.points),
                bytes(totals.bytes),
                bytes(totals.disk),
                duration(totals.seconds),
            ]);
        }
        table.text()
    }

    fn trials(&self) -> String {
        let trials = self.expansion.trials();
        let (first, last) =
            if trials.len() <= TRIALS { (trials.len(), trials.len()) } else { (TRIALS - 3, trials.len() - 3) };
        let mut text = String::from("order of trials\n");
        for (index, (case, round)) in trials.iter().enumerate() {
            if (first..last).contains(&index) {
                if index == first {
                    let _ = writeln!(text, "  … {} more …", thousands((last - first) as u64));
                }
                continue;
            }
            let _ = writeln!(
                text,
                "  {}. {} round {round}",
                thousands(index as u64 + 1),
                self.expansion.id(*case as usize)
            );
        }
        text
    }

    fn sums(&self, totals: &Totals, seconds: f64, switching: f64) -> String {
        let mut text = String::new();
        let (operations, points) = (thousands(totals.operations), thousands(totals.points));
        let _ = writeln!(text, "in all: {operations} operations, {points} points, {} raw", bytes(totals.bytes));
        let free = self.free_disk.map(|free| format!(" of {} free", bytes(free))).unwrap_or_default();
        let _ = writeln!(text, "memory of the client: {}", bytes(totals.memory));
        let _ = writeln!(text, "disk at most: {}{free}", bytes(totals.disk));
        if self.free_disk.is_some_and(|free| totals.disk > free) {
            let _ = writeln!(text, "warning: that is more than is free");
        }
        let starts = if switching > 0.0 {
            format!(", {} of it for servers to stop and start", duration(switching))
        } else {
            String::new()
        };
        let _ = writeln!(text, "time: about {}{starts}", duration(seconds));
        let _ = writeln!(text, "{}", self.basis());
        text
    }

    /// What the estimates rest on.
    fn basis(&self) -> String {
        if let Some(run) = &self.rates.run {
            let guessed = (0..self.expansion.len()).any(|case| self.estimator.cost(case).basis > Basis::LikeCase);
            let rest = if guessed { "; guesses on the slow side for what it did not have" } else { "" };
            return format!("estimates: from run {run}{rest}");
        }
        match self.rates.client_seconds_a_point {
            Some(seconds) => {
                let nanoseconds = seconds * 1e9;
                format!(
                    "estimates: the client was calibrated ({nanoseconds:.1} ns a point); each database is guessed, on the slow side"
                )
            }
            None => "estimates: guesses on the slow side, without calibration".to_owned(),
        }
    }

    /// How each scenario warms up, where one does.
    fn warmups(&self) -> String {
        let scenarios = &self.expansion.suite().scenarios;
        let mut found: Vec<Vec<String>> = vec![Vec::new(); scenarios.len()];
        for case in 0..self.expansion.len() {
            let summary = self.expansion.summary(case);
            let said = match summary.warmup_operations {
                0 if summary.warmup_seconds > 0.0 => duration(summary.warmup_seconds),
                0 => continue,
                count => format!("{} operations", thousands(u64::from(count))),
            };
            let of_scenario = &mut found[self.expansion.place(case).1];
            if of_scenario.len() <= WARMUPS && !of_scenario.contains(&said) {
                of_scenario.push(said);
            }
        }
        let mut text = String::new();
        for (scenario, said) in scenarios.iter().zip(found).filter(|(_, said)| !said.is_empty()) {
            let more = if said.len() > WARMUPS { ", …" } else { "" };
            let shown = said[..said.len().min(WARMUPS)].join(", ");
            let _ = writeln!(text, "warm-up of {} before it is measured: {shown}{more}", scenario.name.text);
        }
        text
    }

    fn notes(&self, totals: &Totals) -> String {
        let mut text = self.warmups();
        if totals.not_supported > 0 {
            let _ = writeln!(
                text,
                "not supported: {} of {} cases",
                thousands(totals.not_supported),
                thousands(totals.cases)
            );
        }
        for (why, scenarios) in self.expansion.exceptions() {
            let _ = writeln!(text, "note: {} need not send the same bytes each time: {why}", scenarios.join(", "));
        }
        text
    }
}
