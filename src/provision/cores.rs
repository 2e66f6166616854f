//! Which cores the client has and which the server, where they share a host.
//!
//! It must not ask the system: the host's cores come in. Invariant: unless it is called shared, no core is in both.

/// Cores of a client and a server on one host, ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cores {
    /// The client's; at least one where the host has any.
    pub client: Vec<u32>,
    /// The server's; at least one where the host has any.
    pub server: Vec<u32>,
    /// Whether some core is in both.
    pub shared: bool,
}

/// What is wrong with a set of cores.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CoresError {
    /// Not written as sets of cores are.
    #[error("`{0}` is no set of cores; expected numbers and ranges such as `0`, `0-3` or `0,2-3`")]
    Malformed(String),
    /// Cores that the host does not have, or that this process may not use.
    #[error("core {missing} is asked for by `{asked}`, and this host offers {offered}")]
    Missing {
        /// The set as asked for.
        asked: String,
        /// The first core that is not there.
        missing: u32,
        /// The host's cores.
        offered: String,
    },
}

/// The most cores that one set may name: more than any host has, and few enough to be listed.
const MOST: u32 = 8192;

/// Splits the host's cores. What is asked for is given; the other side gets the rest. Where nothing is asked for, the client
/// gets a quarter (at least one), from the upper end: on most hosts the first cores also serve interrupts, and servers are
/// what is measured as their users run them. On a host with one core, or where one side asked for all, they share.
///
/// # Errors
/// When what is asked for is malformed, or not there.
pub fn split(host_cores: &[u32], asked_server: Option<&str>, asked_client: &[u32]) -> Result<Cores, CoresError> {
    let mut all = host_cores.to_vec();
    all.sort_unstable();
    all.dedup();
    let server = asked_server.map(parse).transpose()?.map(|asked| known(&all, asked)).transpose()?;
    let client = if asked_client.is_empty() { None } else { Some(known(&all, asked_client.to_vec())?) };
    let (client, server) = match (client, server) {
        (Some(client), Some(server)) => (client, server),
        (Some(client), None) => (client.clone(), others(&all, &client)),
        (None, Some(server)) => (others(&all, &server), server),
        (None, None) if all.len() < 2 => (all.clone(), all),
        (None, None) => {
            let server = all.len() - (all.len() / 4).max(1);
            (all[server..].to_vec(), all[..server].to_vec())
        }
    };
    let shared = client.iter().any(|core| server.contains(core));
    Ok(Cores { client, server, shared })
}

/// All cores but those taken; all where nothing would be left.
fn others(all: &[u32], taken: &[u32]) -> Vec<u32> {
    let rest: Vec<u32> = all.iter().copied().filter(|core| !taken.contains(core)).collect();
    if rest.is_empty() { all.to_vec() } else { rest }
}

fn known(all: &[u32], mut asked: Vec<u32>) -> Result<Vec<u32>, CoresError> {
    asked.sort_unstable();
    asked.dedup();
    match asked.iter().find(|core| !all.contains(core)) {
        Some(missing) => Err(CoresError::Missing { asked: format(&asked), missing: *missing, offered: format(all) }),
        None => Ok(asked),
    }
}

/// Reads a set of cores as Docker and the kernel write it: `0`, `0-3`, `0,2-3`.
///
/// # Errors
/// When it is empty or not written so.
pub fn parse(text: &str) -> Result<Vec<u32>, CoresError> {
    let malformed = || CoresError::Malformed(text.to_owned());
    let number = |text: &str| text.trim().parse::<u32>().ok().filter(|core| *core < MOST).ok_or_else(malformed);
    let mut cores = Vec::new();
    for part in text.split(',') {
        let (first, last) = match part.split_once('-') {
            Some((first, last)) => (number(first)?, number(last)?),
            None => (number(part)?, number(part)?),
        };
        if first > last {
            return Err(malformed());
        }
        cores.extend(first..=last);
    }
    cores.sort_unstable();
    cores.dedup();
    Ok(cores)
}

