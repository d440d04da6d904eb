//! Asks a whole scope: every pattern x every subject, live, and says what that covers.
//!
//! Must never hold the pairs: memory grows with the patterns and the deliveries of one chunk.

use std::sync::mpsc;

use rand::{SeedableRng, rngs::StdRng};
use wildcheck_matcher::Dialect;
use wildcheck_oracle::{Oracle, OracleError, RecordedScope};
use wildcheck_tables::{
    Grid, Identity, Observations, Operand, RunEvent,
    event::{Certificate, WitnessRecord},
};

use crate::{
    campaign::Trio,
    compare::Counts,
    digest::Verdicts,
    error::CampaignError,
    ledger::Ledger,
    scope::{Block, Scope},
    sink::Sink,
};

/// Subjects in a block's first chunk.
const FIRST: usize = 512;

/// About how many deliveries a chunk may bring.
const DELIVERIES: usize = 4_000_000;

/// About how many pairs a sample has at most.
const SAMPLE: u64 = 2_000_000;

/// How to certify.
#[derive(Clone, Copy, Debug)]
pub struct CertifyOptions {
    /// The naive approximation is asked the whole scope when it has at most so many pairs, else a sample of about so many
    /// or two million, whichever is less.
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
/// The reference works ahead on a thread of its own; its deliveries decide how many subjects the next chunk has.
///
/// An oracle that holds a recording of the whole scope is not asked: the digest of the reference's verdicts is compared
/// with the recorded one, and a difference is a `Drift`, since a digest does not tell which pairs differ.
///
/// # Errors
/// An oracle was lost (what was found until then is in the record), or the record could not be written. Being
/// interrupted is not an error.
pub fn certify(
    scope: &Scope,
    trio: &mut Trio,
    options: &CertifyOptions,
    sink: &mut dyn Sink,
) -> Result<Certified, CampaignError> {
    let total = scope.pairs();
    let recorded = trio.under_test.as_deref().and_then(|oracle| oracle.recorded_scope(&scope.to_string()));
    let mut books = Books {
        recorded: recorded.is_some(),
        ledger: Ledger::new(scope.dialect, trio),
        digest: Verdicts::new(),
        patterns: 0,
        subjects: 0,
        covers: 0,
        done: 0,
        total,
    };
    let naive_coverage = if total <= options.naive_limit { NaiveCoverage::Exhaustive } else { NaiveCoverage::Sample };
    let mut stopped = None;
    for block in scope.blocks() {
        match books.block(scope.dialect, block, trio, naive_coverage == NaiveCoverage::Exhaustive, sink) {
            Ok(true) => {}
            Ok(false) => stopped = Some(OracleError::Interrupted),
            Err(CampaignError::Oracle(error)) => stopped = Some(error),
            Err(error) => return Err(error),
        }
        if stopped.is_some() {
            break;
        }
    }
    if naive_coverage == NaiveCoverage::Sample && stopped.is_none() {
        books.sample(scope, trio, options)?;
    }
    let witnesses = books.ledger.settle(trio, sink)?;
    let naive_witnesses = books.ledger.settle_naive(trio, sink)?;
    let interrupted = match stopped {
        None => false,
        Some(OracleError::Interrupted) => true,
        Some(error) => return Err(lost(error, sink)),
    };
    let certificate = match trio.under_test.as_deref() {
        Some(oracle) if !interrupted => {
            let mut certificate = books.certificate(scope, oracle.identity().clone());
            if let Some(recorded) = recorded {
                replayed(&mut certificate, recorded, sink)?;
            }
            Some(certificate)
        }
        _ => None,
    };
    if let Some(certificate) = &certificate {
        sink.event(RunEvent::Certificate(certificate.clone()))?;
    }
    Ok(Certified {
        certificate,
        under_test: books.ledger.counts,
        validity: books.ledger.validity(),
        naive: books.ledger.naive_counts,
        naive_coverage,
        witnesses,
        naive_witnesses,
        interrupted,
    })
}

/// Writes what is known about a lost oracle, and hands the error back.
pub(crate) fn lost(error: OracleError, sink: &mut dyn Sink) -> CampaignError {
    let kept = match &error {
        OracleError::Lost { kept, .. } => kept.as_ref().map(|path| path.display().to_string()),
        _ => None,
    };
    match sink.event(RunEvent::Finding { kind: "oracle-lost".to_owned(), text: error.to_string(), kept }) {
        Ok(()) => error.into(),
        Err(error) => error.into(),
    }
}

/// Turns the reference's certificate into that of the recording, and tells where they differ.
fn replayed(certificate: &mut Certificate, recorded: RecordedScope, sink: &mut dyn Sink) -> Result<(), CampaignError> {
    let said = |pairs: u64, matches: u64, digest: &str| format!("{pairs} pairs, {matches} matches, digest {digest}");
    let expected = said(certificate.pairs, certificate.matches, &certificate.digest);
    let seen = said(recorded.pairs, recorded.matches, &recorded.digest);
    if seen != expected {
        let place = format!("{}: {}", certificate.oracle.address, certificate.scope);
        sink.event(RunEvent::Drift { place, expected, seen })?;
        certificate.disagreements = recorded.matches.abs_diff(certificate.matches).max(1);
        certificate.limits.push("how many pairs differ: a recorded digest does not tell".to_owned());
    }
    sink.event(RunEvent::Grid {
        patterns: certificate.patterns,
        subjects: certificate.subjects,
        pairs: recorded.pairs,
        matches: recorded.matches,
        disagreements: certificate.disagreements,
    })?;
    certificate.limits.push("the digest of all verdicts was compared, not pair by pair".to_owned());
    RecordedScope { digest: certificate.digest, pairs: certificate.pairs, matches: certificate.matches } = recorded;
    Ok(())
}

/// What the reference knows of some subjects.
struct Chunk {
    grid: Grid,
    reference: Observations,
    naive: Option<Observations>,
}

struct Books {
    /// The one under test is not asked: its answers are known by their digest.
    recorded: bool,
    ledger: Ledger,
    digest: Verdicts,
    patterns: u64,
    subjects: u64,
    covers: u64,
    done: u64,
    total: u64,
}

impl Books {
    /// One block; `false` when the user stopped it.
    fn block(
        &mut self,
        dialect: &'static dyn Dialect,
        block: Block,
        trio: &mut Trio,
        exhaustive: bool,
        sink: &mut dyn Sink,
    ) -> Result<bool, CampaignError> {
        self.patterns += block.patterns.len() as u64;
        self.subjects = self.subjects.max(block.subjects.len() as u64);
        self.covers += block.covers;
        self.digest.block(block.patterns.len() as u64);
        let Trio { reference, under_test, naive, .. } = trio;
        std::thread::scope(|threads| {
            let (send, chunks) = mpsc::sync_channel(1);
            let naive = exhaustive.then_some(naive);
            threads.spawn(move || ahead(dialect, block, &mut **reference, naive, &send));
            let mut first = true;
            while let Ok(chunk) = chunks.recv() {
                let Chunk { grid, reference, naive } = chunk?;
                if sink.interrupted() {
                    return Ok(false);
                }
                if self.recorded {
                    self.ledger.counts.pairs += grid.pairs();
                    self.ledger.counts.matches += reference.delivered.total() as u64;
                    for subject in 0..grid.subjects.len() {
                        self.digest.subject(reference.delivered.of(subject));
                    }
                } else if let Some(oracle) = under_test.as_mut() {
                    let seen = oracle.observe(&grid)?;
                    let who = oracle.identity().clone();
                    for text in oracle.findings() {
                        sink.event(RunEvent::Finding { kind: "oracle".to_owned(), text, kept: None })?;
                    }
                    self.ledger.take(&grid, &reference, &seen, &who, first, sink)?;
                    for subject in 0..grid.subjects.len() {
                        self.digest.subject(seen.delivered.of(subject));
                    }
                }
                if let Some(naive) = &naive {
                    self.ledger.take_naive(&grid, &reference, naive);
                }
                first = false;
                self.done += grid.pairs();
                sink.progress(self.done, Some(self.total));
            }
            Ok(true)
        })
    }

