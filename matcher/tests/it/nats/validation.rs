//! What may be subscribed to and published to.

use proptest::prelude::*;
use wildcheck_matcher::{
    ClauseId, Dialect, Strength,
    nats::{MAX_OPERAND, Nats, clause, spec, validate_pattern, validate_subject},
};

use super::support::operand;

type Answer = Result<(), (ClauseId, Option<usize>, usize)>;

fn pattern(operand: &str, strength: Strength) -> Answer {
    let by_trait = Nats.validate_pattern(operand.as_bytes(), strength);
    let answer = validate_pattern(operand.as_bytes(), strength);
    assert_eq!(by_trait, answer);
    answer.map_err(|refusal| (refusal.clause, refusal.token, refusal.offset))
}

fn subject(operand: &str, strength: Strength) -> Answer {
    let by_trait = Nats.validate_subject(operand.as_bytes(), strength);
    let answer = validate_subject(operand.as_bytes(), strength);
    assert_eq!(by_trait, answer);
    answer.map_err(|refusal| (refusal.clause, refusal.token, refusal.offset))
}

const BOTH: [Strength; 2] = [Strength::Server, Strength::Strict];

#[test]
fn plain_operands_are_accepted() {
    for operand in ["a", "a.b.c", "orders.eu.created", "$SYS.a", "\u{e9}.\u{0}.\u{c}\u{b}\u{7f}", "a-b_c"] {
        for strength in BOTH {
            assert_eq!(pattern(operand, strength), Ok(()), "{operand}");
            assert_eq!(subject(operand, strength), Ok(()), "{operand}");
        }
    }
}

#[test]
fn wildcards_as_whole_tokens_are_patterns_and_no_subjects() {
    for (operand, token, offset) in [("*", 0, 0), (">", 0, 0), ("a.*", 1, 2), ("a.*.>", 1, 2), ("ab.c.>", 2, 5)] {
        for strength in BOTH {
            assert_eq!(pattern(operand, strength), Ok(()), "{operand}");
            let refusal = Err((clause::SUBJECT_WILDCARD, Some(token), offset));
            assert_eq!(subject(operand, strength), refusal, "{operand}");
        }
    }
}

#[test]
fn a_tail_before_the_end_is_no_pattern() {
    for (operand, token, offset) in [("a.>.c", 1, 2), (">.a", 0, 0), (">.>", 0, 0), ("a.*.>.*", 2, 4)] {
        for strength in BOTH {
            assert_eq!(pattern(operand, strength), Err((clause::TAIL_LAST, Some(token), offset)), "{operand}");
        }
    }
}

#[test]
fn the_empty_operand_and_empty_tokens_are_refused() {
    for strength in BOTH {
        assert_eq!(pattern("", strength), Err((clause::EMPTY, None, 0)));
        assert_eq!(subject("", strength), Err((clause::EMPTY, None, 0)));
        let cases = [(".", 0, 0), ("a..b", 1, 2), ("a.b.", 2, 4), (".a.b", 0, 0), ("a.bc..", 2, 5), ("..", 0, 0)];
        for (operand, token, offset) in cases {
            let refusal = Err((clause::EMPTY_TOKEN, Some(token), offset));
            assert_eq!(pattern(operand, strength), refusal, "{operand}");
            assert_eq!(subject(operand, strength), refusal, "{operand}");
        }
    }
}

#[test]
fn the_four_blanks_are_refused_where_they_stand() {
    for blank in [" ", "\t", "\r", "\n"] {
        for strength in BOTH {
            for (operand, token, offset) in
                [(blank.to_owned(), 0, 0), (format!("a.bc{blank}d"), 1, 4), (format!("a.*{blank}"), 1, 3)]
            {
                let refusal = Err((clause::BLANK, Some(token), offset));
                assert_eq!(pattern(&operand, strength), refusal, "{operand:?}");
                assert_eq!(subject(&operand, strength), refusal, "{operand:?}");
            }
        }
    }
}

