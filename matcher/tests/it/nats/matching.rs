//! `matches`, `Pattern` and `spec`: the sentences of the documentation, then the laws.

use proptest::prelude::*;
use wildcheck_matcher::{
    Dialect, Strength,
    nats::{MAX_OPERAND, Nats, Pattern, matches, spec, validate_pattern, validate_subject},
};

use super::support::{join, literal, operand, pattern_tokens, scope, structured_pair};

#[track_caller]
fn yes(pattern: &str, subject: &str) {
    decided(pattern.as_bytes(), subject.as_bytes(), true);
}

#[track_caller]
fn no(pattern: &str, subject: &str) {
    decided(pattern.as_bytes(), subject.as_bytes(), false);
}

/// All ways to ask say the same.
#[track_caller]
fn decided(pattern: &[u8], subject: &[u8], expected: bool) {
    let told = (String::from_utf8_lossy(pattern), String::from_utf8_lossy(subject));
    assert_eq!(matches(pattern, subject), expected, "fast: {told:?}");
    assert_eq!(spec::matches(pattern, subject), expected, "spec: {told:?}");
    let prepared = Pattern::new(pattern);
    assert_eq!(prepared.is_ok_and(|pattern| pattern.matches(subject)), expected, "prepared: {told:?}");
    assert_eq!(Nats.matches(pattern, subject), expected, "dialect: {told:?}");
    assert_eq!(Nats.spec_matches(pattern, subject), expected, "dialect's spec: {told:?}");
}

#[test]
fn a_literal_matches_itself_and_nothing_else() {
    yes("a", "a");
    yes("a.b.c", "a.b.c");
    no("a.b.c", "a.b.d");
    no("a.b.c", "a.b");
    no("a.b", "a.b.c");
    no("ab", "a");
    no("a", "ab");
    no("a.b", "a.bc");
    no("a.bc", "a.b");
}

#[test]
fn case_is_kept() {
    no("a.B.c", "a.b.c");
    no("a.b.c", "a.B.c");
    yes("a.B.c", "a.B.c");
}

#[test]
fn a_star_is_exactly_one_token_anywhere() {
    yes("*", "a");
    yes("*", "abc");
    yes("a.*", "a.b");
    yes("*.b", "a.b");
    yes("a.*.c", "a.bcd.c");
    yes("*.*", "a.b");
    no("*", "a.b");
    no("a.*", "a");
    no("a.*", "a.");
    no("a.*", "a.b.c");
    no("a.*.c", "a.b.b.c");
    no("*.*", "a");
    no("*.*", ".a");
}

#[test]
fn a_tail_needs_at_least_one_token() {
    yes(">", "a");
    yes(">", "a.b.c");
    yes("a.>", "a.b");
    yes("a.>", "a.b.c.d");
    yes("*.>", "a.b");
    yes("a.*.>", "a.b.c");
    no("a.>", "a");
    no("a.>", "a.");
    no("a.>", "b.a");
    no("a.>", "ab");
    no("*.>", "a");
    no(">", "");
}

#[test]
fn a_tail_that_is_not_last_is_refused_and_matches_nothing() {
    for subject in ["a.b.c", "a.>.c", "a", "a.>", "a.b"] {
        no("a.>.c", subject);
        no(">.c", subject);
        no("a.>.>", subject);
        no(">.>", subject);
        no(">.*", subject);
    }
}

#[test]
fn an_empty_token_matches_nothing() {
    for subject in ["", ".", "a.", ".a", "a..c", "a.b..", "..", "a.b.c..d"] {
        for pattern in [">", "*", "*.*", "*.*.*", "a.>", "a.*.c", "a.*", "*.a", subject] {
            no(pattern, subject);
        }
    }
    for pattern in ["", ".", "a.", ".a", "a..c", "a..", "a..>", "*.", ".>", ">."] {
        for subject in ["a", "a.b", "a.b.c", pattern] {
            no(pattern, subject);
        }
    }
}

#[test]
fn a_blank_matches_nothing_and_other_control_bytes_are_ordinary() {
    for blank in [" ", "\t", "\r", "\n"] {
        no(&format!("a{blank}b"), &format!("a{blank}b"));
        no("*", &format!("a{blank}b"));
        no(">", &format!("a{blank}b"));
        no("a.>", &format!("a.b.{blank}"));
        no("a.*", &format!("a.{blank}"));
        no(blank, blank);
        no(&format!("{blank}.*"), &format!("{blank}.a"));
    }
    for byte in (0..=255_u8).filter(|byte| !b" \t\r\n.*>".contains(byte)) {
        decided(&[byte], &[byte], true);
        decided(b"*", &[byte], true);
        decided(b"a.>", &[b'a', b'.', byte], true);
    }
}

#[test]
fn a_wildcard_beside_other_bytes_is_a_literal() {
    yes("a.**", "a.**");
    yes("a.>>", "a.>>");
    yes("foo*", "foo*");
    yes("*a.b", "*a.b");
    yes("a>.b", "a>.b");
    no("a.**", "a.b");
    no("a.**", "a.b.c");
    no("a.>>", "a.b");
    no("foo*", "food");
    no("*a.b", "xa.b");
    no(">a", "ba");
    no("**", "*");
    no(">>", ">");
}

#[test]
fn a_wildcard_in_a_subject_is_delivered_as_the_literal_it_is() {
    yes("*", "*");
    yes("*", ">");
    yes(">", "*");
    yes(">", ">");
    yes("a.*", "a.*");
    yes("a.*", "a.>");
    yes("a.>", "a.>");
    yes("a.>", "a.>.b");
    yes("*.b", ">.b");
    no("a.b", "a.*");
    no("a.b", "a.>");
    no("a", "*");
    no("a.>", "*.b");
    no("a.>", ">");
}

