//! How two patterns stand to each other, over every subject that default mode can deliver. Must never allocate.
//!
//! The subjects are all lists of one or more tokens of non-blank bytes, `*` and `>` as literal tokens included. There
//! is no end of tokens, so a `*` is never used up by literals: what holds for a token that no pattern names decides.

use super::validate::is_pattern;

/// Every subject of `left` is one of `right`. A refused operand stands in no relation; length is no question.
///
/// Linear in the operands, no allocation.
pub fn subset(left: &[u8], right: &[u8]) -> bool {
    is_pattern(left) && is_pattern(right) && subset_of_valid(left, right)
}

/// Some subject is in both. A refused operand stands in no relation; length is no question.
///
/// Linear in the operands, no allocation.
pub fn overlap(left: &[u8], right: &[u8]) -> bool {
    is_pattern(left) && is_pattern(right) && overlap_of_valid(left, right)
}

pub(super) fn subset_of_valid(left: &[u8], right: &[u8]) -> bool {
    let mut rights = tokens(right);
    for token in tokens(left) {
        match (token, rights.next()) {
            (_, Some(b">")) => return true,
            // The tail is longer than `*` and shorter than two tokens at once; nothing but a tail holds both.
            (b">", _) | (_, None) => return false,
            (_, Some(b"*")) => {}
            (token, Some(wanted)) if token != wanted => return false,
            _ => {}
        }
    }
    rights.next().is_none()
}

pub(super) fn overlap_of_valid(left: &[u8], right: &[u8]) -> bool {
    let (mut lefts, mut rights) = (tokens(left), tokens(right));
    loop {
        match (lefts.next(), rights.next()) {
            (None, None) => return true,
            (None, Some(_)) | (Some(_), None) => return false,
            (Some(b">"), Some(_)) | (Some(_), Some(b">")) => return true,
            (Some(b"*"), Some(_)) | (Some(_), Some(b"*")) => {}
            (Some(one), Some(other)) if one != other => return false,
            _ => {}
        }
    }
}

pub(super) fn tokens(pattern: &[u8]) -> impl Iterator<Item = &[u8]> {
    pattern.split(|byte| *byte == b'.')
}
