//! How long the trials to come will take, from what those so far took and how large both are.
//!
//! It must not read a clock. Invariant: where nothing is known nothing is said.

use std::collections::BTreeMap;

/// What is known of a case before it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Size {
    /// Its target's name.
    pub target: String,
    /// Its scenario's name.
    pub scenario: String,
    /// The operations planned; none where only time ends it.
    pub operations: Option<u64>,
}

/// Estimates of what is to come.
#[derive(Clone, Debug, Default)]
pub struct Eta {
    sizes: BTreeMap<String, Size>,
    done: Vec<Done>,
}

/// A trial that was run.
#[derive(Clone, Debug)]
struct Done {
    case: String,
    /// Seconds of all of it.
    seconds: f64,
    /// Seconds of the measured part.
    measured: f64,
}

impl Eta {
    /// For cases of these sizes, by id.
    pub fn new(sizes: impl IntoIterator<Item = (String, Size)>) -> Self {
        Eta { sizes: sizes.into_iter().collect(), done: Vec::new() }
    }

    /// A trial has ended: its seconds, and those of its measured part among them.
    pub fn ended(&mut self, case: &str, seconds: f64, measured: f64) {
        self.done.push(Done { case: case.to_owned(), seconds, measured });
    }

    /// Seconds for all trials of these cases; none before the first trial has ended.
    pub fn left(&self, coming: &[String]) -> Option<f64> {
        if self.done.is_empty() {
            return None;
        }
        // Of each case once: a long plan has many rounds and this is asked a few times a second.
        let mut known: BTreeMap<&str, f64> = BTreeMap::new();
        Some(coming.iter().map(|id| *known.entry(id).or_insert_with(|| self.case(id).unwrap_or(0.0))).sum())
    }

    /// Seconds for a trial of a case: the mean of its own trials, else from its size and the trials most like it; none before
    /// the first trial has ended.
    pub fn case(&self, id: &str) -> Option<f64> {
        let own: Vec<&Done> = self.done.iter().filter(|done| done.case == id).collect();
        if let Some(mean) = mean(&own, |done| done.seconds) {
            return Some(mean);
        }
        let size = self.sizes.get(id);
        let alike = |like: &dyn Fn(&Size, &Size) -> bool| -> Vec<&Done> {
            let is = |done: &&Done| size.zip(self.sizes.get(&done.case)).is_some_and(|(one, other)| like(one, other));
            self.done.iter().filter(is).collect()
        };
        let groups = [
            alike(&|one, other| one.target == other.target && one.scenario == other.scenario),
            alike(&|one, other| one.scenario == other.scenario),
            self.done.iter().collect(),
        ];
        let group = groups.iter().find(|group| !group.is_empty())?;
        self.by_size(group, size.and_then(|size| size.operations)).or_else(|| mean(group, |done| done.seconds))
    }

    /// A fixed part of each trial, and the group's seconds an operation for each of the operations.
    fn by_size(&self, group: &[&Done], operations: Option<u64>) -> Option<f64> {
        let planned = |done: &&Done| self.sizes.get(&done.case).and_then(|size| size.operations);
        let of_all: u64 = group.iter().map(planned).sum::<Option<u64>>()?;
        let measured: f64 = group.iter().map(|done| done.measured).sum();
        let fixed = mean(group, |done| (done.seconds - done.measured).max(0.0))?;
        (of_all > 0).then_some(fixed + operations? as f64 * measured / of_all as f64)
    }
}

fn mean(done: &[&Done], seconds: impl Fn(&Done) -> f64) -> Option<f64> {
    (!done.is_empty()).then(|| done.iter().map(|done| seconds(done)).sum::<f64>() / done.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(target: &str, scenario: &str, operations: Option<u64>) -> (String, Size) {
        let id = format!("{target}/{scenario}/{}", operations.unwrap_or(0));
        (id, Size { target: target.into(), scenario: scenario.into(), operations })
    }

    fn eta() -> Eta {
        Eta::new([
            size("a", "load", Some(100)),
            size("a", "load", Some(1000)),
            size("b", "load", Some(500)),
            size("a", "ask", None),
        ])
    }

    #[test]
    fn a_larger_case_takes_longer_by_its_operations() {
        let mut eta = eta();
        assert_eq!(eta.left(&["a/load/100".into()]), None, "nothing is known yet");
        eta.ended("a/load/100", 3.0, 1.0);
        // 2 s of each trial beside 10 ms an operation.
        assert_eq!(eta.left(&["a/load/1000".into(), "b/load/500".into()]), Some(12.0 + 7.0));
        assert_eq!(eta.left(&["a/ask/0".into()]), Some(3.0), "of one without a size the mean is all that is known");
    }

    #[test]
    fn a_cases_own_past_counts_before_all_others() {
        let mut eta = eta();
        eta.ended("a/load/100", 3.0, 1.0);
        eta.ended("a/load/1000", 20.0, 19.0);
        eta.ended("a/load/1000", 22.0, 21.0);
        assert_eq!(eta.case("a/load/1000"), Some(21.0));
    }
}
