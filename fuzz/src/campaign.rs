//! Who is asked in one run, and what of it is known already. Must never ask by itself.

use wildcheck_oracle::Oracle;
use wildcheck_tables::{Identity, row::BaselineRow, version::in_range};

/// The three ways: the reference and the naive approximation are always there, the live one if there is one.
pub struct Trio {
    /// The rules.
    pub reference: Box<dyn Oracle>,
    /// The one under test (a live server, an outside program).
    pub under_test: Option<Box<dyn Oracle>>,
    /// The approximation.
    pub naive: Box<dyn Oracle>,
    /// The disagreements that are known and why.
    pub baseline: Vec<BaselineRow>,
}

impl Trio {
    /// Three oracles and an empty baseline.
    pub fn new(reference: Box<dyn Oracle>, under_test: Option<Box<dyn Oracle>>, naive: Box<dyn Oracle>) -> Trio {
        Trio { reference, under_test, naive, baseline: Vec::new() }
    }

    /// Does the baseline hold this cause for this oracle (dialect, name, lane, version)?
    pub fn knows(&self, oracle: &Identity, cause: &str) -> bool {
        knows(&self.baseline, oracle, cause)
    }
}

/// Does this baseline hold the cause for that oracle (dialect, name, lane, version)?
pub fn knows(baseline: &[BaselineRow], oracle: &Identity, cause: &str) -> bool {
    baseline.iter().any(|row| {
        (&row.dialect, &row.oracle, &row.lane) == (&oracle.dialect, &oracle.name, &oracle.lane)
            && row.cause == cause
            && oracle.version.as_deref().is_none_or(|version| in_range(&row.since, &row.until, version))
    })
}
