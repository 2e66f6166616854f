//! Signals: the first asks the run to end well, the second at once, the third ends the process.
//!
//! It must not know what is running. Invariant: a SIGHUP that was ignored when the process began stays ignored (nohup).

use std::sync::Arc;
use std::time::Duration;

use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

use crate::engine::types::StopKind;

/// The exit code of a run that a signal ended.
pub const INTERRUPTED: u8 = 130;

/// Whether and how the run is to end; clones see the same.
#[derive(Clone, Debug)]
pub struct Stops {
    state: Arc<watch::Sender<StopKind>>,
}

impl Default for Stops {
    fn default() -> Self {
        Stops { state: Arc::new(watch::Sender::new(StopKind::None)) }
    }
}

impl Stops {
    /// What was asked for so far.
    pub fn kind(&self) -> StopKind {
        *self.state.borrow()
    }

    /// Whether the run is to end.
    pub fn stopping(&self) -> bool {
        self.kind() != StopKind::None
    }

    /// Asks for the next harder end: well, at once. Answers false where it was asked to end at once already.
    pub fn harder(&self) -> bool {
        let next = match self.kind() {
            StopKind::None => StopKind::Graceful,
            StopKind::Graceful => StopKind::Now,
            StopKind::Now => return false,
        };
        self.state.send_replace(next);
        true
    }

    /// Comes back when the run is to end.
    pub async fn wait(&self) {
        self.wait_for(|kind| kind != StopKind::None).await;
    }

    /// Comes back when the run is to end at once.
    pub async fn wait_now(&self) {
        self.wait_for(|kind| kind == StopKind::Now).await;
    }

    async fn wait_for(&self, wanted: impl Fn(StopKind) -> bool) {
        let mut receiver = self.state.subscribe();
        // The sender lives as long as `self`, so this ends only with what is waited for.
        let _ = receiver.wait_for(|kind| wanted(*kind)).await;
    }

    /// Listens to SIGINT, SIGTERM and SIGHUP from now on. `heard` is told which signal it was and what is done about it.
    ///
    /// # Errors
    /// When the handlers can't be installed.
    pub fn listen(&self, heard: impl Fn(&str, StopKind) + Send + 'static) -> std::io::Result<()> {
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut terminate = signal(SignalKind::terminate())?;
        let mut hangup = if hangup_is_ignored() { None } else { Some(signal(SignalKind::hangup())?) };
        let stops = self.clone();
        tokio::spawn(async move {
            loop {
                let name = tokio::select! {
                    _ = interrupt.recv() => "SIGINT",
                    _ = terminate.recv() => "SIGTERM",
                    () = hung_up(&mut hangup) => "SIGHUP",
                };
                if !stops.harder() {
                    std::process::exit(i32::from(INTERRUPTED));
                }
                heard(name, stops.kind());
            }
        });
        Ok(())
    }
}

async fn hung_up(signal: &mut Option<tokio::signal::unix::Signal>) {
    match signal {
        Some(signal) => {
            signal.recv().await;
        }
        None => std::future::pending().await,
    }
}

/// Whether SIGHUP is ignored, as nohup leaves it: bit 0 of SigIgn in the process's status.
fn hangup_is_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    ignores_hangup(&status)
}

fn ignores_hangup(status: &str) -> bool {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 1 == 1)
}

/// How long running operations get after the first signal.
pub const GRACE: Duration = Duration::from_secs(5);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_signal_asks_for_a_harder_end() {
        let stops = Stops::default();
        assert!(!stops.stopping());
        assert!(stops.harder());
        assert_eq!(stops.kind(), StopKind::Graceful);
        assert!(stops.harder());
        assert_eq!(stops.kind(), StopKind::Now);
        assert!(!stops.harder());
    }

    #[test]
    fn nohup_is_seen_in_the_status() {
        assert!(ignores_hangup("Name:\tx\nSigIgn:\t0000000000001001\n"));
        assert!(!ignores_hangup("Name:\tx\nSigIgn:\t0000000000001000\n"));
    }

    #[tokio::test]
    async fn who_waits_is_woken() {
        let stops = Stops::default();
        let waiting = tokio::spawn({
            let stops = stops.clone();
            async move { stops.wait().await }
        });
        stops.harder();
        waiting.await.unwrap();
    }
}
