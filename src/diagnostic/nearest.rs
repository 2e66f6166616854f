//! Finds the known name that a mistyped one most likely means.
//!
//! It must not know what the names stand for. Invariant: nothing is suggested that shares too little with what was typed.

/// The candidate nearest to what was typed, in the case that was typed; none where no candidate is near.
///
/// Distance counts letters put in, left out, changed or swapped with their neighbour. Up to a third of the letters of the
/// longer word may differ, and never all but one. Of two at one distance that with the longer common beginning is nearer; where
/// that is the same too nothing is suggested, for either would be a guess.
pub fn nearest<'a>(typed: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let wanted: Vec<char> = typed.chars().flat_map(char::to_lowercase).collect();
    let mut best: Option<(Rank, &str)> = None;
    let mut tied = false;
    for candidate in candidates {
        let other: Vec<char> = candidate.chars().flat_map(char::to_lowercase).collect();
        let longest = wanted.len().max(other.len());
        let allowed = longest.div_ceil(3).min(longest.saturating_sub(2));
        // The difference in length is the least that the distance can be: most candidates end here.
        if wanted.len().abs_diff(other.len()) > allowed || candidate == typed {
            continue;
        }
        let distance = distance(&wanted, &other);
        if distance > allowed {
            continue;
        }
        let prefix = wanted.iter().zip(&other).take_while(|(left, right)| left == right).count();
        let rank = (distance, usize::MAX - prefix);
        match best {
            Some((least, known)) if rank == least => tied |= known != candidate,
            Some((least, _)) if rank > least => {}
            _ => (best, tied) = (Some((rank, candidate)), false),
        }
    }
    best.filter(|_| !tied).map(|(_, candidate)| in_case_of(typed, candidate))
}

/// The distance, and then how short the common beginning is: less is nearer.
type Rank = (usize, usize);

/// The name in lower case where the typed word has no capital letter, in capitals where it has only those, else as it is.
fn in_case_of(typed: &str, name: &str) -> String {
    let (lower, upper) = (typed.chars().any(char::is_lowercase), typed.chars().any(char::is_uppercase));
    match (lower, upper) {
        (true, false) => name.to_lowercase(),
        // A name that is lower case by itself keeps its case: only names that may be capitals follow.
        (false, true) if !name.chars().any(char::is_lowercase) => name.to_uppercase(),
        _ => name.to_owned(),
    }
}

/// The distance of Damerau and Levenshtein, with adjacent swaps.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for (row, left) in a.iter().enumerate() {
        let mut line = vec![row + 1; b.len() + 1];
        for (column, right) in b.iter().enumerate() {
            let changed = above[column] + usize::from(left != right);
            line[column + 1] = changed.min(above[column + 1] + 1).min(line[column] + 1);
            let swapped = row > 0 && column > 0 && *left == b[column - 1] && a[row - 1] == *right;
            if swapped {
                line[column + 1] = line[column + 1].min(before[column - 1] + 1);
            }
        }
        before = std::mem::replace(&mut above, line);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::{distance, nearest};

    const NAMES: [&str; 5] = ["LOOP", "DEVICE_NUMBER", "SENSOR_NUMBER", "IS_DELETE_DATA", "IoTDB_TABLE_NUMBER"];

    #[test]
    fn the_nearest_name_comes_in_the_case_that_was_typed() {
        assert_eq!(nearest("DEVISE_NUMBER", NAMES).as_deref(), Some("DEVICE_NUMBER"));
        assert_eq!(nearest("devise_number", NAMES).as_deref(), Some("device_number"));
        assert_eq!(nearest("LOPP", NAMES).as_deref(), Some("LOOP"));
        assert_eq!(nearest("IoTDB_TABLE_NUMBR", NAMES).as_deref(), Some("IoTDB_TABLE_NUMBER"));
        assert_eq!(nearest("Targets", ["targets"]).as_deref(), Some("targets"));
    }

    #[test]
    fn nothing_near_is_nothing() {
        for typed in ["zzz", "x", "", "COMPLETELY_ELSE"] {
            assert_eq!(nearest(typed, NAMES), None, "{typed}");
        }
        assert_eq!(nearest("on", ["in", "of"]), None);
    }

    #[test]
    fn of_two_equally_near_none_is_guessed() {
        assert_eq!(nearest("p98", ["p90", "p95", "p99"]), None);
        assert_eq!(nearest("cart", ["part", "care"]).as_deref(), Some("care"));
    }

    #[test]
    fn swapped_letters_are_one_mistake() {
        let chars = |text: &str| text.chars().collect::<Vec<_>>();
        assert_eq!(distance(&chars("LOPO"), &chars("LOOP")), 1);
        assert_eq!(distance(&chars("kitten"), &chars("sitting")), 3);
        assert_eq!(distance(&chars(""), &chars("ab")), 2);
    }
}
