//! NATS behind the door that every dialect has: the same answers as its functions give.

use wildcheck_matcher::{
    Coverage, Dialect, Strength, by_name,
    nats::{self, MAX_OPERAND},
};

use super::support::scope;
use crate::dialects::laws;

fn nats() -> &'static dyn Dialect {
    by_name("nats").expect("it is built in")
}

#[test]
fn the_laws_of_every_dialect_hold_of_a_whole_scope() {
    let patterns = scope(&["a", "b", "*", ">", "", "a*"], 3);
    let subjects = scope(&["a", "b", "*", ">", "z", "a*"], 4);
    laws::one_answer_everywhere(nats(), &patterns, &subjects);
    laws::relations_hold(nats(), &patterns, &subjects);
    laws::intersections_hold(nats(), &scope(&["a", "b", "*", ">"], 3), &subjects);
}

#[test]
fn the_laws_of_every_dialect_hold_of_random_operands() {
    laws::random_operands_agree(nats(), &["a", "b", "*", ">", "", "a*", " "], b'.');
    laws::any_bytes_agree(nats());
}

#[test]
fn the_door_answers_as_the_functions_do() {
    let operands = scope(&["a", "b", "*", ">", ""], 3);
    for left in &operands {
        for strength in [Strength::Server, Strength::Strict] {
            assert_eq!(nats().validate_pattern(left, strength), nats::validate_pattern(left, strength));
            assert_eq!(nats().validate_subject(left, strength), nats::validate_subject(left, strength));
        }
        for right in &operands {
            assert_eq!(nats().naive_matches(left, right), nats::naive::matches(left, right));
            assert_eq!(nats().explain(left, right), nats::explain(left, right));
            assert_eq!(nats().covers(&[left.as_slice()], right), nats::covers(&[left.as_slice()], right));
        }
    }
}

#[test]
fn a_union_covers_what_its_members_share_out() {
    assert_eq!(nats().covers(&[b"*", b"*.>"], b">"), Coverage::Whole);
    assert_eq!(nats().covers(&[b"*.>"], b">"), Coverage::Misses(b"a".to_vec()));
    assert_eq!(nats().covers(&[b">"], b"a..b"), Coverage::Refused);
}

#[test]
fn its_sets_answer_one_subject_as_its_matchers_do() {
    let mut patterns = scope(&["a", "b", "*", ">"], 2);
    patterns.retain(|pattern| nats().validate_pattern(pattern, Strength::Server).is_ok());
    let (mut set, mut naive) = (nats().pattern_set().expect("a set"), nats().naive_set().expect("a naive set"));
    for (id, pattern) in (0..).zip(&patterns) {
        set.insert(pattern, id).expect("a valid pattern");
        naive.insert(pattern, id).expect("a valid pattern");
    }
    for subject in scope(&["a", "b", "z"], 3) {
        let held = |matches: &dyn Fn(&[u8]) -> bool| -> Vec<u32> {
            (0..).zip(&patterns).filter(|(_, pattern)| matches(pattern)).map(|(id, _)| id).collect()
        };
        let mut answers = [Vec::new(), Vec::new()];
        set.matches(&subject, &mut answers[0]);
        naive.matches(&subject, &mut answers[1]);
        answers.iter_mut().for_each(|ids| ids.sort_unstable());
        assert_eq!(answers[0], held(&|pattern| nats().matches(pattern, &subject)));
        assert_eq!(answers[1], held(&|pattern| nats().naive_matches(pattern, &subject)));
    }
}

#[test]
fn it_says_its_name_its_punctuation_and_its_limit() {
    assert_eq!((nats().name(), nats().tables()), ("nats", "nats"));
    let syntax = nats().syntax();
    assert_eq!((syntax.separator, syntax.one, syntax.many), (Some(b'.'), Some(&b"*"[..]), Some(&b">"[..])));
    assert_eq!((syntax.max_bytes, nats().capabilities().max_bytes.is), (4094, MAX_OPERAND));
}