#[test]
fn the_longest_operand_is_4094_bytes() {
    let longest = vec![b'a'; MAX_OPERAND];
    let longer = vec![b'a'; MAX_OPERAND + 1];
    assert_eq!(MAX_OPERAND, 4094);
    decided(&longest, &longest, true);
    decided(b"*", &longest, true);
    decided(b">", &longest, true);
    decided(&longer, &longer, false);
    decided(b"*", &longer, false);
    decided(b">", &longer, false);
    let many = |count| join(&vec![b"a".to_vec(); count]);
    decided(b">", &many(2047), true);
    decided(b"a.>", &many(2048), false);
    let stars = |count| join(&vec![b"*".to_vec(); count]);
    decided(&stars(2047), &many(2047), true);
    decided(&stars(2048), &many(2047), false);
}

#[test]
fn fast_and_spec_agree_on_every_pair_of_a_scope_with_everything_wrong_in_it() {
    let operands = scope(&["a", "B", "*", ">", "", "a*", " "], 3);
    let mut matched = 0;
    for pattern in &operands {
        for subject in &operands {
            let answer = spec::matches(pattern, subject);
            matched += usize::from(answer);
            assert_eq!(matches(pattern, subject), answer, "{pattern:?} {subject:?}");
            let prepared = Pattern::new(pattern);
            assert_eq!(prepared.is_ok_and(|p| p.matches(subject)), answer, "prepared {pattern:?} {subject:?}");
        }
    }
    // Counted by hand: of the five legal tokens three are met by themselves and `*`, `*` and `>` by `*` alone, so the
    // 5^n subjects of n tokens have 8^n matches without a tail and 8^k 5^(n-k) with a tail after k tokens.
    assert_eq!((operands.len(), matched), (399, (8 + 5) + (64 + 25 + 40) + (512 + 125 + 200 + 320)));
}

#[test]
fn a_prepared_pattern_tells_its_bytes() {
    let pattern = Pattern::new(b"a.*.>").unwrap();
    assert_eq!(pattern.as_bytes(), b"a.*.>");
}

proptest! {
    #[test]
    fn fast_is_spec_on_structured_pairs((pattern, subject) in structured_pair()) {
        prop_assert_eq!(matches(&pattern, &subject), spec::matches(&pattern, &subject));
    }

    #[test]
    fn fast_is_spec_on_any_operands(pattern in operand(), subject in operand()) {
        prop_assert_eq!(matches(&pattern, &subject), spec::matches(&pattern, &subject));
    }

    #[test]
    fn prepared_is_spec((pattern, subject) in prop_oneof![structured_pair(), (operand(), operand())]) {
        let prepared = Pattern::new(&pattern);
        prop_assert_eq!(prepared.is_ok(), validate_pattern(&pattern, Strength::Server).is_ok());
        let answer = prepared.is_ok_and(|pattern| pattern.matches(&subject));
        prop_assert_eq!(answer, spec::matches(&pattern, &subject));
    }

    #[test]
    fn renaming_tokens_changes_nothing((pattern, subject) in structured_pair()) {
        let renamed = |operand: &[u8]| {
            let tokens = operand.split(|byte| *byte == b'.').map(|token| match token {
                b"*" | b">" | b"" => token.to_vec(),
                // Tells tokens apart as before, and keeps what makes one illegal.
                other => [b"<", other, b"*"].concat(),
            });
            join(&tokens.collect::<Vec<_>>())
        };
        prop_assert_eq!(matches(&renamed(&pattern), &renamed(&subject)), matches(&pattern, &subject));
    }

    #[test]
    fn a_star_for_a_literal_never_loses_a_match(
        (pattern, subject) in structured_pair(),
        index in any::<prop::sample::Index>(),
    ) {
        let mut tokens: Vec<_> = pattern.split(|byte| *byte == b'.').map(<[u8]>::to_vec).collect();
        let at = index.index(tokens.len());
        if tokens[at] != b">" {
            tokens[at] = b"*".to_vec();
        }
        prop_assert!(matches(&join(&tokens), &subject) || !matches(&pattern, &subject));
    }

    #[test]
    fn more_tokens_under_a_tail_never_lose_a_match(
        (pattern, subject) in structured_pair(),
        more in prop::collection::vec(literal(), 1..4),
    ) {
        prop_assume!(pattern.ends_with(b".>") || pattern == b">");
        let longer = [&subject[..], b".", &join(&more)].concat();
        prop_assert_eq!(matches(&pattern, &longer), matches(&pattern, &subject) || {
            // The subject alone may have been too short by the tokens that were added.
            spec::matches(&pattern, &longer)
        });
    }

    #[test]
    fn a_refused_pattern_matches_nothing(pattern in operand(), subject in operand()) {
        prop_assume!(validate_pattern(&pattern, Strength::Server).is_err());
        prop_assert!(!matches(&pattern, &subject) && !matches(&pattern, &pattern));
    }

    #[test]
    fn a_publishable_subject_meets_itself_and_the_bare_tail(subject in operand()) {
        prop_assume!(validate_subject(&subject, Strength::Server).is_ok());
        prop_assert!(matches(&subject, &subject) && matches(b">", &subject));
    }

    #[test]
    fn a_valid_pattern_matches_itself_as_a_literal_subject(tokens in pattern_tokens()) {
        let pattern = join(&tokens);
        prop_assert!(matches(&pattern, &pattern));
    }
}
