//! Asks a whole scope: every pattern x every subject, live, and says what that covers.
//!
//! Must never hold the pairs: memory grows with the patterns and the deliveries of one chunk.

use wildcheck_tables::event::{Certificate, WitnessRecord};

use crate::{campaign::Trio, compare::Counts, error::CampaignError, scope::Scope, sink::Sink};

/// How to certify.
#[derive(Clone, Copy, Debug)]
pub struct CertifyOptions {
    /// The naive approximation is asked the whole scope when it has at most so many pairs, else a sample of about so many.
    pub naive_limit: u64,
    /// The seed of that sample.
    pub seed: u64,
}

impl Default for CertifyOptions {
    fn default() -> Self {
        CertifyOptions { naive_limit: 50_000_000, seed: 0 }
    }
}

/// How much of the scope the naive approximation was asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NaiveCoverage {
    /// Every pair.
    Exhaustive,
    /// A seeded sample of the pairs counted beside it.
    Sample,
}

/// What a certify came to.
#[derive(Clone, Debug)]
pub struct Certified {
    /// The certificate; `None` when nobody was under test or the run was interrupted. It is also in the record.
    pub certificate: Option<Certificate>,
    /// The one under test against the reference.
    pub under_test: Counts,
    /// Operands that one accepts and the other refuses.
    pub validity: u64,
    /// The approximation against the reference.
    pub naive: Counts,
    /// Was it asked everything?
    pub naive_coverage: NaiveCoverage,
    /// The causes of the one under test, unexplained first. They are also in the record.
    pub witnesses: Vec<WitnessRecord>,
    /// The causes of the approximation.
    pub naive_witnesses: Vec<WitnessRecord>,
    /// Stopped by the user before the end.
    pub interrupted: bool,
}

/// Certifies: writes a `Grid` event a chunk, a `Witness` event a cause, `Finding`s, and the `Certificate` last.
///
/// # Errors
/// An oracle was lost, or the record could not be written. Being interrupted is not an error.
pub fn certify(
    scope: &Scope,
    trio: &mut Trio,
    options: &CertifyOptions,
    sink: &mut dyn Sink,
) -> Result<Certified, CampaignError> {
    let _ = (scope, trio, options, sink);
    Err(CampaignError::Nothing("certify is not built yet".to_owned()))
}
