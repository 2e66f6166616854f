//! The parts of the table put together.
//!
//! It must not know how a value is read. Invariant: no name stands twice, aliases included.

use std::sync::LazyLock;

use super::{data, elsewhere, own};
use crate::workload::iot::key::Key;
use crate::workload::kind::{ParameterRole, ParameterSpec};

/// A parameter that the workload reads: what it is, its type in words, its default.
pub(super) type Row = (Key, &'static str, &'static str, Option<&'static str>);

/// One that it does not: name, other names, type in words, default, what becomes of it.
pub(super) type Elsewhere = (&'static str, &'static [&'static str], &'static str, Option<&'static str>, ParameterRole);

fn read(row: &Row, role: ParameterRole) -> ParameterSpec {
    let (key, about, kind, default) = *row;
    ParameterSpec { name: key.name(), aliases: key.aliases(), about, kind, default, role }
}

fn elsewhere(row: &Elsewhere) -> ParameterSpec {
    let (name, aliases, kind, default, role) = *row;
    let about = match role {
        ParameterRole::SuitePath(_) => "The same value as a path of the suite.",
        ParameterRole::Connection => "A connection setting: it belongs under `targets:`.",
        ParameterRole::NoEffect(_) => "Known, and without effect.",
        _ => "Known, and not supported yet.",
    };
    ParameterSpec { name, aliases, about, kind, default, role }
}

/// Every parameter that iot-benchmark has or once had.
pub(in crate::workload::iot) fn all() -> &'static [ParameterSpec] {
    static ALL: LazyLock<Vec<ParameterSpec>> = LazyLock::new(|| {
        let data = data::DATA.iter().map(|row| read(row, ParameterRole::Data));
        let own = own::OWN.iter().map(|row| read(row, ParameterRole::Own));
        let parts = [elsewhere::SUITE_PATHS, elsewhere::CONNECTIONS, elsewhere::UNSUPPORTED, elsewhere::NO_EFFECT];
        data.chain(own).chain(parts.into_iter().flatten().map(elsewhere)).collect()
    });
    &ALL
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_name_stands_twice() {
        let mut seen = BTreeSet::new();
        for spec in all() {
            for name in std::iter::once(&spec.name).chain(spec.aliases) {
                assert!(seen.insert(name.to_uppercase()), "{name} stands twice");
            }
        }
    }

    #[test]
    fn every_key_has_its_row() {
        let rows: BTreeSet<Key> = data::DATA.iter().chain(own::OWN).map(|row| row.0).collect();
        assert_eq!(rows, Key::ALL.iter().copied().collect());
        assert_eq!(rows.len(), data::DATA.len() + own::OWN.len());
    }

    #[test]
    fn every_name_of_the_original_is_known() {
        for name in [
            "LOOP",
            "DB_SWITCH",
            "TEST_MAX_TIME",
            "DEVICE_NUM_PER_WRITE",
            "WORKLOAD_BUFFER_SIZE",
            "MYSQL_REAL_INSERT_RATE",
        ] {
            assert!(all().iter().any(|spec| spec.name == name), "{name}");
        }
    }
}
