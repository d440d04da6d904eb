//! Scopes: how much they hold, in which order, and what stands for what up to renaming.

use std::collections::{BTreeMap, BTreeSet};

use wildcheck::Scope;
use wildcheck_tables::Operand;

use crate::engine_support::NATS;

fn scope(tokens: &str, depth: usize) -> Scope {
    Scope::parse(NATS, tokens, depth, false, false).expect("a scope")
}

#[test]
fn three_literals_and_eight_tokens_are_a_billion_pairs() {
    let scope = scope("a,b,c", 8);
    assert_eq!((scope.pattern_count(), scope.subject_count()), (109_225, 9_840));
    assert_eq!(scope.pairs(), 1_074_774_000);
}

#[test]
fn the_scope_of_the_first_certificate_has_the_documented_size() {
    let scope = scope("a,b,ab", 5);
    assert_eq!((scope.pattern_count(), scope.subject_count()), (1_705, 363));
    assert_eq!(scope.to_string(), "tokens a,b,ab; depth 5");
}

#[test]
fn the_order_is_fewer_tokens_first_then_like_an_odometer() {
    let scope = scope("b,a", 2);
    let shown: Vec<String> = scope.patterns().map(|p| p.to_string()).collect();
    assert_eq!(shown.join(" "), "b a * > b.b b.a b.* b.> a.b a.a a.* a.> *.b *.a *.* *.>");
    let shown: Vec<String> = scope.subjects().map(|p| p.to_string()).collect();
    assert_eq!(shown.join(" "), "b a b.b b.a a.b a.a");
}

#[test]
fn with_invalid_operands_both_sides_are_every_word_over_the_whole_alphabet() {
    let scope = Scope::parse(NATS, "a,b,B,*,>,''", 4, true, false).expect("a scope");
    let words = 6 + 36 + 216 + 1296;
    assert_eq!((scope.pattern_count(), scope.subject_count()), (words, words));
    assert!(scope.subjects().any(|s| s == Operand::from("a..*")));
    assert!(scope.patterns().any(|p| p == Operand::from(">.a.>")));
    assert!(scope.patterns().any(|p| p == Operand::from("")));
}

#[test]
fn what_is_no_literal_is_refused_in_words() {
    let refused = |tokens: &str, depth| {
        let result = Scope::parse(NATS, tokens, depth, false, false);
        result.map(|s| s.to_string()).expect_err("refused").to_string()
    };
    insta::assert_snapshot!(
        [
            refused("a,*", 2),
            refused("a,''", 2),
            refused("a,,b", 2),
            refused("a,a.b", 2),
            refused("a,b,a", 2),
            refused("a\\x20b", 2),
            refused("a\\q", 2),
            refused("a", 0),
            refused("a,b,c,d,e,f,g,h", 10),
        ]
        .join("\n")
    );
}

#[test]
fn bytes_are_written_as_hexadecimal_escapes() {
    let scope = scope("\\xff,a", 1);
    assert_eq!(scope.literals[0].0, vec![0xff]);
    assert_eq!(scope.to_string(), "tokens \\xff,a; depth 1");
}

/// The pair with its literals numbered as they come up.
fn renamed(scope: &Scope, pattern: &Operand, subject: &Operand) -> Vec<Vec<u8>> {
    let mut names: BTreeMap<Vec<u8>, u8> = BTreeMap::new();
    let mut shape = Vec::new();
    for operand in [pattern, subject] {
        for token in operand.0.split(|b| *b == b'.') {
            if scope.literals.iter().any(|literal| literal.0 == token) {
                let next = names.len() as u8;
                shape.push(vec![0, *names.entry(token.to_vec()).or_insert(next)]);
            } else {
                shape.push(token.to_vec());
            }
        }
        shape.push(b"|".to_vec());
    }
    shape
}

#[test]
fn canonical_pairs_are_one_of_each_class_and_cover_the_whole_scope() {
    for (tokens, depth, invalid) in [("a,b", 3, false), ("a,b,c", 3, false), ("a,b,c,d", 2, false), ("a,b", 2, true)] {
        let full = Scope::parse(NATS, tokens, depth, invalid, false).expect("a scope");
        let mut classes = BTreeSet::new();
        let subjects: Vec<Operand> = full.subjects().collect();
        for pattern in full.patterns() {
            classes.extend(subjects.iter().map(|subject| renamed(&full, &pattern, subject)));
        }
        let canonical = Scope::parse(NATS, tokens, depth, invalid, true).expect("a scope");
        let (mut seen, mut covers) = (BTreeSet::new(), 0);
        for block in canonical.blocks() {
            covers += block.covers;
            for pattern in &block.patterns {
                for subject in &block.subjects {
                    assert!(seen.insert(renamed(&full, pattern, subject)), "{pattern:?} {subject:?} twice");
                }
            }
        }
        assert_eq!(seen, classes, "{full}");
        assert_eq!(covers, full.pairs(), "{full}");
        assert!(canonical.pairs() < full.pairs());
    }
}
