//! The drivers there are, by name.
//!
//! It must not know adapters. Invariant: a driver's own name is the one it is found by.

use std::sync::Arc;

use super::blackhole::Blackhole;

use super::influx::Influx;
use super::postgres::Postgres;
use super::protocol::Driver;
use super::sqlite::Sqlite;

/// All names, in order.
pub fn names() -> &'static [&'static str] {
    &["blackhole", "influx", "postgres", "sqlite"]
}

/// The driver by this name.
pub fn find(name: &str) -> Option<Arc<dyn Driver>> {
    Some(match name {
        "blackhole" => Arc::new(Blackhole),
        "influx" => Arc::new(Influx),
        "postgres" => Arc::new(Postgres),
        "sqlite" => Arc::new(Sqlite),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_driver_is_found_by_its_own_name() {
        for name in names() {
            assert_eq!(find(name).unwrap().name(), *name);
        }
        assert!(find("oracle").is_none());
    }
}
