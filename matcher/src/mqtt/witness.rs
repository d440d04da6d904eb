//! The topics that show a relation, and the filter of what two filters share. Must never be asked to decide one.

use alloc::vec::Vec;

use super::relations::{overlap, steps, subset};
use super::{MANY, ONE};
use crate::fresh;

/// A topic in `left` and not in `right`.
pub(super) fn of_not_subset(left: &[u8], right: &[u8]) -> Option<Vec<u8>> {
    if subset(left, right) {
        return None;
    }
    let unknown = unknown(left, right);
    let mut levels: Vec<&[u8]> = Vec::new();
    for (_, level, wanted) in steps(left, right) {
        match level {
            None => break,
            Some(MANY) => {
                // Where the right ends here, one level more is too many for it; where it goes on, none is too few.
                if wanted.is_none() {
                    levels.push(&unknown);
                }
            }
            Some(ONE) => levels.push(&unknown),
            Some(literal) => levels.push(literal),
        }
    }
    Some(levels.join(&b'/'))
}

/// A topic in both.
pub(super) fn of_overlap(left: &[u8], right: &[u8]) -> Option<Vec<u8>> {
    let unknown = unknown(left, right);
    let levels = shared(left, right)?;
    let filled: Vec<&[u8]> =
        levels.into_iter().filter(|l| *l != MANY).map(|l| if l == ONE { &unknown } else { l }).collect();
    Some(filled.join(&b'/'))
}

/// The filter of the topics in both; `None` when there are none.
pub(super) fn intersection(left: &[u8], right: &[u8]) -> Option<Vec<u8>> {
    let levels = shared(left, right)?;
    let plain: &[&[u8]] = match levels.as_slice() {
        [ONE, MANY] => &[MANY],
        levels => levels,
    };
    Some(plain.join(&b'/'))
}

fn unknown(left: &[u8], right: &[u8]) -> Vec<u8> {
    fresh::token(left.split(|b| *b == b'/').chain(right.split(|b| *b == b'/')))
}

/// The levels of both: the narrower one each, and all that follows where the other side is open.
fn shared<'a>(left: &'a [u8], right: &'a [u8]) -> Option<Vec<&'a [u8]>> {
    if !overlap(left, right) {
        return None;
    }
    let mut levels: Vec<&[u8]> = Vec::new();
    let (mut left_open, mut right_open) = (false, false);
    for (_, l, r) in steps(left, right) {
        left_open |= l == Some(MANY);
        right_open |= r == Some(MANY);
        let level = match (l, r) {
            (None, None) => break,
            (Some(MANY), Some(MANY)) => MANY,
            (Some(MANY), Some(level)) | (Some(level), Some(MANY)) => level,
            (Some(ONE), Some(level)) | (Some(level), Some(_)) => level,
            // `#` of the side that goes on stands for nothing when the other side has ended.
            (Some(level), None) => {
                if right_open {
                    level
                } else {
                    break;
                }
            }
            (None, Some(level)) => {
                if left_open {
                    level
                } else {
                    break;
                }
            }
        };
        levels.push(level);
    }
    Some(levels)
}
