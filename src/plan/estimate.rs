//! What a plan will cost: time, memory, space on disk; from what a run like it took, from a calibration, or guessed.
//!
//! It must not measure. Invariant: estimates are in no hash, and each says what it rests on.

use std::collections::HashMap;

use super::expansion::{Expansion, Summary};
use super::hash::Hash;
use crate::adapter::types::AdapterFile;

/// What the process itself needs beside its clients' data, bytes.
const PROCESS_BYTES: u64 = 12 << 20;

/// What an earlier trial took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// Seconds of the measured part.
    pub measured_seconds: f64,
    /// Seconds of everything around it.
    pub other_seconds: f64,
    /// Points written.
    pub points: u64,
    /// Queries answered.
    pub queries: u64,
    /// Raw bytes of the points.
    pub raw_bytes: u64,
    /// Bytes on disk after it; none: not measured.
    pub disk_bytes: Option<u64>,
}

/// What trials like one took in all.
#[derive(Clone, Copy, Debug, Default)]
struct Like {
    trials: f64,
    measured: f64,
    other: f64,
    points: f64,
    queries: f64,
    raw: f64,
    disk: f64,
    /// Measured seconds over points, where only points were written.
    writing: Line,
    /// Measured seconds over queries, where only queries were asked.
    asking: Line,
}

/// A straight line through what was seen: what a trial takes whatever it does, and what each unit of work adds.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    count: f64,
    work: f64,
    seconds: f64,
    work_work: f64,
    work_seconds: f64,
}

impl Line {
    fn see(&mut self, work: f64, seconds: f64) {
        self.count += 1.0;
        self.work += work;
        self.seconds += seconds;
        self.work_work += work * work;
        self.work_seconds += work * seconds;
    }

    /// Seconds for so much work. Where all that was seen is one amount, nothing tells the fixed part: all is in proportion.
    fn at(&self, work: f64) -> f64 {
        let (mean_work, mean_seconds) = (self.work / self.count, self.seconds / self.count);
        let spread = self.work_work / self.count - mean_work * mean_work;
        let proportional = mean_seconds / mean_work.max(1.0);
        if spread <= 1e-9 * mean_work * mean_work {
            return proportional * work;
        }
        // Neither a unit of work nor the fixed part takes less than no time.
        let slope = (self.work_seconds / self.count - mean_work * mean_seconds) / spread;
        let slope = slope.clamp(0.0, proportional);
        mean_seconds + slope * (work - mean_work)
    }
}

/// How fast things have been.
#[derive(Clone, Debug, Default)]
pub struct Rates {
    /// The run that trials were seen in.
    pub run: Option<String>,
    /// Seconds that the client itself takes a point, on one core; none: not calibrated.
    pub client_seconds_a_point: Option<f64>,
    same: HashMap<Hash, (f64, Seen)>,
    like: HashMap<(String, String), Like>,
}

/// What an estimate rests on, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Basis {
    /// The same case in an earlier run.
    SameCase,
    /// Other cases of the scenario on the target in an earlier run.
    LikeCase,
    /// A calibration of the client, and a guess at the database.
    Calibration,
    /// Guesses.
    Guess,
}

impl Rates {
    /// Takes a trial into account.
    pub fn see(&mut self, hash: &str, target: &str, scenario: &str, seen: Seen) {
        if let Some(hash) = Hash::parse(hash) {
            let (count, sum) =
                self.same.entry(hash).or_insert((0.0, Seen { measured_seconds: 0.0, other_seconds: 0.0, ..seen }));
            *count += 1.0;
            sum.measured_seconds += seen.measured_seconds;
            sum.other_seconds += seen.other_seconds;
            sum.disk_bytes = sum.disk_bytes.max(seen.disk_bytes);
        }
        let like = self.like.entry((target.to_owned(), scenario.to_owned())).or_default();
        like.trials += 1.0;
        like.measured += seen.measured_seconds;
        like.other += seen.other_seconds;
        like.points += seen.points as f64;
        like.queries += seen.queries as f64;
        match (seen.points, seen.queries) {
            (points, 0) => like.writing.see(points as f64, seen.measured_seconds),
            (0, queries) => like.asking.see(queries as f64, seen.measured_seconds),
            _ => {}
        }
        if let Some(disk) = seen.disk_bytes {
            like.raw += seen.raw_bytes as f64;
            like.disk += disk as f64;
        }
    }
}

