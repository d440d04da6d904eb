//! A pattern of one dialect said in another.
//!
//! A subject of one is the subject of the other that has the same tokens; what only one of them can publish is in
//! neither's way. The translation is written piece by piece and then held against the original by
//! [`differences`], so that whatever is called exact is.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::{Difference, Piece, Side, differences};
use crate::dialect::{Dialect, Refusal, Strength};

/// One subject in both spellings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Both {
    /// As the first dialect publishes it.
    pub from: Vec<u8>,
    /// As the second does.
    pub to: Vec<u8>,
}

/// How a pattern is said in another dialect.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Translation {
    /// This pattern takes the same subjects.
    Exact(Vec<u8>),
    /// These patterns together do; a subject may be in several of them.
    NeedsSeveral(Vec<Vec<u8>>),
    /// These are nearest, and differ.
    Inexact {
        /// The patterns; mostly one.
        patterns: Vec<Vec<u8>>,
        /// A subject that the original takes and they do not.
        lost: Option<Both>,
        /// A subject that they take and the original does not.
        gained: Option<Both>,
        /// They differ only on names that one of the dialects keeps from wildcards (`$…`, `#P2P`).
        reserved_only: bool,
    },
    /// No finite list of patterns says it, or none was found within the budget.
    NoFiniteForm {
        /// Why, as a lower-case fragment without a full stop.
        reason: String,
    },
    /// The original is no pattern of its dialect.
    Refused(Refusal),
}

/// `pattern` of `from`, said in `to`.
pub fn translate(from: &dyn Dialect, to: &dyn Dialect, pattern: &[u8]) -> Translation {
    if let Err(refusal) = from.validate_pattern(pattern, Strength::Server) {
        return Translation::Refused(refusal);
    }
    let Some(pieces) = from.pieces(pattern) else { return no_form("the pattern cannot be taken apart") };
    match (from.syntax().separator, to.syntax().separator) {
        (Some(_), Some(separator)) => between(from, to, separator, pieces),
        _ => by_name(from, to, pattern, &pieces),
    }
}

fn no_form(reason: impl Into<String>) -> Translation {
    Translation::NoFiniteForm { reason: reason.into() }
}

