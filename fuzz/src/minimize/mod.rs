//! Shrinks a disagreement to a witness: a pair that no one-step simplification keeps in disagreement.
//!
//! Must never change the question on the way: the same two oracles, the same direction, and where a cause is given, the
//! same cause.

mod simpler;
mod size;

use std::collections::BTreeSet;

use wildcheck_matcher::Dialect;
use wildcheck_oracle::Oracle;
use wildcheck_tables::{Grid, Operand};

use crate::{compare::Disagreement, error::CampaignError};

pub use simpler::simpler;
pub use size::{Size, size};

/// A disagreement that no one-step simplification keeps alive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    /// The smallest pair.
    pub minimal: Disagreement,
    /// The pair it was shrunk from.
    pub found: Disagreement,
    /// How many simplifications were taken.
    pub steps: u32,
    /// How many pairs were asked on the way.
    pub asked: u64,
}

/// Shrinks. `reference` is right by definition, `other` the one that disagrees with it.
///
/// # Errors
/// [`CampaignError::Nothing`] when the two do not disagree on the pair; an oracle that could not be asked.
pub fn minimize(
    dialect: &'static dyn Dialect,
    found: &Disagreement,
    reference: &mut dyn Oracle,
    other: &mut dyn Oracle,
) -> Result<Witness, CampaignError> {
    minimize_within(dialect, found, reference, other, &mut |_| true)
}

/// Shrinks as long as `keep` says that it is still the disagreement that is meant.
///
/// Every round asks the simplifications of the pattern times those of the subject as one grid, takes the smallest pair
/// that still disagrees in the same direction and is kept, and ends when there is none. The order of sizes is total and
/// every step goes down in it, so it ends, and the same oracles give the same witness.
///
/// # Errors
/// As for [`minimize`].
pub fn minimize_within(
    dialect: &'static dyn Dialect,
    found: &Disagreement,
    reference: &mut dyn Oracle,
    other: &mut dyn Oracle,
    keep: &mut dyn FnMut(&Disagreement) -> bool,
) -> Result<Witness, CampaignError> {
    let mut witness = Witness { minimal: found.clone(), found: found.clone(), steps: 0, asked: 1 };
    let alone = Grid::pair(dialect.name(), found.pattern.bytes(), found.subject.bytes());
    let (right, seen) = (reference.observe(&alone)?, other.observe(&alone)?);
    let (right, seen) = (right.verdict(0, 0).known(), seen.verdict(0, 0).known());
    if right != Some(found.reference) || seen != Some(!found.reference) {
        let say = |v: Option<bool>| v.map_or("nothing", |v| if v { "true" } else { "false" });
        return Err(CampaignError::Nothing(format!(
            "`{}` and `{}`: {} says {} and {} says {}: nothing to minimise",
            found.pattern,
            found.subject,
            reference.identity().name,
            say(right),
            other.identity().name,
            say(seen),
        )));
    }
    while let Some((smaller, asked)) = round(dialect, &witness.minimal, reference, other, keep)? {
        witness.asked += asked;
        witness.steps += 1;
        witness.minimal = smaller;
    }
    Ok(witness)
}

type Step = Option<(Disagreement, u64)>;

fn round(
    dialect: &'static dyn Dialect,
    current: &Disagreement,
    reference: &mut dyn Oracle,
    other: &mut dyn Oracle,
    keep: &mut dyn FnMut(&Disagreement) -> bool,
) -> Result<Step, CampaignError> {
    let syntax = dialect.syntax();
    let (patterns, subjects) = simpler(syntax, current.pattern.bytes(), current.subject.bytes());
    let grid = Grid { dialect: dialect.name(), patterns: operands(patterns), subjects: operands(subjects) };
    let (right, seen) = (reference.observe(&grid)?, other.observe(&grid)?);
    let now = size(syntax, current.pattern.bytes()).beside(&size(syntax, current.subject.bytes()));
    let pattern_sizes: Vec<Size> = grid.patterns.iter().map(|p| size(syntax, p.bytes())).collect();
    let subject_sizes: Vec<Size> = grid.subjects.iter().map(|s| size(syntax, s.bytes())).collect();
    let mut alive = BTreeSet::new();
    for (s, subject) in subject_sizes.iter().enumerate() {
        for (p, pattern) in pattern_sizes.iter().enumerate() {
            let differs = right.verdict(p, s).known() == Some(current.reference)
                && seen.verdict(p, s).known() == Some(!current.reference);
            if differs && pattern.roughly(subject) <= now.rough() {
                let size = pattern.beside(subject);
                if size < now {
                    alive.insert((size, p, s));
                }
            }
        }
    }
    for (_, p, s) in alive {
        let pair = Disagreement {
            pattern: grid.patterns[p].clone(),
            subject: grid.subjects[s].clone(),
            reference: current.reference,
        };
        if keep(&pair) {
            return Ok(Some((pair, grid.pairs())));
        }
    }
    Ok(None)
}

fn operands(texts: Vec<Vec<u8>>) -> Vec<Operand> {
    texts.into_iter().map(Operand).collect()
}
