//! What an expression's parts are while it is evaluated.
//!
//! It must not know names. Invariant: a text that was only passed on is printed as it was typed.

use crate::value::{Quantity, switch};

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// A number, duration or size that was computed.
    Quantity(Quantity),
    /// A text, with the quantity that it reads as.
    Text(String, Option<Quantity>),
    /// True or false.
    Truth(bool),
}

impl Value {
    pub(super) fn read(text: String) -> Value {
        let quantity = Quantity::read(&text);
        Value::Text(text, quantity)
    }

    pub(super) fn quantity(&self) -> Option<Quantity> {
        match self {
            Value::Quantity(quantity) => Some(*quantity),
            Value::Text(_, quantity) => *quantity,
            Value::Truth(_) => None,
        }
    }

    pub(super) fn truth(&self) -> Option<bool> {
        match self {
            Value::Truth(truth) => Some(*truth),
            Value::Text(text, _) => switch(text).ok(),
            Value::Quantity(_) => None,
        }
    }

    /// What it is, in words, with what was typed.
    pub(super) fn describe(&self) -> String {
        match self {
            Value::Truth(truth) => format!("{truth}"),
            Value::Text(text, None) => format!("the text `{text}`"),
            Value::Text(text, Some(quantity)) => format!("{} ({text})", quantity.kind()),
            Value::Quantity(quantity) => format!("{} ({quantity})", quantity.kind()),
        }
    }

    pub(super) fn push_to(self, out: &mut String) {
        use std::fmt::Write;
        // Writing to a String can't fail.
        let _ = match self {
            Value::Quantity(quantity) => write!(out, "{quantity}"),
            Value::Text(text, _) => out.write_str(&text),
            Value::Truth(truth) => write!(out, "{truth}"),
        };
    }

    /// Equal as quantities where both are, as switches where both are, else as texts.
    pub(super) fn equals(&self, other: &Value) -> bool {
        if let (Some(left), Some(right)) = (self.quantity(), other.quantity()) {
            return left == right;
        }
        match (self, other) {
            (Value::Text(left, _), Value::Text(right, _)) => left == right,
            _ => self.truth().is_some() && self.truth() == other.truth(),
        }
    }
}
