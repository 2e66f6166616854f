//! Files of this version and the one before, as they were written once: they must stay readable.

use crate::plan::types::{PLAN_VERSION, Plan};
use crate::run::journal::events::{Event, JOURNAL_VERSION};
use crate::run::journal::reader::parse;
use crate::run::journal::state::RunState;
use crate::run::journal::status::{FailureReason, Status};

const JOURNAL: &str = include_str!("../../../tests/journals/journal-1.jsonl");
const PLAN: &str = include_str!("../../../tests/journals/plan-1.json");

#[test]
fn a_journal_of_version_1_is_read() {
    assert_eq!(JOURNAL_VERSION, 1, "the fixture must be of this version or the one before");
    let journal = parse("journal-1.jsonl".as_ref(), JOURNAL.as_bytes()).unwrap();
    assert_eq!(journal.whole_bytes as usize, JOURNAL.len());
    assert_eq!(journal.lines.len(), 10);
    let state = RunState::of(&journal.lines);
    assert_eq!(state.started.as_ref().map(|started| started.suite.as_str()), Some("fixture"));
    assert_eq!(state.end, Some((0, false)));
    assert_eq!(state.messages, [("warning".to_owned(), "something to know".to_owned())]);
    let statuses: Vec<Status> = state.ended.values().map(|record| record.status).collect();
    assert_eq!(statuses, [Status::Valid, Status::Valid, Status::Failed(FailureReason::ServerDied)]);
    let loaded = &state.ended[&("sqlite/ingest".to_owned(), 1)];
    assert_eq!(loaded.stored.as_ref().map(|s| s.stored - s.warmup), Some(8));
    let service = crate::stats::histogram::Latencies::from_record(&loaded.operations[0].service).unwrap();
    assert_eq!(service.count(), 4);
    let kinds = journal.lines.iter().filter(|line| matches!(line.event, Event::RunResumed { .. })).count();
    assert_eq!(kinds, 1, "every kind of event is in the fixture");
}

#[test]
fn a_plan_of_version_1_is_read() {
    assert_eq!(PLAN_VERSION, 1, "a fixture of the version before this one is missing");
    let plan: Plan = serde_json::from_str(PLAN).unwrap();
    assert_eq!((plan.version, plan.cases.len(), plan.trials.len()), (1, 2, 2));
}
