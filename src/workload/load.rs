//! The load shape: how many clients, on which cores, how paced, how long.
//!
//! It must not know what is sent. Invariant: everything here is already checked; durations are positive.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How operations are paced.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pacing {
    /// A client starts its next operation when the last has ended.
    #[default]
    Closed,
    /// A client starts operations at least this far apart (OP_MIN_INTERVAL); still closed.
    MinInterval(Duration),
    /// Operations start on a schedule, whether earlier ones have ended or not; response time counts from the schedule.
    Open {
        /// Operations a second, of all clients together.
        rate: f64,
        /// How intended starts are spaced.
        arrival: Arrival,
    },
}

/// How an open loop's intended starts are spaced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Arrival {
    /// Evenly.
    #[default]
    Uniform,
    /// As a Poisson process, seeded.
    Poisson,
}

/// How long the warm-up is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Warmup {
    /// For this long.
    Time(Duration),
    /// So many operations, over all clients.
    Operations(u64),
}

/// A load shape.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Load {
    /// How many clients.
    pub clients: u32,
    /// The processor cores that the clients may use; empty: all that the run leaves them.
    pub cores: Vec<u32>,
    /// How operations are paced.
    pub pacing: Pacing,
    /// The warm-up, if any.
    pub warmup: Option<Warmup>,
    /// The measured part ends after this time (TEST_MAX_TIME), if not before by itself.
    pub duration: Option<Duration>,
}
