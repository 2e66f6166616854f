//! The answer in one screen: a line a scenario, and a line for whatever spoils a comparison.
//!
//! It must not draw. Invariant: where nothing can be concluded it says so, and why.

use schemars::JsonSchema;
use serde::Serialize;

use super::caution::{Caution, cautions};
use super::compare::{Group, Kind, PACED_MEASURE, RatioTo, Row, paced};
use super::grid::Grid;
use super::reproduce::is_smoke;
use super::settings::unique;
use super::trust::Trust;
use crate::report::number::{Unit, three, times};

/// Where a target stands against the baseline in one scenario.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Standing {
    /// The column.
    pub column: String,
    /// In a sentence, such as `influxdb-1 is 1.83× [1.79, 1.88] postgres`.
    pub says: String,
    /// faster, slower, tie, mostly faster, mostly slower, mostly tie, mixed; none: undecided or no number.
    pub verdict: Option<String>,
    /// Each cell's advantage over the baseline: above 1, the target is better. With its interval's ends where there is one.
    pub advantages: Vec<(f64, Option<f64>, Option<f64>)>,
    /// The value, or the least and the greatest of several cells, with unit.
    pub value: Option<String>,
}

/// One scenario's line.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AnswerLine {
    /// The scenario.
    pub scenario: String,
    /// What is compared: `throughput`, `mean latency`.
    pub measure: String,
    /// Which way it is better: `higher` or `lower`.
    pub better: String,
    /// How many cells (operations × axis values) it is about.
    pub cells: u32,
    /// The whole line.
    pub says: String,
    /// Each target's part, the baseline first.
    pub standings: Vec<Standing>,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Answer {
    /// One line a scenario and kind of operation.
    pub lines: Vec<AnswerLine>,
    /// What spoils a comparison, the worst first.
    pub cautions: Vec<Caution>,
    /// Why nothing can be concluded; none: something can.
    pub nothing: Option<String>,
}

/// Sums the comparison up.
pub(crate) fn answer(grid: &Grid<'_>, groups: &[Group], trust: &Trust) -> Answer {
    let mut lines = Vec::new();
    for group in groups.iter().filter(|group| group.kind != Kind::Whole) {
        for scenario in unique(group.rows.iter().map(|row| row.scenario.as_str())) {
            lines.extend(line(grid, group, scenario));
        }
    }
    let nothing = nothing(grid, &lines);
    Answer { lines, cautions: cautions(grid, groups, trust), nothing }
}

fn nothing(grid: &Grid<'_>, lines: &[AnswerLine]) -> Option<String> {
    if grid.runs.iter().any(|run| is_smoke(run.started)) {
        return Some(
            "Smoke run: every case was shrunk to see that it works. The numbers say nothing about the databases."
                .to_owned(),
        );
    }
    let standings = || lines.iter().flat_map(|line| &line.standings);
    if standings().any(|standing| standing.verdict.is_some()) {
        return None;
    }
    if standings().all(|standing| standing.value.is_none()) {
        return Some("Nothing can be concluded: no trial gave a number.".to_owned());
    }
    if grid.columns.iter().filter(|column| !column.ceiling).count() < 2 {
        return Some("There is one target: its numbers stand by themselves, nothing is compared.".to_owned());
    }
    if standings().all(|standing| standing.advantages.is_empty()) {
        return Some(
            "Nothing can be concluded: no cell has numbers of both the baseline and another target.".to_owned(),
        );
    }
    Some("No verdict: fewer than three rounds have both sides of a pair. The ratios below are what was measured; at least three rounds are needed to tell a difference from noise.".to_owned())
}

