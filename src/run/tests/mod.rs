//! The runner driven with fakes, and with the databases that need no server.
//!
//! They must not need Docker or a network. Invariant: each test has a folder of its own, and leaves none.

mod fakes;
mod old;
pub(crate) mod plans;
mod runs;
mod scene;
