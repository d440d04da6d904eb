//! The approximation: how it is wrong, row by row.

use proptest::prelude::*;
use wildcheck_matcher::{
    Dialect,
    nats::{Nats, matches, naive, spec},
};

use super::support::{operand, structured_pair};

/// The rows that the documentation's truth table is about: pattern, subject, expected.
const ROWS: [(&str, &str, bool); 21] = [
    ("a.b.c", "a.b.c", true),
    ("a.b.c", "a.b.d", false),
    ("a.B.c", "a.b.c", false),
    ("a.*", "a.b", true),
    ("a.*", "a.b.c", false),
    ("a.*", "a", false),
    ("*", "a", true),
    ("*", "a.b", false),
    ("*.b", "a.b", true),
    ("*.b.*", "a.b.c", true),
    ("a.*.c", "a.b.c", true),
    ("a.*.c", "a.b.b.c", false),
    ("a.*.c", "a..c", false),
    ("a.>", "a.b", true),
    ("a.>", "a.b.c.d", true),
    ("a.>", "a", false),
    ("a.>", "b.a", false),
    (">", "a", true),
    (">", "a.b.c", true),
    ("*.>", "a.b", true),
    ("a.*.>", "a.b.c", true),
];

#[test]
fn the_reference_agrees_with_all_rows_and_the_approximation_disagrees_with_six_in_both_directions() {
    let mut wrong = Vec::new();
    for (pattern, subject, expected) in ROWS {
        assert_eq!(matches(pattern.as_bytes(), subject.as_bytes()), expected, "{pattern} {subject}");
        assert_eq!(spec::matches(pattern.as_bytes(), subject.as_bytes()), expected, "spec {pattern} {subject}");
        let says = Nats.naive_matches(pattern.as_bytes(), subject.as_bytes());
        if says != expected {
            wrong.push((pattern, subject, says));
        }
    }
    let too_much = [("a.*", "a.b.c", true), ("*", "a.b", true), ("a.*.c", "a.b.b.c", true), ("a.*.c", "a..c", true)];
    let too_little = [("*.>", "a.b", false), ("a.*.>", "a.b.c", false)];
    assert_eq!(wrong, [&too_much[..], &too_little].concat());
}

#[test]
fn it_is_wrong_in_just_these_ways() {
    let says = |pattern: &str, subject: &str| naive::matches(pattern.as_bytes(), subject.as_bytes());
    assert!(says("a.*", "a.") && says("a*", "a") && says("**", ""), "a star takes nothing");
    assert!(says("a.b*", "a.bc") && says("*b*", "abc"), "a star acts beside other bytes");
    assert!(!says("*.>", "a.b") && says("*.>", "*.b"), "a star before a tail is a literal");
    assert!(says("a.>", "a.") && says(">", "") && says("a>", "ab"), "a tail is a prefix test on bytes");
    assert!(!says("a.>", "a"), "and the dot belongs to the prefix");
    assert!(says("a.>.c", "a.>.c") && !says("a.>.c", "a.b.c"), "a tail before the end is a literal");
    assert!(says("", "") && says(" ", " ") && says("a..b", "a..b"), "nothing is refused");
    assert!(!says("a", "A") && !says("a?", "ab") && !says("[ab]", "a"), "only the star is special");
    assert!(!says("a", "ab") && !says("a.*c", "a.b") && !says("ab*", "a"), "and the whole string is asked");
    assert!(says("*ab", "aab") && says("a*b*c", "abbbcc"), "the run that a star takes is found wherever it ends");
}

/// The glob by its definition: every way to split.
fn glob_by_definition(pattern: &[u8], subject: &[u8]) -> bool {
    match pattern {
        [] => subject.is_empty(),
        [b'*', rest @ ..] => (0..=subject.len()).any(|run| glob_by_definition(rest, &subject[run..])),
        [byte, rest @ ..] => subject.first() == Some(byte) && glob_by_definition(rest, &subject[1..]),
    }
}

proptest! {
    #[test]
    fn the_glob_is_the_definition(
        (pattern, subject) in prop_oneof![structured_pair(), (operand(), operand())],
    ) {
        prop_assume!(!pattern.ends_with(b">"));
        prop_assert_eq!(naive::matches(&pattern, &subject), glob_by_definition(&pattern, &subject));
    }

    #[test]
    fn a_pattern_ending_in_a_tail_is_a_prefix_test(prefix in operand(), subject in operand()) {
        let pattern = [&prefix[..], b">"].concat();
        prop_assert_eq!(naive::matches(&pattern, &subject), subject.starts_with(&prefix));
        prop_assert!(naive::matches(&pattern, &[&prefix[..], &subject].concat()));
    }
}
