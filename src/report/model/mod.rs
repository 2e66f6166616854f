//! The model: everything that a report says, as numbers and words, before anything is drawn.
//!
//! It must not know a renderer. Invariant: a trial that does not count never gives a number.

pub(crate) mod answer;
pub(crate) mod assertion;
pub(crate) mod caution;
pub(crate) mod compare;
pub(crate) mod data;
pub(crate) mod digest;
pub(crate) mod failures;
pub(crate) mod fairness;
pub(crate) mod gather;
pub(crate) mod grid;
pub(crate) mod latency;
pub(crate) mod measure;
pub(crate) mod report;
pub(crate) mod reproduce;
pub(crate) mod samples;
pub(crate) mod settings;
pub(crate) mod space;
pub(crate) mod state;
pub(crate) mod sweep;
pub(crate) mod timeline;
pub(crate) mod trial;
pub(crate) mod trust;
pub(crate) mod usage;
