//! What the tests of workload `iot` share.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, FileId, Span};
use crate::workload::batch::{Batch, Values};
use crate::workload::iot::IotKind;
use crate::workload::kind::{Configured, Surroundings, WorkloadKind};
use crate::workload::operation::Query;
use crate::workload::parameters::RawParameter;
use crate::workload::stream::{Part, Step, Totals};

/// Parameters whose n-th value stands at byte 10 n.
pub(super) fn raw(parameters: &[(&str, &str)]) -> Vec<RawParameter> {
    let span = |at: usize| Span { file: FileId(0), start: at as u32, end: at as u32 + 1 };
    let parameter = |(at, (name, value)): (usize, &(&str, &str))| RawParameter {
        name: (*name).to_owned(),
        name_span: span(10 * at + 1),
        value: (*value).to_owned(),
        value_span: span(10 * at),
    };
    parameters.iter().enumerate().map(parameter).collect()
}

pub(super) fn configure(clients: u32, parameters: &[(&str, &str)]) -> Result<Arc<dyn Configured>, Vec<Diagnostic>> {
    IotKind.configure(&raw(parameters), Surroundings { clients: Some(clients), seed: 666 })
}

pub(super) fn good(clients: u32, parameters: &[(&str, &str)]) -> Arc<dyn Configured> {
    configure(clients, parameters).unwrap()
}

pub(super) fn bad(clients: u32, parameters: &[(&str, &str)]) -> Diagnostic {
    let mut found = configure(clients, parameters).err().unwrap();
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

/// What the streams of all clients really do.
pub(super) fn counted(configured: &dyn Configured) -> Totals {
    let workload = configured.build();
    let mut totals = Totals::default();
    let mut distinct = BTreeSet::new();
    for client in 0..workload.clients() {
        let mut stream = workload.stream(client, Part::Measured);
        let mut batch = Batch::default();
        let mut steps = 0;
        let expected = stream.steps();
        while let Some(step) = stream.next(&mut batch) {
            steps += 1;
            match step {
                Step::Write => {
                    totals.operations[0] += 1;
                    totals.rows += batch.rows();
                    totals.points += batch.points();
                    let block = &batch.blocks[0];
                    distinct.extend(block.times.iter().map(|time| (block.runs[0].device, *time)));
                    totals.distinct_points = (distinct.len() * block.columns.len()) as u64;
                }
                Step::Query(query) => totals.operations[query.kind.index()] += 1,
            }
        }
        assert_eq!(expected, Some(steps));
    }
    totals.raw_bytes = configured.totals().raw_bytes;
    totals
}

pub(super) fn queries(configured: &dyn Configured, client: u32, part: Part, count: usize) -> Vec<Query> {
    let mut stream = configured.build().stream(client, part);
    let mut batch = Batch::default();
    let mut queries = Vec::new();
    while queries.len() < count {
        match stream.next(&mut batch) {
            Some(Step::Query(query)) => queries.push(query),
            Some(Step::Write) => {}
            None => break,
        }
    }
    queries
}

pub(super) fn text(values: &Values, row: usize) -> String {
    match values {
        Values::Boolean(values) => values[row].to_string(),
        Values::Int32(values) => values[row].to_string(),
        Values::Int64(values) => values[row].to_string(),
        Values::Float(values) | Values::Double(values) => values.value(row).to_string(),
        Values::Text(values) => values.get(row).to_owned(),
    }
}
