//! Relations, against enumeration.

use proptest::prelude::*;
use wildcheck_matcher::{
    Coverage, Dialect,
    nats::{Nats, covers, intersection, overlap, overlap_witness, spec, subset, subset_witness},
};

use super::support::{join, operand, pattern_tokens, scope};

/// Subjects enough to tell apart patterns of up to three tokens over {a, b}: one token more, one letter more.
fn subjects() -> Vec<Vec<u8>> {
    scope(&["a", "b", "z", "*"], 4)
}

fn patterns() -> Vec<Vec<u8>> {
    scope(&["a", "b", "*", ">"], 3)
}

fn held<'a>(subjects: &'a [Vec<u8>], pattern: &[u8]) -> Vec<&'a [u8]> {
    subjects.iter().map(Vec::as_slice).filter(|subject| spec::matches(pattern, subject)).collect()
}

#[track_caller]
fn assert_relations(left: &[u8], right: &[u8], subjects: &[Vec<u8>]) {
    let (in_left, in_right) = (held(subjects, left), held(subjects, right));
    let refused = in_left.is_empty() || in_right.is_empty();
    let is_subset = !refused && in_left.iter().all(|subject| in_right.contains(subject));
    let overlaps = in_left.iter().any(|subject| in_right.contains(subject));
    let told = (String::from_utf8_lossy(left), String::from_utf8_lossy(right));
    assert_eq!(subset(left, right), is_subset, "subset {told:?}");
    assert_eq!(overlap(left, right), overlaps, "overlap {told:?}");
    assert_eq!(Nats.equivalent(left, right), Some(is_subset && in_left == in_right), "equivalent {told:?}");

    let outside = subset_witness(left, right);
    assert_eq!(outside.is_some(), !refused && !is_subset, "subset witness {told:?}");
    if let Some(subject) = outside {
        assert!(spec::matches(left, &subject) && !spec::matches(right, &subject), "{told:?} {subject:?}");
    }
    let common = overlap_witness(left, right);
    assert_eq!(common.is_some(), overlaps, "overlap witness {told:?}");
    if let Some(subject) = common {
        assert!(spec::matches(left, &subject) && spec::matches(right, &subject), "{told:?} {subject:?}");
    }
    let both: Vec<&[u8]> = in_left.iter().copied().filter(|subject| in_right.contains(subject)).collect();
    let pattern = intersection(left, right);
    assert_eq!(pattern.as_ref().map_or(Vec::new(), |pattern| held(subjects, pattern)), both, "meet {told:?}");
    assert_eq!(pattern.is_some(), overlaps, "meet {told:?}");
}

#[test]
fn every_pair_of_a_scope_stands_as_enumeration_says() {
    let (patterns, subjects) = (patterns(), subjects());
    for left in &patterns {
        for right in &patterns {
            assert_relations(left, right, &subjects);
        }
    }
}

#[test]
fn a_tail_is_wider_than_any_star_and_needs_as_many_tokens() {
    let subset = |left: &str, right: &str| subset(left.as_bytes(), right.as_bytes());
    assert!(subset("a.b", "a.*") && subset("a.*", "a.>") && subset("a.>", ">") && subset("*.>", ">"));
    assert!(!subset(">", "*") && !subset(">", "*.>") && !subset("a.>", "a.*") && !subset("*", "a"));
    assert!(!subset("a", "a.>") && !subset("a.b", "a") && !subset("a", "a.b"));
}

#[test]
fn a_wildcard_beside_other_bytes_is_a_literal_here_too() {
    assert!(!subset(b"a.b", b"a.b*") && !overlap(b"a.bc", b"a.b*") && !overlap(b"a.**", b"a.b"));
    assert!(subset(b"a.**", b"a.*") && overlap(b"a.>>", b"a.>"));
}

#[test]
fn a_refused_operand_stands_in_no_relation() {
    for refused in [&b""[..], b"a..b", b">.a", b"a b", b"."] {
        for pattern in [&b">"[..], b"a", refused] {
            for (left, right) in [(refused, pattern), (pattern, refused)] {
                assert!(!subset(left, right) && !overlap(left, right));
                assert_eq!(Nats.equivalent(left, right), Some(false));
                assert_eq!(subset_witness(left, right), None);
                assert_eq!(overlap_witness(left, right), None);
                assert_eq!(Nats.intersection(left, right), Some(Vec::new()));
            }
        }
        assert_eq!(covers(&[b">"], refused), Coverage::Refused);
        assert_eq!(covers(&[refused], b"a"), Coverage::Misses(b"a".to_vec()));
    }
}

#[test]
fn length_is_no_question_in_a_relation() {
    let long = [b'x'; 5000];
    assert!(subset(&long, b"*") && overlap(&long, b">") && subset(&long, &long));
    assert_eq!(covers(&[b"*"], &long), Coverage::Whole);
}

#[test]
fn a_witness_is_short_and_plain() {
    let text = |witness: Option<Vec<u8>>| witness.map(|bytes| String::from_utf8(bytes).unwrap());
    assert_eq!(text(subset_witness(b"*", b"a")).as_deref(), Some("b"));
    assert_eq!(text(subset_witness(b"*.x", b"b.*")).as_deref(), Some("a.x"));
    assert_eq!(text(subset_witness(b">", b"*")).as_deref(), Some("a.a"));
    assert_eq!(text(subset_witness(b">", b"*.>")).as_deref(), Some("a"));
    assert_eq!(text(subset_witness(b"a.>", b"a.*")).as_deref(), Some("a.a.a"));
    assert_eq!(text(subset_witness(b">", b"a.>")).as_deref(), Some("b"));
    assert_eq!(text(overlap_witness(b"*.b.>", b"a.>")).as_deref(), Some("a.b.a"));
}

