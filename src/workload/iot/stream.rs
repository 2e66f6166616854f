//! One client's operations.
//!
//! It must not know when or whether an operation succeeds. Invariant: the same parameters, client and part give the same
//! operations with the same data.

use std::ops::Range;
use std::sync::Arc;

use super::disorder::Disorder;
use super::draws::Draws;
use super::parameters::IotParameters;
use super::queries::Queries;
use super::shape;
use super::times::{Times, Warmup};
use super::workload::Shared;
use crate::workload::batch::{Batch, Block, DeviceRun};
use crate::workload::operation::OperationKind;
use crate::workload::stream::{ClientStream, Part, Step};

/// The stream of a client.
pub(super) struct IotStream {
    shared: Arc<Shared>,
    client: u64,
    draws: Draws,
    queries: Queries,
    /// Loops begun, and how many there are; none: endless.
    loops: u64,
    limit: Option<u64>,
    /// Write loops begun.
    writes: u64,
    /// The devices that this client writes, and those of them that the current write loop has left.
    written: Range<u64>,
    left: Range<u64>,
    times: Times,
    disorder: Disorder,
    /// Set in the warm-up, whose rows lie before START_TIME.
    warmup: Option<Warmup>,
}

/// How many rows each device of a client gets in all, where its disorder hangs on that; else 0.
fn rows_to_come(p: &IotParameters, draws: &Draws) -> u64 {
    match (p.out_of_order, p.bind) {
        (false, _) => 0,
        (true, true) => draws.count(p.loops)[OperationKind::Ingestion.index()].saturating_mul(u64::from(p.batch)),
        (true, false) => shape::rows_per_device(p),
    }
}

impl IotStream {
    pub(super) fn new(shared: Arc<Shared>, client: u32, part: Part) -> Self {
        let p = &shared.parameters;
        let draws = Draws::new(p, client, part);
        let times = Times::measured(p);
        let (limit, warmup, disorder) = match part {
            Part::Measured => (Some(p.loops), None, Disorder::new(p, rows_to_come(p, &draws))),
            Part::Warmup => (None, Some(Warmup::new(p)), Disorder::None),
        };
        // Where the workload writes, its warm-up asks for rows of the warm-up.
        let asked = if part == Part::Warmup && p.writes() { Times::warmup(p) } else { times };
        let written = if p.bind { shape::written_of(p, client) } else { 0..p.written_before(p.devices) };
        let queries = Queries::new(&shared, client, part, asked);
        let left = 0..0;
        let client = u64::from(client);
        IotStream { client, draws, queries, loops: 0, limit, writes: 0, written, left, times, disorder, warmup, shared }
    }

    /// Fills the batch with a device's `index`-th batch.
    fn write(&self, device: u64, index: u64, batch: &mut Batch) -> Step {
        let p = &self.shared.parameters;
        let rows = p.batch;
        if batch.blocks.len() != 1 {
            batch.blocks = vec![Block::default()];
        }
        let block = &mut batch.blocks[0];
        block.table = shape::table_of(p, device);
        block.runs.clear();
        block.runs.push(DeviceRun { device, rows });
        block.times.clear();
        let first = match &self.warmup {
            Some(warmup) => warmup.first_place(index),
            None => index * u64::from(rows),
        };
        let all = (0..u64::from(rows)).map(|at| first.wrapping_add(at));
        match &self.disorder {
            Disorder::None => block.times.extend(all.map(|row| self.times.at(device, row))),
            disorder => block.times.extend(all.map(|row| self.times.at(device, disorder.place(device, row)))),
        }
        let runs = self.value_rows(device, first, rows);
        self.shared.generators.fill(device, &runs, &mut block.columns);
        Step::Write
    }

    /// The rows whose values a batch holds, as two stretches. A rotated row is the one that its time says; a row that was
    /// moved back keeps the values of its own number.
    fn value_rows(&self, device: u64, first: u64, rows: u32) -> [(u64, u32); 2] {
        let Disorder::Rotated { rows: all, .. } = &self.disorder else {
            return [(first, rows), (0, 0)];
        };
        let start = self.disorder.place(device, first);
        let before = (all - start).min(u64::from(rows)) as u32;
        [(start, before), (0, rows - before)]
    }

    /// The next write of an unbound client: devices are dealt round the clients, batch by batch.
    fn next_in_turn(&mut self, batch: &mut Batch) -> Step {
        let clients = u64::from(self.shared.parameters.clients());
        let turn = self.writes * clients + self.client;
        self.writes += 1;
        self.write(turn % self.written.end, turn / self.written.end, batch)
    }
}

impl ClientStream for IotStream {
    fn next(&mut self, batch: &mut Batch) -> Option<Step> {
        loop {
            if let Some(device) = self.left.next() {
                return Some(self.write(device, self.writes - 1, batch));
            }
            if self.limit == Some(self.loops) {
                return None;
            }
            let kind = self.draws.kind(self.loops);
            self.loops += 1;
            if kind != OperationKind::Ingestion {
                return Some(Step::Query(self.queries.next(&self.shared, kind)));
            }
            if !self.shared.parameters.bind {
                return Some(self.next_in_turn(batch));
            }
            if self.written.is_empty() && !self.shared.parameters.asks() {
                return None;
            }
            self.writes += 1;
            self.left = self.written.clone();
        }
    }

    fn steps(&self) -> Option<u64> {
        let counts = self.draws.count(self.limit?);
        let writes = counts[OperationKind::Ingestion.index()];
        let each = if self.shared.parameters.bind { self.written.end - self.written.start } else { 1 };
        Some(counts.iter().sum::<u64>() - writes + writes.saturating_mul(each))
    }
}
