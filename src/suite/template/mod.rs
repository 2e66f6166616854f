//! Templates in scalars: `{{ span / 12 }}` over variables and the case's parameters.
//!
//! They must not know where names get their values from. Invariant: an undefined name is an error, never an empty text.
//!
//! minijinja, which adapters and reports use, has no arithmetic over values of one's own (its operators refuse objects), so a
//! duration divided by a number can't be had from it. This evaluator takes well below a microsecond an expression, which a
//! plan of a million cases needs.

mod error;
mod evaluate;
mod functions;
mod lex;
mod parse;
mod tree;
mod value;

#[cfg(test)]
mod tests;

pub use error::{TemplateError, place};
pub use tree::Template;
