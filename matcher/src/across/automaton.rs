//! Whether two unions of patterns, each of its own dialect, take the same rows of tokens: every way through both at once.
//!
//! A pattern is a machine with a place before each piece. Tokens that no piece tells apart are one letter, so a handful
//! of letters stands for all tokens: each literal, each prefix bare and longer, an unknown token, and those that some
//! dialect keeps from wildcards. The search is breadth first, so what it finds is as short as can be; it is exact
//! unless it ends on its budget.

use alloc::collections::BTreeSet;
use alloc::vec;
use alloc::vec::Vec;

use super::Piece;
use crate::dialect::{Coverage, Dialect};
use crate::fresh;

/// How many steps of one machine a search may take.
const BUDGET: usize = 20_000_000;

/// One side of a comparison: a union of patterns of one dialect.
#[derive(Clone, Copy)]
pub(super) struct Side<'a> {
    /// The dialect.
    pub(super) dialect: &'a dyn Dialect,
    /// The patterns, as pieces.
    pub(super) patterns: &'a [Vec<Piece<'a>>],
}

/// What the search found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Difference {
    /// A row in the left union and not in the right.
    pub(super) left: Option<Vec<Vec<u8>>>,
    /// A row in the right union and not in the left.
    pub(super) right: Option<Vec<Vec<u8>>>,
}

impl<'a> Side<'a> {
    fn words(&self) -> usize {
        self.patterns.iter().map(|p| p.len() / 64 + 1).sum()
    }

    /// The places of all machines before the first token.
    fn start(&self, places: &mut [u64]) {
        self.each(places, |pieces, places| {
            set(places, 0);
            close(pieces, places);
        });
    }

