//! What a trial that went wrong leaves for people: why, when, the server's last words, the command to try it again.
//!
//! It must not change what was measured. Invariant: a server that died is told as such, whatever failed first.

use std::fmt::Write as _;
use std::time::Duration;

use super::context::{End, Trial};
use super::execute::death;
use super::verdict::{Cause, Verdict, of_cause};
use crate::plan::types::Case;
use crate::provision::types::{Place, ProvisionError};
use crate::run::journal::trial::{FailureReason, FailureRecord, Phase, Status, TrialRecord};
use crate::run::stage::{Held, How};

/// How many lines of a server's log a journal keeps.
const LOG_LINES: usize = 20;
/// How many characters of a daemon's words a sentence keeps.
const RAW: usize = 200;

/// How a trial ended.
pub(super) struct Incident {
    /// The phase that was on.
    pub(super) phase: Phase,
    /// Since the trial began.
    pub(super) after: Duration,
    /// The verdict so far.
    pub(super) verdict: Verdict,
}

/// Sets the record's status; where it is not a good one, finds out and keeps what can be said. Logs and texts go into the
/// trial's folder.
pub(super) async fn conclude(trial: &Trial<'_>, held: Option<&Held>, record: &mut TrialRecord, incident: Incident) {
    let Incident { phase, after, mut verdict } = incident;
    let mut exit = (None, None);
    if may_be_death(trial, &verdict, phase)
        && let Some(held) = held
        && let Some(cause) = death(held, connection_broke(&verdict, record)).await
    {
        verdict = of_cause(&cause);
        if let Cause::Died { exit_code, out_of_memory } = cause {
            exit = (exit_code, Some(out_of_memory));
        }
    }
    let log = match held {
        Some(held) => save_log(trial, held).await,
        None => Vec::new(),
    };
    record.status = verdict.status;
    if let Some(what) = verdict.what {
        record.failure = Some(FailureRecord {
            what,
            phase: Some(phase.words().to_owned()),
            after_ms: u64::try_from(after.as_millis()).unwrap_or(u64::MAX),
            exit_code: exit.0,
            out_of_memory: exit.1,
            log,
            command: trial.world.command.as_deref().map(|command| alone(command, trial.case)),
        });
    }
    trial.world.scrub.record(record);
    write_texts(trial, record);
}

/// Whether a dead server can be the reason.
fn may_be_death(trial: &Trial<'_>, verdict: &Verdict, phase: Phase) -> bool {
    // A server that ended because of a value it was started with says so itself.
    let failed = matches!(verdict.status, Status::Failed(reason) if reason != FailureReason::TuningRefused);
    // An existing server that was never reached has not died.
    let reached = !matches!(trial.parts.place, Place::Existing(_)) || phase >= Phase::Warmup;
    failed && reached && !trial.parts.embedded()
}

/// Whether what failed can be the first sign of a death that Docker will only tell of in a moment.
fn connection_broke(verdict: &Verdict, record: &TrialRecord) -> bool {
    let broke = |class: &str| ["lost connection", "refused"].contains(&class);
    verdict.status == Status::Failed(FailureReason::Refused)
        && (record.errors.is_empty() || record.errors.iter().any(|error| broke(&error.class)))
}

/// Keeps the server's log in the trial's folder; its last lines.
async fn save_log(trial: &Trial<'_>, held: &Held) -> Vec<String> {
    if trial.parts.embedded() {
        return Vec::new();
    }
    let saved = held.instance.save_logs(&trial.folder.join("server.log")).await;
    let lines = saved.unwrap_or_else(|error| {
        trial.tracker.note(&format!("the server's log was not had: {error}"));
        Vec::new()
    });
    lines[lines.len().saturating_sub(LOG_LINES)..].to_vec()
}

/// The statements and failures, as files to look at.
fn write_texts(trial: &Trial<'_>, record: &TrialRecord) {
    let mut statements = String::new();
    for sample in &record.samples {
        let _ = writeln!(statements, "{} ({} rows)\n{}\n", sample.operation, sample.row_count, sample.statement);
    }
    let mut failures = String::new();
    if let Some(failure) = &record.failure {
        let _ = writeln!(failures, "{}: {}", record.status.words(), failure.what);
    }
    for error in &record.errors {
        let _ = writeln!(failures, "{} × {} {}: {}", error.count, error.operation, error.class, error.message);
    }
    for (name, text) in [("statements.txt", statements), ("failures.txt", failures)] {
        if !text.is_empty()
            && let Err(error) = std::fs::write(trial.folder.join(name), text)
        {
            trial.tracker.note(&format!("{name}: {error}"));
        }
    }
}

