//! What may be bound and published, at two strengths. Must never decide a match.

use super::words::Words;
use super::{Variant, glob};
use crate::dialect::{ClauseId, Refusal, Strength};

/// The longest key in bytes: its length travels in one byte.
pub const MAX_OPERAND: usize = 255;

/// The most `#` words of a binding key from 4.3.5 on.
pub const MAX_HASHES: usize = 2;

/// May this be bound to a topic exchange?
///
/// # Errors
/// The first clause that refuses, and the word.
pub fn validate_pattern(variant: Variant, pattern: &[u8], strength: Strength) -> Result<(), Refusal> {
    length(variant, pattern)?;
    relatable(variant, pattern)?;
    match strength {
        Strength::Server => Ok(()),
        Strength::Strict => {
            text(variant, pattern)?;
            refuse_word(variant, pattern, |word| {
                let lone = word == glob::ONE || word == glob::MANY;
                (!lone && has_wildcard(word)).then_some((
                    variant.clauses().portable,
                    "`*` or `#` beside other bytes in a word is a literal, not a wildcard",
                ))
            })
        }
    }
}

/// The part of [`validate_pattern`] that relations know: everything but the length.
pub(super) fn relatable(variant: Variant, pattern: &[u8]) -> Result<(), Refusal> {
    if variant != Variant::V2_2
        && let Some(offset) = malformed(pattern)
    {
        return Err(Refusal {
            clause: variant.clauses().utf8,
            token: Some(pattern[..offset].iter().filter(|b| **b == b'.').count()),
            offset,
            why: "a binding key must be UTF-8; the broker closes the connection",
        });
    }
    let mut hashes = 0;
    refuse_word(variant, pattern, |word| {
        hashes += usize::from(word == glob::MANY);
        (variant == Variant::V4_3_5 && hashes > MAX_HASHES)
            .then_some((variant.clauses().hash_limit, "a binding key holds at most two `#`"))
    })
}

/// May this be published to a topic exchange? `*` and `#` in it are literals, so only `Strict` minds them.
///
/// # Errors
/// The first clause that refuses, and the word.
pub fn validate_subject(variant: Variant, key: &[u8], strength: Strength) -> Result<(), Refusal> {
    length(variant, key)?;
    match strength {
        Strength::Server => Ok(()),
        Strength::Strict => {
            text(variant, key)?;
            refuse_word(variant, key, |word| {
                has_wildcard(word).then_some((
                    variant.clauses().key_literal,
                    "`*` and `#` in a routing key are literals, not wildcards",
                ))
            })
        }
    }
}

fn has_wildcard(word: &[u8]) -> bool {
    word.iter().any(|b| matches!(b, b'*' | b'#'))
}

fn length(variant: Variant, key: &[u8]) -> Result<(), Refusal> {
    if key.len() <= MAX_OPERAND {
        return Ok(());
    }
    Err(Refusal {
        clause: variant.clauses().limit,
        token: None,
        offset: MAX_OPERAND,
        why: "a key is a short string: 255 bytes at most",
    })
}

fn text(variant: Variant, key: &[u8]) -> Result<(), Refusal> {
    match core::str::from_utf8(key) {
        Ok(_) => Ok(()),
        Err(error) => Err(Refusal {
            clause: variant.clauses().utf8,
            token: None,
            offset: error.valid_up_to(),
            why: "not UTF-8, which clients show and many other places require",
        }),
    }
}

fn refuse_word(
    variant: Variant,
    key: &[u8],
    mut refuses: impl FnMut(&[u8]) -> Option<(ClauseId, &'static str)>,
) -> Result<(), Refusal> {
    let mut words = Words::new(key, variant.split());
    let mut token = 0;
    while let Some(word) = words.next() {
        if let Some((clause, why)) = refuses(word) {
            return Err(Refusal { clause, token: Some(token), offset: words.offset_of(word, key), why });
        }
        token += 1;
    }
    Ok(())
}

/// Where the broker stops reading UTF-8. It wants one to four bytes in the shortest form and does not mind surrogates
/// or numbers beyond U+10FFFF (measured on 3.10.8).
fn malformed(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    while at < bytes.len() {
        let (length, smallest, mut number) = match bytes[at] {
            b @ 0x00..=0x7f => (1, 0, u32::from(b)),
            b @ 0xc0..=0xdf => (2, 0x80, u32::from(b & 0x1f)),
            b @ 0xe0..=0xef => (3, 0x800, u32::from(b & 0x0f)),
            b @ 0xf0..=0xf7 => (4, 0x1_0000, u32::from(b & 0x07)),
            _ => return Some(at),
        };
        for index in at + 1..at + length {
            match bytes.get(index) {
                Some(b @ 0x80..=0xbf) => number = number << 6 | u32::from(b & 0x3f),
                _ => return Some(at),
            }
        }
        if number < smallest {
            return Some(at);
        }
        at += length;
    }
    None
}
