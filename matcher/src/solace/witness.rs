//! The topics that show a relation, and the subscription of what two share. Must never be asked to decide one.

use alloc::vec;
use alloc::vec::Vec;

use super::relations::{inside, overlap, subset};
use super::{INBOX, Level, levels};
use crate::fresh;

/// A topic in `left` and not in `right`.
pub(super) fn of_not_subset(left: &[u8], right: &[u8]) -> Option<Vec<u8>> {
    if subset(left, right) {
        return None;
    }
    // Its only character stands nowhere, so it begins with no prefix and continues none.
    let unknown = fresh::character(&[left, right]);
    let mut wanted = levels(right);
    let mut topic: Vec<Vec<u8>> = Vec::new();
    let mut known = None;
    for (index, level) in levels(left).enumerate() {
        if known != Some(Level::Rest) {
            known = wanted.next();
        }
        let here = known.is_some_and(|wanted| !inside(level, wanted, index == 0));
        topic.push(match level {
            Level::Literal(literal) => literal.to_vec(),
            Level::Any | Level::Rest => unknown.clone(),
            // A prefix meets what it is; one byte more misses a literal that is the prefix itself, or the inbox.
            Level::Prefix(prefix) if prefix == INBOX => [prefix, &unknown].concat(),
            Level::Prefix(prefix) if here && known == Some(Level::Literal(prefix)) => [prefix, &unknown].concat(),
            Level::Prefix(prefix) => prefix.to_vec(),
        });
        // One level is what `*` wants.
        if level == Level::Rest && known == Some(Level::Any) && wanted.next().is_none() {
            topic.push(unknown.clone());
        }
    }
    Some(topic.join(&b'/'))
}

/// A topic in both.
pub(super) fn of_overlap(left: &[u8], right: &[u8]) -> Option<Vec<u8>> {
    // Its only character stands nowhere, so it begins with no prefix and continues none.
    let unknown = fresh::character(&[left, right]);
    let levels = shared(left, right)?;
    let topic: Vec<Vec<u8>> = levels
        .into_iter()
        .map(|level| match level {
            Level::Literal(literal) => literal.to_vec(),
            Level::Any | Level::Rest => unknown.clone(),
            Level::Prefix(prefix) if prefix == INBOX => [prefix, &unknown].concat(),
            Level::Prefix(prefix) => prefix.to_vec(),
        })
        .collect();
    Some(topic.join(&b'/'))
}

/// The subscription to the topics in both; `None` when there are none.
pub(super) fn intersection(left: &[u8], right: &[u8]) -> Option<Vec<u8>> {
    let levels: Vec<Vec<u8>> = shared(left, right)?
        .into_iter()
        .map(|level| match level {
            Level::Literal(literal) => literal.to_vec(),
            Level::Any => vec![b'*'],
            Level::Rest => vec![b'>'],
            Level::Prefix(prefix) => [prefix, b"*"].concat(),
        })
        .collect();
    Some(levels.join(&b'/'))
}

/// The levels of both: the narrower one each, and all that follows where one side is open.
fn shared<'a>(left: &'a [u8], right: &'a [u8]) -> Option<Vec<Level<'a>>> {
    if !overlap(left, right) {
        return None;
    }
    let (mut l, mut r) = (levels(left), levels(right));
    let mut both = Vec::new();
    loop {
        match (l.next(), r.next()) {
            (Some(Level::Rest), Some(level)) => {
                both.push(level);
                both.extend(r);
                return Some(both);
            }
            (Some(level), Some(Level::Rest)) => {
                both.push(level);
                both.extend(l);
                return Some(both);
            }
            (Some(a), Some(b)) => both.push(narrower(a, b)),
            _ => return Some(both),
        }
    }
}

fn narrower<'a>(a: Level<'a>, b: Level<'a>) -> Level<'a> {
    match (a, b) {
        (Level::Literal(_), _) => a,
        (_, Level::Literal(_)) => b,
        (Level::Prefix(x), Level::Prefix(y)) => {
            if x.len() >= y.len() {
                a
            } else {
                b
            }
        }
        (Level::Prefix(_), _) => a,
        _ => b,
    }
}
