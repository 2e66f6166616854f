//! One trial, from bringing its database up to what became of it.
//!
//! It must not know which trials come before or after. Invariant: whatever happens, there is a record with a status.

pub mod context;
pub mod execute;
pub mod expected;
mod failure;
pub mod load;
pub mod marks;
pub mod phases;
pub mod records;
pub mod schema;
pub mod settle;
pub mod setup;
pub mod verdict;
pub mod verify;
pub mod watch;
