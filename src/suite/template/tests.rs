//! What templates give and what they refuse.

use proptest::prelude::*;

use super::{Template, place};
use crate::diagnostic::{FileId, Span};
use crate::suite::model::Text;

fn look_up(name: &str) -> Option<String> {
    let known = [
        ("span", "2.58d"),
        ("hours", "155h"),
        ("n", "12"),
        ("LOOP", "1e3"),
        ("memory", "4GiB"),
        ("version", "1.10"),
        ("copy", "off"),
        ("word", "gzip"),
        ("load.clients", "10"),
    ];
    known.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
}

fn evaluate(text: &str) -> Result<String, String> {
    let template = Template::compile(text).map_err(|error| error.message)?;
    template.evaluate(&look_up).map_err(|error| error.message)
}

#[test]
fn values_have_the_type_they_read_as() {
    for (text, wanted) in [
        ("{{ span / 12 }}", "18576s"),
        ("{{ hours / n }}", "775m"),
        ("{{ span / 1h }}", "61.92"),
        ("{{ LOOP * 3 }}", "3000"),
        ("{{ memory / 4 }}", "1GiB"),
        ("{{ 2 * memory }}", "8GiB"),
        ("{{ memory / 1MiB }}", "4096"),
        ("{{ 10 / 4 }}", "2.5"),
        ("{{ 10 / 5 }}", "2"),
        ("{{ 10 // 4 }}", "2"),
        ("{{ -7 % 4 }}", "1"),
        ("{{ 2 ** 10 }}", "1024"),
        ("{{ 0.1 + 0.2 }}", "0.3"),
        ("{{ 1h + 30m }}", "90m"),
        ("{{ 1 + 2 * 3 - 4 }}", "3"),
        ("{{ (1 + 2) * 3 }}", "9"),
        ("{{ load.clients * 2 }}", "20"),
        ("{{ 1e-3 * 1e+3 }}", "1"),
    ] {
        assert_eq!(evaluate(text).as_deref(), Ok(wanted), "{text}");
    }
}

#[test]
fn what_is_passed_on_stays_as_typed() {
    for (text, wanted) in [
        ("{{ version }}", "1.10"),
        ("{{ LOOP }}", "1e3"),
        ("v{{ version }}-{{ n }}x", "v1.10-12x"),
        ("no template", "no template"),
        ("", ""),
        ("{{ word ~ '-' ~ n }}", "gzip-12"),
        ("{{ 'a' }}{{ \"b\" }}", "ab"),
    ] {
        assert_eq!(evaluate(text).as_deref(), Ok(wanted), "{text}");
    }
}

#[test]
fn choices_comparisons_and_functions() {
    for (text, wanted) in [
        ("{{ 1 if n > 10 else 2 }}", "1"),
        ("{{ 1 if copy else 2 }}", "2"),
        ("{{ 1 if not copy and n == 12.0 else 2 }}", "1"),
        ("{{ 'x' if word == 'gzip' or n < 5 else 'y' }}", "x"),
        ("{{ max(n, 20, 3) }}", "20"),
        ("{{ min(1h, 30m) }}", "30m"),
        ("{{ 10 / 4 | round }}", "2.5"),
        ("{{ (10 / 4) | round }}", "3"),
        ("{{ floor(2.9) + ceil(2.1) + abs(-1) }}", "6"),
        ("{{ n >= 12 }}", "true"),
    ] {
        assert_eq!(evaluate(text).as_deref(), Ok(wanted), "{text}");
    }
}

#[test]
fn what_is_wrong_is_named() {
    for (text, wanted) in [
        ("{{ nope }}", "`nope` is not defined"),
        ("{{ span + 1 }}", "a duration (2.58d) and a number (1) do not go together with `+`"),
        ("{{ span * span }}", "a duration (2.58d) and a duration (2.58d) do not go together with `*`"),
        ("{{ n / 0 }}", "12 is divided by 0"),
        ("{{ word * 2 }}", "the text `gzip` and a number (2) do not go together with `*`"),
        ("{{ x", "this `{{` has no `}}`"),
        ("{{ }}", "nothing stands between `{{` and `}}`"),
        ("{{ 1 + }}", "a value is expected here"),
        ("{{ 1 2 }}", "`2` is not expected here"),
        ("{{ 5y }}", "`5y` is no number, duration or size"),
        ("{{ sqrt(1) }}", "there is no function `sqrt`"),
        ("{{ roud(1) }}", "there is no function `roud`; perhaps `round`"),
        ("{{ n | round(2) }}", "`round` takes one value, and 2 are given"),
        ("{{ 'x }}", "this quote is not closed"),
        ("{{ (1 }}", "this `(` is not closed"),
        ("{{ n ? 1 }}", "`?` has no meaning in a template"),
        ("{{ 1 if n else 2 }}", "a number (12) is neither true nor false"),
        ("{{ 10 ** 60 }}", "the number is too large"),
        ("{{ round(1h) }}", "only a number can be rounded, not a duration: divide by a unit first, such as 1m"),
    ] {
        assert_eq!(evaluate(text).unwrap_err(), wanted, "{text}");
    }
}

#[test]
fn deep_nesting_is_an_error_and_no_overflow() {
    let text = format!("{{{{ {}1{} }}}}", "(".repeat(5000), ")".repeat(5000));
    assert_eq!(evaluate(&text).unwrap_err(), "the expression is nested too deeply");
    assert_eq!(
        evaluate(&format!("{{{{ {}1 }}}}", "- ".repeat(5000))).unwrap_err(),
        "the expression is nested too deeply"
    );
}

#[test]
fn names_come_once_with_their_places() {
    let template = Template::compile("{{ b + a }} {{ b }}").unwrap();
    assert_eq!(template.names(), ["b", "a"]);
    assert_eq!(template.name_ranges(), [3..4, 7..8]);
}

#[test]
fn a_range_is_put_into_its_scalar() {
    let file = FileId(0);
    let text = |text: &str, start, end| Text { text: text.to_owned(), span: Span { file, start, end } };
    assert_eq!(place(&text("{{ x }}", 10, 17), &(3..4)), Span { file, start: 13, end: 14 });
    assert_eq!(place(&text("{{ x }}", 10, 19), &(3..4)), Span { file, start: 14, end: 15 });
    assert_eq!(place(&text("{{ x }}", 10, 25), &(3..4)), Span { file, start: 10, end: 25 });
}

proptest! {
    #[test]
    fn nothing_panics(text in "[-{}a-c0-9 .+*/%()|,'\"<>=~hms!é]{0,40}") {
        let _ = evaluate(&text);
        let _ = evaluate(&format!("{{{{{text}}}}}"));
    }

    #[test]
    fn sums_are_those_of_integers(a in -1_000_000_i64..1_000_000, b in -1_000_000_i64..1_000_000) {
        prop_assert_eq!(evaluate(&format!("{{{{ {a} + {b} }}}}")).unwrap(), (a + b).to_string());
        prop_assert_eq!(evaluate(&format!("{{{{ {a} * {b} }}}}")).unwrap(), (a * b).to_string());
    }
}
