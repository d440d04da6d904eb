//! The structured generator: a pattern as tokens, and a subject derived from it with near misses.
//!
//! Must never make only matches or only misses: both are what a matcher gets wrong.

use wildcheck_matcher::Syntax;

use super::{Pair, source::Source, words};

type Tokens = Vec<Vec<u8>>;

/// More tokens than this only where the dialect's servers bear it: a many-wildcard that may stand anywhere makes the
/// cost of a publish grow with the number of ways to place it.
const WORDS: usize = 12;
const HASHES: usize = 4;

/// Longer operands than this have plain words.
const MANY_WORDS: usize = 8;

/// One pair.
pub fn pair(syntax: &Syntax, source: &mut impl Source) -> Pair {
    let pattern = pattern(syntax, source);
    let subject = subject(syntax, &pattern, source);
    let separator: Vec<u8> = syntax.separator.into_iter().collect();
    Pair { pattern: pattern.join(&separator[..]).into(), subject: subject.join(&separator[..]).into() }
}

fn most(syntax: &Syntax, source: &mut impl Source) -> usize {
    match (syntax.separator, syntax.many_last_only) {
        (None, _) => 1,
        (Some(_), true) if source.once_in(24) => 16 + source.below(24),
        (Some(_), _) => 1 + source.below(5),
    }
}

fn pattern(syntax: &Syntax, source: &mut impl Source) -> Tokens {
    let count = most(syntax, source);
    let mut many_left = HASHES;
    let mut tokens: Tokens = (0..count)
        .map(|index| {
            let last = index + 1 == count;
            match (source.below(12), syntax.one, syntax.many) {
                (5..=8, Some(one), _) => one.to_vec(),
                (9..=10, _, Some(many)) if (last || !syntax.many_last_only) && many_left > 0 => {
                    many_left -= 1;
                    many.to_vec()
                }
                (11, _, Some(many)) if source.once_in(2) => many.to_vec(),
                // Where an odd word is refused, a long operand of odd words always is.
                _ if count > MANY_WORDS => words::plain(source),
                _ => words::word(syntax, source),
            }
        })
        .collect();
    if count > 1 && source.once_in(32) {
        let at = source.below(count);
        tokens[at].clear();
    }
    tokens
}

fn subject(syntax: &Syntax, pattern: &Tokens, source: &mut impl Source) -> Tokens {
    let mut tokens = Tokens::new();
    for token in pattern {
        if Some(&token[..]) == syntax.one {
            tokens.push(words::word(syntax, source));
        } else if Some(&token[..]) == syntax.many {
            for _ in 0..source.below(4) {
                tokens.push(words::word(syntax, source));
            }
        } else {
            tokens.push(token.clone());
        }
    }
    if tokens.is_empty() {
        tokens.push(words::plain(source));
    }
    let edits = [0, 0, 1, 1, 1, 2][source.below(6)];
    for _ in 0..edits {
        edit(syntax, &mut tokens, source);
    }
    if syntax.separator.is_none() {
        tokens.truncate(1);
    }
    if !syntax.many_last_only {
        tokens.truncate(WORDS);
    }
    tokens
}

/// One near miss.
fn edit(syntax: &Syntax, tokens: &mut Tokens, source: &mut impl Source) {
    let at = source.below(tokens.len());
    match source.below(16) {
        0 => tokens[at] = words::word(syntax, source),
        1 if tokens.len() > 1 => {
            tokens.remove(at);
        }
        2 => tokens.push(words::plain(source)),
        3 => tokens.insert(0, words::plain(source)),
        4 => tokens.insert(at, words::plain(source)),
        5 => tokens.insert(at, tokens[at].clone()),
        6 => {
            let other = source.below(tokens.len());
            tokens.swap(at, other);
        }
        7 => flip_case(&mut tokens[at]),
        8 => tokens[at].push(b'x'),
        9 => tokens[at].insert(0, if source.once_in(2) { b'$' } else { b'x' }),
        10 => match tokens[at].last_mut() {
            // Two bytes that are no UTF-8 and not the same.
            Some(last @ 0x80..) => *last ^= 1,
            _ => drop(tokens[at].pop()),
        },
        11 => tokens.insert(at, Vec::new()),
        12 => tokens.push(Vec::new()),
        13 => tokens[at] = [syntax.one, syntax.many].into_iter().flatten().next_back().unwrap_or(b"a").to_vec(),
        14 => tokens[at] = syntax.one.unwrap_or(b"a").to_vec(),
        // The separator becomes an ordinary byte.
        _ if at > 0 => {
            let token = tokens.remove(at);
            tokens[at - 1].push(b'x');
            tokens[at - 1].extend(token);
        }
        _ => tokens[at] = words::look_alike(syntax, source),
    }
}

fn flip_case(token: &mut [u8]) {
    for byte in token {
        *byte = if byte.is_ascii_lowercase() { byte.to_ascii_uppercase() } else { byte.to_ascii_lowercase() };
    }
}
