//! `run`, `resume`, `status` and `clean`, on the databases that need no server.

mod ends;
mod happy;
mod journal;
mod refusals;
mod runs;
mod suites;
