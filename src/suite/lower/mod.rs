//! From the tree of nodes to the suite, field by field.
//!
//! It must not stop at the first mistake. Invariant: a suite that is given back has nothing in it that a diagnostic called an
//! error.

mod assertion;
mod axes;
mod context;
mod load;
mod parameters;
mod place;
mod policy;
mod routine;
mod scenario;
mod suite;
mod sweep;
mod target;

pub use assertion::measures;
pub(super) use axes::{same_axis, same_effect};
pub(super) use context::{Lower, with_nearest};
