//! `subset` and `overlap` of two subscriptions, exact, in one pass and without allocation.
//!
//! What no wildcard takes (`#P2P`, and `$…` in the first level for the stand-alone ones) is a hole in each of them, so a
//! wildcard is inside another wherever its bytes are, and only literals must be tried against the holes.

use super::{INBOX, Level, levels, validate};

/// Neither is refused.
pub(super) fn accepted(left: &[u8], right: &[u8]) -> bool {
    validate::relatable(left).is_ok() && validate::relatable(right).is_ok()
}

/// Every topic of `left` is one of `right`.
pub(super) fn subset(left: &[u8], right: &[u8]) -> bool {
    let (mut l, mut r) = (levels(left), levels(right));
    let mut first = true;
    loop {
        match (l.next(), r.next()) {
            (None, None) => return true,
            (Some(level), Some(wanted)) => {
                if !inside(level, wanted, first) {
                    return false;
                }
                if wanted == Level::Rest {
                    return l.all(|level| level != Level::Literal(INBOX));
                }
            }
            _ => return false,
        }
        first = false;
    }
}

/// Whatever `level` takes, `wanted` takes.
pub(super) fn inside(level: Level<'_>, wanted: Level<'_>, first: bool) -> bool {
    match (level, wanted) {
        (Level::Literal(literal), wanted) => wanted.takes(literal, first),
        (Level::Prefix(_), Level::Literal(_)) | (Level::Any | Level::Rest, Level::Literal(_) | Level::Prefix(_)) => {
            false
        }
        (Level::Prefix(prefix), Level::Prefix(shorter)) => prefix.starts_with(shorter),
        (Level::Prefix(prefix), Level::Any | Level::Rest) => !(first && prefix.starts_with(b"$")),
        (Level::Rest, Level::Any) => false,
        (Level::Any, Level::Any) | (Level::Any | Level::Rest, Level::Rest) => true,
    }
}

/// Some topic is in both.
pub(super) fn overlap(left: &[u8], right: &[u8]) -> bool {
    let (mut l, mut r) = (levels(left), levels(right));
    let mut first = true;
    loop {
        match (l.next(), r.next()) {
            (None, None) => return true,
            (Some(a), Some(b)) => {
                if !meet(a, b, first) {
                    return false;
                }
                let open = |level| level != Level::Literal(INBOX);
                match (a, b) {
                    (Level::Rest, _) => return r.all(open),
                    (_, Level::Rest) => return l.all(open),
                    _ => {}
                }
            }
            _ => return false,
        }
        first = false;
    }
}

/// Some level is taken by both.
fn meet(a: Level<'_>, b: Level<'_>, first: bool) -> bool {
    match (a, b) {
        (Level::Literal(literal), other) | (other, Level::Literal(literal)) => other.takes(literal, first),
        (Level::Prefix(a), Level::Prefix(b)) => a.starts_with(b) || b.starts_with(a),
        (Level::Prefix(prefix), _) | (_, Level::Prefix(prefix)) => !(first && prefix.starts_with(b"$")),
        _ => true,
    }
}
