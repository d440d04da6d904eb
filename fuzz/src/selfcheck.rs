//! The planted bug: before a run is believed, it must find a wrong matcher drawn by the seed.
//!
//! Must never use a shorter way than a real disagreement: the same compare, the same shrinking, the same naming.

use wildcheck_matcher::Dialect;
use wildcheck_oracle::Oracle;
use wildcheck_tables::RunEvent;

use crate::{error::CampaignError, mutants::Mutant, sink::Sink};

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
    let _ = (dialect, seed, reference, |e: RunEvent, s: &mut dyn Sink| s.event(e), sink);
    Err(CampaignError::Nothing("the self-check is not built yet".to_owned()))
}
