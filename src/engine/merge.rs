//! The workers' tallies made into one outcome.
//!
//! It must not run while clients do. Invariant: histograms are merged, never averaged; seconds are added by their number.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::shared::{Beginning, Shared, process_cpu};
use super::tally::{KindTally, Second, Tally};
use super::types::{ErrorCount, Interval, OperationResult, Outcome};
use crate::workload::operation::OperationKind;

/// What the tallies come to.
pub(super) fn outcome(shared: &Shared, tallies: Vec<Tally>) -> Outcome {
    let beginning = shared.beginning();
    let first = tallies.iter().filter_map(|tally| tally.first_start).min();
    let last = tallies.iter().filter_map(|tally| tally.last_end).max();
    let client_cpu = beginning.map_or(0.0, |b| process_cpu().saturating_sub(b.cpu).as_secs_f64());
    Outcome {
        ending: shared.ending(),
        started: first,
        elapsed: first.zip(last).map_or(Duration::ZERO, |(first, last)| last.duration_since(first)),
        operations: shared.job.workload.kinds().into_iter().map(|kind| operation(kind, &tallies)).collect(),
        series: series(&tallies, shared.go.get().copied(), beginning),
        errors: errors(&tallies),
        retries: tallies.iter().map(|tally| tally.retries).sum(),
        warmup_points: tallies.iter().map(|tally| tally.warmup_points).sum(),
        warmup_elapsed: warmup_elapsed(shared.go.get().copied(), beginning),
        bytes: tallies.iter().map(|tally| tally.bytes).sum(),
        client_cpu,
        late: tallies.iter().map(|tally| tally.late).sum(),
        dropped: tallies.iter().map(|tally| tally.dropped).sum(),
        checksum: tallies.iter().filter_map(|tally| tally.checksum).reduce(u64::wrapping_add),
        samples: tallies.into_iter().flat_map(|tally| tally.samples).collect(),
    }
}

fn warmup_elapsed(go: Option<Instant>, beginning: Option<Beginning>) -> Duration {
    go.zip(beginning).map_or(Duration::ZERO, |(go, beginning)| beginning.at.duration_since(go))
}

fn operation(kind: OperationKind, tallies: &[Tally]) -> OperationResult {
    let mut sum = KindTally::default();
    for tally in tallies.iter().filter_map(|tally| tally.kinds[kind.index()].as_deref()) {
        sum.ok_operations += tally.ok_operations;
        sum.ok_points += tally.ok_points;
        sum.ok_rows += tally.ok_rows;
        sum.failed_operations += tally.failed_operations;
        sum.failed_points += tally.failed_points;
        sum.service.merge(&tally.service);
        if let Some(response) = &tally.response {
            sum.response.get_or_insert_default().merge(response);
        }
    }
    let slowest = tallies.iter().flat_map(|tally| &tally.client_time).map(|kinds| kinds[kind.index()]).max();
    OperationResult {
        kind,
        ok_operations: sum.ok_operations,
        ok_points: sum.ok_points,
        ok_rows: sum.ok_rows,
        failed_operations: sum.failed_operations,
        failed_points: sum.failed_points,
        service: sum.service,
        response: sum.response,
        slowest_client: Duration::from_nanos(slowest.unwrap_or(0)),
    }
}

fn errors(tallies: &[Tally]) -> Vec<ErrorCount> {
    let mut all = BTreeMap::new();
    for ((kind, class), (message, count)) in tallies.iter().flat_map(|tally| &tally.errors) {
        all.entry((*kind, *class)).or_insert((message.clone(), 0)).1 += count;
    }
    let count = |((kind, class), (message, count))| ErrorCount { kind, class, message, count };
    all.into_iter().map(count).collect()
}

fn series(tallies: &[Tally], go: Option<Instant>, beginning: Option<Beginning>) -> Vec<Interval> {
    let warmup = added(tallies.iter().map(|tally| tally.warmup_seconds.as_slice()));
    let measured = added(tallies.iter().map(|tally| tally.seconds.as_slice()));
    // Warm-up seconds count from its start; the last of them ends where the measured part begins.
    let length = warmup_elapsed(go, beginning).as_secs_f64().ceil() as i64;
    let before = warmup.iter().zip(-length.max(warmup.len() as i64)..);
    before.chain(measured.iter().zip(0..)).map(|(sums, second)| sums.interval(second)).collect()
}

fn added<'a>(all: impl Iterator<Item = &'a [Second]>) -> Vec<Second> {
    let mut sums: Vec<Second> = Vec::new();
    for seconds in all {
        if seconds.len() > sums.len() {
            sums.resize(seconds.len(), Second::default());
        }
        for (sum, second) in sums.iter_mut().zip(seconds) {
            sum.add(second);
        }
    }
    sums
}
