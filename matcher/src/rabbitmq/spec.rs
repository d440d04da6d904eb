//! The RabbitMQ rules clause by clause, to be read beside the documentation. Slow on purpose.
//!
//! Must never share code with the fast matcher or with validation: it is the second opinion.

use super::Variant;

/// Keys are short strings: their length is one byte.
const LONGEST: usize = 255;

/// Does a message with this routing key reach a binding with this pattern?
///
/// Walks the words of the pattern and keeps, for every number of key words, whether that many can be taken so far.
pub fn matches(variant: Variant, pattern: &[u8], key: &[u8]) -> bool {
    if pattern.len() > LONGEST || key.len() > LONGEST {
        return false;
    }
    if variant != Variant::V2_2 && !is_text(pattern) {
        return false;
    }
    if variant == Variant::V4_3_5 && pattern.split(|b| *b == b'.').filter(|w| *w == b"#").count() > 2 {
        return false;
    }
    let is_word = |word: &&[u8]| match variant {
        // The 2.2 sources cut with string:tokens, which gives no empty tokens.
        Variant::V2_2 => !word.is_empty(),
        _ => true,
    };
    // The empty key has no word, not one empty word.
    let words_of_key = if key.is_empty() { 0 } else { key.split(|b| *b == b'.').filter(is_word).count() };
    let mut taken = [false; LONGEST + 2];
    taken[0] = true;
    if !pattern.is_empty() {
        for word in pattern.split(|b| *b == b'.').filter(is_word) {
            let mut next = [false; LONGEST + 2];
            match word {
                // Zero or more words.
                b"#" => {
                    let mut reached = false;
                    for count in 0..=words_of_key {
                        reached |= taken[count];
                        next[count] = reached;
                    }
                }
                // Exactly one word, whatever it is.
                b"*" => next[1..=words_of_key].copy_from_slice(&taken[..words_of_key]),
                // Itself.
                literal => {
                    for (index, other) in key.split(|b| *b == b'.').filter(is_word).take(words_of_key).enumerate() {
                        next[index + 1] = taken[index] && literal == other;
                    }
                }
            }
            taken = next;
        }
    }
    taken[words_of_key]
}

/// What the broker takes for UTF-8: well-formed, shortest, one to four bytes; surrogates and numbers beyond U+10FFFF
/// pass.
fn is_text(mut bytes: &[u8]) -> bool {
    let follows = |b: &u8| (0x80..=0xbf).contains(b);
    loop {
        bytes = match bytes {
            [] => return true,
            [0x00..=0x7f, rest @ ..] => rest,
            [0xc2..=0xdf, a, rest @ ..] if follows(a) => rest,
            [0xe0, a, b, rest @ ..] if *a >= 0xa0 && follows(a) && follows(b) => rest,
            [0xe1..=0xef, a, b, rest @ ..] if follows(a) && follows(b) => rest,
            [0xf0, a, b, c, rest @ ..] if *a >= 0x90 && follows(a) && follows(b) && follows(c) => rest,
            [0xf1..=0xf7, a, b, c, rest @ ..] if follows(a) && follows(b) && follows(c) => rest,
            _ => return false,
        }
    }
}
