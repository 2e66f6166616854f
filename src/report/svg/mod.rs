//! Pictures: inline SVG, drawn here, coloured by the page's style.
//!
//! It must not know the model. Invariant: nothing is told by colour alone: each target has a shape and a dash of its own.

pub(crate) mod bars;
pub(crate) mod canvas;
pub(crate) mod heat;
pub(crate) mod plot;
pub(crate) mod scale;
pub(crate) mod strip;
