//! Makes a plan as small as it can be, so that every cell is seen to work in minutes.
//!
//! It must not leave a cell out. Invariant: a shrunk case has another hash: its numbers never stand for the real ones.

use std::sync::Arc;
use std::time::Duration;

use crate::plan::types::{Case, Plan};
use crate::plan::workload::workload;
use crate::workload::kind::Configured;
use crate::workload::load::{Pacing, Warmup};

/// No measured part is longer than this.
const LONGEST: Duration = Duration::from_secs(2);
/// No warm-up is longer than this.
const WARMUP: Duration = Duration::from_millis(200);

/// Shrinks every case and keeps one round.
pub fn shrink(plan: &mut Plan) {
    plan.rounds = 1;
    plan.trials.retain(|trial| trial.round == 1);
    plan.assertions.clear();
    plan.hash = format!("smoke-{}", plan.hash);
    let seed = plan.seed;
    plan.cases.iter_mut().for_each(|case| shrink_case(case, seed));
}

fn shrink_case(case: &mut Case, seed: u64) {
    case.hash = format!("smoke-{}", case.hash);
    case.load.duration = Some(case.load.duration.map_or(LONGEST, |duration| duration.min(LONGEST)));
    case.load.warmup = case.load.warmup.map(|warmup| match warmup {
        Warmup::Time(time) => Warmup::Time(time.min(WARMUP)),
        Warmup::Operations(count) => Warmup::Operations(count.min(u64::from(case.load.clients))),
    });
    if let Pacing::MinInterval(interval) = &mut case.load.pacing {
        *interval = (*interval).min(WARMUP);
    }
    let Some(configured) = smallest(case, seed) else { return };
    let totals = configured.totals();
    case.parameters = configured.canonical();
    case.operations = Some(totals.all_operations());
    case.points = Some(totals.points);
    case.rows = Some(totals.rows);
    case.bytes = Some(totals.raw_bytes);
}

/// The workload with as few loops as its kinds of operation allow; none where it has no loops, or can't be so small.
fn smallest(case: &Case, seed: u64) -> Option<Arc<dyn Configured>> {
    case.parameters.get("LOOP")?;
    let kinds = workload(case, seed).ok()?.kinds().len();
    let mut small = case.clone();
    (kinds..kinds + 13).find_map(|loops| {
        small.parameters.insert("LOOP".to_owned(), loops.to_string());
        workload(&small, seed).ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::tests::plans::{case, plan};

    #[test]
    fn every_cell_stays_and_is_small() {
        let mut big = case("a", None);
        big.parameters.insert("LOOP".into(), "1000".into());
        let mut plan = plan(vec![big, case("b", None)], &[("a", 1), ("b", 1), ("a", 2), ("b", 2)]);
        shrink(&mut plan);
        assert_eq!(plan.trials.len(), 2);
        assert_eq!(plan.cases[0].parameters["LOOP"], "1");
        assert_eq!((plan.cases[0].operations, plan.cases[0].points), (Some(2), Some(20)));
        assert_eq!(plan.cases[0].hash, "smoke-hash of a");
    }
}
