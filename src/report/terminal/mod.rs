//! Reports on a terminal: one trial's matrices, and the comparison of a whole run.

pub(crate) mod comparison;
pub(crate) mod matrix;
mod text;