/// What a database is guessed to do; on the slow side, so that a plan is rather done early than late.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Guess {
    points_a_second: f64,
    query_seconds: f64,
    /// Bytes on disk a raw byte.
    growth: f64,
    /// Seconds around the measured part of a trial.
    around: f64,
    /// Seconds of a server's stop and start.
    start: f64,
}

impl Guess {
    fn of(file: &AdapterFile) -> Guess {
        let (points_a_second, query_seconds, growth) = match file.driver.as_str() {
            "blackhole" => {
                return Guess { points_a_second: 5e6, query_seconds: 5e-6, growth: 0.0, around: 0.05, start: 0.0 };
            }
            "sqlite" => (400_000.0, 0.002, 2.5),
            "postgres" => (200_000.0, 0.005, 3.0),
            "influx" => (150_000.0, 0.010, 1.0),
            _ => (100_000.0, 0.020, 4.0),
        };
        let around = if file.embedded.is_some() { 0.3 } else { 2.0 };
        let start = if file.embedded.is_some() { 0.0 } else { 4.0 };
        Guess { points_a_second, query_seconds, growth, around, start }
    }
}

/// What one trial of a case is estimated to cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// Bytes of the client's memory.
    pub memory: u64,
    /// Bytes that it adds on the server's disk.
    pub disk: u64,
    /// Seconds, with everything around the measured part.
    pub seconds: f64,
    /// What the time rests on.
    pub basis: Basis,
}

/// Sums over cases and all their trials.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Totals {
    /// Cases.
    pub cases: u64,
    /// Trials.
    pub trials: u64,
    /// Operations of all trials.
    pub operations: u64,
    /// Points written by all trials.
    pub points: u64,
    /// Raw bytes of those.
    pub bytes: u64,
    /// The most memory that the client needs at a time.
    pub memory: u64,
    /// The most bytes on disk at a time: each target keeps the data of one case.
    pub disk: u64,
    /// Seconds of all trials.
    pub seconds: f64,
    /// Cases that are not supported; they count in nothing else but `cases` and `trials`.
    pub not_supported: u64,
}

/// The sums of one target and scenario, by their positions in the suite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Group {
    /// The target.
    pub target: usize,
    /// The scenario.
    pub scenario: usize,
    /// The sums.
    pub totals: Totals,
}

impl Totals {
    fn add(&mut self, summary: &Summary, cost: &Cost, rounds: u32) {
        let rounds = u64::from(rounds);
        self.cases += 1;
        self.trials += rounds;
        if !summary.supported {
            self.not_supported += 1;
            return;
        }
        let sum = |sum: &mut u64, count: u64| *sum = sum.saturating_add(count.saturating_mul(rounds));
        sum(&mut self.operations, summary.writes.saturating_add(summary.queries));
        sum(&mut self.points, summary.points);
        sum(&mut self.bytes, summary.bytes);
        self.seconds += cost.seconds * rounds as f64;
        self.memory = self.memory.max(cost.memory);
        self.disk = self.disk.max(cost.disk);
    }
}

/// Costs the cases of an expansion.
pub struct Estimator<'a> {
    expansion: &'a Expansion,
    rates: &'a Rates,
    guesses: Vec<Guess>,
    like: HashMap<(usize, usize), Like>,
}

impl<'a> Estimator<'a> {
    /// With these rates.
    pub fn new(expansion: &'a Expansion, rates: &'a Rates) -> Self {
        let guesses = expansion.targets.iter().map(|resolved| Guess::of(&resolved.adapter.file)).collect();
        let mut like = HashMap::new();
        for (target, resolved) in expansion.targets.iter().enumerate() {
            for (scenario, typed) in expansion.suite.scenarios.iter().enumerate() {
                let key = (resolved.target.name.clone(), typed.name.text.clone());
                like.extend(rates.like.get(&key).map(|seen| ((target, scenario), *seen)));
            }
        }
        Estimator { expansion, rates, guesses, like }
    }

