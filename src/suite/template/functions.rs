//! The functions and filters of templates.
//!
//! They must not know names. Invariant: each says what it takes when it is given something else.

use super::value::Value;
use crate::diagnostic::nearest;
use crate::value::{Exact, Quantity};

/// A function, also usable as a filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    Min,
    Max,
    Abs,
    Round,
    Floor,
    Ceil,
}

const ALL: [(&str, Function); 6] = [
    ("min", Function::Min),
    ("max", Function::Max),
    ("abs", Function::Abs),
    ("round", Function::Round),
    ("floor", Function::Floor),
    ("ceil", Function::Ceil),
];

/// The function by this name, for so many arguments.
pub(super) fn find(name: &str, arguments: usize) -> Result<Function, String> {
    let Some((_, function)) = ALL.iter().find(|(known, _)| *known == name) else {
        let near = nearest(name, ALL.map(|(known, _)| known)).map(|near| format!("; perhaps `{near}`"));
        return Err(format!("there is no function `{name}`{}", near.unwrap_or_default()));
    };
    match (function, arguments) {
        (Function::Min | Function::Max, 1..) | (_, 1) => Ok(*function),
        (Function::Min | Function::Max, _) => Err(format!("`{name}` takes one value or more")),
        _ => Err(format!("`{name}` takes one value, and {arguments} are given")),
    }
}

impl Function {
    /// Applies it to at least one value.
    pub(super) fn apply(self, arguments: &[Value]) -> Result<Value, String> {
        let quantities = arguments.iter().map(|value| {
            value.quantity().ok_or_else(|| format!("a number, duration or size is expected, not {}", value.describe()))
        });
        let quantities = quantities.collect::<Result<Vec<Quantity>, String>>()?;
        let first = quantities[0];
        let amount = match self {
            Function::Min | Function::Max => return self.extreme(&quantities),
            Function::Abs if first.amount().is_negative() => {
                Exact::ZERO.minus(first.amount()).ok_or("the number is too large")?
            }
            Function::Abs => first.amount(),
            Function::Round | Function::Floor | Function::Ceil => self.whole(first)?,
        };
        Ok(Value::Quantity(first.with_amount(amount)))
    }

    fn extreme(self, quantities: &[Quantity]) -> Result<Value, String> {
        let mut best = quantities[0];
        for other in &quantities[1..] {
            if !best.is_like(*other) {
                return Err(format!("{} can't be compared with {}", best.kind(), other.kind()));
            }
            let better = match self {
                Function::Min => other.amount() < best.amount(),
                _ => other.amount() > best.amount(),
            };
            best = if better { *other } else { best };
        }
        Ok(Value::Quantity(best))
    }

    fn whole(self, quantity: Quantity) -> Result<Exact, String> {
        let Quantity::Number(number) = quantity else {
            return Err(format!(
                "only a number can be rounded, not {}: divide by a unit first, such as 1m",
                quantity.kind()
            ));
        };
        Ok(Exact::whole(match self {
            Function::Floor => number.floor(),
            Function::Ceil => number.ceiling(),
            _ => number.round(),
        }))
    }
}
