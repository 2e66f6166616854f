//! From tokens to expressions.
//!
//! It must not evaluate. Invariant: precedence is Jinja's: choice, or, and, not, comparison, sums, products, power, filters.

use std::ops::Range;

use super::error::TemplateError;
use super::functions;
use super::lex::{Placed, Token, tokens};
use super::tree::{Binary, Expression, ExpressionKind, Piece, Template, Unary};
use super::value::Value;

/// An expression nests no deeper than this.
const DEEPEST: usize = 50;

/// Parses a whole scalar's text.
pub(super) fn template(text: &str) -> Result<Template, TemplateError> {
    let mut template = Template { pieces: Vec::new(), names: Vec::new(), name_ranges: Vec::new() };
    let mut at = 0;
    while let Some(found) = text[at..].find("{{") {
        let open = at + found;
        if open > at {
            template.pieces.push(Piece::Text(text[at..open].to_owned()));
        }
        let (tokens, after) = tokens(text, open)?;
        let mut parser = Parser { tokens: &tokens, next: 0, whole: open..after, depth: 0, template: &mut template };
        let expression = parser.whole()?;
        template.pieces.push(Piece::Expression(expression));
        at = after;
    }
    if at < text.len() || template.pieces.is_empty() {
        template.pieces.push(Piece::Text(text[at..].to_owned()));
    }
    Ok(template)
}

struct Parser<'a, 'b> {
    tokens: &'b [Placed<'a>],
    next: usize,
    whole: Range<usize>,
    depth: usize,
    template: &'b mut Template,
}

type Parsed = Result<Expression, TemplateError>;