    /// What one trial of a case costs.
    pub fn cost(&self, case: usize) -> Cost {
        let summary = self.expansion.summary(case);
        let place = self.expansion.place(case);
        let guess = &self.guesses[place.0];
        let like = self.like.get(&place).filter(|like| like.trials > 0.0);
        let (measured, around, basis) = match (self.rates.same.get(&summary.hash), like) {
            (Some((count, sum)), _) => (sum.measured_seconds / count, sum.other_seconds / count, Basis::SameCase),
            (None, Some(like)) => (scaled(like, &summary), like.other / like.trials, Basis::LikeCase),
            (None, None) => {
                let (seconds, basis) = self.guessed(guess, &summary);
                (seconds, guess.around, basis)
            }
        };
        let paced = measured.max(summary.least_seconds).min(summary.most_seconds);
        let seconds = if summary.supported { paced + around + summary.warmup_seconds } else { 0.0 };
        let same = self.rates.same.get(&summary.hash).and_then(|(_, seen)| seen.disk_bytes);
        let growth = like.filter(|like| like.raw > 0.0).map_or(guess.growth, |like| like.disk / like.raw);
        let disk = match same {
            _ if !summary.supported => 0,
            // What was seen after a case that wrote onto data is those data too.
            Some(bytes) if summary.head.is_none() => bytes,
            _ => (summary.bytes as f64 * growth) as u64,
        };
        Cost { memory: summary.memory + PROCESS_BYTES, disk, seconds, basis }
    }

    fn guessed(&self, guess: &Guess, summary: &Summary) -> (f64, Basis) {
        let (client, basis) = match self.rates.client_seconds_a_point {
            Some(seconds) => (seconds, Basis::Calibration),
            None => (0.0, Basis::Guess),
        };
        let point = client.max(1.0 / guess.points_a_second);
        (summary.points as f64 * point + summary.queries as f64 * guess.query_seconds, basis)
    }

    /// Sums over all cases with all their trials, and over those of each target and scenario.
    pub fn totals(&self) -> (Totals, Vec<Group>) {
        let rounds = self.expansion.suite.rounds;
        let mut all = Totals::default();
        let mut groups: Vec<Group> = Vec::new();
        // A loading case's data and what others write onto them lie there together.
        let mut together = vec![0_u64; self.expansion.len()];
        for case in 0..self.expansion.len() {
            let (summary, cost) = (self.expansion.summary(case), self.cost(case));
            let (target, scenario) = self.expansion.place(case);
            all.add(&summary, &cost, rounds);
            // Cases of one target and scenario come one after the other.
            match groups.last_mut().filter(|group| (group.target, group.scenario) == (target, scenario)) {
                Some(group) => group.totals.add(&summary, &cost, rounds),
                None => {
                    let mut totals = Totals::default();
                    totals.add(&summary, &cost, rounds);
                    groups.push(Group { target, scenario, totals });
                }
            }
            let data = &mut together[summary.head.unwrap_or(case)];
            *data = data.saturating_add(cost.disk);
        }
        let mut disk = vec![0_u64; self.guesses.len()];
        for (case, bytes) in together.into_iter().enumerate() {
            let target = self.expansion.place(case).0;
            disk[target] = disk[target].max(bytes);
        }
        all.disk = disk.iter().fold(0, |sum, bytes| sum.saturating_add(*bytes));
        (all, groups)
    }

    /// Seconds that go by while servers stop and start between trials of different targets.
    pub fn switching_seconds(&self) -> f64 {
        let target = |trial: &(u32, u32)| self.expansion.place(trial.0 as usize).0;
        let targets = self.expansion.trials.iter().map(target);
        let starts = |(before, target): &(Option<usize>, usize)| *before != Some(*target);
        let before = std::iter::once(None).chain(targets.clone().map(Some));
        before.zip(targets).filter(starts).map(|(_, target)| self.guesses[target].start).sum()
    }
}

/// The measured seconds of a case from those of like cases: by points where only points were written, else by operations.
fn scaled(like: &Like, summary: &Summary) -> f64 {
    let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
    if like.queries == 0.0 {
        return if like.points > 0.0 { like.writing.at(summary.points as f64) } else { 0.0 };
    }
    if like.points == 0.0 {
        return like.asking.at(summary.queries as f64);
    }
    let points = share(summary.points as f64, like.points);
    like.measured * points.max(share(summary.queries as f64, like.queries))
}
