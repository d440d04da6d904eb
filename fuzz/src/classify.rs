//! From disagreements to causes: a smallest set of named mutants that explains them all.
//!
//! Must never invent a cause: what no mutant explains is `WC000`, and comes first.

use wildcheck_matcher::{Dialect, Operand as Side};

use crate::{
    compare::Disagreement,
    mutants::{Mutant, Parsed},
    tally::{Reading, Tally},
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

/// The mutants that are wrong on this pair in the same way, by code; several when only together they are; empty:
/// unexplained.
pub fn explain(dialect: &'static dyn Dialect, disagreement: &Disagreement) -> Vec<&'static Mutant> {
    let mut tally = Tally::new(dialect);
    let pattern = Parsed::new(dialect, Side::Pattern, disagreement.pattern.bytes());
    let subject = Parsed::new(dialect, Side::Subject, disagreement.subject.bytes());
    match tally.read(&pattern, &subject, disagreement.reference) {
        Reading::Alone(mask) | Reading::Together(mask) => {
            let named = tally.mutants().iter().enumerate().filter(|(index, _)| mask >> index & 1 == 1);
            named.map(|(_, mutant)| *mutant).collect()
        }
        Reading::Unexplained { .. } => Vec::new(),
    }
}

/// The causes, most telling first, as indexes into [`Tally::mutants`]: again and again the mutant that explains most of
/// what is left, weighed by how much of what the mutant gets wrong the suspect gets wrong too.
pub fn choose(tally: &Tally) -> Vec<usize> {
    let mut chosen: Vec<usize> = Vec::new();
    let mut left: Vec<(u64, u64)> = Vec::new();
    for (reading, entry) in tally.entries() {
        if let Reading::Alone(mask) = reading {
            left.push((mask, entry.count));
        }
    }
    while !left.is_empty() {
        let score = |index: usize| {
            let covered: u64 = left.iter().filter(|(mask, _)| mask >> index & 1 == 1).map(|(_, count)| count).sum();
            covered as f64 * tally.likeness(index)
        };
        let best = (0..tally.mutants().len())
            .map(|index| (index, score(index)))
            .reduce(|best, next| if next.1 > best.1 { next } else { best });
        let Some((best, _)) = best.filter(|(_, score)| *score > 0.0) else { break };
        chosen.push(best);
        left.retain(|(mask, _)| mask >> best & 1 == 0);
    }
    chosen
}

/// Names the causes. Unexplained first, then by count.
pub fn classify(tally: &Tally) -> Vec<Named> {
    let entries = tally.entries();
    let mut chosen = choose(tally);
    let mut named: Vec<Named> = Vec::new();
    // Readings come in their order: those of a single mutant first, so that a cause's smallest pair shows it alone.
    for (reading, entry) in &entries {
        let mutant = match reading {
            Reading::Alone(mask) | Reading::Together(mask) => {
                let first = chosen.iter().copied().find(|index| mask >> index & 1 == 1);
                let index = first.unwrap_or_else(|| {
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
                if matches!(reading, Reading::Alone(_)) && size(&entry.smallest) < size(&named.smallest) {
                    named.smallest = entry.smallest.clone();
                }
            }
            None => named.push(Named { mutant, count: entry.count, smallest: entry.smallest.clone() }),
        }
    }
    named.sort_by_key(|n| (n.mutant.is_some(), std::cmp::Reverse(n.count), n.mutant.map(|m| m.code)));
    named
}
