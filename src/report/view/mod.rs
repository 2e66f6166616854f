//! The view: the model as sections of tables, charts and words, the same for every renderer.
//!
//! It must not know HTML or Markdown. Invariant: every number in a table keeps its exact value beside its text.

pub(crate) mod block;
pub(crate) mod comparison;
pub(crate) mod failures;
pub(crate) mod further;
pub(crate) mod latency;
pub(crate) mod overview;
pub(crate) mod reproduce;
pub(crate) mod sections;
pub(crate) mod space;
pub(crate) mod sweeps;
pub(crate) mod table;
pub(crate) mod time;
pub(crate) mod trust;
