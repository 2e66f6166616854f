//! A timer for paced clients of drivers that do not block: precise to some microseconds, where the runtime's own is to a
//! millisecond.
//!
//! It must not know a schedule. Invariant: it never fires early.

use std::os::fd::OwnedFd;
use std::time::Duration;

use rustix::time::{Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec};
use tokio::io::unix::AsyncFd;

/// One client's timer.
#[derive(Debug)]
pub(super) struct Timer {
    descriptor: AsyncFd<OwnedFd>,
}

impl Timer {
    /// A timer on this thread's runtime; none where the system gives no more of them.
    pub(super) fn new() -> Option<Self> {
        let flags = TimerfdFlags::NONBLOCK | TimerfdFlags::CLOEXEC;
        let descriptor = rustix::time::timerfd_create(TimerfdClockId::Monotonic, flags).ok()?;
        #[expect(
            deprecated,
            reason = "unsound only for types whose descriptor changes or closes; an owned one does neither"
        )]
        let descriptor = AsyncFd::new(descriptor).ok()?;
        Some(Timer { descriptor })
    }

    /// Waits so long. With an error of the system it waits by the runtime's timer.
    pub(super) async fn wait(&self, time: Duration) {
        if self.try_wait(time).await.is_err() {
            tokio::time::sleep(time).await;
        }
    }

    async fn try_wait(&self, time: Duration) -> std::io::Result<()> {
        // A time of zero would disarm the timer.
        let time = time.max(Duration::from_nanos(1));
        let it_value = Timespec { tv_sec: time.as_secs() as i64, tv_nsec: i64::from(time.subsec_nanos()) };
        let it_interval = Timespec { tv_sec: 0, tv_nsec: 0 };
        let value = Itimerspec { it_interval, it_value };
        rustix::time::timerfd_settime(&self.descriptor, TimerfdTimerFlags::empty(), &value)?;
        loop {
            let mut ready = self.descriptor.readable().await?;
            let mut expirations = [0u8; 8];
            match ready.try_io(|descriptor| Ok(rustix::io::read(descriptor.get_ref(), &mut expirations)?)) {
                Ok(read) => return read.map(|_| ()),
                Err(_would_block) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    #[test]
    fn it_never_fires_early_and_can_be_used_again() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let tasks = tokio::task::LocalSet::new();
        runtime.block_on(tasks.run_until(async {
            let timer = Timer::new().unwrap();
            for micros in [0, 1, 300, 5_000] {
                let (begun, time) = (Instant::now(), Duration::from_micros(micros));
                timer.wait(time).await;
                assert!(begun.elapsed() >= time);
            }
        }));
    }
}
