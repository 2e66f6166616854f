//! The table of all parameters, by what becomes of each.

mod all;
mod data;
mod elsewhere;
mod own;

pub(super) use all::all;
