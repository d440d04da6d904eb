//! `subset` and `overlap` of two binding keys, exact, in words x words steps and without allocation.
//!
//! A key is a row of words and every row but one is a key: the row of one empty word would be the empty key, which has
//! none. A pattern whose shortest row is that one (`.#`) is therefore first replaced by what is left of it.
//!
//! `subset` plays against the right pattern. Its `#`s cut it into blocks; a run of `*` and `#` asks for so many words at
//! least, so a block can be taken to begin and to end with a literal. A reader of the subject takes each block where it
//! first can. Whoever writes the subject out of the left pattern fills its `*`s with words that stand nowhere, and has
//! one choice at each `#` of the left: while the reader still waits for a number of words, nothing (waiting is the
//! worst that can happen to it); after that, so many unknown words that no block begun before survives them. Every other
//! choice leaves the reader at least as far on, so if these choices do not defeat it, nothing does.

use super::glob::{MANY, ONE, glob};
use super::words::{Split, Words};

/// One pattern, or two.
pub(super) type Forms<'a> = (&'a [u8], Option<&'a [u8]>);

/// One or two patterns that together are `pattern` without the row of one empty word.
pub(super) fn forms(pattern: &[u8], split: Split) -> Forms<'_> {
    if split == Split::DropEmpty {
        return (pattern, None);
    }
    let (mut before, mut after, mut empties) = (false, false, 0);
    for word in Words::new(pattern, split) {
        match word {
            MANY if empties == 0 => before = true,
            MANY => after = true,
            b"" => empties += 1,
            _ => return (pattern, None),
        }
    }
    match (empties, before, after) {
        (1, true, false) => (b"#.*.", None),
        (1, false, true) => (b".*.#", None),
        (1, true, true) => (b"#.*..#", Some(b"#..*.#")),
        _ => (pattern, None),
    }
}

/// Some row of words is in both.
pub(super) fn overlap(left: Words<'_>, right: Words<'_>) -> bool {
    match (has_many(left), has_many(right)) {
        (true, true) => compatible_ends(left, right, Words::next) && compatible_ends(left, right, Words::next_back),
        (true, false) => glob(left, right, compatible, &mut ()),
        (false, _) => glob(right, left, compatible, &mut ()),
    }
}

/// Some `#` is among them.
fn has_many(mut words: Words<'_>) -> bool {
    words.any(|word| word == MANY)
}

/// Some word fits both.
pub(super) fn compatible(left: &[u8], right: &[u8]) -> bool {
    left == ONE || right == ONE || left == right
}

/// The words from one end up to the first `#` of either side agree; both sides have a `#`.
fn compatible_ends<'a>(
    mut left: Words<'a>,
    mut right: Words<'a>,
    next: impl Fn(&mut Words<'a>) -> Option<&'a [u8]>,
) -> bool {
    loop {
        match (next(&mut left), next(&mut right)) {
            (Some(MANY), _) | (_, Some(MANY)) | (None, _) | (_, None) => return true,
            (Some(l), Some(r)) if compatible(l, r) => {}
            _ => return false,
        }
    }
}

/// Every row of `left` is one of `right`. `choose` hears how many unknown words each `#` of `left` becomes in the row
/// that was tried, in order; a `#` of which it hears nothing becomes none. After `false` that row is in `left` only.
pub(super) fn subset<'a>(mut left: Words<'a>, mut right: Words<'a>, choose: &mut impl FnMut(Gap)) -> bool {
    if !has_many(right) {
        return subset_of_fixed(left, right, choose);
    }
    for _ in 0..core(right) {
        let wanted = right.next();
        match left.next() {
            Some(MANY) => {
                choose(Gap::First(core(right) + 1));
                return false;
            }
            Some(word) if wanted.is_some_and(|w| covers(w, word)) => {}
            _ => return false,
        }
    }
    for index in (0..core_back(right)).rev() {
        let wanted = right.next_back();
        match left.next_back() {
            Some(MANY) => {
                choose(Gap::Last(index + 1));
                return false;
            }
            Some(word) if wanted.is_some_and(|w| covers(w, word)) => {}
            _ => return false,
        }
    }
    subset_of_blocks(left, right, choose)
}

/// Which `#` of the left pattern becomes how many unknown words.
// Only the witness builder reads the numbers.
#[cfg_attr(not(feature = "alloc"), allow(dead_code))]
#[derive(Clone, Copy, Debug)]
pub(super) enum Gap {
    /// The first one.
    First(usize),
    /// The last one.
    Last(usize),
    /// The next one of which nothing was said.
    Next(usize),
}

/// `wanted` takes every word that `word` stands for.
fn covers(wanted: &[u8], word: &[u8]) -> bool {
    wanted == ONE || (wanted == word && word != ONE)
}

/// How many words stand before the first `#`, without the `*`s right before it.
fn core(words: Words<'_>) -> usize {
    length_to_last_literal(words)
}

/// The same from the end.
fn core_back(words: Words<'_>) -> usize {
    length_to_last_literal(words.rev())
}

fn length_to_last_literal<'a>(words: impl Iterator<Item = &'a [u8]>) -> usize {
    let mut length = 0;
    for (index, word) in words.take_while(|w| *w != MANY).enumerate() {
        if word != ONE {
            length = index + 1;
        }
    }
    length
}

/// `right` has no `#`.
fn subset_of_fixed<'a>(mut left: Words<'a>, mut right: Words<'a>, choose: &mut impl FnMut(Gap)) -> bool {
    if has_many(left) {
        let words = left.filter(|w| *w != MANY).count();
        if words == right.count() {
            choose(Gap::First(1));
        }
        return false;
    }
    loop {
        match (left.next(), right.next()) {
            (None, None) => return true,
            (Some(word), Some(wanted)) if covers(wanted, word) => {}
            _ => return false,
        }
    }
}

/// `right` begins and ends with a run of `*` and `#` that holds a `#`, and so does what stands between its blocks.
fn subset_of_blocks<'a>(mut left: Words<'a>, mut right: Words<'a>, choose: &mut impl FnMut(Gap)) -> bool {
    loop {
        let mut block = right;
        while let Some(word) = right.next() {
            match word {
                MANY => {}
                ONE => loop {
                    match left.next() {
                        None => return false,
                        Some(MANY) => choose(Gap::Next(0)),
                        Some(_) => break,
                    }
                },
                _ => break,
            }
            block = right;
        }
        let length = core(block);
        if length == 0 {
            return true;
        }
        match find(left, block, length, choose) {
            Some(after) => left = after,
            None => return false,
        }
        right = block;
        for _ in 0..length {
            right.next();
        }
    }
}

/// What is left of `left` behind the first place where the first `length` words of `block` must fit.
fn find<'a>(mut left: Words<'a>, block: Words<'a>, length: usize, choose: &mut impl FnMut(Gap)) -> Option<Words<'a>> {
    'place: loop {
        let mut text = left;
        for (index, wanted) in block.take(length).enumerate() {
            match text.next() {
                None => return None,
                Some(MANY) => {
                    // At the very place nothing has begun; later in the block, unknown words break what has.
                    choose(Gap::Next(if index == 0 { 0 } else { length }));
                    left = text;
                    continue 'place;
                }
                Some(word) if covers(wanted, word) => {}
                Some(_) => {
                    left.next();
                    continue 'place;
                }
            }
        }
        return Some(text);
    }
}
