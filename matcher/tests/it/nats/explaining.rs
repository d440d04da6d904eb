//! `explain`: the clause, the operand and the token of every outcome.

use proptest::prelude::*;
use wildcheck_matcher::{
    ClauseId, Dialect,
    Operand::{self, Pattern, Subject},
    nats::{Nats, clause, explain, spec},
};

use super::support::{operand, structured_pair};

#[track_caller]
fn decides(pattern: &str, subject: &str, matched: bool, clause: ClauseId, operand: Operand, token: Option<usize>) {
    let trace = explain(pattern.as_bytes(), subject.as_bytes());
    let told = (trace.matched, trace.clause, trace.operand, trace.token);
    assert_eq!(told, (matched, clause, operand, token), "{pattern} {subject}: {}", trace.why);
    assert!(!trace.why.is_empty() && !trace.why.ends_with('.'));
}

#[test]
fn a_match_is_laid_to_its_widest_wildcard() {
    decides("a.b", "a.b", true, clause::LITERAL, Pattern, None);
    decides("a.*.*", "a.b.c", true, clause::STAR, Pattern, Some(1));
    decides("a.*.>", "a.b.c", true, clause::TAIL, Pattern, Some(2));
    decides(">", "a", true, clause::TAIL, Pattern, Some(0));
    decides("a.**", "a.**", true, clause::PARTIAL, Pattern, Some(1));
    decides("*.a>", "b.a>", true, clause::STAR, Pattern, Some(0));
}

#[test]
fn a_wildcard_in_the_subject_is_said_to_be_a_literal() {
    decides("a.*", "a.>", true, clause::SUBJECT_LITERAL, Subject, Some(1));
    decides(">", "a.b.*", true, clause::SUBJECT_LITERAL, Subject, Some(2));
    decides("a.b", "a.*", false, clause::SUBJECT_LITERAL, Subject, Some(1));
    decides("a.**", "a.*", false, clause::SUBJECT_LITERAL, Subject, Some(1));
}

#[test]
fn a_mismatch_is_laid_to_the_first_token_that_cannot_be() {
    decides("a.b.c", "a.x.y", false, clause::LITERAL, Pattern, Some(1));
    decides("a.B.c", "a.b.c", false, clause::CASE, Pattern, Some(1));
    decides("a.b*", "a.bc", false, clause::PARTIAL, Pattern, Some(1));
    decides("a.>>", "a.b.c", false, clause::PARTIAL, Pattern, Some(1));
    decides("a.*.c", "a.b.b.c", false, clause::LITERAL, Pattern, Some(2));
}

#[test]
fn lengths_are_laid_to_the_wildcard_that_could_not_help() {
    decides("a.b", "a", false, clause::LENGTH, Pattern, Some(1));
    decides("a", "a.b", false, clause::LENGTH, Subject, Some(1));
    decides("*.b", "a.b.c", false, clause::LENGTH, Subject, Some(2));
    decides("a.*", "a", false, clause::STAR, Pattern, Some(1));
    decides("a.*", "a.b.c", false, clause::STAR, Pattern, Some(1));
    decides("*", "a.b", false, clause::STAR, Pattern, Some(0));
    decides("a.>", "a", false, clause::TAIL, Pattern, Some(1));
    decides("a.*.>", "a.b", false, clause::TAIL, Pattern, Some(2));
    decides("a.*.>", "a", false, clause::STAR, Pattern, Some(1));
}

#[test]
fn a_refused_operand_comes_first_and_the_pattern_before_the_subject() {
    decides("a.>.c", "a..c", false, clause::TAIL_LAST, Pattern, Some(1));
    decides("", "", false, clause::EMPTY, Pattern, None);
    decides("a..b", "a", false, clause::EMPTY_TOKEN, Pattern, Some(1));
    decides("a b", "a", false, clause::BLANK, Pattern, Some(0));
    decides(&"a".repeat(4095), "a", false, clause::CONTROL_LINE, Pattern, None);
    decides("a.*.c", "a..c", false, clause::EMPTY_TOKEN, Subject, Some(1));
    decides(">", "", false, clause::EMPTY, Subject, None);
    decides("*", "a b", false, clause::BLANK, Subject, Some(0));
    decides(">", &"a".repeat(4095), false, clause::CONTROL_LINE, Subject, None);
}

proptest! {
    #[test]
    fn explain_never_differs_from_the_answer(
        (pattern, subject) in prop_oneof![structured_pair(), (operand(), operand())],
    ) {
        let trace = Nats.explain(&pattern, &subject);
        prop_assert_eq!(trace.matched, spec::matches(&pattern, &subject));
        let operand = if trace.operand == Pattern { &pattern } else { &subject };
        let tokens = operand.split(|byte| *byte == b'.').count();
        prop_assert!(trace.token.is_none_or(|token| token < tokens));
    }
}
