//! Trials made in code: counts, histograms, series, readings, samples.
//!
//! It must not be used outside tests. Invariant: the same dice give the same trial.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use crate::run::journal::events::CaseInfo;
use crate::run::journal::trial::{
    CoresRecord, DiskRecord, IntervalRecord, OperationRecord, Phase, Reading, SampleRecord, ServerRecord, Status,
    StoredRecord, TrialRecord, TuningRecord,
};
use crate::stats::histogram::Latencies;

/// Noise around 1, and durations with a tail.
pub(crate) struct Dice(Xoshiro256PlusPlus);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Dice(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    fn uniform(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub(crate) fn around(&mut self, width: f64) -> f64 {
        1.0 + width * (self.uniform() + self.uniform() - 1.0)
    }

    pub(crate) fn latencies(&mut self, count: u64, mean_ms: f64) -> Latencies {
        let mut latencies = Latencies::new();
        for _ in 0..count {
            let tail = 0.4 - (1.0 - self.uniform()).ln() * 0.6;
            latencies.record_nanos((mean_ms * 1e6 * tail) as u64);
        }
        latencies
    }
}

/// A valid trial of `operations` (name, how many, points each, mean milliseconds), done by ten clients.
pub(crate) fn trial(dice: &mut Dice, case: &CaseInfo, round: u32, operations: &[(&str, u64, u64, f64)]) -> TrialRecord {
    let records: Vec<OperationRecord> = operations.iter().map(|one| operation(dice, *one)).collect();
    let busy: f64 = operations.iter().map(|(_, count, _, mean)| *count as f64 * mean / 1e3).sum();
    let elapsed = busy / 10.0 * dice.around(0.04);
    let points: u64 = records.iter().map(|record| record.ok_points).sum();
    let loads = case.on.is_none();
    let readings = |dice: &mut Dice, cores: f64| readings(dice, elapsed, cores, points);
    TrialRecord {
        status: Status::Valid,
        phases: vec![(Phase::Schema, 0.088), (Phase::Warmup, 5.0), (Phase::Measure, elapsed), (Phase::Settle, 4.2)],
        server: ServerRecord {
            image: None,
            digest: (case.target != "sqlite").then(|| format!("sha256:{:064x}", case.target.len() * 7_919)),
            version: Some(format!("{} by itself", case.target)),
            container: None,
        },
        tuning: vec![TuningRecord {
            name: "shared_buffers".to_owned(),
            asked: "128MB".to_owned(),
            read_back: Some("128MB".to_owned()),
            agrees: Some(true),
        }],
        elapsed_s: Some(elapsed),
        warmup_s: Some(5.0),
        series: series(dice, elapsed, operations[0].1, points),
        operations: records,
        stored: loads.then_some(StoredRecord {
            acknowledged: points,
            warmup: 50_000,
            expected: points + 50_000,
            stored: points + 50_000,
        }),
        answers: (!loads).then_some((24, 0)),
        disk: loads.then(|| DiskRecord {
            flushed_bytes: Some(points * 9),
            settled_bytes: Some(points * 7),
            settle_s: Some(4.2),
        }),
        bytes: points * 20,
        client_cpu_s: elapsed * 0.7,
        cores: CoresRecord { client: Some("0-3".to_owned()), server: Some("4-7".to_owned()), shared: Some(false) },
        server_readings: readings(dice, 2.4),
        client_readings: readings(dice, 0.7),
        samples: operations.iter().map(|(name, ..)| sample(name, case)).collect(),
        ..TrialRecord::new(&case.id, &case.hash, round)
    }
}

fn operation(dice: &mut Dice, (name, count, points, mean_ms): (&str, u64, u64, f64)) -> OperationRecord {
    let service = dice.latencies(count, mean_ms);
    OperationRecord {
        operation: name.to_owned(),
        ok_operations: count,
        ok_points: count * points,
        ok_rows: count * points / 10,
        failed_operations: 0,
        failed_points: 0,
        slowest_client_s: service.total().as_secs_f64() / 9.0,
        service: service.to_record(),
        response: None,
    }
}

fn series(dice: &mut Dice, elapsed: f64, operations: u64, points: u64) -> Vec<IntervalRecord> {
    (-5..elapsed.ceil() as i64)
        .map(|second| {
            let share = dice.around(0.2) / elapsed.max(1.0);
            IntervalRecord {
                second,
                operations: (operations as f64 * share) as u64,
                points: (points as f64 * share) as u64,
                errors: u64::from(second == 7),
                mean_ms: Some(20.0 * dice.around(0.3)),
                max_ms: Some(90.0 * dice.around(0.6)),
            }
        })
        .collect()
}

fn readings(dice: &mut Dice, elapsed: f64, cores: f64, points: u64) -> Vec<Reading> {
    let mut cpu = 3.0;
    let mut written = 0.0;
    (-5..elapsed.ceil() as i64 + 6)
        .map(|second| {
            let busy = if (0.0..elapsed).contains(&(second as f64)) { 1.0 } else { 0.3 };
            cpu += cores * busy * dice.around(0.3);
            written += points as f64 * 12.0 / elapsed * busy * dice.around(0.5);
            Reading {
                at_ms: second * 1_000,
                cpu_seconds: Some(cpu),
                memory_bytes: Some(((200.0 + 8.0 * (second + 5) as f64) * 1e6) as u64),
                cache_bytes: Some(90_000_000),
                disk_read_bytes: Some(written as u64 / 50),
                disk_write_bytes: Some(written as u64),
                disk_reads: Some(written as u64 / 500_000),
                disk_writes: Some(written as u64 / 16_000),
                network_in_bytes: Some(written as u64 * 2),
                network_out_bytes: Some(written as u64 / 20),
            }
        })
        .collect()
}

fn sample(operation: &str, case: &CaseInfo) -> SampleRecord {
    let texts = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
    let influx = case.target == "influxdb-1";
    let (columns, rows) = match operation {
        "INGESTION" => (Vec::new(), Vec::new()),
        "AGG_RANGE" => {
            (texts(&["device", "count"]), vec![texts(&["d_3", if case.target == "sqlite" { "49" } else { "50" }])])
        }
        _ if influx => (texts(&["time", "s_1"]), vec![texts(&["1640995205000000000", "12.5"])]),
        _ => (texts(&["time", "s_1"]), vec![texts(&["2022-01-01 00:00:05+00", "12.50"])]),
    };
    SampleRecord {
        operation: operation.to_owned(),
        statement: if operation == "INGESTION" {
            "g_0,device=d_3 s_0=12.5,s_1=7.25 1640995205000".to_owned()
        } else {
            format!("SELECT time, s_1 FROM g_0 WHERE device = 'd_3' /* {operation} <&> */")
        },
        row_count: rows.len() as u64,
        columns,
        rows,
    }
}
