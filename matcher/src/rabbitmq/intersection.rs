//! The patterns that together are what two patterns share: every way in which their words and `#`s can be laid over each
//! other. Must never be asked whether there is anything to share.

use alloc::vec;
use alloc::vec::Vec;

use super::glob::{MANY, ONE};
use super::relations::{compatible, subset};
use super::words::{Split, Words};

/// How many patterns are worth writing down; the ways grow with the words between the `#`s of both sides.
const MOST: usize = 256;

type Row<'a> = Vec<&'a [u8]>;

/// The patterns, none inside another; `None` when they are too many to write down.
pub(super) fn of(left: &[u8], right: &[u8], split: Split) -> Option<Vec<Vec<u8>>> {
    let (left, right): (Row<'_>, Row<'_>) = (Words::new(left, split).collect(), Words::new(right, split).collect());
    let rows = laid_over(&left, &right)?;
    let mut patterns: Vec<Vec<u8>> = Vec::new();
    for row in rows {
        // A row of one empty word cannot be written, and is no key either.
        if row == [b""] {
            continue;
        }
        let pattern = row.join(&b'.');
        let inside = |l: &[u8], r: &[u8]| subset(Words::new(l, split), Words::new(r, split), &mut |_| ());
        if !patterns.iter().any(|other| inside(&pattern, other)) {
            patterns.retain(|other| !inside(other, &pattern));
            patterns.push(pattern);
        }
    }
    Some(patterns)
}

/// From the last words to the first: what the ends of both sides share, a column at a time.
fn laid_over<'a>(left: &[&'a [u8]], right: &[&'a [u8]]) -> Option<Vec<Row<'a>>> {
    // `column[j]`: the rows, last word first, that `left[i..]` and `right[j..]` share.
    let mut column: Vec<Vec<Row<'a>>> = vec![Vec::new(); right.len() + 1];
    for i in (0..=left.len()).rev() {
        let below = core::mem::replace(&mut column, vec![Vec::new(); right.len() + 1]);
        for j in (0..=right.len()).rev() {
            let mut rows = match (left.get(i).copied(), right.get(j).copied()) {
                (None, None) => vec![Row::new()],
                (Some(MANY), None) => below[j].clone(),
                (None, Some(MANY)) => column[j + 1].clone(),
                (Some(MANY), Some(MANY)) => {
                    let mut rows = opened(&below[j]);
                    rows.extend(opened(&column[j + 1]));
                    rows
                }
                (Some(MANY), Some(word)) => {
                    let mut rows = begun(&column[j + 1], word);
                    rows.extend(below[j].iter().cloned());
                    rows
                }
                (Some(word), Some(MANY)) => {
                    let mut rows = begun(&below[j], word);
                    rows.extend(column[j + 1].iter().cloned());
                    rows
                }
                (Some(l), Some(r)) if compatible(l, r) => begun(&below[j + 1], if l == ONE { r } else { l }),
                _ => Vec::new(),
            };
            rows.sort_unstable();
            rows.dedup();
            if rows.len() > MOST {
                return None;
            }
            column[j] = rows;
        }
    }
    let mut rows = column.swap_remove(0);
    for row in &mut rows {
        row.reverse();
    }
    Some(rows)
}

fn begun<'a>(rows: &[Row<'a>], word: &'a [u8]) -> Vec<Row<'a>> {
    rows.iter().map(|row| row.iter().copied().chain([word]).collect()).collect()
}

/// One `#` in front; two in a row are one.
fn opened<'a>(rows: &[Row<'a>]) -> Vec<Row<'a>> {
    rows.iter()
        .map(|row| if row.last() == Some(&MANY) { row.clone() } else { row.iter().copied().chain([MANY]).collect() })
        .collect()
}
