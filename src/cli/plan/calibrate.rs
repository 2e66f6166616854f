//! A moment of load on the blackhole: what the client itself takes a point on this host.
//!
//! It must not touch a database. Invariant: it is over in a fifth of a second.

use std::sync::Arc;
use std::time::Duration;

use crate::driver::error::{DriverError, ErrorClass};
use crate::driver::registry;
use crate::driver::types::{Endpoint, SessionOptions};
use crate::engine::types::{Control, ErrorPolicy, Job, Statements};
use crate::workload::kind::{self, Surroundings};
use crate::workload::load::{Load, Pacing};
use crate::workload::operation::Query;
use crate::workload::parameters::RawParameter;

/// How long the load is.
const TIME: Duration = Duration::from_millis(200);

/// Ten devices of ten sensors, a hundred rows a batch: the middle of what people run.
const PARAMETERS: [(&str, &str); 4] =
    [("DEVICE_NUMBER", "10"), ("SENSOR_NUMBER", "10"), ("BATCH_SIZE_PER_WRITE", "100"), ("LOOP", "1000000")];

/// The load asks nothing.
struct NoQueries;

impl Statements for NoQueries {
    fn statement(&self, _: &Query) -> Result<String, DriverError> {
        Err(DriverError::new(ErrorClass::Rejected, "a calibration asks nothing"))
    }
}

/// The seconds that one client takes a point, generating, encoding and dropping it; none where that can't be had.
pub(super) fn seconds_a_point() -> Option<f64> {
    let raw = PARAMETERS.map(|(name, value)| RawParameter::placeless(name, value));
    let configured = kind::find("iot")?.configure(&raw, Surroundings { clients: Some(1), seed: 0 }).ok()?;
    let job = Job {
        workload: configured.build(),
        driver: registry::find("blackhole")?,
        endpoint: Endpoint::default(),
        options: SessionOptions { schema: Some(configured.schema()), ..SessionOptions::default() },
        statements: Arc::new(NoQueries),
        load: Load { clients: 1, cores: Vec::new(), pacing: Pacing::Closed, warmup: None, duration: Some(TIME) },
        errors: ErrorPolicy { abort: true, threshold: 0.0, after: 0, retries: 0 },
        seed: 0,
    };
    let outcome = crate::engine::run(job, Arc::new(Control::default()));
    let points: u64 = outcome.operations.iter().map(|operation| operation.ok_points).sum();
    (points > 0).then(|| outcome.elapsed.as_secs_f64() / points as f64)
}
