//! The NATS rules clause by clause, to be read beside the documentation. Slow on purpose.
//!
//! Every clause is one function, which names its [`ClauseId`](crate::ClauseId) and repeats its sentence. Must never
//! share code with the fast matcher or with validation: it is the second opinion.

#[cfg(doc)]
use super::clause;

/// Does `subject` reach a subscription to `pattern`? See [`super::matches`].
pub fn matches(pattern: &[u8], subject: &[u8]) -> bool {
    valid(pattern)
        && valid(subject)
        && tail_is_last(pattern)
        && if has_tail(pattern) { tail_has_a_token(pattern, subject) } else { equally_many_tokens(pattern, subject) }
        && each_token_matches(pattern, subject)
}

/// "An empty token makes a subject invalid, and an invalid subject matches nothing." A pattern likewise.
fn valid(operand: &[u8]) -> bool {
    not_empty(operand) && no_empty_token(operand) && no_blank(operand) && fits_control_line(operand)
}

/// [`clause::EMPTY`]: the empty operand is invalid.
fn not_empty(operand: &[u8]) -> bool {
    !operand.is_empty()
}

/// [`clause::EMPTY_TOKEN`]: no token is empty.
fn no_empty_token(operand: &[u8]) -> bool {
    tokens(operand).all(|token| !token.is_empty())
}

/// [`clause::BLANK`]: space, tab, CR and LF cannot stand in an operand; every other byte can.
fn no_blank(operand: &[u8]) -> bool {
    b" \t\r\n".iter().all(|blank| !operand.contains(blank))
}

/// [`clause::CONTROL_LINE`]: the arguments of a line fit 4096 bytes, beside the operand a blank and a digit.
fn fits_control_line(operand: &[u8]) -> bool {
    operand.len() + b" 1".len() <= 4096
}

/// [`clause::TAIL_LAST`]: "`>` … only as the final token".
fn tail_is_last(pattern: &[u8]) -> bool {
    let many = tokens(pattern).count();
    tokens(pattern).take(many - 1).all(|token| !is_tail(token))
}

/// [`clause::TAIL`]: "`>`: one or more tokens". So the subject has at least as many tokens as the pattern.
fn tail_has_a_token(pattern: &[u8], subject: &[u8]) -> bool {
    tokens(subject).count() >= tokens(pattern).count()
}

/// [`clause::LENGTH`]: without `>` every token of the one stands for one of the other, so both have equally many.
fn equally_many_tokens(pattern: &[u8], subject: &[u8]) -> bool {
    tokens(subject).count() == tokens(pattern).count()
}

/// Token beside token, as far as the pattern goes.
fn each_token_matches(pattern: &[u8], subject: &[u8]) -> bool {
    tokens(pattern).zip(tokens(subject)).all(|(wanted, token)| {
        is_tail(wanted) || is_star(wanted) || (is_literal(wanted) && literal_matches(wanted, token))
    })
}

/// [`clause::STAR`]: "`*`: exactly one token, in any position".
fn is_star(token: &[u8]) -> bool {
    token == b"*"
}

/// [`clause::TAIL`]: `>` as a whole token.
fn is_tail(token: &[u8]) -> bool {
    token == b">"
}

/// [`clause::PARTIAL`]: `*` and `>` beside other bytes are literal bytes, so whatever is not a whole wildcard.
fn is_literal(token: &[u8]) -> bool {
    !is_star(token) && !is_tail(token)
}

/// [`clause::LITERAL`], [`clause::CASE`]: "a literal: itself, case sensitively". [`clause::SUBJECT_LITERAL`]: `*` and
/// `>` in the subject are nothing but bytes.
fn literal_matches(wanted: &[u8], token: &[u8]) -> bool {
    wanted == token
}

fn has_tail(pattern: &[u8]) -> bool {
    tokens(pattern).last().is_some_and(is_tail)
}

/// "A subject is dot-separated tokens."
fn tokens(operand: &[u8]) -> impl Iterator<Item = &[u8]> {
    operand.split(|byte| *byte == b'.')
}
