//! A file as a tree of nodes: scalars with their source text, lists and maps, each with its place.
//!
//! It must not know what a suite is. Invariant: nothing that was typed is lost or given a type; a key stands once in a map.

mod read;
mod syntax;
mod tree;
mod visit;

pub(super) use read::read;
pub(crate) use tree::{Key, Kind, Node, Scalar, Style};