impl<'a> Parser<'a, '_> {
    fn whole(&mut self) -> Parsed {
        if self.tokens.is_empty() {
            return Err(TemplateError::new(self.whole.clone(), "nothing stands between `{{` and `}}`"));
        }
        let expression = self.choice()?;
        match self.tokens.get(self.next) {
            None => Ok(expression),
            Some((token, range)) => {
                Err(TemplateError::new(range.clone(), format!("{} is not expected here", shown(token))))
            }
        }
    }

    fn choice(&mut self) -> Parsed {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(TemplateError::new(self.whole.clone(), "the expression is nested too deeply"));
        }
        let mut then = self.or()?;
        if self.take_word("if") {
            let condition = Box::new(self.or()?);
            if !self.take_word("else") {
                return Err(TemplateError::new(self.place(), "`else` is expected: write `x if condition else y`"));
            }
            let otherwise = Box::new(self.choice()?);
            let range = then.range.start..otherwise.range.end;
            then = Expression { range, kind: ExpressionKind::Choice { condition, then: Box::new(then), otherwise } };
        }
        self.depth -= 1;
        Ok(then)
    }

    fn or(&mut self) -> Parsed {
        let mut left = self.and()?;
        while self.take_word("or") {
            left = binary(Binary::Or, left, self.and()?);
        }
        Ok(left)
    }

    fn and(&mut self) -> Parsed {
        let mut left = self.not()?;
        while self.take_word("and") {
            left = binary(Binary::And, left, self.not()?);
        }
        Ok(left)
    }

    fn not(&mut self) -> Parsed {
        let start = self.place().start;
        if self.take_word("not") {
            return self.nested(start, Unary::Not, Self::not);
        }
        self.comparison()
    }

    fn comparison(&mut self) -> Parsed {
        let left = self.sum()?;
        let operators = [
            ("==", Binary::Equal),
            ("!=", Binary::Unequal),
            ("<=", Binary::LessOrEqual),
            (">=", Binary::GreaterOrEqual),
            ("<", Binary::Less),
            (">", Binary::Greater),
        ];
        match self.take_operator(&operators) {
            Some(operator) => Ok(binary(operator, left, self.sum()?)),
            None => Ok(left),
        }
    }

    fn sum(&mut self) -> Parsed {
        let mut left = self.product()?;
        let operators = [("+", Binary::Add), ("-", Binary::Subtract), ("~", Binary::Join)];
        while let Some(operator) = self.take_operator(&operators) {
            left = binary(operator, left, self.product()?);
        }
        Ok(left)
    }

    fn product(&mut self) -> Parsed {
        let mut left = self.minus()?;
        let operators =
            [("*", Binary::Multiply), ("//", Binary::DivideWhole), ("/", Binary::Divide), ("%", Binary::Remainder)];
        while let Some(operator) = self.take_operator(&operators) {
            left = binary(operator, left, self.minus()?);
        }
        Ok(left)
    }

    fn minus(&mut self) -> Parsed {
        let start = self.place().start;
        if self.take_sign("-") {
            return self.nested(start, Unary::Minus, Self::minus);
        }
        let base = self.filtered()?;
        if self.take_sign("**") { Ok(binary(Binary::Power, base, self.minus()?)) } else { Ok(base) }
    }

    fn nested(&mut self, start: usize, operator: Unary, operand: fn(&mut Self) -> Parsed) -> Parsed {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(TemplateError::new(self.whole.clone(), "the expression is nested too deeply"));
        }
        let operand = operand(self)?;
        self.depth -= 1;
        let range = start..operand.range.end;
        Ok(Expression { range, kind: ExpressionKind::Unary(operator, Box::new(operand)) })
    }

    /// An atom with the filters after it: `x | round` is `round(x)`.
    fn filtered(&mut self) -> Parsed {
        let mut value = self.atom()?;
        while self.take_sign("|") {
            let (name, name_range) = self.word()?;
            let mut arguments = vec![value];
            let mut end = name_range.end;
            if self.take_sign("(") {
                end = self.arguments(&mut arguments)?;
            }
            let range = arguments[0].range.start..end;
            value = call(name, name_range, arguments, range)?;
        }
        Ok(value)
    }

    fn atom(&mut self) -> Parsed {
        let Some((token, range)) = self.tokens.get(self.next).cloned() else {
            return Err(TemplateError::new(self.place(), "a value is expected here"));
        };
        self.next += 1;
        let literal = |value| Ok(Expression { range: range.clone(), kind: ExpressionKind::Literal(value) });
        match token {
            Token::Quantity(quantity) => literal(Value::Quantity(quantity)),
            Token::Text(text) => literal(Value::read(text.to_owned())),
            Token::Word("true") => literal(Value::Truth(true)),
            Token::Word("false") => literal(Value::Truth(false)),
            Token::Word(word @ ("if" | "else" | "and" | "or" | "not")) => {
                Err(TemplateError::new(range, format!("`{word}` is not expected here")))
            }
            Token::Word(name) if self.take_sign("(") => {
                let mut arguments = Vec::new();
                let end = self.arguments(&mut arguments)?;
                let whole = range.start..end;
                call(name, range, arguments, whole)
            }
            Token::Word(name) => Ok(self.name(name, range)),
            Token::Sign("(") => {
                let inner = self.choice()?;
                if self.take_sign(")") { Ok(inner) } else { Err(TemplateError::new(range, "this `(` is not closed")) }
            }
            Token::Sign(_) => Err(TemplateError::new(range, format!("a value is expected before {}", shown(&token)))),
        }
    }

    fn name(&mut self, name: &str, range: Range<usize>) -> Expression {
        let known = self.template.names.iter().position(|known| known == name);
        let index = known.unwrap_or_else(|| {
            self.template.names.push(name.to_owned());
            self.template.name_ranges.push(range.clone());
            self.template.names.len() - 1
        });
        Expression { range, kind: ExpressionKind::Name(index) }
    }

    /// Arguments until `)`; gives back the offset after it.
    fn arguments(&mut self, arguments: &mut Vec<Expression>) -> Result<usize, TemplateError> {
        loop {
            let place = self.place();
            if self.take_sign(")") {
                return Ok(place.end);
            }
            arguments.push(self.choice()?);
            let place = self.place();
            if self.take_sign(")") {
                return Ok(place.end);
            }
            if !self.take_sign(",") {
                return Err(TemplateError::new(place, "`,` or `)` is expected here"));
            }
        }
    }

    fn word(&mut self) -> Result<(&'a str, Range<usize>), TemplateError> {
        match self.tokens.get(self.next) {
            Some((Token::Word(word), range)) => {
                self.next += 1;
                Ok((word, range.clone()))
            }
            _ => Err(TemplateError::new(self.place(), "the name of a filter is expected here")),
        }
    }

    fn take_word(&mut self, wanted: &str) -> bool {
        let found = matches!(self.tokens.get(self.next), Some((Token::Word(word), _)) if *word == wanted);
        self.next += usize::from(found);
        found
    }

    fn take_sign(&mut self, wanted: &str) -> bool {
        let found = matches!(self.tokens.get(self.next), Some((Token::Sign(sign), _)) if *sign == wanted);
        self.next += usize::from(found);
        found
    }

    fn take_operator(&mut self, operators: &[(&str, Binary)]) -> Option<Binary> {
        operators.iter().find(|(sign, _)| self.take_sign(sign)).map(|(_, operator)| *operator)
    }

    /// The next token's place, or the end of the template.
    fn place(&self) -> Range<usize> {
        self.tokens.get(self.next).map_or(self.whole.end - 2..self.whole.end, |(_, range)| range.clone())
    }
}

fn binary(operator: Binary, left: Expression, right: Expression) -> Expression {
    let range = left.range.start..right.range.end;
    Expression { range, kind: ExpressionKind::Binary(operator, Box::new(left), Box::new(right)) }
}

fn call(name: &str, name_range: Range<usize>, arguments: Vec<Expression>, range: Range<usize>) -> Parsed {
    let function = functions::find(name, arguments.len()).map_err(|message| TemplateError::new(name_range, message))?;
    Ok(Expression { range, kind: ExpressionKind::Call(function, arguments) })
}

fn shown(token: &Token<'_>) -> String {
    match token {
        Token::Word(word) => format!("`{word}`"),
        Token::Quantity(quantity) => format!("`{quantity}`"),
        Token::Text(text) => format!("`\"{text}\"`"),
        Token::Sign(sign) => format!("`{sign}`"),
    }
}
