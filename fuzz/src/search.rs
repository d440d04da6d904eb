//! The random search beyond a scope: grids drawn by a seed, asked live, compared, shrunk, named.
//!
//! Must never depend on the clock for what it asks: the same seed and the same number of grids are the same questions.

use std::time::Duration;

use wildcheck_matcher::Dialect;
use wildcheck_tables::event::WitnessRecord;

use crate::{campaign::Trio, compare::Counts, error::CampaignError, sink::Sink};

/// When to stop and where to start.
#[derive(Clone, Copy, Debug)]
pub struct SearchOptions {
    /// Stop after this time; the grid that is being asked is finished.
    pub max_time: Option<Duration>,
    /// Stop after so many grids.
    pub max_grids: Option<u64>,
    /// The seed of every draw.
    pub seed: u64,
}

/// What a search came to.
#[derive(Clone, Debug)]
pub struct Searched {
    /// Grids asked.
    pub grids: u64,
    /// The one under test against the reference.
    pub under_test: Counts,
    /// Operands that one accepts and the other refuses.
    pub validity: u64,
    /// The approximation against the reference.
    pub naive: Counts,
    /// One witness a cause of the one under test, unexplained first. They are also in the record.
    pub witnesses: Vec<WitnessRecord>,
    /// The causes of the approximation.
    pub naive_witnesses: Vec<WitnessRecord>,
    /// Stopped by the user.
    pub interrupted: bool,
}

/// Searches until the options or the user stop it.
///
/// # Errors
/// An oracle was lost, or the record could not be written. Being interrupted is not an error.
pub fn search(
    dialect: &'static dyn Dialect,
    options: &SearchOptions,
    trio: &mut Trio,
    sink: &mut dyn Sink,
) -> Result<Searched, CampaignError> {
    let _ = (dialect, options, trio, sink);
    Err(CampaignError::Nothing("the search is not built yet".to_owned()))
}
