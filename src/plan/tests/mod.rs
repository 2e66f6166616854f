//! Tests over whole suites: text in, cases out.

mod cells;
mod data;
mod estimates;
mod hashes;
mod help;
mod trials;
mod wrong;
