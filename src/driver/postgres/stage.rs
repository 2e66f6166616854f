//! COPY for rows that may be there already: into a temporary table, and from there over what is there.
//!
//! It must not know why a row came twice. Invariant: of rows with equal device and time in a batch, the last one is taken.

use super::session::{Live, PostgresSession, Stream};
use crate::driver::rows::{column_names, on_conflict, quoted};

/// The stage of a table.
pub(super) fn name(table: u32) -> String {
    format!("velodrome_stage_{table}")
}

/// Writes a block through its table's stage, in one transaction.
pub(super) async fn write(
    session: &PostgresSession,
    live: &mut Live,
    stream: &Stream,
) -> Result<(), tokio_postgres::Error> {
    let Some(schema) = &session.schema else { return Ok(()) };
    let table = quoted(&schema.tables[stream.table as usize].name);
    let stage = quoted(&name(stream.table));
    if !live.stages.contains(&stream.table) {
        let make = format!("CREATE TEMP TABLE {stage} (LIKE {table}) ON COMMIT DELETE ROWS");
        live.client.batch_execute(&make).await?;
        live.stages.push(stream.table);
    }
    live.client.batch_execute("BEGIN").await?;
    session.copy_into(live, stream, true).await?;
    let names: Vec<String> = column_names(schema, stream.table, &stream.sensors).into_iter().map(quoted).collect();
    let names = names.join(", ");
    // Rows come sorted by their key, so that two sessions take the same rows' locks in the same order.
    let last = format!("SELECT DISTINCT ON (device, time) {names} FROM {stage} ORDER BY device, time, ctid DESC");
    let conflict = on_conflict(schema, stream.table, &stream.sensors);
    live.client.batch_execute(&format!("INSERT INTO {table} ({names}) {last}{conflict}; COMMIT")).await
}
