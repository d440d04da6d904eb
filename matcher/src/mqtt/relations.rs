//! `subset` and `overlap` of two filters, exact, in one pass and without allocation.
//!
//! No topic is empty, so the row of one empty level is none: `#` is read as `+/#` and `/#` as `/+/#`, which have the
//! same topics. A filter whose first level nobody can publish to has none.

use super::{MANY, ONE, validate};

/// The two filters in the form that [`subset`] and [`overlap`] want; `None` when either is refused.
pub(super) fn pair<'a>(left: &'a [u8], right: &'a [u8]) -> Option<(&'a [u8], &'a [u8])> {
    validate::relatable(left).ok()?;
    validate::relatable(right).ok()?;
    Some((form(left), form(right)))
}

fn form(filter: &[u8]) -> &[u8] {
    match validate::unshared(filter) {
        b"#" => b"+/#",
        b"/#" => b"/+/#",
        other => other,
    }
}

/// Both filters by level, `None` behind the end of one.
pub(super) fn steps<'a>(
    left: &'a [u8],
    right: &'a [u8],
) -> impl Iterator<Item = (bool, Option<&'a [u8]>, Option<&'a [u8]>)> {
    let mut l = left.split(|b| *b == b'/');
    let mut r = right.split(|b| *b == b'/');
    let mut first = true;
    core::iter::from_fn(move || {
        let step = (core::mem::take(&mut first), l.next(), r.next());
        Some(step)
    })
}

/// Every topic of `left` is one of `right`.
pub(super) fn subset(left: &[u8], right: &[u8]) -> bool {
    if validate::nobody_publishes(left) {
        return true;
    }
    if validate::nobody_publishes(right) {
        return false;
    }
    for step in steps(left, right) {
        match step {
            (_, _, Some(MANY)) | (_, None, None) => return true,
            (_, Some(MANY), _) | (_, None, _) | (_, _, None) => return false,
            (first, Some(level), Some(wanted)) => {
                let open = wanted == ONE && !(first && level.starts_with(b"$"));
                if !open && (level != wanted || level == ONE) {
                    return false;
                }
            }
        }
    }
    true
}

/// Some topic is in both.
pub(super) fn overlap(left: &[u8], right: &[u8]) -> bool {
    if validate::nobody_publishes(left) || validate::nobody_publishes(right) {
        return false;
    }
    for step in steps(left, right) {
        match step {
            (_, Some(MANY), _) | (_, _, Some(MANY)) | (_, None, None) => return true,
            (_, None, _) | (_, _, None) => return false,
            (first, Some(l), Some(r)) => {
                let hidden = first && (l.starts_with(b"$") || r.starts_with(b"$"));
                let open = (l == ONE || r == ONE) && !hidden;
                if !open && l != r {
                    return false;
                }
            }
        }
    }
    true
}
