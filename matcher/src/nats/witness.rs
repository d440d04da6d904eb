//! The subject that shows a relation, the intersection as a pattern, a union against one pattern.
//!
//! Must never claim more than [`super::relations`] decides: every witness is checked there by its very construction.

use alloc::{vec, vec::Vec};

use super::{
    relations::{overlap_of_valid, subset_of_valid, tokens},
    validate::is_pattern,
};
use crate::dialect::Coverage;

/// A subject in `left` and not in `right`; `None` when there is none or an operand is refused.
///
/// One of the shortest in tokens. It may be longer than the server's limit where the patterns are.
pub fn subset_witness(left: &[u8], right: &[u8]) -> Option<Vec<u8>> {
    if !is_pattern(left) || !is_pattern(right) || subset_of_valid(left, right) {
        return None;
    }
    let mut rights = tokens(right);
    let mut subject = Subject::default();
    for token in tokens(left) {
        let against = rights.next();
        let other = if against == Some(b"a") { b"b" } else { b"a" };
        match token {
            b"*" => subject.push(other),
            b">" => {
                subject.push(other);
                // One token for the tail, unless that is just what a final `*` takes.
                if against == Some(b"*") && rights.next().is_none() {
                    subject.push(b"a");
                }
            }
            literal => subject.push(literal),
        }
    }
    Some(subject.0)
}

/// A subject in both; `None` when there is none or an operand is refused. The shortest in tokens.
pub fn overlap_witness(left: &[u8], right: &[u8]) -> Option<Vec<u8>> {
    let common = intersection(left, right)?;
    let mut subject = Subject::default();
    for token in tokens(&common) {
        subject.push(if matches!(token, b"*" | b">") { b"a" } else { token });
    }
    Some(subject.0)
}

/// The one pattern whose subjects are exactly those in both; `None` when there are none or an operand is refused.
pub fn intersection(left: &[u8], right: &[u8]) -> Option<Vec<u8>> {
    if !is_pattern(left) || !is_pattern(right) || !overlap_of_valid(left, right) {
        return None;
    }
    let (mut lefts, mut rights) = (tokens(left), tokens(right));
    let (mut left_tail, mut right_tail) = (false, false);
    let mut common = Subject::default();
    loop {
        let one = if left_tail { None } else { lefts.next() };
        let other = if right_tail { None } else { rights.next() };
        left_tail |= one == Some(b">");
        right_tail |= other == Some(b">");
        let token = match (one, other) {
            (None, None) => return Some(common.0),
            (Some(b"*" | b">") | None, Some(token)) if token != b">" => token,
            (Some(token), _) | (None, Some(token)) => token,
        };
        common.push(token);
        if left_tail && right_tail {
            return Some(common.0);
        }
    }
}

/// Is every subject of `pattern` in one pattern of `union` at least? Linear in the bytes of all operands.
///
/// Because a `*` cannot be used up by literals, the subjects of one length are covered together or not at all, by one
/// member of the union that holds them all. So it is enough to see which lengths some member covers.
pub fn covers(union: &[&[u8]], pattern: &[u8]) -> Coverage {
    if !is_pattern(pattern) {
        return Coverage::Refused;
    }
    let fixed = tokens(pattern).filter(|token| *token != b">").count();
    let tail = fixed < tokens(pattern).count();
    let members = || union.iter().filter(|member| is_pattern(member));
    let longest = members().map(|member| tokens(member).count()).max().unwrap_or(0);
    // Lengths to decide: the one, or with a tail every one up to where no member but one with a tail reaches.
    let first = if tail { fixed + 1 } else { fixed };
    let last = if tail { first.max(longest + 1) } else { first };
    let mut covered = vec![false; last - first + 1];
    for member in members() {
        let Some((from, open)) = covered_lengths(member, pattern) else { continue };
        for length in from.max(first)..=if open { last } else { from.min(last) } {
            covered[length - first] = true;
        }
    }
    match covered.iter().position(|whole| !whole) {
        None => Coverage::Whole,
        Some(gap) => Coverage::Misses(unnamed(pattern, first + gap, members().copied())),
    }
}

/// The lengths at which `member` holds every subject of `pattern`: the length, and whether all longer ones too.
fn covered_lengths(member: &[u8], pattern: &[u8]) -> Option<(usize, bool)> {
    let mut of_pattern = tokens(pattern);
    let mut in_tail = false;
    let mut length = 0;
    for wanted in tokens(member) {
        length += 1;
        let token = if in_tail { Some(&b">"[..]) } else { of_pattern.next() };
        in_tail |= token == Some(b">");
        match (wanted, token?) {
            (b">", _) => return Some((length, true)),
            (b"*", _) => {}
            (literal, token) if literal != token => return None,
            _ => {}
        }
    }
    Some((length, false))
}

/// The subject of `pattern` with `length` tokens in which every wildcard stands for a token that no member names.
fn unnamed<'a>(pattern: &[u8], length: usize, members: impl Iterator<Item = &'a [u8]>) -> Vec<u8> {
    let mut single = [false; 26];
    let mut longest = 0;
    for token in members.flat_map(tokens) {
        longest = longest.max(token.len());
        if let [letter @ b'a'..=b'z'] = token {
            single[usize::from(letter - b'a')] = true;
        }
    }
    let fresh = match (b'a'..=b'z').zip(single).find(|(_, named)| !named) {
        Some((letter, _)) => vec![letter],
        None => vec![b'a'; longest + 1],
    };
    let mut subject = Subject::default();
    let mut of_pattern = tokens(pattern);
    for _ in 0..length {
        match of_pattern.next() {
            None | Some(b"*" | b">") => subject.push(&fresh),
            Some(literal) => subject.push(literal),
        }
    }
    subject.0
}

/// Tokens joined by dots.
#[derive(Default)]
struct Subject(Vec<u8>);

impl Subject {
    fn push(&mut self, token: &[u8]) {
        if !self.0.is_empty() {
            self.0.push(b'.');
        }
        self.0.extend_from_slice(token);
    }
}
