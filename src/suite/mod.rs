//! The suite language: text with positions in, a checked suite out.
//!
//! It does no I/O and knows no adapter's data. Invariant: everything that is wrong in a file is told at once.

mod choose;
mod fields;
mod files;
mod known;
mod lower;
mod merge;
pub mod model;
mod node;
mod overrides;
mod read;
mod routine;
mod schema;
mod secrets;
pub mod template;
#[cfg(test)]
mod tests;

pub use known::{Known, KnownAdapter, parameter};
pub use lower::measures;
pub use overrides::Overrides;
pub use read::{Reading, Rest, load};
pub use schema::schema;
