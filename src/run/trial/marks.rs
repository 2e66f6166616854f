//! The marks that a trial can know by itself.
//!
//! It must not look at other trials: noisy and few samples are the report's. Invariant: a mark never changes a number.

use crate::run::journal::trial::{Mark, TrialRecord};
use crate::workload::load::{Load, Pacing};

/// The client set the pace where it used more than this share of its cores' time.
pub const CLIENT_BOUND_SHARE: f64 = 0.9;
/// An open loop is saturated where it reached less than this share of the rate asked for.
pub const SATURATED_SHARE: f64 = 0.95;

/// What the marks depend on beside the record.
#[derive(Clone, Copy, Debug)]
pub struct Circumstances<'a> {
    /// The load shape.
    pub load: &'a Load,
    /// How many cores the clients had.
    pub client_cores: usize,
    /// Whether the database's own work is in the client's CPU, so that it says nothing about the client.
    pub embedded: bool,
    /// Whether all that the suite's numbers rest on was checked: stored points, answers.
    pub checked: bool,
}

/// The marks of a trial.
pub fn marks(record: &TrialRecord, around: Circumstances<'_>) -> Vec<Mark> {
    let operations = |count: fn(&crate::run::journal::trial::OperationRecord) -> u64| {
        record.operations.iter().map(count).sum::<u64>()
    };
    let elapsed = record.elapsed_s.filter(|elapsed| *elapsed > 0.0);
    let client_bound = elapsed.is_some_and(|elapsed| {
        record.client_cpu_s / (elapsed * around.client_cores.max(1) as f64) > CLIENT_BOUND_SHARE
    });
    let saturated = match (&around.load.pacing, elapsed) {
        (Pacing::Open { rate, .. }, Some(elapsed)) => {
            let reached = operations(|o| o.ok_operations + o.failed_operations) as f64 / elapsed;
            record.dropped > 0 || reached < rate * SATURATED_SHARE
        }
        _ => false,
    };
    let all = [
        (client_bound && !around.embedded, Mark::ClientBound),
        (saturated, Mark::Saturated),
        (!around.checked, Mark::NotChecked),
        (record.cores.shared == Some(true), Mark::CoresShared),
        (operations(|o| o.failed_operations + o.failed_points) > 0, Mark::Errors),
    ];
    all.into_iter().filter(|(holds, _)| *holds).map(|(_, mark)| mark).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::journal::trial::CoresRecord;

    fn load() -> Load {
        Load { clients: 1, cores: Vec::new(), pacing: Pacing::Closed, warmup: None, duration: None }
    }

    #[test]
    fn a_client_that_used_up_its_cores_is_told() {
        let load = load();
        let mut record = TrialRecord::new("c", "h", 1);
        record.elapsed_s = Some(10.0);
        record.client_cpu_s = 9.5;
        let around = Circumstances { load: &load, client_cores: 1, embedded: false, checked: true };
        assert_eq!(marks(&record, around), [Mark::ClientBound]);
        assert_eq!(marks(&record, Circumstances { client_cores: 2, ..around }), []);
        assert_eq!(marks(&record, Circumstances { embedded: true, ..around }), []);
    }

    #[test]
    fn shared_cores_and_unchecked_counts_are_told() {
        let load = load();
        let mut record = TrialRecord::new("c", "h", 1);
        record.cores = CoresRecord { shared: Some(true), ..CoresRecord::default() };
        let around = Circumstances { load: &load, client_cores: 1, embedded: true, checked: false };
        assert_eq!(marks(&record, around), [Mark::NotChecked, Mark::CoresShared]);
    }
}
