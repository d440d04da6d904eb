//! The planted bug: before a run is believed, it must find a wrong matcher drawn by the seed.
//!
//! Must never use a shorter way than a real disagreement: the same grids, the same compare, the same naming, the same
//! shrinking.

use rand::{Rng, SeedableRng, rngs::StdRng};
use wildcheck_matcher::Dialect;
use wildcheck_oracle::Oracle;
use wildcheck_tables::RunEvent;

use crate::{
    classify::{classify, explain},
    error::CampaignError,
    generate,
    minimize::minimize,
    mutants::{self, Mutant, Planted},
    sink::Sink,
    tally::Tally,
};

/// Grids asked before the self-check gives up.
const GRIDS: u64 = 60;

/// What the self-check came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SelfChecked {
    /// What was planted.
    pub planted: &'static Mutant,
    /// Was it found? If not, the run ends with exit code 7.
    pub caught: bool,
}

/// Plants one of the dialect's mutants, drawn by the seed, and looks for it; writes [`RunEvent::SelfCheck`].
///
/// # Errors
/// [`CampaignError::Nothing`] when the dialect has no mutant; the record could not be written.
pub fn self_check(
    dialect: &'static dyn Dialect,
    seed: u64,
    reference: &mut dyn Oracle,
    sink: &mut dyn Sink,
) -> Result<SelfChecked, CampaignError> {
    let mutants = mutants::of(dialect);
    if mutants.is_empty() {
        return Err(CampaignError::Nothing(format!("no wrong matcher of {} is named", dialect.name())));
    }
    let planted = mutants[StdRng::seed_from_u64(seed).random_range(0..mutants.len())];
    let mut wrong = Planted::new(dialect, planted);
    look_for(dialect, planted, &mut wrong, seed, reference, sink)
}

/// Looks for `planted` in what `wrong` answers. Caught: a disagreement was found, it shrinks to one that still is, and
/// the planted mutant is among its explanations.
///
/// # Errors
/// As for [`self_check`].
pub fn look_for(
    dialect: &'static dyn Dialect,
    planted: &'static Mutant,
    wrong: &mut dyn Oracle,
    seed: u64,
    reference: &mut dyn Oracle,
    sink: &mut dyn Sink,
) -> Result<SelfChecked, CampaignError> {
    let mut tally = Tally::new(dialect);
    let mut random = StdRng::seed_from_u64(seed);
    let mut found = None;
    for _ in 0..GRIDS {
        let grid = generate::grid(dialect, &mut random, 48, 48);
        let (truth, seen) = (reference.observe(&grid)?, wrong.observe(&grid)?);
        tally.grid(&grid, &truth, &seen);
        found = classify(&tally).into_iter().next();
        if found.is_some() {
            break;
        }
    }
    let witness = match found {
        Some(named) => Some(minimize(dialect, &named.smallest, reference, wrong)?.minimal),
        None => None,
    };
    let witness = witness.filter(|pair| explain(dialect, pair).contains(&planted));
    let caught = witness.is_some();
    sink.event(RunEvent::SelfCheck {
        cause: planted.code.to_owned(),
        name: planted.name.to_owned(),
        caught,
        witness: witness.map(|pair| (pair.pattern, pair.subject)),
    })?;
    Ok(SelfChecked { planted, caught })
}
