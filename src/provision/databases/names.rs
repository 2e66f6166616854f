//! The names of a run's databases.
//!
//! They must not know a server. Invariant: a name holds the run's id, and no other run's databases bear one like it.

use sha2::{Digest, Sha256};

/// The longest name that every database takes.
const LONGEST: usize = 63;
/// Digits of a number in a name.
const DIGITS: usize = 10;

/// The name of a run's database with a number: letters, digits and underscores, at most 63, and the run's id among them.
pub fn name(run: &str, number: u32) -> String {
    format!("{}{number}", prefix(run))
}

/// Whether a database bears the name of one of this run's.
pub fn belongs(name: &str, run: &str) -> bool {
    let number = name.strip_prefix(&prefix(run)).unwrap_or_default();
    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// What the names of all databases of a run begin with. Ids of lower-case letters, digits and dashes stay readable; of others,
/// and of long ones, two could become one, so a hash follows.
fn prefix(run: &str) -> String {
    let plain: String =
        run.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect();
    let room = LONGEST - DIGITS - "velodrome__".len();
    let faithful = run.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    if faithful && plain.len() <= room {
        return format!("velodrome_{plain}_");
    }
    let hash: String = Sha256::digest(run.as_bytes()).iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    let short: String = plain.chars().take(room - hash.len() - 1).collect();
    format!("velodrome_{short}_{hash}_")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_hold_the_runs_id() {
        assert_eq!(name("20261201-122233-a1b2", 7), "velodrome_20261201_122233_a1b2_7");
        assert!(belongs("velodrome_20261201_122233_a1b2_7", "20261201-122233-a1b2"));
    }

    #[test]
    fn a_database_of_another_run_does_not_belong() {
        let run = "20261201-122233-a1b2";
        for other in ["velodrome_20261201_122233_a1b3_7", "velodrome_20261201_122233_a1b2_", "postgres", "", "7"] {
            assert!(!belongs(other, run), "{other}");
        }
        assert!(!belongs("velodrome_20261201_122233_a1b2_7x", run));
        assert!(!belongs(&name("A-b", 1), "a-b") && !belongs(&name("a_b", 1), "a-b"));
    }

    proptest! {
        #[test]
        fn every_name_is_one_that_databases_take(run in "\\PC{0,90}", number: u32) {
            let name = name(&run, number);
            prop_assert!(name.len() <= LONGEST);
            prop_assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_'));
            prop_assert!(belongs(&name, &run));
        }
    }
}
