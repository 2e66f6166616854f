//! The same suite and seed send the same bytes from each client, whatever the threads.

use std::time::Duration;

use super::scripted::{Scripted, iot, job, run};

/// What each session sent, in order; sessions in the order of their texts, since who connects first is no one's business.
fn sent(threads: usize, blocking: bool, disorder: &str) -> Vec<Vec<String>> {
    let configured = iot(
        16,
        &[
            ("DEVICE_NUMBER", "37"),
            ("SENSOR_NUMBER", "7"),
            ("BATCH_SIZE_PER_WRITE", "3"),
            ("LOOP", "20"),
            ("OPERATION_PROPORTION", "3:1:1:1:1:1:1:1:1:1:1:1"),
            ("IS_OUT_OF_ORDER", if disorder.is_empty() { "false" } else { "true" }),
            ("OUT_OF_ORDER_MODE", if disorder.is_empty() { "POISSON" } else { disorder }),
            ("IS_REGULAR_FREQUENCY", "false"),
        ],
    );
    let driver = Scripted::taking(Duration::ZERO);
    let driver = if blocking { driver.blocking() } else { driver };
    let seen = driver.seen();
    let mut job = job(&*configured, driver);
    job.load.cores = vec![0; threads];
    run(job);
    let mut sessions: Vec<Vec<String>> = seen.sessions.lock().unwrap().values().cloned().collect();
    sessions.sort();
    sessions
}

#[test]
fn threads_change_no_byte() {
    for disorder in ["", "POISSON", "BATCH"] {
        let one = sent(1, false, disorder);
        assert_eq!(one.len(), 16);
        assert!(one.iter().all(|session| session.len() > 20));
        assert_eq!(one, sent(2, false, disorder));
        assert_eq!(one, sent(16, false, disorder));
        assert_eq!(one, sent(1, true, disorder));
    }
}
