//! Evaluates compiled templates.
//!
//! It must not know where names get their values from. Invariant: units go together or it is an error; nothing is guessed.

use std::cmp::Ordering;

use super::error::TemplateError;
use super::tree::{Binary, Expression, ExpressionKind, Piece, Template, Unary};
use super::value::Value;
use crate::value::{Exact, Quantity};

type LookUp<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Evaluates a whole template.
pub(super) fn template(template: &Template, look_up: LookUp<'_>) -> Result<String, TemplateError> {
    let mut out = String::new();
    for piece in &template.pieces {
        match piece {
            Piece::Text(text) => out.push_str(text),
            Piece::Expression(expression) => evaluate(expression, template, look_up)?.push_to(&mut out),
        }
    }
    Ok(out)
}

fn evaluate(expression: &Expression, template: &Template, look_up: LookUp<'_>) -> Result<Value, TemplateError> {
    let failed = |message: String| TemplateError::new(expression.range.clone(), message);
    match &expression.kind {
        ExpressionKind::Literal(value) => Ok(value.clone()),
        ExpressionKind::Name(index) => {
            let name = &template.names[*index];
            look_up(name).map(Value::read).ok_or_else(|| failed(format!("`{name}` is not defined")))
        }
        ExpressionKind::Unary(Unary::Minus, operand) => {
            let value = evaluate(operand, template, look_up)?;
            let quantity = value.quantity().ok_or_else(|| failed(format!("{} has no negative", value.describe())))?;
            let amount = Exact::ZERO.minus(quantity.amount()).ok_or_else(|| failed(TOO_LARGE.to_owned()))?;
            Ok(Value::Quantity(quantity.with_amount(amount)))
        }
        ExpressionKind::Unary(Unary::Not, operand) => Ok(Value::Truth(!truth(operand, template, look_up)?)),
        ExpressionKind::Binary(Binary::And, left, right) => {
            Ok(Value::Truth(truth(left, template, look_up)? && truth(right, template, look_up)?))
        }
        ExpressionKind::Binary(Binary::Or, left, right) => {
            Ok(Value::Truth(truth(left, template, look_up)? || truth(right, template, look_up)?))
        }
        ExpressionKind::Binary(operator, left, right) => {
            let left = evaluate(left, template, look_up)?;
            let right = evaluate(right, template, look_up)?;
            binary(*operator, left, right).map_err(failed)
        }
        ExpressionKind::Choice { condition, then, otherwise } => {
            let chosen = if truth(condition, template, look_up)? { then } else { otherwise };
            evaluate(chosen, template, look_up)
        }
        ExpressionKind::Call(function, arguments) => {
            let values = arguments.iter().map(|argument| evaluate(argument, template, look_up));
            function.apply(&values.collect::<Result<Vec<_>, _>>()?).map_err(failed)
        }
    }
}

const TOO_LARGE: &str = "the number is too large";

fn truth(expression: &Expression, template: &Template, look_up: LookUp<'_>) -> Result<bool, TemplateError> {
    let value = evaluate(expression, template, look_up)?;
    let message = || format!("{} is neither true nor false", value.describe());
    value.truth().ok_or_else(|| TemplateError::new(expression.range.clone(), message()))
}

fn binary(operator: Binary, left: Value, right: Value) -> Result<Value, String> {
    match operator {
        Binary::Equal => return Ok(Value::Truth(left.equals(&right))),
        Binary::Unequal => return Ok(Value::Truth(!left.equals(&right))),
        Binary::Join => {
            let mut text = String::new();
            left.push_to(&mut text);
            right.push_to(&mut text);
            return Ok(Value::read(text));
        }
        _ => {}
    }
    let refused =
        || format!("{} and {} do not go together with `{}`", left.describe(), right.describe(), sign(operator));
    let (Some(a), Some(b)) = (left.quantity(), right.quantity()) else { return Err(refused()) };
    let like = a.is_like(b);
    match operator {
        Binary::Less | Binary::LessOrEqual | Binary::Greater | Binary::GreaterOrEqual if like => {
            Ok(Value::Truth(holds(operator, a.amount().cmp(&b.amount()))))
        }
        _ => arithmetic(operator, a, b, like).unwrap_or_else(|| Err(refused())),
    }
}

fn holds(operator: Binary, order: Ordering) -> bool {
    match operator {
        Binary::Less => order.is_lt(),
        Binary::LessOrEqual => order.is_le(),
        Binary::Greater => order.is_gt(),
        _ => order.is_ge(),
    }
}

/// The result with its unit; none where the units do not go together.
fn arithmetic(operator: Binary, a: Quantity, b: Quantity, like: bool) -> Option<Result<Value, String>> {
    let b_is_number = matches!(b, Quantity::Number(_));
    let unit = match operator {
        Binary::Add | Binary::Subtract | Binary::Remainder if like => a,
        Binary::Multiply if b_is_number => a,
        Binary::Multiply if matches!(a, Quantity::Number(_)) => b,
        Binary::Divide | Binary::DivideWhole if b_is_number => a,
        Binary::Divide | Binary::DivideWhole if like => Quantity::Number(Exact::ZERO),
        Binary::Power if b_is_number && matches!(a, Quantity::Number(_)) => a,
        _ => return None,
    };
    let divides = matches!(operator, Binary::Divide | Binary::DivideWhole | Binary::Remainder);
    if divides && b.amount() == Exact::ZERO {
        return Some(Err(format!("{a} is divided by 0")));
    }
    let amount = compute(operator, a.amount(), b.amount());
    Some(amount.map(|amount| Value::Quantity(unit.with_amount(amount))).ok_or_else(|| TOO_LARGE.to_owned()))
}

fn compute(operator: Binary, a: Exact, b: Exact) -> Option<Exact> {
    match operator {
        Binary::Add => a.plus(b),
        Binary::Subtract => a.minus(b),
        Binary::Multiply => a.times(b),
        Binary::Divide => a.over(b),
        Binary::DivideWhole => Some(Exact::whole(a.over(b)?.floor())),
        Binary::Remainder => a.minus(b.times(Exact::whole(a.over(b)?.floor()))?),
        Binary::Power => {
            let power = u32::try_from(b.as_whole()?).ok().filter(|power| *power <= 128)?;
            (0..power).try_fold(Exact::whole(1), |product, _| product.times(a))
        }
        _ => None,
    }
}

fn sign(operator: Binary) -> &'static str {
    match operator {
        Binary::Add => "+",
        Binary::Subtract => "-",
        Binary::Multiply => "*",
        Binary::Divide => "/",
        Binary::DivideWhole => "//",
        Binary::Remainder => "%",
        Binary::Power => "**",
        Binary::Join => "~",
        Binary::Equal => "==",
        Binary::Unequal => "!=",
        Binary::Less => "<",
        Binary::LessOrEqual => "<=",
        Binary::Greater => ">",
        Binary::GreaterOrEqual => ">=",
        Binary::And => "and",
        Binary::Or => "or",
    }
}
