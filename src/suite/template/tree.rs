//! A compiled template: texts and expressions, side by side.
//!
//! It must not know where names get their values from. Invariant: what compiles can only fail by its values.

use std::ops::Range;

use super::error::TemplateError;
use super::functions::Function;
use super::parse;
use super::value::Value;

/// An expression with its range in the template's text.
#[derive(Clone, Debug)]
pub(super) struct Expression {
    pub(super) range: Range<usize>,
    pub(super) kind: ExpressionKind,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub(super) enum ExpressionKind {
    /// A value typed out.
    Literal(Value),
    /// A name, by its index among the template's names.
    Name(usize),
    /// `-x`, `not x`.
    Unary(Unary, Box<Expression>),
    /// `x + y` and the like.
    Binary(Binary, Box<Expression>, Box<Expression>),
    /// `x if condition else y`.
    Choice { condition: Box<Expression>, then: Box<Expression>, otherwise: Box<Expression> },
    /// `min(x, y)`, `x | round`.
    Call(Function, Vec<Expression>),
}

/// Operators before their operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unary {
    Minus,
    Not,
}

/// Operators between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    DivideWhole,
    Remainder,
    Power,
    Join,
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    And,
    Or,
}

/// A piece of a template.
#[derive(Clone, Debug)]
pub(super) enum Piece {
    Text(String),
    Expression(Expression),
}

/// A compiled template. Text around expressions stays; a scalar that is one expression alone is its value.
#[derive(Clone, Debug)]
pub struct Template {
    pub(super) pieces: Vec<Piece>,
    pub(super) names: Vec<String>,
    pub(super) name_ranges: Vec<Range<usize>>,
}

impl Template {
    /// Compiles a scalar's text.
    ///
    /// # Errors
    /// The first thing in it that is no expression.
    pub fn compile(text: &str) -> Result<Template, TemplateError> {
        parse::template(text)
    }

    /// The names that it uses, each once, as typed, in order of first use.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Where the first use of each of [`Template::names`] stands.
    pub fn name_ranges(&self) -> &[Range<usize>] {
        &self.name_ranges
    }

    /// Evaluates it over what `look_up` gives for each name.
    ///
    /// # Errors
    /// An undefined name, values that do not go together, a division by 0, or a number too large.
    pub fn evaluate(&self, look_up: &dyn Fn(&str) -> Option<String>) -> Result<String, TemplateError> {
        super::evaluate::template(self, look_up)
    }
}