#[test]
fn what_looks_like_a_wildcard_is_refused_by_the_portable_rule_alone() {
    let cases = [("a.**", 1, 2), ("a.>>", 1, 2), ("foo*", 0, 3), ("a.b>.c", 1, 3), ("*a", 0, 0), (">*", 0, 0)];
    for (operand, token, offset) in cases {
        let refusal = Err((clause::PORTABLE, Some(token), offset));
        assert_eq!(pattern(operand, Strength::Server), Ok(()), "{operand}");
        assert_eq!(subject(operand, Strength::Server), Ok(()), "{operand}");
        assert_eq!(pattern(operand, Strength::Strict), refusal, "{operand}");
        assert_eq!(subject(operand, Strength::Strict), refusal, "{operand}");
    }
}

#[test]
fn the_first_reason_from_the_left_is_told() {
    assert_eq!(pattern("a.**..b", Strength::Strict), Err((clause::PORTABLE, Some(1), 2)));
    assert_eq!(pattern("a.**..b", Strength::Server), Err((clause::EMPTY_TOKEN, Some(2), 5)));
    assert_eq!(pattern("a.>.b c", Strength::Server), Err((clause::TAIL_LAST, Some(1), 2)));
    assert_eq!(subject("a b.*", Strength::Server), Err((clause::BLANK, Some(0), 1)));
}

#[test]
fn an_operand_over_4094_bytes_is_refused_as_a_whole() {
    for strength in BOTH {
        let longest = "a".repeat(MAX_OPERAND);
        let longer = ".".repeat(MAX_OPERAND + 1);
        assert_eq!(pattern(&longest, strength), Ok(()));
        assert_eq!(subject(&longest, strength), Ok(()));
        assert_eq!(pattern(&longer, strength), Err((clause::CONTROL_LINE, None, MAX_OPERAND)));
        assert_eq!(subject(&longer, strength), Err((clause::CONTROL_LINE, None, MAX_OPERAND)));
    }
}

#[test]
fn a_refusal_reads_as_a_sentence_with_its_place() {
    let told = |operand: &[u8]| validate_pattern(operand, Strength::Strict).unwrap_err().to_string();
    assert_eq!(told(b"a..b"), "empty token (token 2, byte 2) [nats-empty-token]");
    assert_eq!(told(b""), "empty [nats-empty]");
    assert_eq!(told(b"a.>.c"), "`>` is not the last token (token 2, byte 2) [nats-tail-last]");
    assert_eq!(told(b"a.x*"), "looks like a wildcard and never acts as one (token 2, byte 3) [nats-portable]");
    assert_eq!(told(b"a b"), "a blank inside (token 1, byte 1) [nats-blank]");
    assert_eq!(told(&[b'a'; 4095]), "longer than the server's control line allows [nats-control-line]");
}

proptest! {
    #[test]
    fn strict_refuses_whatever_the_server_refuses(operand in operand()) {
        if let Err(refusal) = validate_pattern(&operand, Strength::Server) {
            prop_assert!(validate_pattern(&operand, Strength::Strict).is_err_and(|r| r.offset <= refusal.offset));
        }
        if let Err(refusal) = validate_subject(&operand, Strength::Server) {
            prop_assert!(validate_subject(&operand, Strength::Strict).is_err_and(|r| r.offset <= refusal.offset));
        }
    }

    #[test]
    fn a_subject_is_a_pattern_without_wildcards(operand in operand()) {
        for strength in BOTH {
            let wild = operand.split(|byte| *byte == b'.').any(|token| matches!(token, b"*" | b">"));
            let may = validate_pattern(&operand, strength).is_ok() && !wild;
            prop_assert_eq!(validate_subject(&operand, strength).is_ok(), may);
        }
    }

    #[test]
    fn an_operand_reaches_somebody_exactly_when_it_is_well_formed(operand in operand()) {
        // Whatever default mode delivers reaches the bare tail; whatever may be subscribed to gets its own literal.
        let delivered = spec::matches(b">", &operand);
        let subscribed = spec::matches(&operand, &operand);
        prop_assert_eq!(validate_pattern(&operand, Strength::Server).is_ok(), subscribed);
        prop_assert!(delivered || validate_subject(&operand, Strength::Server).is_err());
    }

    #[test]
    fn a_refusal_points_at_the_token_it_names(operand in operand()) {
        if let Err(refusal) = validate_pattern(&operand, Strength::Strict) {
            let dots = operand[..refusal.offset].iter().filter(|byte| **byte == b'.').count();
            prop_assert_eq!(refusal.token.unwrap_or(0), dots);
        }
    }
}
