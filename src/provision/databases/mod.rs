//! The databases that a run makes on a server, in a container or there already.
//!
//! It must not know which trial uses which. Invariant: what a run did not make is never dropped, unless its user allowed that
//! for the one database that the suite names.

mod names;
mod server;

pub use names::{belongs, name};
pub use server::{DatabaseState, Databases};
