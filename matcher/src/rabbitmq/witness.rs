//! The subjects that show a relation. Must never be asked to decide one.

use alloc::vec;
use alloc::vec::Vec;

use super::glob::{Listener, MANY, ONE, glob};
use super::relations::{Gap, subset};
use super::words::{Split, Words};
use crate::fresh;

/// A key in `left` and not in `right`, as short as its choices allow.
pub(super) fn of_not_subset(left: &[u8], right: &[u8], split: Split) -> Option<Vec<u8>> {
    let mut gaps = vec![0; Words::new(left, split).filter(|w| *w == MANY).count()];
    let mut next = 0;
    let inside = subset(Words::new(left, split), Words::new(right, split), &mut |gap| match gap {
        Gap::First(words) => gaps[0] = words,
        Gap::Last(words) => {
            if let Some(last) = gaps.last_mut() {
                *last = words;
            }
        }
        Gap::Next(words) => {
            gaps[next] = words;
            next += 1;
        }
    });
    if inside {
        return None;
    }
    let unknown = fresh::token(Words::new(left, split).chain(Words::new(right, split)));
    let outside = |gaps: &[usize]| {
        let key = written(left, split, gaps, &unknown);
        let inside = glob(Words::new(right, split), Words::new(&key, split), |w, o| w == ONE || w == o, &mut ());
        (!inside).then_some(key)
    };
    let mut key = outside(&gaps)?;
    for index in 0..gaps.len() {
        while gaps[index] > 0 {
            gaps[index] -= 1;
            match outside(&gaps) {
                Some(shorter) => key = shorter,
                None => {
                    gaps[index] += 1;
                    break;
                }
            }
        }
    }
    Some(key)
}

/// `pattern` with each `*` as one unknown word and each `#` as so many.
fn written(pattern: &[u8], split: Split, gaps: &[usize], unknown: &[u8]) -> Vec<u8> {
    let mut gaps = gaps.iter();
    let mut row: Vec<&[u8]> = Vec::new();
    for word in Words::new(pattern, split) {
        match word {
            MANY => row.extend(core::iter::repeat_n(unknown, gaps.next().copied().unwrap_or(0))),
            ONE => row.push(unknown),
            literal => row.push(literal),
        }
    }
    row.join(&b'.')
}

/// A key in both patterns, which overlap.
pub(super) fn of_overlap(left: &[u8], right: &[u8], split: Split) -> Vec<u8> {
    let (l, r) = (Words::new(left, split), Words::new(right, split));
    let unknown = fresh::token(Words::new(left, split).chain(Words::new(right, split)));
    let mut row: Vec<&[u8]> = Vec::new();
    match (l.clone().any(|w| w == MANY), r.clone().any(|w| w == MANY)) {
        (true, true) => of_both_open(l, r, &mut row),
        (true, false) => of_fixed(l, r, &mut row),
        (false, _) => of_fixed(r, l, &mut row),
    }
    for word in &mut row {
        if *word == ONE {
            *word = &unknown;
        }
    }
    row.join(&b'.')
}

/// Both have a `#`: the merged beginning, all of the middle of one and then of the other, the merged end.
fn of_both_open<'a>(mut left: Words<'a>, mut right: Words<'a>, row: &mut Vec<&'a [u8]>) {
    merge(&mut left, &mut right, Words::next, row);
    let mut end = Vec::new();
    merge(&mut left, &mut right, Words::next_back, &mut end);
    row.extend(left.chain(right).filter(|w| *w != MANY));
    row.extend(end.into_iter().rev());
}

/// Takes the words before the first `#` from both sides, the literal where the other has `*`.
fn merge<'a>(
    left: &mut Words<'a>,
    right: &mut Words<'a>,
    next: impl Fn(&mut Words<'a>) -> Option<&'a [u8]>,
    row: &mut Vec<&'a [u8]>,
) {
    let step = |side: &mut Words<'a>| {
        let mut ahead = *side;
        let word = next(&mut ahead).filter(|w| *w != MANY);
        if word.is_some() {
            *side = ahead;
        }
        word
    };
    loop {
        match (step(left), step(right)) {
            (None, None) => return,
            (Some(ONE), Some(word)) | (Some(word), _) | (None, Some(word)) => row.push(word),
        }
    }
}

/// `fixed` has no `#`: its words, and the other's literal where it has `*`.
fn of_fixed<'a>(open: Words<'a>, fixed: Words<'a>, row: &mut Vec<&'a [u8]>) {
    struct Taken<'a>(Vec<Option<&'a [u8]>>);
    impl<'a> Listener<'a> for Taken<'a> {
        fn met(&mut self, word: Option<&'a [u8]>) {
            self.0.push(word);
        }
        fn back_to(&mut self, at: usize) {
            self.0.truncate(at);
        }
    }
    let mut taken = Taken(Vec::new());
    glob(open, fixed, super::relations::compatible, &mut taken);
    let mut met = taken.0.into_iter();
    row.extend(fixed.map(|word| match met.next().flatten() {
        Some(literal) if word == ONE => literal,
        _ => word,
    }));
}
