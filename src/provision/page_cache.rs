//! The host's page cache, for readers that are to find a cold server.
//!
//! It must not be called while something is measured. Invariant: what is not on disk yet is written first.

use std::fs;

/// Writes everything out and empties the page cache of this host.
///
/// # Errors
/// In words, where this process may not: that takes root.
pub fn drop_page_cache() -> Result<(), String> {
    const KNOB: &str = "/proc/sys/vm/drop_caches";
    rustix::fs::sync();
    fs::write(KNOB, "1").map_err(|error| format!("the page cache stays warm: {KNOB}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_is_dropped_or_the_reason_is_told() {
        match drop_page_cache() {
            Ok(()) => assert!(rustix::process::geteuid().is_root()),
            Err(cause) => {
                assert!(cause.starts_with("the page cache stays warm: /proc/sys/vm/drop_caches: "), "{cause}")
            }
        }
    }
}
