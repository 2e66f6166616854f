//! Control groups, versions 1 and 2: what a container uses, read from the kernel's files.
//!
//! They must not know Docker. Invariant: a file that is missing, or that does not account for anything, gives none.

mod files;
mod locate;
mod reader;

pub use files::{Memory, memory};
pub use locate::{Hierarchy, locate};
pub use reader::GroupReader;
