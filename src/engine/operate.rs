//! One operation on one session: encoded or rendered, sent, retried while transient, and told apart into what became of it.
//!
//! It must not know clients, pacing or tallies' merging. Invariant: a failure carries every point of its batch as failed.

use std::time::{Duration, Instant};

use super::tally::{Done, Times};
use super::types::{Job, Sample};
use crate::driver::error::{DriverError, ErrorClass};
use crate::driver::protocol::Session;
use crate::driver::types::{Answer, Written};
use crate::workload::batch::Batch;
use crate::workload::operation::{OperationKind, Query};

/// How many rows of an answer a sample keeps.
const SAMPLE_ROWS: usize = 100;
/// How many bytes of an encoded batch a sample keeps.
const SAMPLE_BYTES: usize = 300;
/// How long a driver may take beyond its own limits.
const GUARD: Duration = Duration::from_secs(2);

/// An operation that has ended.
pub(super) struct Operated {
    pub(super) times: Times,
    pub(super) done: Done,
    pub(super) retries: u64,
}

/// Writes the batch.
pub(super) async fn write(job: &Job, session: &mut dyn Session, batch: &Batch) -> Operated {
    let (points, rows) = (batch.points(), batch.rows());
    let started = Instant::now();
    let (result, retries) = match session.encode(batch) {
        Err(error) => (Err(error), 0),
        Ok(_) => retried(job, async || guarded(job, job.options.write_timeout, session.write()).await).await,
    };
    let ended = Instant::now();
    let done = match result {
        // Refused to the last point: a failure, however politely it was said.
        Ok(Written { ok_points: 0, failed_points: 1.., error: Some(error), bytes }) => {
            Done { failed_points: points, bytes, failure: Some(error), ..Done::default() }
        }
        Ok(written) => Done {
            ok_points: written.ok_points,
            ok_rows: if written.failed_points == 0 { rows } else { rows * written.ok_points / points.max(1) },
            failed_points: written.failed_points,
            bytes: written.bytes,
            failure: None,
            partial: written.error,
        },
        Err(error) => Done { failed_points: points, failure: Some(error), ..Done::default() },
    };
    Operated { times: Times { intended: None, started, ended }, done, retries }
}

/// Asks the query, its statement already rendered.
pub(super) async fn query(job: &Job, session: &mut dyn Session, statement: &str, answer: &mut Answer) -> Operated {
    let started = Instant::now();
    let ask = async || {
        answer.clear();
        guarded(job, job.options.query_timeout, session.query(statement, answer)).await
    };
    let (result, retries) = retried(job, ask).await;
    let ended = Instant::now();
    let done = match result {
        Ok(()) => Done { ok_points: answer.points(), ok_rows: answer.rows.len() as u64, ..Done::default() },
        Err(error) => Done { failure: Some(error), ..Done::default() },
    };
    Operated { times: Times { intended: None, started, ended }, done, retries }
}

/// Tries until it succeeds, fails for good, or has been tried often enough; answers with the number of retries.
async fn retried<T>(
    job: &Job,
    mut attempt: impl AsyncFnMut() -> Result<T, DriverError>,
) -> (Result<T, DriverError>, u64) {
    let mut retries = 0;
    loop {
        match attempt().await {
            Err(error) if may_retry(job, &error, retries) => {
                retries += 1;
                wait(job, backoff(retries)).await;
            }
            result => return (result, retries),
        }
    }
}

/// Connects a client.
pub(super) async fn connect(job: &Job) -> Result<Box<dyn Session>, DriverError> {
    guarded(job, job.options.connect_timeout, job.driver.connect(&job.endpoint, &job.options)).await
}

/// Waits for a driver no longer than its own limit and a little: a driver that forgets its limit costs one operation, not the
/// trial. A blocking driver can't be left.
async fn guarded<T>(
    job: &Job,
    limit: Duration,
    operation: impl Future<Output = Result<T, DriverError>>,
) -> Result<T, DriverError> {
    if job.driver.blocks() {
        return operation.await;
    }
    let late = |_| DriverError::new(ErrorClass::Timeout, format!("no end after {} s", limit.as_secs_f64()));
    tokio::time::timeout(limit.saturating_add(GUARD), operation).await.map_err(late)?
}

/// A query that could not even be rendered.
pub(super) fn unrendered(error: DriverError) -> Operated {
    let now = Instant::now();
    let done = Done { failure: Some(error), ..Done::default() };
    Operated { times: Times { intended: None, started: now, ended: now }, done, retries: 0 }
}

/// The sample of a write: the beginning of what was sent.
pub(super) fn write_sample(session: &dyn Session) -> Sample {
    let statement = readable(session.encoded());
    Sample { kind: OperationKind::Ingestion, statement, answer: None, row_count: 0 }
}

/// The beginning of what was sent, as text, or in hexadecimal digits where it is none.
fn readable(bytes: &[u8]) -> String {
    let start = &bytes[..bytes.len().min(SAMPLE_BYTES)];
    // A character may be cut in two at the end.
    let text = match std::str::from_utf8(start) {
        Ok(text) => Some(text),
        Err(error) if error.error_len().is_none() => std::str::from_utf8(&start[..error.valid_up_to()]).ok(),
        Err(_) => None,
    };
    match text.filter(|text| !text.contains(|c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t'))) {
        Some(text) => text.to_owned(),
        None => {
            let digits = start.iter().take(SAMPLE_BYTES / 3).map(|byte| format!("{byte:02x}"));
            format!("{} bytes: {}", bytes.len(), digits.collect::<Vec<_>>().join(" "))
        }
    }
}

/// The sample of a query: its statement and the beginning of its answer.
pub(super) fn query_sample(query: &Query, statement: &str, answer: &Answer) -> Sample {
    let rows = answer.rows.iter().take(SAMPLE_ROWS).cloned().collect();
    let kept = Answer { columns: answer.columns.clone(), rows };
    Sample {
        kind: query.kind,
        statement: statement.to_owned(),
        answer: Some(kept),
        row_count: answer.rows.len() as u64,
    }
}

fn may_retry(job: &Job, error: &DriverError, retries: u64) -> bool {
    error.class == ErrorClass::Transient && retries < u64::from(job.errors.retries)
}

/// 1 ms, doubled with each retry, at most a second.
pub(super) fn backoff(attempt: u64) -> Duration {
    Duration::from_millis(1 << attempt.saturating_sub(1).min(10))
}

/// Waits as the driver's threads may: blocking drivers have a thread a client, the others share a runtime's timer.
pub(super) async fn wait(job: &Job, time: Duration) {
    if job.driver.blocks() {
        std::thread::sleep(time);
    } else {
        tokio::time::sleep(time).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_readable() {
        assert_eq!(readable("g_0 s_0=1 5\n".as_bytes()), "g_0 s_0=1 5\n");
        assert_eq!(readable("é".repeat(200).as_bytes()), "é".repeat(150));
        assert_eq!(readable(format!("x{}", "é".repeat(200)).as_bytes()), format!("x{}", "é".repeat(149)));
        assert_eq!(readable(b"PGCOPY\n\xff\0"), "9 bytes: 50 47 43 4f 50 59 0a ff 00");
        assert_eq!(readable(b""), "");
    }
}
