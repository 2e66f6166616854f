//! Multi-row INSERT with parameters, in as many statements as the protocol's limit of parameters wants.
//!
//! It must not know how rows came. Invariant: a block is stored whole or not at all.

use std::error::Error;

use bytes::{BufMut, BytesMut};
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};
use tokio_postgres::{Client, Statement};

use crate::driver::rows::{BlockRows, Rows, Value, column_names, on_conflict, quoted};
use crate::workload::model::{DataType, Schema};

/// The most parameters of one statement.
const PARAMETERS: usize = 65_535;

/// The most statements that are kept prepared.
const KEPT: usize = 32;

/// One parameter.
#[derive(Clone, Copy, Debug)]
enum Parameter<'a> {
    Value(Value),
    Text(&'a str),
}

impl ToSql for Parameter<'_> {
    fn to_sql(&self, _: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        match *self {
            Parameter::Text(text) => out.put_slice(text.as_bytes()),
            Parameter::Value(Value::Null | Value::Text(_)) => return Ok(IsNull::Yes),
            Parameter::Value(Value::Boolean(value)) => out.put_u8(u8::from(value)),
            Parameter::Value(Value::Int32(value)) => out.put_i32(value),
            Parameter::Value(Value::Int64(value)) => out.put_i64(value),
            Parameter::Value(Value::Float(value)) => out.put_f32(value as f32),
            Parameter::Value(Value::Double(value)) => out.put_f64(value),
        }
        Ok(IsNull::No)
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

/// A session's prepared INSERTs.
#[derive(Default)]
pub(super) struct Inserts {
    kept: Vec<(u32, Vec<u32>, usize, Statement)>,
}

impl Inserts {
    /// Sends a block.
    pub(super) async fn send(
        &mut self,
        client: &Client,
        schema: &Schema,
        rows: &Rows,
        block: &BlockRows,
    ) -> Result<(), tokio_postgres::Error> {
        let width = 2 + schema.tables[block.table as usize].tags.len() + block.sensors.len();
        let parameters = parameters(rows, block);
        let chunks = parameters.chunks(PARAMETERS / width * width);
        let several = chunks.len() > 1;
        if several {
            client.batch_execute("BEGIN").await?;
        }
        for chunk in chunks {
            let done = match self.statement(client, schema, block, chunk.len() / width).await {
                Ok(statement) => client.execute_raw(&statement, chunk.iter().copied()).await,
                Err(error) => Err(error),
            };
            if let Err(error) = done {
                if several {
                    // The error is told; that there is no transaction to leave is none.
                    let _ = client.batch_execute("ROLLBACK").await;
                }
                return Err(error);
            }
        }
        if several { client.batch_execute("COMMIT").await } else { Ok(()) }
    }

    async fn statement(
        &mut self,
        client: &Client,
        schema: &Schema,
        block: &BlockRows,
        rows: usize,
    ) -> Result<Statement, tokio_postgres::Error> {
        let is_it = |(table, sensors, count, _): &&(u32, Vec<u32>, usize, Statement)| {
            *table == block.table && *sensors == block.sensors && *count == rows
        };
        if let Some((.., statement)) = self.kept.iter().find(is_it) {
            return Ok(statement.clone());
        }
        let types = types(schema, block);
        let all: Vec<Type> = types.iter().cycle().take(types.len() * rows).cloned().collect();
        let statement = client.prepare_typed(&text(schema, block, rows), &all).await?;
        if self.kept.len() == KEPT {
            self.kept.remove(0);
        }
        self.kept.push((block.table, block.sensors.clone(), rows, statement.clone()));
        Ok(statement)
    }
}

/// All parameters, row by row.
fn parameters<'a>(rows: &'a Rows, block: &BlockRows) -> Vec<Parameter<'a>> {
    let mut all = Vec::new();
    for (identity, run) in block.each() {
        for row in run {
            all.push(Parameter::Value(row[0]));
            all.extend(identity.iter().map(|at| Parameter::Text(rows.text(*at))));
            all.extend(row[1..].iter().map(|value| match value {
                Value::Text(at) => Parameter::Text(rows.text(*at)),
                value => Parameter::Value(*value),
            }));
        }
    }
    all
}

fn text(schema: &Schema, block: &BlockRows, rows: usize) -> String {
    let names: Vec<String> = column_names(schema, block.table, &block.sensors).into_iter().map(quoted).collect();
    let width = names.len();
    let row = |at: usize| {
        let places: Vec<String> = (1..=width).map(|place| format!("${}", at * width + place)).collect();
        format!("({})", places.join(", "))
    };
    let values: Vec<String> = (0..rows).map(row).collect();
    let into = quoted(&schema.tables[block.table as usize].name);
    let conflict = on_conflict(schema, block.table, &block.sensors);
    format!("INSERT INTO {into} ({}) VALUES {}{conflict}", names.join(", "), values.join(", "))
}

/// The columns' types: those that the adapters' tables have.
fn types(schema: &Schema, block: &BlockRows) -> Vec<Type> {
    let table = &schema.tables[block.table as usize];
    let tags = table.tags.iter().map(|_| Type::TEXT);
    let sensors = block.sensors.iter().map(|sensor| match table.sensors[*sensor as usize].data_type {
        DataType::Boolean => Type::BOOL,
        DataType::Int32 => Type::INT4,
        DataType::Int64 => Type::INT8,
        DataType::Float => Type::FLOAT4,
        DataType::Double => Type::FLOAT8,
        DataType::Text => Type::TEXT,
    });
    [Type::INT8, Type::TEXT].into_iter().chain(tags).chain(sensors).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::encode::fixtures::{mixed_batch, mixed_schema};

    #[test]
    fn a_row_has_a_parameter_a_column() {
        let schema = mixed_schema();
        let mut rows = Rows::default();
        rows.fill(&schema, &mixed_batch(), true);
        let block = &rows.blocks()[0];
        assert_eq!(parameters(&rows, block).len(), 27);
        assert_eq!(types(&schema, block).len(), 9);
        let text = text(&schema, block, 2);
        assert!(text.starts_with(
            r#"INSERT INTO "g_0" ("time", "device", "tag_0", "b", "i", "l", "f", "d", "t") VALUES ($1, "#
        ));
        assert!(text.contains(", $9), ($10, "), "{text}");
        assert!(text.contains(r#" DO UPDATE SET "b" = coalesce(excluded."b", "g_0"."b"), "#), "{text}");
    }
}
