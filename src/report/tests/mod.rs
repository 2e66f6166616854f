//! Reports as a whole, on journals made in code.

mod cases;
mod merging;
mod page;
mod pictures;
mod shapes;
mod states;
