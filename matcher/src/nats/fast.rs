//! The matcher that callers get: one pass over both operands, byte beside byte. Must never allocate.

use super::validate::{MAX_OPERAND, validate_pattern};
use crate::dialect::{Refusal, Strength};

/// Does `subject` reach a subscription to `pattern` on a server in its default mode? Bytes in, no allocation.
///
/// An operand that the server refuses matches nothing. `*` and `>` as tokens of the subject are the literals that the
/// server delivers.
pub fn matches(pattern: &[u8], subject: &[u8]) -> bool {
    if pattern.len() > MAX_OPERAND || subject.len() > MAX_OPERAND {
        return false;
    }
    // A difference and an invalid operand have the same answer, so only bytes that were passed over are validated.
    let (mut p, mut s) = (0, 0);
    loop {
        // Both stand at the start of a token.
        let Some(&first) = pattern.get(p) else { return false };
        let whole = matches!(pattern.get(p + 1), None | Some(b'.'));
        if first == b'*' && whole {
            let Some(end) = token_end(subject, s) else { return false };
            (p, s) = (p + 1, end);
        } else if first == b'>' && whole {
            return p + 1 == pattern.len() && all_tokens(&subject[s..]);
        } else {
            let start = p;
            while let (Some(&wanted), Some(&byte)) = (pattern.get(p), subject.get(s)) {
                if wanted != byte || is_blank(byte) {
                    return false;
                }
                if byte == b'.' {
                    break;
                }
                (p, s) = (p + 1, s + 1);
            }
            if p == start {
                return false;
            }
        }
        // Both stand at a dot or at their end.
        match (p == pattern.len(), s == subject.len()) {
            (false, false) => (p, s) = (p + 1, s + 1),
            (p_ended, s_ended) => return p_ended && s_ended,
        }
    }
}

/// A pattern validated once, for many subjects. Borrows its bytes, allocates nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pattern<'a> {
    bytes: &'a [u8],
    /// How many bytes stand before the first wildcard token, its dot included.
    head: usize,
}

impl<'a> Pattern<'a> {
    /// Validates at [`Strength::Server`].
    ///
    /// # Errors
    /// What [`validate_pattern`] says.
    pub fn new(pattern: &'a [u8]) -> Result<Pattern<'a>, Refusal> {
        validate_pattern(pattern, Strength::Server)?;
        let mut head = 0;
        for token in pattern.split(|byte| *byte == b'.') {
            if matches!(token, b"*" | b">") {
                return Ok(Pattern { bytes: pattern, head });
            }
            head += token.len() + 1;
        }
        Ok(Pattern { bytes: pattern, head: pattern.len() })
    }

    /// The bytes it was made of.
    pub fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The same answer as [`matches`] gives.
    pub fn matches(&self, subject: &[u8]) -> bool {
        let (literal, mut pattern) = self.bytes.split_at(self.head);
        let Some(mut subject) = subject.strip_prefix(literal).filter(|_| subject.len() <= MAX_OPERAND) else {
            return false;
        };
        if pattern.is_empty() {
            return subject.is_empty();
        }
        loop {
            // Both stand at the start of a token, and the pattern is known to be valid.
            match pattern {
                b">" => return all_tokens(subject),
                b"*" => return token_end(subject, 0) == Some(subject.len()),
                [b'*', b'.', rest @ ..] => match token_end(subject, 0) {
                    Some(end) if end < subject.len() => (pattern, subject) = (rest, &subject[end + 1..]),
                    _ => return false,
                },
                _ => {
                    let end = pattern.iter().position(|byte| *byte == b'.').map_or(pattern.len(), |dot| dot + 1);
                    let (token, rest) = pattern.split_at(end);
                    let Some(left) = subject.strip_prefix(token) else { return false };
                    if rest.is_empty() {
                        return left.is_empty();
                    }
                    (pattern, subject) = (rest, left);
                }
            }
        }
    }
}

/// Where the token that starts at `start` ends; `None` when it is empty or holds a blank.
fn token_end(operand: &[u8], start: usize) -> Option<usize> {
    let mut end = start;
    while let Some(&byte) = operand.get(end) {
        if byte == b'.' {
            break;
        }
        if is_blank(byte) {
            return None;
        }
        end += 1;
    }
    (end > start).then_some(end)
}

/// One or more tokens, none empty, none with a blank.
fn all_tokens(operand: &[u8]) -> bool {
    let mut after_dot = true;
    for &byte in operand {
        let dot = byte == b'.';
        if dot && after_dot || is_blank(byte) {
            return false;
        }
        after_dot = dot;
    }
    !after_dot
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// Calls `each` with the tokens of a subject from the left; `false`, at the latest after the last of them, when the
/// subject reaches nobody.
#[cfg(feature = "alloc")]
pub(super) fn split_valid<'a>(subject: &'a [u8], mut each: impl FnMut(&'a [u8])) -> bool {
    if subject.len() > MAX_OPERAND {
        return false;
    }
    let mut start = 0;
    loop {
        let Some(end) = token_end(subject, start) else { return false };
        each(&subject[start..end]);
        if end == subject.len() {
            return true;
        }
        start = end + 1;
    }
}
