//! What may be subscribed to and published to, at two strengths. Must never decide a match.

use super::clause;
use crate::dialect::{ClauseId, Refusal, Strength};

/// The longest operand in bytes that fits the default control line of 4096 bytes beside a one-digit sid or size.
pub const MAX_OPERAND: usize = 4094;

/// May this be subscribed to? `Server`: exactly what nats-server accepts for a subscription.
///
/// Source: nats-server 2.15.1 asked over its own protocol; `Strict` adds the portable rule of the documentation's
/// section on validation.
///
/// # Errors
/// The first clause that refuses, reading from the left, and the token. An operand that is too long is refused as a
/// whole before its tokens are looked at, as the server does.
pub fn validate_pattern(pattern: &[u8], strength: Strength) -> Result<(), Refusal> {
    fits(pattern)?;
    check(pattern, Role::Pattern, strength)
}

/// May this be published to? `Server`: exactly what nats-server accepts for a publish in pedantic mode.
///
/// Stricter than what default mode delivers: there `*` and `>` as tokens of a subject are literals.
///
/// # Errors
/// As for [`validate_pattern`].
pub fn validate_subject(subject: &[u8], strength: Strength) -> Result<(), Refusal> {
    fits(subject)?;
    check(subject, Role::Subject, strength)
}

/// Can a publish to this reach anybody in default mode? Such a subject may hold `*` and `>` as tokens.
///
/// # Errors
/// As for [`validate_pattern`].
pub(super) fn validate_delivery(subject: &[u8]) -> Result<(), Refusal> {
    fits(subject)?;
    check(subject, Role::Delivery, Strength::Server)
}

/// Is this a pattern when length is no question? Relations speak of tokens, not of length limits.
pub(super) fn is_pattern(pattern: &[u8]) -> bool {
    check(pattern, Role::Pattern, Strength::Server).is_ok()
}

/// What an operand is checked as.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Pattern,
    Subject,
    Delivery,
}

fn fits(operand: &[u8]) -> Result<(), Refusal> {
    if operand.len() <= MAX_OPERAND {
        return Ok(());
    }
    Err(Refusal {
        clause: clause::CONTROL_LINE,
        token: None,
        offset: MAX_OPERAND,
        why: "longer than the server's control line allows",
    })
}

fn check(operand: &[u8], role: Role, strength: Strength) -> Result<(), Refusal> {
    if operand.is_empty() {
        return Err(Refusal { clause: clause::EMPTY, token: None, offset: 0, why: "empty" });
    }
    let mut start = 0;
    for (index, token) in operand.split(|byte| *byte == b'.').enumerate() {
        let end = start + token.len();
        let last = end == operand.len();
        if let Some((clause, within, why)) = refused_token(token, last, role, strength) {
            return Err(Refusal { clause, token: Some(index), offset: start + within, why });
        }
        start = end + 1;
    }
    Ok(())
}

/// Why one token is refused, and how many bytes into it.
fn refused_token(token: &[u8], last: bool, role: Role, strength: Strength) -> Option<(ClauseId, usize, &'static str)> {
    if token.is_empty() {
        return Some((clause::EMPTY_TOKEN, 0, "empty token"));
    }
    if let Some(at) = token.iter().position(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n')) {
        return Some((clause::BLANK, at, "a blank inside"));
    }
    match (token, role) {
        (b">", Role::Pattern) if !last => Some((clause::TAIL_LAST, 0, "`>` is not the last token")),
        (b"*" | b">", Role::Subject) => {
            Some((clause::SUBJECT_WILDCARD, 0, "a wildcard where a publish names a full subject"))
        }
        (b"*" | b">", _) => None,
        _ if strength == Strength::Strict => token
            .iter()
            .position(|byte| matches!(byte, b'*' | b'>'))
            .map(|at| (clause::PORTABLE, at, "looks like a wildcard and never acts as one")),
        _ => None,
    }
}
