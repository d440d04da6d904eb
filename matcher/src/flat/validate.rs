//! What may be subscribed to and published to, at two strengths. Must never decide a match.

use super::clause;
use crate::dialect::{Refusal, Strength};

/// The longest name in bytes (Kafka).
pub const MAX_OPERAND: usize = 249;

/// May this be subscribed to? `Server` refuses what any other dialect would read as a wildcard; `Strict` also what
/// Kafka does not allow in a name.
///
/// # Errors
/// The first clause that refuses.
pub fn validate_pattern(name: &[u8], strength: Strength) -> Result<(), Refusal> {
    limit(name)?;
    relatable(name)?;
    characters(name, strength)
}

/// May this be published to? A name with a wildcard in it is a name like any other until `Strict` looks at it.
///
/// # Errors
/// The first clause that refuses.
pub fn validate_subject(name: &[u8], strength: Strength) -> Result<(), Refusal> {
    limit(name)?;
    empty(name)?;
    characters(name, strength)
}

/// The part of [`validate_pattern`] that relations know: everything but the length.
pub(super) fn relatable(name: &[u8]) -> Result<(), Refusal> {
    empty(name)?;
    for separator in *b"./" {
        let mut start = 0;
        for token in name.split(|b| *b == separator) {
            if let [b'*' | b'>' | b'#' | b'+'] = token {
                let why = "another backend reads this as a wildcard; here it would match only itself";
                return refused(clause::WILDCARD, start, why);
            }
            start += token.len() + 1;
        }
    }
    let mut end = 0;
    for level in name.split(|b| *b == b'/') {
        end += level.len() + 1;
        if level.ends_with(b"*") {
            let why = "Solace reads this as a prefix; here it would match only itself";
            return refused(clause::WILDCARD, end - 2, why);
        }
    }
    Ok(())
}

fn empty(name: &[u8]) -> Result<(), Refusal> {
    if name.is_empty() { refused(clause::EMPTY, 0, "a name has at least one byte") } else { Ok(()) }
}

fn limit(name: &[u8]) -> Result<(), Refusal> {
    if name.len() > MAX_OPERAND {
        return refused(clause::LIMIT, MAX_OPERAND, "a name has at most 249 bytes (SQS: 80)");
    }
    Ok(())
}

fn characters(name: &[u8], strength: Strength) -> Result<(), Refusal> {
    let plain = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-');
    match name.iter().position(|b| !plain(b)) {
        Some(offset) if strength == Strength::Strict => {
            refused(clause::CHARACTERS, offset, "a portable name holds letters, digits, `.`, `_` and `-` only")
        }
        _ => Ok(()),
    }
}

fn refused(clause: crate::dialect::ClauseId, offset: usize, why: &'static str) -> Result<(), Refusal> {
    Err(Refusal { clause, token: None, offset, why })
}