/// Writes a set of cores as Docker and the kernel read it; empty for no cores.
pub fn format(cores: &[u32]) -> String {
    let mut sorted = cores.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let runs = sorted.chunk_by(|left, right| left + 1 == *right);
    let words: Vec<String> = runs
        .filter_map(|run| match run {
            [] => None,
            [only] => Some(only.to_string()),
            [first, .., last] => Some(format!("{first}-{last}")),
        })
        .collect();
    words.join(",")
}

#[cfg(test)]
mod tests {
    use proptest::collection::btree_set;
    use proptest::prelude::*;

    use super::*;

    fn cores(client: &[u32], server: &[u32], shared: bool) -> Cores {
        Cores { client: client.to_vec(), server: server.to_vec(), shared }
    }

    #[test]
    fn nothing_asked_for_splits_by_the_size_of_the_host() {
        assert_eq!(split(&[0], None, &[]).unwrap(), cores(&[0], &[0], true));
        assert_eq!(split(&[0, 1], None, &[]).unwrap(), cores(&[1], &[0], false));
        assert_eq!(split(&[0, 1, 2, 3], None, &[]).unwrap(), cores(&[3], &[0, 1, 2], false));
        assert_eq!(split(&[0, 1, 2, 3, 4, 5, 6, 7], None, &[]).unwrap(), cores(&[6, 7], &[0, 1, 2, 3, 4, 5], false));
        assert_eq!(split(&[2, 5], None, &[]).unwrap(), cores(&[5], &[2], false));
    }

    #[test]
    fn what_is_asked_for_is_given_and_the_other_side_gets_the_rest() {
        let host = [0, 1, 2, 3];
        assert_eq!(split(&host, Some("0-2"), &[]).unwrap(), cores(&[3], &[0, 1, 2], false));
        assert_eq!(split(&host, None, &[1, 0]).unwrap(), cores(&[0, 1], &[2, 3], false));
        assert_eq!(split(&host, Some("0-3"), &[]).unwrap(), cores(&[0, 1, 2, 3], &[0, 1, 2, 3], true));
        assert_eq!(split(&host, Some("0-1"), &[1, 2]).unwrap(), cores(&[1, 2], &[0, 1], true));
        assert_eq!(split(&host, Some("1"), &[0]).unwrap(), cores(&[0], &[1], false));
    }

    #[test]
    fn cores_that_are_not_there_are_named() {
        let error = split(&[0, 1], Some("0,7"), &[]).unwrap_err();
        assert_eq!(error.to_string(), "core 7 is asked for by `0,7`, and this host offers 0-1");
        assert!(split(&[0, 1], None, &[2]).is_err());
    }

    #[test]
    fn malformed_sets_are_refused() {
        for text in ["", "a", "1-", "-1", "3-1", "0,,1", "0-1-2", "1.5", "0-4294967295"] {
            assert_eq!(parse(text), Err(CoresError::Malformed(text.to_owned())), "{text}");
        }
        assert_eq!(parse(" 0 , 2 - 3,2"), Ok(vec![0, 2, 3]));
    }

    proptest! {
        #[test]
        fn a_set_reads_back_as_it_was_written(set in btree_set(0u32..MOST, 1..40)) {
            let cores: Vec<u32> = set.into_iter().collect();
            prop_assert_eq!(parse(&format(&cores)), Ok(cores));
        }

        #[test]
        fn both_sides_have_cores_of_the_host_and_shared_says_whether_they_meet(
            host in btree_set(0u32..64, 1..20),
            server in 0usize..4,
            client in 0usize..4,
        ) {
            let host: Vec<u32> = host.into_iter().collect();
            let asked_server = (server > 0).then(|| format(&host[..server.min(host.len())]));
            let asked_client: Vec<u32> = host.iter().rev().take(client).copied().collect();
            let found = split(&host, asked_server.as_deref(), &asked_client).unwrap();
            prop_assert!(!found.client.is_empty() && !found.server.is_empty());
            prop_assert!(found.client.iter().chain(&found.server).all(|core| host.contains(core)));
            prop_assert_eq!(found.shared, found.client.iter().any(|core| found.server.contains(core)));
            prop_assert!(found.shared || server > 0 || client > 0 || found.client.len() + found.server.len() == host.len());
        }
    }
}
