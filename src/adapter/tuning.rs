//! Tuning values: read by their types, turned into what is sent where, and compared with what the server says it has.
//!
//! It must not know which target or case asks. Invariant: a value that was accepted here has the parameter's type.

use std::collections::BTreeMap;

use minijinja::context;
use minijinja::value::Value;

pub use super::refused::TuningError;
use super::template::{self, RenderError};
use super::types::{Adapter, Apply, TuningParameter, TuningType};
use super::units;
use crate::value::{self, Exact};

/// A value by its type.
#[derive(Clone, Debug, PartialEq)]
enum Typed {
    Integer(i64),
    Number(Exact),
    Boolean(bool),
    Bytes(u64),
    Nanoseconds(i64),
    Word(String),
}

impl TuningType {
    /// The type in words, with an example.
    pub fn words(&self) -> String {
        match self {
            TuningType::Integer => "an integer".to_owned(),
            TuningType::Number => "a number".to_owned(),
            TuningType::Boolean => "on or off".to_owned(),
            TuningType::Size => "a size such as 128MB".to_owned(),
            TuningType::Duration => "a duration such as 15m".to_owned(),
            TuningType::OneOf(words) => format!("one of {}", words.join(", ")),
            TuningType::Text => "a text".to_owned(),
        }
    }

    /// The value that a text is by this type.
    fn read(&self, text: &str) -> Option<Typed> {
        let text = text.trim();
        Some(match self {
            TuningType::Integer => Typed::Integer(value::integer(text).ok()?),
            TuningType::Number => Typed::Number(value::exact(text)?),
            TuningType::Boolean => Typed::Boolean(read_boolean(text)?),
            TuningType::Size => Typed::Bytes(units::size_bytes(text)?),
            TuningType::Duration => Typed::Nanoseconds(units::duration_ns(text)?),
            TuningType::OneOf(words) => {
                Typed::Word(words.iter().find(|word| word.eq_ignore_ascii_case(text))?.to_owned())
            }
            TuningType::Text => Typed::Word(text.to_owned()),
        })
    }
}

fn read_boolean(text: &str) -> Option<bool> {
    match text {
        "1" => Some(true),
        "0" => Some(false),
        _ => value::switch(text).ok(),
    }
}

impl Typed {
    /// As templates get it as `tuning.NAME`: sizes are bytes, durations a map of whole `ns`, `us`, `ms` and `seconds`.
    fn for_templates(&self) -> Value {
        match self {
            Typed::Integer(number) => Value::from(*number),
            Typed::Number(number) => Value::from(number.as_f64()),
            Typed::Boolean(on) => Value::from(*on),
            Typed::Bytes(bytes) => Value::from(*bytes),
            Typed::Nanoseconds(ns) => {
                context! { ns => ns, us => ns / 1_000, ms => ns / 1_000_000, seconds => ns / 1_000_000_000 }
            }
            Typed::Word(word) => Value::from(word.as_str()),
        }
    }
}

impl TuningParameter {
    /// Whether a text is a value of this parameter. A size or a duration needs its unit, but for 0.
    ///
    /// # Errors
    /// [`TuningError::Type`] and [`TuningError::Unit`].
    pub fn check(&self, name: &str, value: &str) -> Result<(), TuningError> {
        let typed = value.trim();
        if let Some(help) = self.help_with_unit(typed).filter(|_| is_bare(typed) && typed.bytes().any(|b| b != b'0')) {
            let (parameter, value) = (name.to_owned(), typed.to_owned());
            return Err(TuningError::Unit { parameter, value, expected: self.kind.words(), help });
        }
        match self.kind.read(value) {
            Some(_) => Ok(()),
            None => Err(TuningError::Type {
                parameter: name.to_owned(),
                value: value.to_owned(),
                expected: self.kind.words(),
            }),
        }
    }
}

impl TuningParameter {
    /// How to write a bare number with its unit; none for a type that has no units.
    fn help_with_unit(&self, typed: &str) -> Option<String> {
        let example = match self.kind {
            TuningType::Size => "MiB",
            TuningType::Duration => "s",
            _ => return None,
        };
        // A unit that begins with a number is a page: servers count those where a number is bare.
        let pages = self.read_back_unit.as_deref().filter(|unit| unit.starts_with(|c: char| c.is_ascii_digit()));
        let bytes = pages.and_then(|unit| unit_bytes(unit)?.checked_mul(typed.parse().ok()?)).map(i128::from);
        let meant =
            pages.zip(bytes).map(|(unit, bytes)| format!("; {typed} pages of {unit} are {}", value::size_text(bytes)));
        Some(format!("write it with its unit, such as {typed}{example}{}", meant.unwrap_or_default()))
    }
}

/// Tuning values asked for, checked, with the adapter's defaults for all others.
#[derive(Clone, Debug)]
pub struct Tuning {
    asked: BTreeMap<String, String>,
    values: Value,
}