fn line(grid: &Grid<'_>, group: &Group, scenario: &str) -> Option<AnswerLine> {
    let find = |key: &str| group.measures.iter().find(|measure| measure.key == key);
    let measure = find(PACED_MEASURE).filter(|_| paced(grid, scenario)).or_else(|| find(&group.default_measure));
    let rows: Vec<&Row> = group.rows.iter().filter(|row| row.scenario == scenario).collect();
    let baseline = grid.baseline?;
    let subject = Subject {
        grid,
        rows: &rows,
        measure: measure.map_or(group.default_measure.as_str(), |measure| measure.key.as_str()),
        unit: measure.map_or(Unit::Points, |measure| measure.unit),
        baseline,
        higher: measure.is_none_or(|measure| measure.better.as_deref() == Some("higher")),
    };
    let order = std::iter::once(baseline).chain((0..grid.columns.len()).filter(|index| *index != baseline));
    let standings: Vec<Standing> = order.filter_map(|column| subject.standing(column)).collect();
    let says: Vec<&str> =
        standings.iter().skip(usize::from(standings.len() > 1)).map(|one| one.says.as_str()).collect();
    Some(AnswerLine {
        scenario: scenario.to_owned(),
        measure: measure.map_or_else(|| "throughput".to_owned(), |measure| words(&measure.label)),
        better: if subject.higher { "higher" } else { "lower" }.to_owned(),
        cells: rows.len() as u32,
        says: format!("{scenario}: {}", says.join("; ")),
        standings,
    })
}

/// A measure's name inside a sentence: `P99 latency` keeps its capital.
fn words(label: &str) -> String {
    if label.starts_with('P') && label.chars().nth(1).is_some_and(|second| second.is_ascii_digit()) {
        return label.to_owned();
    }
    label.to_lowercase()
}

/// One scenario's rows of one table.
struct Subject<'a> {
    grid: &'a Grid<'a>,
    rows: &'a [&'a Row],
    measure: &'a str,
    unit: Unit,
    baseline: usize,
    higher: bool,
}