#[test]
fn an_intersection_is_one_pattern() {
    let meet = |left: &str, right: &str| {
        let found = intersection(left.as_bytes(), right.as_bytes());
        assert_eq!(intersection(right.as_bytes(), left.as_bytes()), found);
        assert_eq!(Nats.intersection(left.as_bytes(), right.as_bytes()), Some(found.clone().into_iter().collect()));
        found.map(|bytes| String::from_utf8(bytes).unwrap())
    };
    assert_eq!(meet("a.*", "*.b").as_deref(), Some("a.b"));
    assert_eq!(meet("a.>", "*.b.*").as_deref(), Some("a.b.*"));
    assert_eq!(meet(">", "*.>").as_deref(), Some("*.>"));
    assert_eq!(meet("a.>", "*.*.>").as_deref(), Some("a.*.>"));
    assert_eq!(meet(">", ">").as_deref(), Some(">"));
    assert_eq!(meet("a.>", "a"), None);
}

#[test]
fn a_union_covers_what_its_lengths_together_cover() {
    let whole = |union: &[&str], pattern: &str| {
        let union: Vec<&[u8]> = union.iter().map(|member| member.as_bytes()).collect();
        assert_eq!(Nats.covers(&union, pattern.as_bytes()), covers(&union, pattern.as_bytes()));
        match covers(&union, pattern.as_bytes()) {
            Coverage::Whole => None,
            Coverage::Misses(subject) => Some(String::from_utf8(subject).unwrap()),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(whole(&["*", "*.>"], ">"), None);
    assert_eq!(whole(&["*", "*.*", "*.*.>"], ">"), None);
    assert_eq!(whole(&["*", "*.*.>"], ">").as_deref(), Some("a.a"));
    assert_eq!(whole(&["*", "a.>"], ">").as_deref(), Some("b.b"));
    assert_eq!(whole(&["a.*", "a.*.>"], "a.>"), None);
    assert_eq!(whole(&["a", "b", "c"], "*").as_deref(), Some("d"));
    assert_eq!(whole(&[], ">").as_deref(), Some("a"));
    assert_eq!(whole(&["*.b", "a.>"], "a.*"), None);
    assert_eq!(whole(&["*.b", "a.c"], "a.*").as_deref(), Some("a.d"));
    let alphabet: Vec<String> = ('a'..='z').map(String::from).chain(["abc".to_owned()]).collect();
    let alphabet: Vec<&str> = alphabet.iter().map(String::as_str).collect();
    assert_eq!(whole(&alphabet, "*").as_deref(), Some("aaaa"));
}

proptest! {
    #[test]
    fn relations_are_enumeration_on_odd_operands(left in operand(), right in operand()) {
        // Subjects made of the operands' own tokens and one that neither names.
        let is_pattern = |operand: &[u8]| spec::matches(operand, operand);
        let mut tokens: Vec<&[u8]> = left.split(|b| *b == b'.').chain(right.split(|b| *b == b'.')).collect();
        tokens.retain(|token| is_pattern(token));
        tokens.push(b"zz");
        tokens.sort_unstable();
        tokens.dedup();
        prop_assume!(left.split(|b| *b == b'.').count().max(right.split(|b| *b == b'.').count()) <= 3);
        let mut subjects: Vec<Vec<u8>> = vec![];
        let mut longest: Vec<Vec<u8>> = tokens.iter().map(|token| token.to_vec()).collect();
        for _ in 0..4 {
            subjects.extend(longest.iter().cloned());
            longest = longest.iter().flat_map(|h| tokens.iter().map(|t| [h, &b"."[..], t].concat())).collect();
        }
        assert_relations(&left, &right, &subjects);
    }

    #[test]
    fn a_witness_tells_the_truth_at_any_depth(left in pattern_tokens(), right in pattern_tokens()) {
        let (left, right) = (join(&left), join(&right));
        prop_assert_eq!(subset(&left, &right), subset_witness(&left, &right).is_none());
        if let Some(subject) = subset_witness(&left, &right) {
            prop_assert!(spec::matches(&left, &subject) && !spec::matches(&right, &subject));
        }
        prop_assert_eq!(overlap(&left, &right), overlap_witness(&left, &right).is_some());
        if let Some(subject) = overlap_witness(&left, &right) {
            prop_assert!(spec::matches(&left, &subject) && spec::matches(&right, &subject));
        }
        prop_assert_eq!(overlap(&left, &right), overlap(&right, &left));
        if let Some(meet) = intersection(&left, &right) {
            prop_assert!(subset(&meet, &left) && subset(&meet, &right));
            prop_assert_eq!(subset(&left, &right), subset(&left, &meet));
        }
    }

    #[test]
    fn a_union_is_enumeration(
        union in prop::collection::vec(prop::sample::select(patterns()), 0..5),
        pattern in prop::sample::select(patterns()),
    ) {
        let union: Vec<&[u8]> = union.iter().map(Vec::as_slice).collect();
        let subjects = subjects();
        let in_union = |subject: &[u8]| union.iter().any(|member| spec::matches(member, subject));
        let inside = held(&subjects, &pattern);
        match covers(&union, &pattern) {
            Coverage::Whole => prop_assert!(!inside.is_empty() && inside.iter().all(|subject| in_union(subject))),
            Coverage::Misses(subject) => {
                prop_assert!(spec::matches(&pattern, &subject) && !in_union(&subject));
            }
            Coverage::Refused => prop_assert!(inside.is_empty()),
            Coverage::Undecided => prop_assert!(false, "nats is always decided"),
        }
    }
}
