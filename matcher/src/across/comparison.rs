//! One pattern in several dialects against one list of subjects: who gets what after a bus was ported.
//!
//! Must never say that a subject misses where it cannot be published at all.

use alloc::vec;
use alloc::vec::Vec;

use super::{Both, Piece, Translation, translate};
use crate::dialect::{Dialect, Refusal, Strength};

/// What becomes of a subject in a dialect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// It is delivered.
    Reaches,
    /// It is not.
    Misses,
    /// Nobody can publish it there.
    Refused,
    /// Its tokens hold what is the separator there.
    Inexpressible,
}

/// One dialect's side.
pub struct Column {
    /// The dialect.
    pub dialect: &'static dyn Dialect,
    /// How the pattern is said there.
    pub translation: Translation,
    /// One fate a subject; empty where the pattern cannot be said.
    pub fates: Vec<Fate>,
}

/// A subject as its tokens.
pub type Tokens = Vec<Vec<u8>>;

/// The comparison.
pub struct Comparison {
    /// The subjects, spelled by the dialect of the pattern.
    pub subjects: Vec<Vec<u8>>,
    /// The dialects, in the order asked.
    pub columns: Vec<Column>,
}

/// `pattern` of `from` in each of `to`. The subjects are the given ones, spelled by `from`, or where there are none
/// those that [`subjects`] makes, with every witness of an inexact translation.
///
/// # Errors
/// `from` refuses the pattern.
pub fn compare(
    from: &dyn Dialect,
    to: &[&'static dyn Dialect],
    pattern: &[u8],
    given: &[Vec<u8>],
) -> Result<Comparison, Refusal> {
    from.validate_pattern(pattern, Strength::Server)?;
    let translations: Vec<Translation> = to.iter().map(|to| translate(from, *to, pattern)).collect();
    let mut rows: Vec<Tokens> = if given.is_empty() {
        subjects(from, pattern)
    } else {
        given.iter().map(|subject| tokens(from, subject)).collect()
    };
    for translation in translations.iter().filter(|_| given.is_empty()) {
        let Translation::Inexact { lost, gained, .. } = translation else { continue };
        for Both { from: subject, .. } in [lost, gained].into_iter().flatten() {
            let row = tokens(from, subject);
            if !rows.contains(&row) {
                rows.push(row);
            }
        }
    }
    let columns = to.iter().zip(translations).map(|(dialect, translation)| {
        let fates = match written(&translation) {
            Some(patterns) => rows.iter().map(|row| fate(*dialect, patterns, row, from)).collect(),
            None => Vec::new(),
        };
        Column { dialect: *dialect, translation, fates }
    });
    let columns = columns.collect();
    Ok(Comparison { subjects: rows.iter().map(|row| spelled(from, row)).collect(), columns })
}

/// The patterns that say it, exactly or nearly.
pub fn written(translation: &Translation) -> Option<&[Vec<u8>]> {
    match translation {
        Translation::Exact(pattern) => Some(core::slice::from_ref(pattern)),
        Translation::NeedsSeveral(patterns) | Translation::Inexact { patterns, .. } => Some(patterns),
        Translation::NoFiniteForm { .. } | Translation::Refused(_) => None,
    }
}

/// Subjects that show what the pattern takes: each wildcard filled with nothing, one and two tokens, an empty one and one
/// that begins with `$`; then a token less, a token more, another literal. The shortest first, no refused ones.
pub fn subjects(dialect: &dyn Dialect, pattern: &[u8]) -> Vec<Tokens> {
    let Some(pieces) = dialect.pieces(pattern) else { return Vec::new() };
    let fillings: [&[&[u8]]; 5] = [&[b"x"], &[], &[b"x", b"y"], &[b""], &[b"$x"]];
    let mut rows: Vec<Tokens> = Vec::new();
    for filling in fillings {
        let mut row: Tokens = Vec::new();
        for piece in &pieces {
            match piece {
                Piece::Literal(literal) => row.push(literal.to_vec()),
                Piece::Prefix(prefix) => row.push([prefix, filling.first().copied().unwrap_or_default()].concat()),
                Piece::One => row.push(filling.first().copied().unwrap_or(b"x").to_vec()),
                Piece::Any => row.extend(filling.iter().map(|token| token.to_vec())),
            }
        }
        rows.push(row);
    }
    let first = rows[0].clone();
    rows.push(first[..first.len().saturating_sub(1)].to_vec());
    rows.push([&first[..], &[b"z".to_vec()]].concat());
    rows.push([&first[..], &[Vec::new()]].concat());
    if let Some(at) = pieces.iter().rposition(|piece| piece.is_literal()) {
        let mut other = first.clone();
        // Literals stand before `Any` grew, so the place may have moved; any other token does.
        let at = at.min(other.len().saturating_sub(1));
        if let Some(token) = other.get_mut(at) {
            *token = b"z".to_vec();
        }
        rows.push(other);
    }
    rows.retain(|row| dialect.is_subject(&spelled(dialect, row)) || row.iter().any(|token| token.starts_with(b"$")));
    rows.retain(|row| !row.is_empty());
    rows.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    rows.dedup();
    rows
}

fn tokens(dialect: &dyn Dialect, subject: &[u8]) -> Tokens {
    match dialect.syntax().separator {
        Some(separator) => subject.split(|b| *b == separator).map(<[u8]>::to_vec).collect(),
        None => vec![subject.to_vec()],
    }
}

fn spelled(dialect: &dyn Dialect, row: &[Vec<u8>]) -> Vec<u8> {
    row.join(&dialect.syntax().separator.unwrap_or(b'.'))
}

fn fate(dialect: &dyn Dialect, patterns: &[Vec<u8>], row: &[Vec<u8>], from: &dyn Dialect) -> Fate {
    // A flat name is the same bytes, whatever separates them on the other side.
    let subject = match dialect.syntax().separator {
        Some(separator) if from.syntax().separator.is_some() => {
            if row.iter().any(|token| token.contains(&separator)) {
                return Fate::Inexpressible;
            }
            row.join(&separator)
        }
        _ => spelled(from, row),
    };
    if !dialect.is_subject(&subject) {
        Fate::Refused
    } else if patterns.iter().any(|pattern| dialect.matches(pattern, &subject)) {
        Fate::Reaches
    } else {
        Fate::Misses
    }
}
