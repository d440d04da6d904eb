//! How the world is asked: one trait, and everything that can stand behind it.
//!
//! The only crate with sockets, async code and child processes. It must never decide who is right, never compare two
//! answers, and never send a byte beyond loopback unless the user named the address.

pub mod adapter;
pub mod address;
pub mod again;
pub mod amqp;
pub mod broker;
pub mod chaos;
#[cfg(feature = "client")]
pub mod client;
pub mod configured;
pub mod distinct;
pub mod error;
#[cfg(feature = "containers")]
pub mod image;
pub mod memory;
pub mod mqtt;
pub mod nats;
pub mod open;
pub mod probe;
pub mod recorded;
pub mod redis;
pub mod require;
pub mod server;
pub mod stream;
pub mod subsz;
pub mod wire;

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use wildcheck_tables::{Grid, Identity, Observations, Operand, Outcome, Verdict, row::Relation};

pub use address::Address;
pub use error::OracleError;
pub use open::{Options, Plan, open};

/// Anything that can be asked. Batch-first and synchronous at this seam, whatever happens behind it.
pub trait Oracle: Send {
    /// Who answers: name, version, route.
    fn identity(&self) -> &Identity;

    /// Asks a whole grid. The answer has one outcome a pattern, one a subject, and the deliveries.
    ///
    /// # Errors
    /// Only when the grid as a whole has no answer: the oracle could not be started or was lost for good, broke its
    /// protocol, or the run was interrupted. A refused operand is an observation.
    fn observe(&mut self, grid: &Grid) -> Result<Observations, OracleError>;

    /// Asks a relation between pairs of patterns, one verdict a pair. Oracles that know no relations say unsupported.
    ///
    /// # Errors
    /// As for [`Oracle::observe`].
    fn relate(&mut self, relation: Relation, pairs: &[(Operand, Operand)]) -> Result<Vec<Verdict>, OracleError> {
        let _ = relation;
        Ok(vec![Verdict::Unsupported; pairs.len()])
    }

    /// Asks a set of subscriptions that grows and shrinks: adding a pattern twice is adding it once. Oracles that keep
    /// no sets say unsupported.
    ///
    /// # Errors
    /// As for [`Oracle::observe`].
    fn sets(&mut self, steps: &[SetStep]) -> Result<SetsAnswer, OracleError> {
        let _ = steps;
        Ok(SetsAnswer::Unknown(Outcome::Unsupported("it keeps no sets".to_owned())))
    }

    /// What was recorded of a whole scope, named in the words of a certificate; `None` for oracles that are asked
    /// instead, and for scopes that were not recorded.
    fn recorded_scope(&self, scope: &str) -> Option<RecordedScope> {
        let _ = scope;
        None
    }

    /// What happened on the way that a report must tell (a server that died and was restarted); emptied by the call.
    fn findings(&mut self) -> Vec<String> {
        Vec::new()
    }
}

/// One step of [`Oracle::sets`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SetStep {
    /// Adds a pattern.
    Add(Operand),
    /// Removes a pattern.
    Remove(Operand),
    /// Which patterns does this subject reach?
    Ask(Operand),
}

impl SetStep {
    /// The pattern or the subject.
    pub fn operand(&self) -> &Operand {
        match self {
            SetStep::Add(operand) | SetStep::Remove(operand) | SetStep::Ask(operand) => operand,
        }
    }

    /// `+`, `-` or `?`, as in the adapter protocol.
    pub fn sign(&self) -> &'static str {
        match self {
            SetStep::Add(_) => "+",
            SetStep::Remove(_) => "-",
            SetStep::Ask(_) => "?",
        }
    }
}

/// The answer to [`Oracle::sets`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SetsAnswer {
    /// For each question the patterns that were reached, each as often as it was told, in no order that counts.
    Answers(Vec<Vec<Operand>>),
    /// There is no answer, and why.
    Unknown(Outcome),
}

/// The answer to [`Oracle::recorded_scope`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordedScope {
    /// The digest of the verdicts, as a certificate has it.
    pub digest: String,
    /// Pairs asked.
    pub pairs: u64,
    /// Deliveries seen.
    pub matches: u64,
}

/// The flag that Ctrl-C sets. Cloned into everything that waits.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// A flag that is not set.
    pub fn new() -> Interrupt {
        Interrupt::default()
    }
    /// Asks everybody to stop.
    pub fn set(&self) {
        self.0.store(true, Ordering::SeqCst);
    }
    /// Was it asked?
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}
