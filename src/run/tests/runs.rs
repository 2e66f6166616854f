//! Whole runs.

use std::time::Duration;

use super::fakes::{Fake, Faults};
use super::plans::{case, plan};
use super::scene::Scene;
use crate::plan::types::{Case, Plan, Target};
use crate::run::journal::state::RunState;
use crate::run::journal::trial::{FailureReason, Mark, Phase, Status, TrialRecord};
use crate::suite::model::{Reset, State};

fn reader(id: &str, on: &str) -> Case {
    let mut reader = Case { writes: false, ..case(id, Some(on)) };
    reader.parameters.insert("OPERATION_PROPORTION".into(), "0:1:0:0:0:0:0:0:0:0:0:0:0".into());
    reader
}

fn record<'s>(state: &'s RunState, case: &str, round: u32) -> &'s TrialRecord {
    &state.ended[&(case.to_owned(), round)]
}

fn statuses(state: &RunState) -> Vec<Status> {
    state.ended.values().map(|record| record.status).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn rounds_load_anew_and_readers_stand_on_the_last() {
    let fake = Fake::with(Faults::default());
    let plan =
        plan(vec![case("load", None), reader("ask", "load")], &[("load", 1), ("load", 2), ("ask", 1), ("ask", 2)]);
    let scene = Scene::fake(plan, &fake);
    let (end, state) = scene.run().await;
    assert_eq!(end.exit_code, 0, "{:?}", scene.lines.0.lock().unwrap());
    assert_eq!(state.ended.len(), 4);
    let load = record(&state, "load", 2);
    assert_eq!(load.stored.as_ref().map(|s| (s.acknowledged, s.expected)), Some((40, 40)));
    let phases: Vec<Phase> = load.phases.iter().map(|(phase, _)| *phase).collect();
    assert_eq!(
        phases,
        [Phase::Provision, Phase::Ready, Phase::Schema, Phase::Measure, Phase::Settle, Phase::Verify, Phase::TearDown]
    );
    // One server for all: a new database each round.
    assert_eq!((fake.count("start"), fake.count("remove"), fake.count("sweep")), (1, 1, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_target_under_test_runs() {
    let fake = Fake::with(Faults::default());
    let other = Case { id: "b".into(), target: "u".into(), ..case("b", None) };
    let mut plan = plan(vec![case("a", None), other], &[("a", 1), ("b", 1), ("a", 2), ("b", 2)]);
    plan.targets.push(Target { name: "u".into(), ..plan.targets[0].clone() });
    let scene = Scene::fake(plan, &fake);
    assert_eq!(scene.run().await.0.exit_code, 0);
    let events = fake.events.lock().unwrap().clone();
    let order: Vec<&str> = events.iter().map(String::as_str).take(6).collect();
    assert_eq!(order, ["start t", "pause t", "start u", "pause u", "resume t", "remove t"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_target_reset_brings_up_a_new_server_each_turn() {
    let fake = Fake::with(Faults::default());
    let mut load = case("load", None);
    load.policy.reset = Reset::Target;
    let scene = Scene::fake(plan(vec![load], &[("load", 1), ("load", 2)]), &fake);
    assert_eq!(scene.run().await.0.exit_code, 0);
    assert_eq!((fake.count("start"), fake.count("remove")), (2, 2));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cold_reader_finds_a_restarted_server() {
    let fake = Fake::with(Faults::default());
    let cold = Case { state: State::Cold, ..reader("ask", "load") };
    let scene = Scene::fake(plan(vec![case("load", None), cold], &[("load", 1), ("ask", 1)]), &fake);
    assert_eq!(scene.run().await.0.exit_code, 0);
    assert_eq!(fake.count("restart"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_dies_is_told_and_the_next_trial_runs() {
    let fake = Fake::with(Faults { dies_after: Some(2), ..Faults::default() });
    let scene = Scene::fake(plan(vec![case("load", None)], &[("load", 1), ("load", 2)]), &fake);
    let (end, state) = scene.run().await;
    assert_eq!(end.exit_code, 1);
    let dead = record(&state, "load", 1);
    assert_eq!(dead.status, Status::Failed(FailureReason::ServerDied));
    let failure = dead.failure.as_ref().unwrap();
    assert_eq!((failure.exit_code, failure.out_of_memory), (Some(137), Some(false)));
    assert_eq!((failure.log.len(), failure.log.last().map(String::as_str)), (20, Some("line 29")));
    assert_eq!(failure.command.as_deref(), Some("velodrome run suite.yaml --only 'target=t,scenario=s'"));
    assert_eq!(fake.count("start"), 2);
    assert_eq!(fake.there.load(std::sync::atomic::Ordering::SeqCst), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn points_that_were_acknowledged_and_are_not_there_fail_the_trial() {
    let lost = Fake::with(Faults { forgets_each: Some(4), ..Faults::default() });
    let (end, state) = Scene::fake(plan(vec![case("load", None)], &[("load", 1)]), &lost).run().await;
    assert_eq!((end.exit_code, statuses(&state)), (1, vec![Status::Failed(FailureReason::LostPoints)]));
    let none = Fake::with(Faults { forgets_each: Some(1), ..Faults::default() });
    let (_, state) = Scene::fake(plan(vec![case("load", None)], &[("load", 1)]), &none).run().await;
    assert_eq!(statuses(&state), [Status::Failed(FailureReason::NoData)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn s11_few_errors_are_marked_and_many_fail() {
    let fake = || Fake::with(Faults { refuses_each: Some(4), ..Faults::default() });
    let mut lenient = case("load", None);
    lenient.policy.threshold = 0.5;
    let (end, state) = Scene::fake(plan(vec![lenient.clone()], &[("load", 1)]), &fake()).run().await;
    assert_eq!((end.exit_code, statuses(&state)), (0, vec![Status::Valid]));
    assert!(record(&state, "load", 1).marks.contains(&Mark::Errors));
    lenient.policy.threshold = 0.01;
    let (_, state) = Scene::fake(plan(vec![lenient.clone()], &[("load", 1)]), &fake()).run().await;
    assert_eq!(statuses(&state), [Status::Failed(FailureReason::Refused)]);
    lenient.policy = crate::suite::model::Policy { threshold: 1.0, abort: true, ..lenient.policy };
    let (_, state) = Scene::fake(plan(vec![lenient], &[("load", 1)]), &fake()).run().await;
    assert_eq!(statuses(&state), [Status::Failed(FailureReason::Refused)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn t10_a_refused_login_fails_without_its_secret() {
    let fake = Fake::with(Faults { refuses_login: true, ..Faults::default() });
    let (end, state) = Scene::fake(plan(vec![case("load", None)], &[("load", 1)]), &fake).run().await;
    assert_eq!((end.exit_code, statuses(&state)), (1, vec![Status::Failed(FailureReason::Refused)]));
    let what = &record(&state, "load", 1).failure.as_ref().unwrap().what;
    assert!(what.contains("password authentication failed, ***"), "{what}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_load_without_progress_is_ended() {
    let fake = Fake::with(Faults { hangs: true, ..Faults::default() });
    let mut load = case("load", None);
    load.policy.stall_timeout = Duration::from_millis(1);
    let (_, state) = Scene::fake(plan(vec![load], &[("load", 1)]), &fake).run().await;
    assert_eq!(statuses(&state), [Status::Failed(FailureReason::Timeout)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_suites_limit_leaves_the_others_unfinished() {
    let fake = Fake::with(Faults { write: Duration::from_millis(100), ..Faults::default() });
    let mut load = case("load", None);
    load.policy.suite_timeout = Some(Duration::from_millis(150));
    let (end, state) = Scene::fake(plan(vec![load], &[("load", 1), ("load", 2)]), &fake).run().await;
    assert_eq!((end.exit_code, statuses(&state)), (1, vec![Status::DidNotFinish; 2]));
    assert!(record(&state, "load", 2).phases.is_empty(), "the second never began");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_does_not_start_fails_and_names_the_cause() {
    let fake = Fake::with(Faults { does_not_start: true, ..Faults::default() });
    let plan = plan(vec![case("load", None), reader("ask", "load")], &[("load", 1), ("ask", 1)]);
    let (end, state) = Scene::fake(plan, &fake).run().await;
    assert_eq!(end.exit_code, 1);
    let what = |case| record(&state, case, 1).failure.as_ref().unwrap().what.clone();
    assert_eq!(what("load"), "t did not start: port 5432 is taken");
    assert!(what("ask").starts_with("it stands on the data of load, which failed: refused"), "{}", what("ask"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_signal_ends_the_run_with_what_was_measured() {
    let fake = Fake::with(Faults { write: Duration::from_millis(100), ..Faults::default() });
    let scene = Scene::fake(plan(vec![case("load", None)], &[("load", 1), ("load", 2)]), &fake);
    let stops = scene.stops.clone();
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(250)).await;
        stops.harder();
    });
    let (end, state) = scene.run().await;
    assert_eq!((end.exit_code, end.interrupted), (130, true));
    assert_eq!(statuses(&state), [Status::Interrupted], "the second never began");
    let measured: u64 = record(&state, "load", 1).operations.iter().map(|o| o.ok_operations).sum();
    assert!((1..4).contains(&measured), "{measured}");
    assert_eq!(fake.there.load(std::sync::atomic::Ordering::SeqCst), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn data_that_is_gone_is_loaded_again_and_not_measured() {
    let fake = Fake::with(Faults::default());
    let plan: Plan = plan(vec![case("load", None), reader("ask", "load")], &[("load", 1), ("ask", 1)]);
    let mut scene = Scene::fake(plan, &fake);
    let (_, first) = scene.run().await;
    scene.done.insert(("load".into(), 1), record(&first, "load", 1).clone());
    let (end, second) = scene.run().await;
    assert_eq!(end.exit_code, 0);
    assert_eq!(second.ended.keys().cloned().collect::<Vec<_>>(), [("ask".to_owned(), 1)]);
    let lines = scene.lines.0.lock().unwrap();
    assert!(lines.iter().any(|line| line == "the data of load is loaded again for ask to stand on"), "{lines:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_brought_up_is_removed_when_the_runner_panics() {
    struct Breaks;
    impl crate::run::progress::Show for Breaks {
        fn say(&self, _: &str) {}
        fn update(&self, _: &crate::run::progress::Snapshot) {}
        fn ended(&self, _: &TrialRecord) {
            panic!("on purpose");
        }
        fn end(&self) {}
    }
    let fake = Fake::with(Faults::default());
    let plan = plan(vec![case("load", None)], &[("load", 1), ("load", 2)]);
    let scene = Scene::fake(plan, &fake);
    let run = std::panic::AssertUnwindSafe(scene.run_shown(std::sync::Arc::new(Breaks)));
    assert!(futures_util::FutureExt::catch_unwind(run).await.is_err());
    assert_eq!((fake.count("start"), fake.count("remove"), fake.count("sweep")), (1, 1, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_reach_the_journal() {
    let fake = Fake::with(Faults::default());
    let plan: Plan = plan(vec![case("load", None), reader("ask", "load")], &[("load", 1), ("ask", 1)]);
    let mut scene = Scene::fake(plan, &fake);
    scene.done.insert(("load".into(), 1), TrialRecord { status: Status::Valid, ..TrialRecord::new("load", "h", 1) });
    let (_, state) = scene.run().await;
    assert_eq!(
        state.messages,
        [("note".to_owned(), "the data of load is loaded again for ask to stand on".to_owned())]
    );
}
