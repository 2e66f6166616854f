//! Readiness: a real query through the driver has answered twice.
//!
//! It must not trust a log, or a port that takes connections: a port proxy takes them before the server listens, and some
//! entrypoints first run a server of their own. Invariant: the two answers come over two connections and lie at least half a
//! second apart, with no failure between them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::admin::{Admin, first_text};
use super::types::{Instance, Life, Place, ProvisionError};
use crate::adapter::types::AdapterFile;
use crate::driver::protocol::Driver;
use crate::driver::types::{Answer, SessionOptions};

/// How far the two answers lie apart.
const APART: Duration = Duration::from_millis(500);
/// How long after a failure the next try comes.
const AGAIN: Duration = Duration::from_millis(100);
/// How long each part of one try may take.
const TRY: Duration = Duration::from_secs(5);
/// A server that is there already is not waited for any longer.
const EXISTING: Duration = Duration::from_secs(1);
/// How many lines of a dead server's log are told.
const LOG_LINES: usize = 8;

/// How long it is worth to wait for a database of this kind at this place.
pub fn patience(adapter: &AdapterFile, place: &Place) -> Duration {
    let own = Duration::from_secs(adapter.ready.as_ref().map_or(0, |ready| ready.seconds.into()));
    if matches!(place, Place::Existing(_)) { own.min(EXISTING) } else { own }
}

/// Waits until an instance is ready; answers the version that the server says, where the adapter knows how to ask.
///
/// # Errors
/// [`ProvisionError::Start`] at once when it ends meanwhile, [`ProvisionError::NotReady`] when `limit` is over.
pub async fn ready(
    instance: &dyn Instance,
    driver: Arc<dyn Driver>,
    adapter: &AdapterFile,
    target: &str,
    limit: Duration,
) -> Result<Option<String>, ProvisionError> {
    let options = SessionOptions { connect_timeout: TRY, query_timeout: TRY, ..SessionOptions::default() };
    let admin = Admin { driver, endpoint: instance.endpoint(), options };
    let admin = match &adapter.ready {
        Some(spec) => {
            let admin = spec.database.as_ref().map_or_else(|| admin.clone(), |name| admin.in_database(name));
            twice(instance, &admin, &spec.statement, target, limit).await?;
            admin
        }
        None => admin,
    };
    match &adapter.server_version {
        Some(statement) => Ok(ask(&admin, statement).await.ok().and_then(|answer| first_text(&answer))),
        None => Ok(None),
    }
}

/// Asks until two good answers lie far enough apart.
async fn twice(
    instance: &dyn Instance,
    admin: &Admin,
    statement: &str,
    target: &str,
    limit: Duration,
) -> Result<(), ProvisionError> {
    let began = Instant::now();
    let mut good_since: Option<Instant> = None;
    loop {
        match ask(admin, statement).await {
            Ok(_) if good_since.is_some_and(|since| since.elapsed() >= APART) => return Ok(()),
            Ok(_) => good_since = Some(good_since.unwrap_or_else(Instant::now)),
            Err(cause) => {
                good_since = None;
                if let Some(cause) = dead(instance).await {
                    return Err(ProvisionError::Start { target: target.to_owned(), cause });
                }
                if began.elapsed() >= limit {
                    let seconds = began.elapsed().as_secs();
                    return Err(ProvisionError::NotReady { target: target.to_owned(), seconds, cause });
                }
            }
        }
        tokio::time::sleep(if good_since.is_some() { APART } else { AGAIN }).await;
    }
}

/// Asks over a new connection; the cause of a failure in words.
async fn ask(admin: &Admin, statement: &str) -> Result<Answer, String> {
    let asked = tokio::time::timeout(2 * TRY, admin.ask(vec![statement.to_owned()])).await;
    let late = || format!("no answer within {} s", 2 * TRY.as_secs());
    let answers = asked.map_err(|_| late())?.map_err(|error| error.error.to_string())?;
    Ok(answers.into_iter().next().unwrap_or_default())
}

/// In words how an instance ended, where it certainly has: a server that merely can't be reached may come back.
async fn dead(instance: &dyn Instance) -> Option<String> {
    match instance.life().await {
        Life::Running | Life::Ended { exit_code: None, out_of_memory: false } => None,
        life => Some(death(&life, &instance.last_words().await)),
    }
}

