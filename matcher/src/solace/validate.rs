//! What may be subscribed to and published to, at two strengths. Must never decide a match.

use super::clause;
use crate::dialect::{ClauseId, Refusal, Strength};

/// The longest topic in bytes.
pub const MAX_OPERAND: usize = 250;

/// The most levels of a topic.
pub const MAX_LEVELS: usize = 128;

/// May this be subscribed to? `Strict` also refuses a `*` or `>` that is no wildcard, and empty levels, which the
/// client libraries refuse in subscriptions.
///
/// # Errors
/// The first clause that refuses, and the level.
pub fn validate_pattern(subscription: &[u8], strength: Strength) -> Result<(), Refusal> {
    limits(subscription)?;
    relatable(subscription)?;
    if strength == Strength::Server {
        return Ok(());
    }
    refuse_level(subscription, |level, last| {
        let inner = match level {
            b">" if last => b"",
            [prefix @ .., b'*'] => prefix,
            level => level,
        };
        match inner.iter().position(|b| matches!(b, b'*' | b'>')) {
            _ if level.is_empty() => {
                Some((0, clause::EMPTY_SUBSCRIPTION, "client libraries refuse an empty level in a subscription"))
            }
            Some(at) => Some((at, clause::PORTABLE, "`*` or `>` in this place is a literal, not a wildcard")),
            None => None,
        }
    })
}

/// May this be published to? `Strict` also refuses `*` and `>`, which are literals there.
///
/// # Errors
/// The first clause that refuses, and the level.
pub fn validate_subject(topic: &[u8], strength: Strength) -> Result<(), Refusal> {
    limits(topic)?;
    relatable(topic)?;
    if strength == Strength::Server {
        return Ok(());
    }
    refuse_level(topic, |level, _| {
        level
            .iter()
            .position(|b| matches!(b, b'*' | b'>'))
            .map(|at| (at, clause::TOPIC_LITERAL, "`*` and `>` in a topic are literals, and not recommended"))
    })
}

/// The part of both that relations know: everything but the limits.
pub(super) fn relatable(operand: &[u8]) -> Result<(), Refusal> {
    let whole = |clause, offset, why| Err(Refusal { clause, token: None, offset, why });
    if operand.is_empty() {
        return whole(clause::EMPTY, 0, "a topic has at least one byte");
    }
    if let Some(offset) = operand.iter().position(|b| *b == 0) {
        return whole(clause::UTF8, offset, "U+0000 ends a topic");
    }
    match core::str::from_utf8(operand) {
        Ok(_) => Ok(()),
        Err(error) => whole(clause::UTF8, error.valid_up_to(), "not well-formed UTF-8"),
    }
}

fn limits(operand: &[u8]) -> Result<(), Refusal> {
    if operand.len() > MAX_OPERAND {
        let why = "a topic has at most 250 bytes";
        return Err(Refusal { clause: clause::LIMIT, token: None, offset: MAX_OPERAND, why });
    }
    match operand.iter().enumerate().filter(|(_, b)| **b == b'/').nth(MAX_LEVELS - 1) {
        Some((slash, _)) => Err(Refusal {
            clause: clause::LEVELS,
            token: Some(MAX_LEVELS),
            offset: slash + 1,
            why: "a topic has at most 128 levels",
        }),
        None => Ok(()),
    }
}

fn refuse_level(
    operand: &[u8],
    refuses: impl Fn(&[u8], bool) -> Option<(usize, ClauseId, &'static str)>,
) -> Result<(), Refusal> {
    let mut start = 0;
    for (token, level) in operand.split(|b| *b == b'/').enumerate() {
        let end = start + level.len();
        if let Some((at, clause, why)) = refuses(level, end == operand.len()) {
            return Err(Refusal { clause, token: Some(token), offset: start + at, why });
        }
        start = end + 1;
    }
    Ok(())
}
