//! What may be subscribed to and published to, at two strengths. Must never decide a match.

use super::clause;
use crate::dialect::{ClauseId, Refusal, Strength};

/// The longest topic name or filter in bytes: its length travels in two bytes.
pub const MAX_OPERAND: usize = 65535;

/// The most slashes that mosquitto takes.
pub const MAX_SLASHES: usize = 200;

const SHARE: &[u8] = b"$share";

/// May this be subscribed to? Both strengths are one: what MQTT accepts as a wildcard acts as one.
///
/// # Errors
/// The first clause that refuses, and the level.
pub fn validate_pattern(filter: &[u8], _strength: Strength) -> Result<(), Refusal> {
    limits(filter)?;
    relatable(filter)
}

/// The part of [`validate_pattern`] that relations know: everything but the limits.
pub(super) fn relatable(filter: &[u8]) -> Result<(), Refusal> {
    text(filter)?;
    let inner = share(filter)?;
    let (mut offset, mut token) = (filter.len() - inner.len(), if inner.len() == filter.len() { 0 } else { 2 });
    for level in inner.split(|b| *b == b'/') {
        let end = offset + level.len();
        let refused = |at: usize, clause: ClauseId, why: &'static str| {
            Err(Refusal { clause, token: Some(token), offset: offset + at, why })
        };
        if let Some(at) = level.iter().position(|b| *b == b'#')
            && (level.len() != 1 || end != filter.len())
        {
            return refused(at, clause::HASH_LAST, "`#` stands alone in its level, and that level is the last");
        }
        if let Some(at) = level.iter().position(|b| *b == b'+')
            && level.len() != 1
        {
            return refused(at, clause::PLUS_ALONE, "`+` stands alone in its level");
        }
        (offset, token) = (end + 1, token + 1);
    }
    Ok(())
}

/// The filter of a `$share/NAME/FILTER` that was accepted, else the filter itself.
pub(super) fn unshared(filter: &[u8]) -> &[u8] {
    match filter.strip_prefix(SHARE).and_then(|rest| rest.strip_prefix(b"/")) {
        Some(rest) => rest.iter().position(|b| *b == b'/').map_or(filter, |slash| &rest[slash + 1..]),
        None => filter,
    }
}

fn share(filter: &[u8]) -> Result<&[u8], Refusal> {
    let Some(rest) = filter.strip_prefix(SHARE) else { return Ok(filter) };
    let refused = |token, offset, why| Err(Refusal { clause: clause::SHARE, token: Some(token), offset, why });
    let name = match rest {
        [] => return refused(0, 0, "`$share` is followed by a group name and a filter"),
        [b'/', name @ ..] => name,
        // Another word that begins like it.
        _ => return Ok(filter),
    };
    let length = name.iter().position(|b| *b == b'/').unwrap_or(name.len());
    if length == 0 {
        return refused(1, SHARE.len() + 1, "the group name of a shared subscription is empty");
    }
    if let Some(at) = name[..length].iter().position(|b| matches!(b, b'+' | b'#')) {
        return refused(1, SHARE.len() + 1 + at, "the group name of a shared subscription holds no wildcard");
    }
    match name.get(length + 1..) {
        None | Some([]) => refused(1, filter.len(), "a shared subscription needs a filter behind the group name"),
        Some(inner) => Ok(inner),
    }
}

/// May this be published to? `Server` as mosquitto rules; `Strict` refuses every topic that begins with `$`.
///
/// # Errors
/// The first clause that refuses, and the level.
pub fn validate_subject(topic: &[u8], strength: Strength) -> Result<(), Refusal> {
    self::topic(topic)?;
    let refused = |clause, why| Err(Refusal { clause, token: Some(0), offset: 0, why });
    if topic.starts_with(b"$SYS") {
        return refused(clause::RESERVED, "`$SYS` is the server's own: publishing there closes the connection");
    }
    if strength == Strength::Strict && topic.starts_with(b"$") {
        return refused(clause::DOLLAR_PUBLISH, "topics that begin with `$` belong to the server");
    }
    Ok(())
}

/// The part of [`validate_subject`] that matching knows: a topic that somebody, if only the server, can publish to.
pub(super) fn topic(topic: &[u8]) -> Result<(), Refusal> {
    limits(topic)?;
    text(topic)?;
    if let Some(offset) = topic.iter().position(|b| matches!(b, b'+' | b'#')) {
        return Err(Refusal {
            clause: clause::TOPIC_WILDCARD,
            token: Some(level_at(topic, offset)),
            offset,
            why: "a topic name holds no `+` and no `#`",
        });
    }
    if nobody_publishes(topic) {
        let why = "names that begin with `$share` or `$SYS` are reserved: publishing there closes the connection";
        return Err(Refusal { clause: clause::RESERVED, token: Some(0), offset: 0, why });
    }
    Ok(())
}

/// Reserved by its first bytes, and not under `$SYS` where the server itself publishes.
pub(super) fn nobody_publishes(topic: &[u8]) -> bool {
    let sys = topic.strip_prefix(b"$SYS").is_some_and(|rest| !matches!(rest, [] | [b'/', ..]));
    sys || topic.starts_with(SHARE)
}

fn level_at(operand: &[u8], offset: usize) -> usize {
    operand[..offset].iter().filter(|b| **b == b'/').count()
}

fn limits(operand: &[u8]) -> Result<(), Refusal> {
    if operand.len() > MAX_OPERAND {
        return Err(Refusal {
            clause: clause::LIMIT,
            token: None,
            offset: MAX_OPERAND,
            why: "65535 bytes are the most that the length field can say",
        });
    }
    match operand.iter().enumerate().filter(|(_, b)| **b == b'/').nth(MAX_SLASHES) {
        Some((offset, _)) => Err(Refusal {
            clause: clause::LEVELS,
            token: Some(MAX_SLASHES + 1),
            offset,
            why: "mosquitto takes at most 200 slashes",
        }),
        None => Ok(()),
    }
}

fn text(operand: &[u8]) -> Result<(), Refusal> {
    let refused = |clause, offset, why| Err(Refusal { clause, token: Some(level_at(operand, offset)), offset, why });
    if operand.is_empty() {
        return Err(Refusal { clause: clause::EMPTY, token: None, offset: 0, why: "at least one character is needed" });
    }
    let text = match core::str::from_utf8(operand) {
        Ok(text) => text,
        Err(error) => return refused(clause::UTF8, error.valid_up_to(), "not well-formed UTF-8"),
    };
    for (offset, character) in text.char_indices() {
        match u32::from(character) {
            0 => return refused(clause::NUL, offset, "U+0000 is forbidden"),
            1..=0x1f | 0x7f..=0x9f => {
                return refused(clause::CONTROL, offset, "control characters may be refused, and mosquitto does");
            }
            0xfdd0..=0xfdef => return refused(clause::CONTROL, offset, "a non-character, which mosquitto refuses"),
            number if number & 0xfffe == 0xfffe => {
                return refused(clause::CONTROL, offset, "a non-character, which mosquitto refuses");
            }
            _ => {}
        }
    }
    Ok(())
}