/// A statement that applies one tuning value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TuningStatement {
    /// The parameter.
    pub parameter: String,
    /// The value as asked for.
    pub asked: String,
    /// What to send.
    pub statement: String,
}

/// What is sent where so that tuning values take effect.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TuningPlan {
    /// Further arguments of the server's command.
    pub command: Vec<String>,
    /// Further environment of the container.
    pub environment: BTreeMap<String, String>,
    /// Statements for the running server, in the maintenance database, before the trial's database is made.
    pub server: Vec<TuningStatement>,
    /// Statements for the trial's new database, before its schema is made.
    pub database: Vec<TuningStatement>,
    /// Statements for every session when it has connected: the adapter's own, then those of tuning values.
    pub on_connect: Vec<String>,
    /// Settings for the driver's sessions.
    pub settings: BTreeMap<String, String>,
}

impl Tuning {
    /// The values asked for.
    pub fn asked(&self) -> &BTreeMap<String, String> {
        &self.asked
    }

    /// All values as templates get them: a map by name.
    pub(super) fn values(&self) -> Value {
        self.values.clone()
    }

    /// The parameters among those asked for that only a start of the server applies: an existing server can't be tuned so.
    pub fn needing_start(&self, adapter: &Adapter) -> Vec<String> {
        let needs = |name: &&String| adapter.file.tuning.get(*name).is_some_and(|p| p.apply.needs_start());
        self.asked.keys().filter(needs).cloned().collect()
    }
}

impl Adapter {
    /// Checks tuning values.
    ///
    /// # Errors
    /// Every value that can't be taken.
    pub fn tuning(&self, asked: &BTreeMap<String, String>) -> Result<Tuning, Vec<TuningError>> {
        let errors: Vec<_> = asked.iter().filter_map(|(name, value)| self.check_tuning(name, value).err()).collect();
        if !errors.is_empty() {
            return Err(errors);
        }
        let value = |(name, parameter): (&String, &TuningParameter)| {
            let text = asked.get(name).or(parameter.default.as_ref());
            let typed = text.and_then(|text| parameter.kind.read(text));
            (name.clone(), typed.map_or(Value::from(()), |typed| typed.for_templates()))
        };
        Ok(Tuning {
            asked: asked.clone(),
            values: Value::from(self.file.tuning.iter().map(value).collect::<BTreeMap<_, _>>()),
        })
    }

    /// Checks one tuning value.
    ///
    /// # Errors
    /// When there is no such parameter, or the value is not of its type.
    pub fn check_tuning(&self, name: &str, value: &str) -> Result<(), TuningError> {
        match self.file.tuning.get(name) {
            Some(parameter) => parameter.check(name, value),
            None => Err(TuningError::Unknown { adapter: self.file.name.clone(), parameter: name.to_owned() }),
        }
    }

    /// What is sent where so that the values asked for take effect. `database` is the trial's; it matters to statements only.
    ///
    /// # Errors
    /// A template of the adapter that can't be rendered.
    pub fn tuning_plan(&self, tuning: &Tuning, database: &str) -> Result<TuningPlan, RenderError> {
        let mut plan = TuningPlan::default();
        for statement in &self.file.on_connect {
            let rendered = template::render("on_connect", statement, &context! { tuning => tuning.values() })?;
            plan.on_connect.extend(Some(rendered).filter(|statement| !statement.trim().is_empty()));
        }
        for (name, asked) in &tuning.asked {
            if let Some(parameter) = self.file.tuning.get(name) {
                apply(&mut plan, name, &value_context(&parameter.kind, asked, database), (asked, parameter))?;
            }
        }
        Ok(plan)
    }
}

/// Adds what applies one value.
fn apply(
    plan: &mut TuningPlan,
    name: &str,
    context: &Value,
    (asked, parameter): (&str, &TuningParameter),
) -> Result<(), RenderError> {
    let render = |text: &str| template::render(&format!("tuning.{name}"), text, context);
    let statement = |text: &str| -> Result<_, RenderError> {
        Ok(TuningStatement { parameter: name.to_owned(), asked: asked.to_owned(), statement: render(text)? })
    };
    match &parameter.apply {
        Apply::Command(arguments) => {
            for argument in arguments {
                plan.command.push(render(argument)?);
            }
        }
        Apply::Environment(assignment) => {
            let rendered = render(assignment)?;
            let (variable, value) = rendered.split_once('=').unwrap_or((&rendered, asked));
            plan.environment.insert(variable.to_owned(), value.to_owned());
        }
        Apply::Server(text) => plan.server.push(statement(text)?),
        Apply::Database(text) => plan.database.push(statement(text)?),
        Apply::Session(text) => plan.on_connect.push(render(text)?),
        Apply::Driver(word) => {
            plan.settings.insert(word.clone(), render("{{ value }}")?);
        }
        Apply::Schema | Apply::Connect | Apply::Config => {}
    }
    Ok(())
}

