//! Case ids: readable, one a plan.
//!
//! They must not hold anything that a path or a command line would trip over. Invariant: different labels give different ids.

/// The id of a case: `target/scenario/LOOP=10,DEVICE_NUMBER=100`, without the last part where there are no labels. A case
/// that is there again (a test that a routine repeats) has its number behind it: `#2`.
pub(super) fn id(target: &str, scenario: &str, labels: &[(String, String)], repeat: u32) -> String {
    let mut id = String::with_capacity(64);
    push(target, &mut id);
    id.push('/');
    push(scenario, &mut id);
    for (index, (name, value)) in labels.iter().enumerate() {
        id.push(if index == 0 { '/' } else { ',' });
        push(name, &mut id);
        id.push('=');
        push(value, &mut id);
    }
    if repeat > 1 {
        id.push('#');
        id.push_str(itoa::Buffer::new().format(repeat));
    }
    id
}

/// Appends a text; what is no letter, digit or one of `.`, `_`, `-`, `:` and `+` is written as its bytes, `%20`.
fn push(text: &str, id: &mut String) {
    let mut buffer = [0; 4];
    for c in text.chars() {
        if c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | ':' | '+') {
            id.push(c);
            continue;
        }
        for byte in c.encode_utf8(&mut buffer).bytes() {
            const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
            id.push('%');
            id.push(char::from(DIGITS[usize::from(byte >> 4)]));
            id.push(char::from(DIGITS[usize::from(byte & 15)]));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn labels(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn ids_are_readable() {
        let axes = labels(&[("LOOP", "10"), ("load.clients", "4")]);
        assert_eq!(id("sqlite", "ingest", &axes, 1), "sqlite/ingest/LOOP=10,load.clients=4");
        assert_eq!(id("sqlite", "ingest", &[], 2), "sqlite/ingest#2");
        let odd = labels(&[("OPERATION_PROPORTION", "1:0:0"), ("x", "a b/ü")]);
        assert_eq!(id("t", "s", &odd, 1), "t/s/OPERATION_PROPORTION=1:0:0,x=a%20b%2Fü");
    }

    proptest! {
        #[test]
        fn different_labels_give_different_ids(one in "\\PC{0,6}", other in "\\PC{0,6}") {
            let id_of = |value: &str| id("t", "s", &labels(&[("x", value)]), 1);
            prop_assert_eq!(id_of(&one) == id_of(&other), one == other);
        }
    }
}
