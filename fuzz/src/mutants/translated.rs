//! MQTT operands as a broker of another language sees them that translates them into its own.
//!
//! Must never be asked of another dialect: the signs are MQTT's.

use std::borrow::Cow;

use wildcheck_matcher::Operand as Side;

use super::deviation::{Deviation, Set};

/// What else holds of an operand after the translation: AMQP refuses no sign, and its wildcard for many acts anywhere.
pub fn with_it(deviation: Deviation, set: Set) -> Set {
    match deviation {
        Deviation::AmqpWords => {
            set.with(Set::of(Deviation::SignAllowed)).with(Set::of(Deviation::MisplacedActs)).without(deviation)
        }
        _ => set.without(deviation),
    }
}

/// The operand, in MQTT's signs for what it means over there.
pub fn translated(deviation: Deviation, side: Side, bytes: &[u8]) -> Cow<'_, [u8]> {
    match deviation {
        Deviation::AmqpWords if bytes.iter().any(|b| b".*".contains(b)) => {
            let word = |b: &u8| match b {
                b'.' => b'/',
                b'*' => b'+',
                other => *other,
            };
            Cow::Owned(bytes.iter().map(word).collect())
        }
        Deviation::NatsWords if side == Side::Pattern => {
            let tokens: Vec<&[u8]> = bytes.split(|b| *b == b'/').collect();
            let last = tokens.len() - 1;
            let acts = |index: usize, token: &[u8]| token == b"*" || token == b">" && index == last;
            if !tokens.iter().enumerate().any(|(index, token)| acts(index, token)) {
                return Cow::Borrowed(bytes);
            }
            let mut words = tokens;
            for (index, word) in words.iter_mut().enumerate() {
                if acts(index, word) {
                    *word = if *word == b"*" { b"+" } else { b"#" };
                }
            }
            Cow::Owned(words.join(&b'/'))
        }
        _ => Cow::Borrowed(bytes),
    }
}