/// `value` as asked (numbers, words and booleans in their canonical spelling), and in whole units where it has some.
fn value_context(kind: &TuningType, asked: &str, database: &str) -> Value {
    let value = match kind.read(asked) {
        Some(Typed::Bytes(bytes)) => context! { value => asked, value_bytes => bytes },
        Some(Typed::Nanoseconds(ns)) => {
            let (us, ms, seconds) = (ns / 1_000, ns / 1_000_000, ns / 1_000_000_000);
            context! { value => asked, value_ns => ns, value_us => us, value_ms => ms, value_seconds => seconds }
        }
        Some(Typed::Boolean(on)) => context! { value => if on { "on" } else { "off" }, on => on },
        Some(Typed::Word(word)) => context! { value => word },
        Some(Typed::Integer(number)) => context! { value => number },
        Some(Typed::Number(number)) => context! { value => number.to_string() },
        None => context! { value => asked },
    };
    context! { database => database, ..value }
}

/// One value to be read back.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadBack {
    /// The parameter.
    pub parameter: String,
    /// The value as asked for.
    pub asked: String,
    /// The statement whose first cell is the value in force; none: it can't be read back.
    pub statement: Option<String>,
    kind: TuningType,
    unit: Option<String>,
}

impl ReadBack {
    /// What the server's cell says, with its unit, for people.
    pub fn shown(&self, cell: &str) -> String {
        match &self.unit {
            Some(unit) if is_bare(cell) && unit.starts_with(|c: char| c.is_ascii_digit()) => format!("{cell} × {unit}"),
            Some(unit) if is_bare(cell) => format!("{cell} {unit}"),
            _ => cell.to_owned(),
        }
    }

    /// Whether the server's cell is the value asked for: sizes and durations in any unit, booleans in any spelling. A server
    /// that keeps whole units has rounded by less than one.
    pub fn agrees(&self, cell: &str) -> bool {
        match (self.kind.read(&self.asked), self.read_cell(cell)) {
            (Some(Typed::Bytes(asked)), Some(Typed::Bytes(is))) => {
                let unit = self.unit.as_deref().and_then(unit_bytes).unwrap_or(1);
                asked.abs_diff(is) < unit.max(1)
            }
            (Some(Typed::Nanoseconds(asked)), Some(Typed::Nanoseconds(is))) => {
                let unit = self.unit.as_deref().and_then(unit_ns).unwrap_or(1);
                asked.abs_diff(is) < unit.max(1).unsigned_abs()
            }
            (Some(Typed::Word(asked)), Some(Typed::Word(is))) => asked.eq_ignore_ascii_case(&is),
            (asked, is) => asked.is_some() && asked == is,
        }
    }

    /// The cell by the parameter's type; a bare number is counted in the unit.
    fn read_cell(&self, cell: &str) -> Option<Typed> {
        let cell = cell.trim();
        match (&self.kind, &self.unit) {
            (TuningType::Size, Some(unit)) if is_bare(cell) => {
                Some(Typed::Bytes(cell.parse::<u64>().ok()?.checked_mul(unit_bytes(unit)?)?))
            }
            (TuningType::Duration, Some(unit)) if is_bare(cell) => {
                Some(Typed::Nanoseconds(cell.parse::<i64>().ok()?.checked_mul(unit_ns(unit)?)?))
            }
            (TuningType::OneOf(_), _) => Some(Typed::Word(cell.to_owned())),
            (kind, _) => kind.read(cell),
        }
    }
}

fn is_bare(cell: &str) -> bool {
    !cell.trim().is_empty() && cell.trim().chars().all(|c| c.is_ascii_digit())
}

/// The bytes of a unit such as `kB` or `8kB`.
fn unit_bytes(unit: &str) -> Option<u64> {
    units::size_bytes(unit).or_else(|| units::size_bytes(&format!("1{unit}")))
}

/// The nanoseconds of a unit such as `ms`.
fn unit_ns(unit: &str) -> Option<i64> {
    units::duration_ns(unit).or_else(|| units::duration_ns(&format!("1{unit}")))
}

impl Adapter {
    /// The values asked for, each with how it is read back. `schema` is what the schema's templates get.
    ///
    /// # Errors
    /// A template of the adapter that can't be rendered.
    pub(super) fn read_backs_over(&self, tuning: &Tuning, schema: &Value) -> Result<Vec<ReadBack>, RenderError> {
        let mut all = Vec::new();
        for (name, asked) in &tuning.asked {
            let Some(parameter) = self.file.tuning.get(name) else { continue };
            let render = |text: &String| template::render(&format!("tuning.{name}.read_back"), text, schema);
            all.push(ReadBack {
                parameter: name.clone(),
                asked: asked.clone(),
                statement: parameter.read_back.as_ref().map(render).transpose()?,
                kind: parameter.kind.clone(),
                unit: parameter.read_back_unit.as_ref().map(render).transpose()?,
            });
        }
        Ok(all)
    }
}
