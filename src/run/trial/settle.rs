//! After the last acknowledgement: everything is brought to disk, and the size is read until it rests.
//!
//! It must not count points. Invariant: every target's size is taken at the same two moments: after the flush, and when two
//! readings in a row lie within one percent.

use std::time::{Duration, Instant};

use super::context::Trial;
use crate::adapter::types::Disk;
use crate::provision::admin::Admin;
use crate::provision::types::Instance;
use crate::run::journal::trial::DiskRecord;

/// How far two readings lie apart; a database inside this process does nothing by itself, so two at once do.
const APART: Duration = Duration::from_secs(5);
/// How long is waited for rest.
const LONGEST: Duration = Duration::from_secs(120);
/// Two readings this close are at rest.
const RESTS: f64 = 0.01;

/// Flushes, and reads the size; none where it can't be measured.
pub async fn settle(trial: &Trial<'_>, instance: &dyn Instance, admin: &Admin) -> Option<DiskRecord> {
    let began = Instant::now();
    if let Err(error) = admin.execute(trial.parts.adapter.file.flush.clone()).await {
        trial.tracker.note(&format!("flush: {error}"));
    }
    let mut last = size(trial, instance, admin).await?;
    let mut record = DiskRecord { flushed_bytes: Some(last), ..DiskRecord::default() };
    let apart = if trial.parts.embedded() { Duration::ZERO } else { APART };
    while began.elapsed() < LONGEST {
        tokio::time::sleep(apart).await;
        let now = size(trial, instance, admin).await?;
        if rests(last, now) {
            record.settled_bytes = Some(now);
            record.settle_s = Some(began.elapsed().as_secs_f64());
            break;
        }
        last = now;
    }
    Some(record)
}

fn rests(last: u64, now: u64) -> bool {
    last.abs_diff(now) as f64 <= RESTS * last.max(now) as f64
}

async fn size(trial: &Trial<'_>, instance: &dyn Instance, admin: &Admin) -> Option<u64> {
    match trial.parts.adapter.file.disk.as_ref()? {
        Disk::Files => instance.disk_bytes().await,
        Disk::Statement(statement) => match admin.ask(vec![statement.clone()]).await {
            Ok(answers) => super::verify::first_cell(answers.first()?)?.to_string().parse().ok(),
            Err(error) => {
                trial.tracker.note(&format!("disk: {error}"));
                None
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn within_one_percent_is_rest() {
        assert!(rests(1000, 1010) && rests(1010, 1000) && rests(0, 0));
        assert!(!rests(1000, 1020) && !rests(1000, 900));
    }
}
