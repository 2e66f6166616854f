//! Values as people write them: integers, decimals, durations, sizes, rates, shares, switches; one parser and one printer each.
//!
//! It must not know where a text came from or what it is for. Invariant: what is printed reads back as the same value.

mod duration;
mod error;
mod exact;
mod number;
mod quantity;
mod size;

pub use duration::{duration, duration_text, exact_duration};
pub use error::ValueError;
pub use exact::Exact;
pub use number::{decimal, exact, integer, rate, share, switch, unsigned};
pub use quantity::Quantity;
pub use size::{exact_size, size, size_text};