/// How an instance ended, in words, with the end of its log.
pub(super) fn death(life: &Life, log: &[String]) -> String {
    let how = match life {
        Life::Ended { out_of_memory: true, .. } => "the kernel killed it for want of memory".to_owned(),
        Life::Ended { exit_code: Some(code), .. } => format!("it ended with exit code {code}"),
        Life::Ended { exit_code: None, .. } | Life::Running => "it ended".to_owned(),
    };
    let last = &log[log.len().saturating_sub(LOG_LINES)..];
    if last.is_empty() { how } else { format!("{how}; its log ends:\n  {}", last.join("\n  ")) }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::super::testing::{Scripted, Told, adapter};
    use super::*;
    use crate::driver::error::{DriverError, ErrorClass};

    const READY: &str =
        "ready: {statement: SELECT 1, database: maintenance, seconds: 1}\nserver_version: SELECT version()\n";

    fn lost() -> DriverError {
        DriverError::new(ErrorClass::LostConnection, "connection reset by peer")
    }

    async fn waited(life: Life, script: Arc<Scripted>) -> Result<Option<String>, ProvisionError> {
        let (adapter, driver) = (adapter(READY), script.admin().driver);
        ready(&Told(life), driver, &adapter.file, "db", Duration::from_secs(1)).await
    }

    #[tokio::test]
    async fn v01_a_failure_between_two_answers_begins_the_wait_anew() {
        let answers = Mutex::new(vec![true, false, true, true]);
        let times = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&times);
        let script = Scripted::new(move |_, statement| {
            if statement == "SELECT version()" {
                return Ok(vec!["15.1".to_owned()]);
            }
            seen.lock().unwrap().push(Instant::now());
            if answers.lock().unwrap().remove(0) { Ok(vec!["1".to_owned()]) } else { Err(lost()) }
        });
        assert_eq!(waited(Life::Running, Arc::clone(&script)).await.unwrap().as_deref(), Some("15.1"));
        let times = times.lock().unwrap();
        assert_eq!(times.len(), 4);
        assert!(times[3] - times[2] >= APART);
        assert!(script.asked().iter().all(|asked| asked.starts_with("maintenance: ")));
    }

    #[tokio::test]
    async fn a_server_that_dies_meanwhile_is_told_at_once_with_its_log() {
        let dead = Life::Ended { exit_code: Some(1), out_of_memory: false };
        let error = waited(dead, Scripted::new(|_, _| Err(lost()))).await.unwrap_err();
        let said = "db did not start: it ended with exit code 1; its log ends:\n  FATAL: no space";
        assert_eq!(error.to_string(), said);
    }

    #[tokio::test]
    async fn a_server_that_never_answers_is_not_ready_with_the_last_cause() {
        let gone = Life::Ended { exit_code: None, out_of_memory: false };
        let error = waited(gone, Scripted::new(|_, _| Err(lost()))).await.unwrap_err();
        assert_eq!(error.to_string(), "db was not ready after 1 s: lost connection: connection reset by peer");
    }

    #[tokio::test]
    async fn what_needs_no_readiness_still_says_its_version() {
        let script = Scripted::new(|_, _| Ok(vec!["3.50".to_owned()]));
        let adapter = adapter("server_version: SELECT sqlite_version()\n");
        let version = ready(&Told(Life::Running), script.admin().driver, &adapter.file, "db", Duration::ZERO).await;
        assert_eq!(version.unwrap().as_deref(), Some("3.50"));
    }

    #[test]
    fn a_death_is_told_in_words() {
        let killed = Life::Ended { exit_code: Some(137), out_of_memory: true };
        assert_eq!(death(&killed, &[]), "the kernel killed it for want of memory");
        let log: Vec<String> = (0..20).map(|number| number.to_string()).collect();
        assert!(
            death(&Life::Ended { exit_code: Some(2), out_of_memory: false }, &log)
                .ends_with("ends:\n  12\n  13\n  14\n  15\n  16\n  17\n  18\n  19")
        );
    }

    #[test]
    fn an_existing_server_is_not_waited_for_long() {
        let adapter = adapter("ready: {statement: SELECT 1, seconds: 300}\n");
        assert_eq!(patience(&adapter.file, &Place::Existing(Default::default())), EXISTING);
        assert_eq!(patience(&adapter.file, &Place::Docker(Default::default())), Duration::from_secs(300));
    }
}
