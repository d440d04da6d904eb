//! The random search beyond a scope: grids drawn by a seed, asked live, compared, shrunk, named.
//!
//! Must never depend on the clock for what it asks: the same seed and the same number of grids are the same questions.

use std::time::{Duration, Instant};

use rand::{Rng, SeedableRng, rngs::StdRng};
use wildcheck_matcher::Dialect;
use wildcheck_oracle::OracleError;
use wildcheck_tables::{Grid, RunEvent, event::WitnessRecord};

use crate::{
    campaign::Trio, certify::lost, compare::Counts, error::CampaignError, generate, ledger::Ledger, sink::Sink,
};

/// How many patterns, and as many subjects, a grid has.
const SIDES: [usize; 3] = [64, 128, 256];

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

/// Searches until the options or the user stop it. A cause of the one under test is shrunk and written as soon as it
/// turns up, and once more at the end with its final count.
///
/// # Errors
/// An oracle was lost, or the record could not be written. Being interrupted is not an error.
pub fn search(
    dialect: &'static dyn Dialect,
    options: &SearchOptions,
    trio: &mut Trio,
    sink: &mut dyn Sink,
) -> Result<Searched, CampaignError> {
    let started = Instant::now();
    let mut ledger = Ledger::new(dialect, trio);
    let mut random = StdRng::seed_from_u64(options.seed);
    let (mut grids, mut told) = (0, 0);
    let stopped = loop {
        if sink.interrupted() {
            break Some(OracleError::Interrupted);
        }
        let late = options.max_time.is_some_and(|most| started.elapsed() >= most);
        if late || options.max_grids.is_some_and(|most| grids >= most) {
            break None;
        }
        let side = SIDES[random.random_range(0..SIDES.len())];
        let grid = generate::grid(dialect, &mut random, side, side);
        match ask(&grid, &mut ledger, trio, sink) {
            Ok(()) => grids += 1,
            Err(CampaignError::Oracle(error)) => break Some(error),
            Err(error) => return Err(error),
        }
        sink.progress(ledger.counts.pairs.max(ledger.naive_counts.pairs), None);
        if ledger.causes() > told {
            told = ledger.causes();
            ledger.settle(trio, sink)?;
        }
    };
    let witnesses = ledger.settle(trio, sink)?;
    let naive_witnesses = ledger.settle_naive(trio, sink)?;
    let interrupted = match stopped {
        None => false,
        Some(OracleError::Interrupted) => true,
        Some(error) => return Err(lost(error, sink)),
    };
    Ok(Searched {
        grids,
        under_test: ledger.counts,
        validity: ledger.validity(),
        naive: ledger.naive_counts,
        witnesses,
        naive_witnesses,
        interrupted,
    })
}

fn ask(grid: &Grid, ledger: &mut Ledger, trio: &mut Trio, sink: &mut dyn Sink) -> Result<(), CampaignError> {
    let reference = trio.reference.observe(grid)?;
    if let Some(oracle) = trio.under_test.as_deref_mut() {
        let seen = oracle.observe(grid)?;
        let who = oracle.identity().clone();
        for text in oracle.findings() {
            sink.event(RunEvent::Finding { kind: "oracle".to_owned(), text, kept: None })?;
        }
        ledger.take(grid, &reference, &seen, &who, true, sink)?;
    }
    let naive = trio.naive.observe(grid)?;
    ledger.take_naive(grid, &reference, &naive);
    Ok(())
}
