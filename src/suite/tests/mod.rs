//! Tests of the suite language as a whole.
//!
//! They must not be part of the program. Invariant: pages made from the table of keys are current.

mod reference;
mod whole;