    /// The approximation on grids drawn from the scope by the seed.
    fn sample(&mut self, scope: &Scope, trio: &mut Trio, options: &CertifyOptions) -> Result<(), CampaignError> {
        let mut random = StdRng::seed_from_u64(options.seed);
        let wanted = options.naive_limit.min(SAMPLE);
        for block in scope.blocks() {
            let share = wanted as f64 * (block.patterns.len() as f64 * block.subjects.len() as f64) / self.total as f64;
            let side = (share.sqrt() as usize).max(1);
            let mut draw = |operands: &[Operand]| -> Vec<Operand> {
                let indexes = rand::seq::index::sample(&mut random, operands.len(), side.min(operands.len()));
                indexes.iter().map(|index| operands[index].clone()).collect()
            };
            let (patterns, subjects) = (draw(&block.patterns), draw(&block.subjects));
            let grid = Grid { dialect: scope.dialect.name(), patterns, subjects };
            let (reference, naive) = (trio.reference.observe(&grid)?, trio.naive.observe(&grid)?);
            self.ledger.take_naive(&grid, &reference, &naive);
        }
        Ok(())
    }

    fn certificate(&self, scope: &Scope, oracle: Identity) -> Certificate {
        let counts = &self.ledger.counts;
        let mut limits = vec![format!("operands of more than {} tokens", scope.depth)];
        let tokens: Vec<String> = scope.literals.iter().map(|t| format!("`{t}`")).collect();
        limits.push(format!("literal tokens other than {}", tokens.join(", ")));
        if !scope.invalid {
            limits.push("operands that the rules refuse".to_owned());
        }
        if scope.canonical {
            limits.push(format!(
                "each pair asked stands for those that differ from it by a renaming of the literals, {} pairs in all; \
                 a fault that depends on the bytes of a token and not on the equality of tokens is not covered",
                self.covers
            ));
        }
        if counts.unknown > 0 {
            limits.push(format!("{} pairs that had no answer", counts.unknown));
        }
        Certificate {
            scope: scope.to_string(),
            patterns: self.patterns,
            subjects: self.subjects,
            pairs: counts.pairs,
            matches: counts.matches,
            disagreements: counts.disagreements() + self.ledger.validity(),
            covers: if scope.canonical { self.covers } else { 0 },
            oracle,
            digest: self.digest.clone().finish(),
            limits,
        }
    }
}

/// Asks the reference (and the approximation) chunk by chunk until nobody listens any more.
fn ahead(
    dialect: &'static dyn Dialect,
    block: Block,
    reference: &mut dyn Oracle,
    mut naive: Option<&mut Box<dyn Oracle>>,
    send: &mpsc::SyncSender<Result<Chunk, OracleError>>,
) {
    let Block { patterns, mut subjects, .. } = block;
    let mut size = FIRST;
    while !subjects.is_empty() {
        let rest = subjects.split_off(size.min(subjects.len()));
        let asked = std::mem::replace(&mut subjects, rest);
        let grid = Grid { dialect: dialect.name(), patterns: patterns.clone(), subjects: asked };
        let chunk = reference.observe(&grid).and_then(|reference| {
            let naive = naive.as_mut().map(|naive| naive.observe(&grid)).transpose()?;
            Ok(Chunk { grid, reference, naive })
        });
        if let Ok(Chunk { grid, reference, naive }) = &chunk {
            let most = reference.delivered.total().max(naive.as_ref().map_or(0, |n| n.delivered.total()));
            let each = (most / grid.subjects.len()).max(1);
            size = (DELIVERIES / each).clamp(1, size * 4);
        }
        let failed = chunk.is_err();
        if send.send(chunk).is_err() || failed {
            return;
        }
    }
}