/// The command that runs one cell alone.
fn alone(command: &str, case: &Case) -> String {
    let mut selectors = vec![format!("target={}", case.target), format!("scenario={}", case.scenario)];
    selectors.extend(case.axes.iter().map(|(name, value)| format!("{name}={value}")));
    format!("{command} --only '{}'", selectors.join(","))
}

/// What kept a database from being there: the sentence first, the daemon's own words last and not without end.
pub(super) fn told(error: &ProvisionError) -> String {
    match error {
        ProvisionError::Image { image, cause } => {
            // The daemon's words come first in the cause, how to mend it in brackets behind them.
            let (raw, mend) = match cause.strip_suffix(')').and_then(|cause| cause.split_once(" (without a registry")) {
                Some((raw, mend)) => (raw, format!("; without a registry{mend}")),
                None => (cause.as_str(), String::new()),
            };
            format!("image {image} can't be had{mend}: {}", shortened(raw))
        }
        ProvisionError::Start { target, cause } => match cause.split_once(" is taken by another process (") {
            Some((port, raw)) => {
                let raw = shortened(raw.strip_suffix(')').unwrap_or(raw));
                match port.strip_prefix("port ").and_then(|port| port.rsplit_once(':')) {
                    Some((host, port)) => {
                        format!("{target} did not start, port {port} on {host} is taken by another process: {raw}")
                    }
                    None => format!("{target} did not start, {port} is taken by another process: {raw}"),
                }
            }
            None => error.to_string(),
        },
        other => other.to_string(),
    }
}

/// The beginning of what a daemon said.
fn shortened(raw: &str) -> String {
    let beginning: String = raw.chars().take(RAW).collect();
    if beginning.len() < raw.len() { format!("{beginning}…") } else { beginning }
}

/// A database that did not start: refused tuning where its words name one of the values that were asked for.
pub(super) fn start(error: ProvisionError, how: &How, reason: FailureReason) -> End {
    let words = error.to_string();
    let plain = words.replace('-', "_").to_lowercase();
    let names = |name: &String| plain.contains(&name.replace('-', "_").to_lowercase());
    let refused =
        matches!(error, ProvisionError::Start { .. } | ProvisionError::NotReady { .. }) && how.tuning.keys().any(names);
    match error {
        ProvisionError::Tuning { .. } => End::Failed(FailureReason::TuningRefused, words),
        _ if refused => End::Failed(FailureReason::TuningRefused, words),
        other => End::Failed(reason, told(&other)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::tests::plans::case;

    #[test]
    fn the_command_names_the_cell() {
        let mut case = case("t/s/LOOP=10", None);
        case.axes = vec![("LOOP".into(), "10".into())];
        assert_eq!(
            alone("velodrome run suite.yaml", &case),
            "velodrome run suite.yaml --only 'target=t,scenario=s,LOOP=10'"
        );
    }

    #[test]
    fn a_start_that_names_a_tuning_was_refused_for_it() {
        let how = How { place: Place::Embedded, tuning: [("shared_buffers".into(), "9PB".into())].into() };
        let error = |cause: &str| ProvisionError::Start { target: "t".into(), cause: cause.into() };
        let reason = |cause| match start(error(cause), &how, FailureReason::ServerDied) {
            End::Failed(reason, _) => reason,
            other => panic!("{other:?}"),
        };
        assert_eq!(reason("invalid value for parameter \"shared_buffers\""), FailureReason::TuningRefused);
        assert_eq!(reason("port 5432 is taken"), FailureReason::ServerDied);
    }

    #[test]
    fn an_image_that_is_not_had_and_a_port_that_is_taken_are_told_in_plain_words() {
        let cause = format!("{} (without a registry: `docker load` it)", "denied ".repeat(100).trim_end());
        let said = told(&ProvisionError::Image { image: "postgres:17".into(), cause });
        assert!(
            said.starts_with("image postgres:17 can't be had; without a registry: `docker load` it: denied"),
            "{said}"
        );
        assert!(said.ends_with('…') && said.len() < 300, "{said}");
        let cause = "port 127.0.0.1:5432 is taken by another process (driver failed (bind))".to_owned();
        assert_eq!(
            told(&ProvisionError::Start { target: "t".into(), cause }),
            "t did not start, port 5432 on 127.0.0.1 is taken by another process: driver failed (bind)"
        );
    }
}
