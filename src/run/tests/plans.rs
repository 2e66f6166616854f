//! Plans and cases for the tests of this part.
//!
//! It must not be part of the program. Invariant: what it makes is as small as it can be.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::plan::types::{Case, PLAN_VERSION, Plan, Target, Trial};
use crate::suite::model::{AnswerCheck, Place, Policy, ReportSettings, Reset, State};
use crate::workload::load::{Load, Pacing};

/// A policy with short limits.
pub(crate) fn policy() -> Policy {
    Policy {
        abort: false,
        threshold: 0.05,
        retries: 0,
        timeout: None,
        write_timeout: Duration::from_secs(10),
        query_timeout: Duration::from_secs(10),
        stall_timeout: Duration::from_secs(30),
        suite_timeout: None,
        reset: Reset::Case,
        refused_to_default: false,
    }
}

/// A loading case of the target `t` on the fake workload.
pub(crate) fn case(id: &str, on: Option<&str>) -> Case {
    Case {
        id: id.to_owned(),
        hash: format!("hash of {id}"),
        target: "t".to_owned(),
        scenario: "s".to_owned(),
        workload: "iot".to_owned(),
        on: on.map(str::to_owned),
        axes: Vec::new(),
        parameters: parameters(),
        load: Load { clients: 1, cores: Vec::new(), pacing: Pacing::Closed, warmup: None, duration: None },
        tuning: BTreeMap::new(),
        write_method: None,
        state: State::Warm,
        policy: policy(),
        verify_counts: true,
        verify_answers: AnswerCheck::None,
        operations: Some(1),
        points: Some(1),
        rows: Some(1),
        bytes: Some(1),
        writes: true,
        not_supported: None,
    }
}

/// 2 × 2 operations of 5 rows of 2 sensors: 40 points.
fn parameters() -> BTreeMap<String, String> {
    let given = [
        ("LOOP", "2"),
        ("DEVICE_NUMBER", "2"),
        ("SENSOR_NUMBER", "2"),
        ("BATCH_SIZE_PER_WRITE", "5"),
        ("OPERATION_PROPORTION", "1:0:0:0:0:0:0:0:0:0:0:0:0"),
    ];
    given.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// A plan of these cases and trials.
pub(crate) fn plan(cases: Vec<Case>, trials: &[(&str, u32)]) -> Plan {
    Plan {
        version: PLAN_VERSION,
        hash: "plan".to_owned(),
        suite: "test".to_owned(),
        description: None,
        seed: 1,
        rounds: 1,
        overrides: Vec::new(),
        targets: vec![Target {
            name: "t".to_owned(),
            adapter: "blackhole".to_owned(),
            adapter_hash: String::new(),
            version: "1".to_owned(),
            image: None,
            place: Place::Embedded,
        }],
        cases,
        trials: trials.iter().map(|(case, round)| Trial { case: (*case).to_owned(), round: *round }).collect(),
        report: ReportSettings::default(),
        assertions: Vec::new(),
        source: String::new(),
    }
}
