//! JSON answers of /query as rows.
//!
//! It must not know which query was asked. Invariant: tags become columns; an error anywhere in the answer fails it.

use std::collections::BTreeMap;
use std::fmt;

use hyper::StatusCode;
use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, de::Unexpected};

use super::write::refused;
use crate::driver::error::{DriverError, ErrorClass};
use crate::driver::types::{Answer, Cell, Endpoint};

/// Which columns of an answer are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Columns<'a> {
    /// All.
    All,
    /// Only the one of this name.
    Only(&'a str),
    /// All but the one of this name. InfluxQL gives aggregates a time that means nothing.
    Without(&'a str),
}

/// Takes a leading `/* only NAME */` or `/* without NAME */` off a statement.
pub(super) fn directive(statement: &str) -> (&str, Columns<'_>) {
    let commented = statement.trim_start().strip_prefix("/*").and_then(|rest| rest.split_once("*/"));
    let Some((comment, rest)) = commented else { return (statement, Columns::All) };
    match comment.trim().split_once(' ') {
        Some(("only", name)) => (rest.trim_start(), Columns::Only(name.trim())),
        Some(("without", name)) => (rest.trim_start(), Columns::Without(name.trim())),
        _ => (statement, Columns::All),
    }
}

#[derive(Debug, Default, Deserialize)]
struct Reply {
    #[serde(default)]
    results: Vec<Part>,
    #[serde(default)]
    error: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Part {
    #[serde(default)]
    series: Vec<Series>,
    #[serde(default)]
    error: Option<String>,
    #[serde(default)]
    partial: bool,
}

#[derive(Debug, Deserialize)]
struct Series {
    #[serde(default)]
    tags: BTreeMap<String, String>,
    #[serde(default)]
    columns: Vec<String>,
    #[serde(default)]
    values: Vec<Vec<JsonCell>>,
    #[serde(default)]
    partial: bool,
}

/// Reads an answer.
///
/// # Errors
/// By its status, or any error inside it, or when rows were left out.
pub(super) fn read(
    endpoint: &Endpoint,
    status: StatusCode,
    body: &[u8],
    columns: Columns<'_>,
    answer: &mut Answer,
) -> Result<(), DriverError> {
    let reply = match serde_json::from_slice::<Reply>(body) {
        Ok(reply) => reply,
        Err(_) if !status.is_success() => return Err(refused(endpoint, status, &String::from_utf8_lossy(body))),
        Err(error) => {
            return Err(DriverError::new(ErrorClass::Rejected, format!("the answer can't be read: {error}")));
        }
    };
    let inside = reply.results.iter().find_map(|part| part.error.as_deref());
    if let Some(said) = reply.error.as_deref().or(inside) {
        return Err(refused(endpoint, status, said));
    }
    if !status.is_success() {
        return Err(refused(endpoint, status, &String::from_utf8_lossy(body)));
    }
    if reply.results.iter().any(|part| part.partial || part.series.iter().any(|series| series.partial)) {
        let said = "the server left rows out of its answer (max-row-limit)";
        return Err(DriverError::new(ErrorClass::Rejected, said));
    }
    for series in reply.results.into_iter().flat_map(|part| part.series) {
        add(series, answer);
    }
    let width = answer.columns.len();
    answer.rows.iter_mut().for_each(|row| row.resize(width, Cell::Null));
    keep(columns, answer);
    Ok(())
}

/// Adds a series' rows: time first, then tags, then all else.
fn add(series: Series, answer: &mut Answer) {
    let mut place = |name: &str| {
        answer.columns.iter().position(|known| known == name).unwrap_or_else(|| {
            answer.columns.push(name.to_owned());
            answer.columns.len() - 1
        })
    };
    if series.columns.iter().any(|name| name == "time") {
        place("time");
    }
    let tags: Vec<(usize, &String)> = series.tags.iter().map(|(name, value)| (place(name), value)).collect();
    let places: Vec<usize> = series.columns.iter().map(|name| place(name)).collect();
    let width = answer.columns.len();
    for values in series.values {
        let mut row = vec![Cell::Null; width];
        tags.iter().for_each(|(place, value)| row[*place] = Cell::Text((*value).clone()));
        places.iter().zip(values).for_each(|(place, cell)| row[*place] = cell.0);
        answer.rows.push(row);
    }
}

fn keep(columns: Columns<'_>, answer: &mut Answer) {
    let kept: Vec<bool> = answer
        .columns
        .iter()
        .map(|name| match columns {
            Columns::All => true,
            Columns::Only(only) => name == only,
            Columns::Without(without) => name != without,
        })
        .collect();
    if kept.iter().all(|kept| *kept) {
        return;
    }
    let mut at = kept.iter();
    answer.columns.retain(|_| at.next().is_some_and(|kept| *kept));
    for row in &mut answer.rows {
        let mut at = kept.iter();
        row.retain(|_| at.next().is_some_and(|kept| *kept));
    }
}

/// A cell as JSON has it: a number without a point is an integer, whatever the field's type.
#[derive(Debug)]
struct JsonCell(Cell);

impl<'de> Deserialize<'de> for JsonCell {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(CellVisitor).map(JsonCell)
    }
}

struct CellVisitor;

impl Visitor<'_> for CellVisitor {
    type Value = Cell;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, a text, true, false or null")
    }

    fn visit_unit<E>(self) -> Result<Cell, E> {
        Ok(Cell::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Cell, E> {
        Ok(Cell::Boolean(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Cell, E> {
        Ok(Cell::Integer(value))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Cell, E> {
        let too_great = |_| E::invalid_value(Unexpected::Unsigned(value), &self);
        i64::try_from(value).map(Cell::Integer).map_err(too_great)
    }

    fn visit_f64<E>(self, value: f64) -> Result<Cell, E> {
        Ok(Cell::Float(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Cell, E> {
        Ok(Cell::Text(value.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(status: u16, body: &str, columns: Columns<'_>) -> Result<Answer, DriverError> {
        let mut answer = Answer::default();
        let status = StatusCode::from_u16(status).unwrap();
        read(&Endpoint::default(), status, body.as_bytes(), columns, &mut answer).map(|()| answer)
    }

    #[test]
    fn tags_become_columns_and_series_join() {
        let body = r#"{"results":[{"statement_id":0,"series":[
            {"name":"g","tags":{"device":"d_0"},"columns":["time","s_0"],"values":[[-5000,1.5],[0,null]]},
            {"name":"g","tags":{"device":"d_1"},"columns":["time","s_1"],"values":[[1000,"x"]]}]}]}"#;
        let answer = of(200, body, Columns::All).unwrap();
        assert_eq!(answer.columns, ["time", "device", "s_0", "s_1"]);
        let text = |text: &str| Cell::Text(text.to_owned());
        assert_eq!(
            answer.rows,
            [
                vec![Cell::Integer(-5000), text("d_0"), Cell::Float(1.5), Cell::Null],
                vec![Cell::Integer(0), text("d_0"), Cell::Null, Cell::Null],
                vec![Cell::Integer(1000), text("d_1"), Cell::Null, text("x")],
            ]
        );
        assert_eq!(of(200, body, Columns::Without("time")).unwrap().columns, ["device", "s_0", "s_1"]);
        assert_eq!(of(200, body, Columns::Only("s_0")).unwrap().rows[0], [Cell::Float(1.5)]);
        assert_eq!(of(200, r#"{"results":[{"statement_id":0}]}"#, Columns::All).unwrap(), Answer::default());
    }

    #[test]
    fn an_error_anywhere_fails_the_answer() {
        let inside = r#"{"results":[{"statement_id":0,"error":"database not found: x"}]}"#;
        let error = of(200, inside, Columns::All).unwrap_err();
        assert_eq!((error.class, error.message.as_str()), (ErrorClass::Rejected, "database not found: x"));
        let parse = of(400, r#"{"error":"error parsing query: found selec"}"#, Columns::All).unwrap_err();
        assert_eq!(parse.message, "400 Bad Request: error parsing query: found selec");
        assert_eq!(of(200, r#"{"results":[{"ser"#, Columns::All).unwrap_err().class, ErrorClass::Rejected);
        let limited = r#"{"results":[{"series":[{"columns":["time"],"values":[[1]],"partial":true}]}]}"#;
        assert!(of(200, limited, Columns::All).unwrap_err().message.contains("left rows out"));
    }

    #[test]
    fn a_comment_says_which_columns_are_kept() {
        assert_eq!(directive("/* without time */ SELECT 1"), ("SELECT 1", Columns::Without("time")));
        assert_eq!(directive("/* only Version */ SHOW"), ("SHOW", Columns::Only("Version")));
        assert_eq!(directive("/* plain */ SHOW"), ("/* plain */ SHOW", Columns::All));
        assert_eq!(directive("SHOW"), ("SHOW", Columns::All));
    }
}
