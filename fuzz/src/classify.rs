//! From disagreements to causes: a smallest set of named mutants that explains them all.
//!
//! Must never invent a cause: what no mutant explains is `WC000`, and comes first.

use std::collections::BTreeMap;

use wildcheck_matcher::Dialect;

use crate::{
    compare::Disagreement,
    mutants::Mutant,
    tally::{Entry, Reading, Tally},
};

/// One cause of an oracle's disagreements, before shrinking.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// The wrong matcher that explains them; `None` is `WC000`.
    pub mutant: Option<&'static Mutant>,
    /// How many disagreements are counted to it. Each is counted once: to the first cause chosen of those that explain
    /// it, alone or together with another.
    pub count: u64,
    /// The smallest of them.
    pub smallest: Disagreement,
}

/// As [`Tally::explain`], of a suspect of whom nothing is known.
pub fn explain(dialect: &'static dyn Dialect, disagreement: &Disagreement) -> Vec<&'static Mutant> {
    Tally::new(dialect).explain(disagreement)
}

/// How much of what a mutant gets wrong the suspect must get wrong too, so that it is preferred to several likely ones
/// together.
const LIKELY: f64 = 0.4;

/// Which mutants are the causes.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Choice {
    /// Indexes into [`Tally::mutants`], most telling first.
    pub order: Vec<usize>,
    /// Readings whose single explanations are all unlikely and which several causes explain together: to which of them
    /// they are counted. Judged by the reading's smallest pair.
    pub jointly: BTreeMap<Reading, usize>,
}

/// Chooses the causes: first those that the suspect is known for, then again and again the mutant that explains most of what is left, weighed by how much of what the
/// mutant gets wrong the suspect gets wrong too. Unlikely ones only for what the likely ones do not explain together.
pub fn choose(tally: &Tally) -> Choice {
    let mut choice = Choice::default();
    let mut left: Vec<(u64, Reading, &Entry)> = Vec::new();
    for (reading, entry) in tally.entries() {
        if let Reading::Alone(mask) = reading {
            left.push((mask, reading, entry));
        }
    }
    // What is known of the suspect comes first, most telling first; only the rest is guessed at.
    let explains = |left: &[(u64, Reading, &Entry)], index: usize| -> u64 {
        left.iter().filter(|(mask, ..)| mask >> index & 1 == 1).map(|(.., entry)| entry.count).sum()
    };
    while let Some((_, best)) = (0..tally.mutants().len())
        .filter(|index| tally.knows(*index))
        .map(|index| (explains(&left, index), std::cmp::Reverse(index)))
        .max()
        .filter(|(count, _)| *count > 0)
    {
        choice.order.push(best.0);
        left.retain(|(mask, ..)| mask >> best.0 & 1 == 0);
    }
    together(tally, &mut choice, &mut left);
    let mut unlikely = false;
    while !left.is_empty() {
        let score = |index: usize| explains(&left, index) as f64 * tally.likeness(index);
        let best = (0..tally.mutants().len())
            .filter(|index| unlikely || tally.likeness(*index) >= LIKELY)
            .map(|index| (index, score(index)))
            .reduce(|best, next| if next.1 > best.1 { next } else { best });
        match best.filter(|(_, score)| *score > 0.0) {
            Some((best, _)) => {
                choice.order.push(best);
                left.retain(|(mask, ..)| mask >> best & 1 == 0);
            }
            None if unlikely => break,
            None => {
                unlikely = true;
                together(tally, &mut choice, &mut left);
            }
        }
    }
    choice
}

/// Counts what the causes chosen so far explain together to the first of them, and leaves the rest.
fn together(tally: &Tally, choice: &mut Choice, left: &mut Vec<(u64, Reading, &Entry)>) {
    left.retain(|(_, reading, entry)| match tally.jointly(&choice.order, &entry.smallest) {
        Some(mask) => {
            let first = choice.order.iter().copied().find(|index| mask >> index & 1 == 1);
            choice.jointly.extend(first.map(|index| (*reading, index)));
            first.is_none()
        }
        None => true,
    });
}

/// Names the causes. Unexplained first, then by count.
pub fn classify(tally: &Tally) -> Vec<Named> {
    let entries = tally.entries();
    let Choice { order: mut chosen, jointly } = choose(tally);
    let mut named: Vec<Named> = Vec::new();
    // Readings come in their order: those of a single mutant first, so that a cause's smallest pair shows it alone.
    let (joint, own): (Vec<_>, Vec<_>) = entries.iter().partition(|(reading, _)| jointly.contains_key(reading));
    for (reading, entry) in own.into_iter().chain(joint) {
        let mutant = match reading {
            Reading::Alone(mask) | Reading::Together(mask) => {
                let own = chosen.iter().copied().find(|index| mask >> index & 1 == 1);
                let index = jointly.get(&reading).copied().or(own).unwrap_or_else(|| {
                    let index = mask.trailing_zeros() as usize;
                    chosen.push(index);
                    index
                });
                Some(tally.mutants()[index])
            }
            Reading::Unexplained { .. } => None,
        };
        let same = |n: &&mut Named| match mutant {
            Some(mutant) => n.mutant == Some(mutant),
            None => n.mutant.is_none() && n.smallest.reference == entry.smallest.reference,
        };
        match named.iter_mut().find(same) {
            Some(named) => {
                named.count += entry.count;
                let size = |d: &Disagreement| (d.pattern.0.len() + d.subject.0.len(), d.clone());
                if matches!(reading, Reading::Alone(_))
                    && !jointly.contains_key(&reading)
                    && size(&entry.smallest) < size(&named.smallest)
                {
                    named.smallest = entry.smallest.clone();
                }
            }
            None => named.push(Named { mutant, count: entry.count, smallest: entry.smallest.clone() }),
        }
    }
    named.sort_by_key(|n| (n.mutant.is_some(), std::cmp::Reverse(n.count), n.mutant.map(|m| m.code)));
    named
}