/// Where one side is a flat name space the subject is the same bytes on both.
fn by_name(from: &dyn Dialect, to: &dyn Dialect, pattern: &[u8], pieces: &[Piece<'_>]) -> Translation {
    if !pieces.iter().all(|piece| piece.is_literal()) {
        return no_form(alloc::format!("{} has no patterns, and this one takes more than one name", to.name()));
    }
    if let Err(refusal) = to.validate_pattern(pattern, Strength::Server) {
        return no_form(alloc::format!("{} refuses it: {}", to.name(), refusal.why));
    }
    let literal = to.pieces(pattern).is_some_and(|pieces| pieces.iter().all(|piece| piece.is_literal()));
    // A name with its empty tokens left out is another name that may mean the same.
    let separator = from.syntax().separator.or(to.syntax().separator).unwrap_or(b'.');
    let short: Vec<&[u8]> = pattern.split(|b| *b == separator).filter(|token| !token.is_empty()).collect();
    let short = short.join(&separator);
    let both = Both { from: short.clone(), to: short.clone() };
    let (in_from, in_to) = (from.matches(pattern, &short), to.matches(pattern, &short));
    if !literal {
        no_form(alloc::format!("{} reads the name otherwise", to.name()))
    } else if in_from == in_to {
        Translation::Exact(pattern.to_vec())
    } else {
        let (lost, gained) = if in_from { (Some(both), None) } else { (None, Some(both)) };
        Translation::Inexact { patterns: vec![pattern.to_vec()], lost, gained, reserved_only: false }
    }
}

fn between(from: &dyn Dialect, to: &dyn Dialect, separator: u8, pieces: Vec<Piece<'_>>) -> Translation {
    let written = match written(to, separator, &pieces) {
        Ok(written) => written,
        Err(reason) => return no_form(reason),
    };
    let mut back = Vec::new();
    for pattern in &written {
        match to.pieces(pattern) {
            Some(pieces) => back.push(pieces),
            None => return no_form(alloc::format!("{} refuses `{}`", to.name(), pattern.escape_ascii())),
        }
    }
    let originals = [pieces];
    let (left, right) = (Side { dialect: from, patterns: &originals }, Side { dialect: to, patterns: &back });
    let Some(difference) = differences(left, right, true) else {
        return no_form("whether it is exact was not decided within the budget");
    };
    if difference == Difference::default() {
        return match &written[..] {
            [pattern] => Translation::Exact(pattern.clone()),
            several => Translation::NeedsSeveral(several.to_vec()),
        };
    }
    let both = |row: Option<Vec<Vec<u8>>>| {
        let row = row?;
        Some(Both { from: left.spell(&row)?, to: right.spell(&row)? })
    };
    let reserved_only = differences(left, right, false).is_some_and(|d| d == Difference::default());
    Translation::Inexact {
        patterns: written.clone(),
        lost: both(difference.left),
        gained: both(difference.right),
        reserved_only,
    }
}

/// The patterns of `to` that say these pieces, one or two.
fn written(to: &dyn Dialect, separator: u8, pieces: &[Piece<'_>]) -> Result<Vec<Vec<u8>>, String> {
    let pieces = &settled(pieces)[..];
    let syntax = to.syntax();
    let (Some(one), Some(many)) = (syntax.one, syntax.many) else {
        return Err(alloc::format!("{} has no patterns", to.name()));
    };
    let mut tokens: Vec<Vec<u8>> = Vec::new();
    let mut several = None;
    for (index, piece) in pieces.iter().enumerate() {
        let last = index + 1 == pieces.len();
        match piece {
            Piece::Literal(literal) => tokens.push(literal.to_vec()),
            Piece::Prefix(prefix) => tokens.push([prefix, &b"*"[..]].concat()),
            Piece::One => tokens.push(one.to_vec()),
            Piece::Any if syntax.many_last_only && !last => {
                return Err(alloc::format!(
                    "any number of tokens before the last is not to be had: {} has `{}` at the end only",
                    to.name(),
                    many.escape_ascii()
                ));
            }
            Piece::Any => {
                if syntax.many_min > 0 {
                    // One or more: the one before becomes part of it; without one, nothing at all is another pattern,
                    // unless it would be the empty subject.
                    match index.checked_sub(1).map(|before| pieces[before]) {
                        None => {}
                        Some(Piece::One) => {
                            tokens.pop();
                        }
                        Some(_) => several = Some(tokens.join(&separator)),
                    }
                }
                tokens.push(many.to_vec());
            }
        }
    }
    let mut patterns: Vec<Vec<u8>> = several.into_iter().collect();
    patterns.push(tokens.join(&separator));
    for pattern in &patterns {
        if let Err(refusal) = to.validate_pattern(pattern, Strength::Server) {
            let shown = pattern.escape_ascii();
            return Err(alloc::format!("{} refuses `{shown}`: {}", to.name(), refusal.why));
        }
    }
    reads_back(to, pieces, patterns.last().map_or(&[][..], Vec::as_slice))?;
    Ok(patterns)
}

/// The literals and prefixes of what was written are those that were meant.
fn reads_back(to: &dyn Dialect, meant: &[Piece<'_>], pattern: &[u8]) -> Result<(), String> {
    let read = to.pieces(pattern).unwrap_or_default();
    let read = settled(&read);
    // `>` alone says one or more where any number was meant: the empty subject is none there.
    let same = read == meant || (meant == [Piece::Any] && read == [Piece::One, Piece::Any]);
    let rest = |pieces: &[Piece<'_>]| pieces.iter().filter(|p| !matches!(p, Piece::One | Piece::Any)).count();
    // Two patterns were written, and this is the longer one.
    let longer = meant.last() == Some(&Piece::Any)
        && rest(&read) == rest(meant)
        && read.len() == meant.len() + 1
        && read[..meant.len() - 1] == meant[..meant.len() - 1];
    if same || longer {
        return Ok(());
    }
    let odd = meant.iter().find_map(|piece| match piece {
        Piece::Prefix(prefix) if !read.contains(piece) => Some(alloc::format!(
            "{} has no wildcard inside a token, and endlessly many begin with `{}`",
            to.name(),
            prefix.escape_ascii()
        )),
        Piece::Literal(literal) if !read.contains(piece) => {
            Some(alloc::format!("{} cannot say the token `{}`", to.name(), literal.escape_ascii()))
        }
        _ => None,
    });
    Err(odd.unwrap_or_else(|| alloc::format!("{} reads `{}` otherwise", to.name(), pattern.escape_ascii())))
}

/// In each run of `One` and `Any`: the `One`s first, then one `Any` if there was any.
fn settled<'a>(pieces: &[Piece<'a>]) -> Vec<Piece<'a>> {
    let mut settled = Vec::with_capacity(pieces.len());
    let mut any = false;
    for piece in pieces {
        match piece {
            Piece::Any => any = true,
            Piece::One => settled.push(Piece::One),
            named => {
                if core::mem::take(&mut any) {
                    settled.push(Piece::Any);
                }
                settled.push(*named);
            }
        }
    }
    if any {
        settled.push(Piece::Any);
    }
    settled
}