impl Subject<'_> {
    fn name(&self, column: usize) -> &str {
        &self.grid.columns[column].name
    }

    /// None where the suite has no such cell at all.
    fn standing(&self, column: usize) -> Option<Standing> {
        let cells: Vec<_> = self.rows.iter().filter_map(|row| row.cells[column].as_ref()).collect();
        if cells.is_empty() {
            return None;
        }
        let values: Vec<f64> = cells.iter().filter_map(|cell| Some(cell.values.get(self.measure)?.value)).collect();
        let value = self.span(&values);
        let name = self.name(column);
        if column == self.baseline {
            let says = match &value {
                Some(value) => format!("{name}: {value}"),
                None => format!("{name} has no number: {}", self.reasons(column)),
            };
            return Some(Standing { column: name.to_owned(), says, verdict: None, advantages: Vec::new(), value });
        }
        if self.grid.columns[column].ceiling {
            let reached = value.as_deref().unwrap_or("not measured");
            let says = format!("{name} is no rival but the client's own ceiling: {reached}");
            return Some(Standing { column: name.to_owned(), says, verdict: None, advantages: Vec::new(), value });
        }
        let base = self.name(self.baseline);
        let ratios: Vec<&RatioTo> = cells
            .iter()
            .filter_map(|cell| cell.values.get(self.measure)?.ratios.iter().find(|ratio| ratio.baseline == base))
            .collect();
        let missing = cells.len() - values.len();
        let mut says = match (ratios.as_slice(), value.is_some()) {
            ([], false) => format!("{name} has no number: {}", self.reasons(column)),
            ([], true) => format!("{name} can't be compared with {base}"),
            ([one], _) => self.one(name, base, one),
            (many, _) => self.many(name, base, many),
        };
        if missing > 0 && !values.is_empty() {
            says.push_str(&format!(", no number in {missing} of {} cells", cells.len()));
        }
        let advantages = ratios.iter().map(|ratio| self.advantage(ratio)).collect();
        Some(Standing { column: name.to_owned(), says, verdict: verdict(&ratios), advantages, value })
    }

    fn reasons(&self, column: usize) -> String {
        let cells = self.rows.iter().filter_map(|row| row.cells[column].as_ref());
        let says = cells.map(|cell| if cell.state.says.is_empty() { "not measured" } else { cell.state.says.as_str() });
        unique(says).join(", ")
    }

    fn span(&self, values: &[f64]) -> Option<String> {
        let least = values.iter().copied().min_by(f64::total_cmp)?;
        let greatest = values.iter().copied().max_by(f64::total_cmp)?;
        if values.len() == 1 {
            return Some(self.unit.show(least));
        }
        let scale = self.unit.scale(values.iter().copied());
        Some(format!("{} to {} {}", three(least / scale.divisor), three(greatest / scale.divisor), scale.name))
    }

    /// Above 1: better than the baseline, whichever way the measure goes.
    fn advantage(&self, ratio: &RatioTo) -> (f64, Option<f64>, Option<f64>) {
        if self.higher {
            (ratio.ratio, ratio.low, ratio.high)
        } else {
            (1.0 / ratio.ratio, ratio.high.map(|high| 1.0 / high), ratio.low.map(|low| 1.0 / low))
        }
    }

    fn one(&self, name: &str, base: &str, ratio: &RatioTo) -> String {
        let interval = match (ratio.low, ratio.high) {
            (Some(low), Some(high)) => format!(" [{}, {}]", three(low), three(high)),
            _ => String::new(),
        };
        let shown = format!("{}{interval}", times(ratio.ratio));
        if ratio.verdict.as_deref() == Some("tie") {
            return format!("{name} ties {base} ({shown})");
        }
        let mut says = if self.higher {
            format!("{name} is {shown} {base}")
        } else {
            format!("{name} takes {shown} the time of {base}")
        };
        if ratio.verdict.is_none() {
            let rounds = if ratio.pairs == 1 { "1 round" } else { &format!("{} rounds", ratio.pairs) };
            says.push_str(&format!(" ({rounds}: no verdict)"));
        }
        says
    }

    fn many(&self, name: &str, base: &str, ratios: &[&RatioTo]) -> String {
        let least = ratios.iter().map(|ratio| ratio.ratio).min_by(f64::total_cmp).unwrap_or(1.0);
        let greatest = ratios.iter().map(|ratio| ratio.ratio).max_by(f64::total_cmp).unwrap_or(1.0);
        let range = format!("{} to {}", times(least), times(greatest));
        let mut says = if self.higher {
            format!("{name} is {range} {base}")
        } else {
            format!("{name} takes {range} the time of {base}")
        };
        let count = |verdict: Option<&str>| ratios.iter().filter(|ratio| ratio.verdict.as_deref() == verdict).count();
        let told = [("faster", Some("faster")), ("slower", Some("slower")), ("tie", Some("tie")), ("undecided", None)];
        let parts: Vec<String> = told
            .iter()
            .map(|(word, verdict)| (word, count(*verdict)))
            .filter(|(_, count)| *count > 0)
            .map(|(word, count)| {
                if count == ratios.len() {
                    format!("{word} in all {count} cells")
                } else {
                    format!("{word} in {count}")
                }
            })
            .collect();
        says.push_str(&format!(" ({})", parts.join(", ")));
        says
    }
}

/// The verdict that all cells share, or most of them while none says the opposite; else `mixed`. None where none is decided.
fn verdict(ratios: &[&RatioTo]) -> Option<String> {
    let count = |word: &str| ratios.iter().filter(|ratio| ratio.verdict.as_deref() == Some(word)).count();
    let (all, faster, slower, ties) = (ratios.len(), count("faster"), count("slower"), count("tie"));
    let word = match (faster, slower, ties) {
        (0, 0, 0) => return None,
        (faster, 0, _) if faster == all => "faster",
        (0, slower, _) if slower == all => "slower",
        (0, 0, ties) if ties == all => "tie",
        (faster, 0, _) if faster * 2 >= all => "mostly faster",
        (0, slower, _) if slower * 2 >= all => "mostly slower",
        (_, _, ties) if ties * 2 > all => "mostly tie",
        _ => "mixed",
    };
    Some(word.to_owned())
}