    fn each(&self, mut places: &mut [u64], mut f: impl FnMut(&[Piece<'a>], &mut [u64])) {
        for pieces in self.patterns {
            let (own, rest) = places.split_at_mut(pieces.len() / 64 + 1);
            f(pieces, own);
            places = rest;
        }
    }

    /// Takes one token.
    fn step(&self, places: &mut [u64], token: &[u8], first: bool) {
        if self.dialect.drops(token) {
            return;
        }
        self.each(places, |pieces, places| {
            let mut next = vec![0; places.len()];
            for (index, piece) in pieces.iter().enumerate() {
                let takes = || piece.is_literal() || self.dialect.wildcard_takes(*piece, token, first);
                if get(places, index) && piece.takes(token) && takes() {
                    set(&mut next, if *piece == Piece::Any { index } else { index + 1 });
                }
            }
            close(pieces, &mut next);
            places.copy_from_slice(&next);
        });
    }

    fn accepts(&self, mut places: &[u64]) -> bool {
        for pieces in self.patterns {
            let (own, rest) = places.split_at(pieces.len() / 64 + 1);
            if get(own, pieces.len()) {
                return true;
            }
            places = rest;
        }
        false
    }

    /// The row as a subject of this dialect; `None` where it cannot be written or published.
    pub(super) fn spell(&self, row: &[Vec<u8>]) -> Option<Vec<u8>> {
        // A row of one empty token would be the empty subject, which is the row of none, if anything.
        if let [only] = row
            && only.is_empty()
        {
            return None;
        }
        let separator = self.dialect.syntax().separator?;
        let subject = row.join(&separator);
        // Lengths are not a matter of relations.
        let exists = self.dialect.is_subject(&subject) || subject.len() > self.dialect.syntax().max_bytes;
        exists.then_some(subject)
    }
}

fn get(places: &[u64], index: usize) -> bool {
    places[index / 64] >> (index % 64) & 1 == 1
}

fn set(places: &mut [u64], index: usize) {
    places[index / 64] |= 1 << (index % 64);
}

/// `Any` may take nothing.
fn close(pieces: &[Piece<'_>], places: &mut [u64]) {
    for (index, piece) in pieces.iter().enumerate() {
        if *piece == Piece::Any && get(places, index) {
            set(places, index + 1);
        }
    }
}

/// The letters that tell the pieces of both sides apart; `reserved` adds those that dialects keep from wildcards.
fn letters(sides: [&Side<'_>; 2], reserved: bool) -> Vec<Vec<u8>> {
    let pieces = || sides.into_iter().flat_map(|s| s.patterns.iter().flatten());
    let named: Vec<&[u8]> = pieces()
        .filter_map(|piece| match piece {
            Piece::Literal(token) | Piece::Prefix(token) => Some(*token),
            _ => None,
        })
        .collect();
    let unknown = fresh::character(&named);
    let mut letters = vec![unknown.clone()];
    for piece in pieces() {
        match piece {
            Piece::Literal(token) => letters.push(token.to_vec()),
            Piece::Prefix(prefix) => letters.extend([prefix.to_vec(), [*prefix, &unknown].concat()]),
            _ => {}
        }
    }
    if reserved {
        letters.extend([[b"$", &unknown[..]].concat(), b"#P2P".to_vec()]);
    }
    letters.push(Vec::new());
    let mut distinct: Vec<Vec<u8>> = Vec::new();
    letters.retain(|letter| {
        let new = !distinct.contains(letter);
        if new {
            distinct.push(letter.clone());
        }
        new
    });
    // A token that either side cannot hold between two others stands in no subject of both.
    letters.retain(|letter| {
        let row = [unknown.clone(), letter.clone(), unknown.clone()];
        sides.iter().all(|side| side.spell(&row).is_some())
    });
    letters
}

/// A shortest row of tokens on each side that the other does not take, among the rows that are a subject of both;
/// `None` when the budget ran out. Without `reserved`, names that some dialect keeps from wildcards are left out.
pub(super) fn differences(left: Side<'_>, right: Side<'_>, reserved: bool) -> Option<Difference> {
    search(left, right, reserved, Wanted::BothWays)
}

/// What a search is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// Rows of the left side only.
    OfTheLeft,
    /// Rows of either side.
    BothWays,
}

fn search(left: Side<'_>, right: Side<'_>, reserved: bool, wanted: Wanted) -> Option<Difference> {
    let mut found = Difference::default();
    let letters = letters([&left, &right], reserved);
    let (l, words) = (left.words(), left.words() + right.words());
    let mut start = vec![0; words];
    left.start(&mut start[..l]);
    right.start(&mut start[l..]);
    // Some tokens begin no subject although they may stand further on.
    let begins = |token: &Vec<u8>| {
        let row = [token.clone(), letters.first().cloned().unwrap_or_default()];
        left.spell(&row).is_some() && right.spell(&row).is_some()
    };
    // Each node: the places, where it was reached from, and by which letter.
    let mut nodes: Vec<(Vec<u64>, usize, usize)> = vec![(start, 0, 0)];
    let mut seen: BTreeSet<Vec<u64>> = BTreeSet::new();
    let mut next = 0;
    let mut steps = 0;
    while next < nodes.len() {
        let places = nodes[next].0.clone();
        let (in_left, in_right) = (left.accepts(&places[..l]), right.accepts(&places[l..]));
        if in_left != in_right {
            let place = if in_left { &mut found.left } else { &mut found.right };
            let row = row_of(&nodes, next, &letters);
            if place.is_none() && left.spell(&row).is_some() && right.spell(&row).is_some() {
                *place = Some(row);
            }
            if found.left.is_some() && (found.right.is_some() || wanted == Wanted::OfTheLeft) {
                break;
            }
        }
        for (letter, token) in letters.iter().enumerate() {
            if next == 0 && !begins(token) {
                continue;
            }
            let mut after = places.clone();
            left.step(&mut after[..l], token, next == 0);
            right.step(&mut after[l..], token, next == 0);
            steps += words;
            if steps > BUDGET {
                return None;
            }
            // The row of one empty token is no subject, so another row must be free to reach the same places.
            let unwritten = next == 0 && token.is_empty();
            let alive = if wanted == Wanted::OfTheLeft { &after[..l] } else { &after };
            if alive.iter().any(|word| *word != 0) && (unwritten || seen.insert(after.clone())) {
                nodes.push((after, next, letter));
            }
        }
        next += 1;
    }
    Some(found)
}

fn row_of(nodes: &[(Vec<u64>, usize, usize)], mut node: usize, letters: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let mut row = Vec::new();
    while node != 0 {
        row.push(letters[nodes[node].2].clone());
        node = nodes[node].1;
    }
    row.reverse();
    row
}

/// Is every subject of `pattern` in one of `union` at least? Exact within a budget.
pub fn covers(dialect: &dyn Dialect, union: &[&[u8]], pattern: &[u8]) -> Coverage {
    let Some(pieces) = dialect.pieces(pattern) else { return Coverage::Refused };
    if dialect.syntax().separator.is_none() {
        let named = union.iter().any(|member| dialect.subset(pattern, member) == Some(true));
        return if named { Coverage::Whole } else { Coverage::Misses(pattern.to_vec()) };
    }
    let members: Vec<Vec<Piece<'_>>> = union.iter().filter_map(|member| dialect.pieces(member)).collect();
    let left = Side { dialect, patterns: &[pieces] };
    match search(left, Side { dialect, patterns: &members }, true, Wanted::OfTheLeft) {
        None => Coverage::Undecided,
        Some(Difference { left: None, .. }) => Coverage::Whole,
        Some(Difference { left: Some(row), .. }) => match left.spell(&row) {
            Some(subject) => Coverage::Misses(subject),
            None => Coverage::Undecided,
        },
    }
}
