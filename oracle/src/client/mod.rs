//! The `client` lane: async-nats as its users use it, behind the synchronous seam.
//!
//! Every pattern is a `client.subscribe`, every subject a `client.publish`. The library keeps three things apart that a
//! server answers on one connection: what it refuses itself (an `Err`), what the server refuses (an event, while the
//! call said `Ok`), and messages. This lane puts them together again. It must never speak pedantic (the library never
//! does), never take a passing of time for an answer, and never look a verdict up in a matcher.

mod deliver;
mod fates;
mod pairs;
mod session;

use std::time::Duration;

use async_nats::Subject;
use wildcheck_tables::{Grid, Identity, Matches, Observations, Operand, Outcome};

use crate::{Interrupt, Oracle, OracleError};
use fates::Role;
pub use pairs::one_at_a_time;
use session::End;

/// How the lane is asked.
#[derive(Clone, Debug)]
pub struct ClientOptions {
    /// One pair a connection instead of whole grids.
    pub isolated: bool,
    /// How long a fence may take before the server counts as lost.
    pub patience: Duration,
    /// Set by Ctrl-C.
    pub interrupt: Interrupt,
}

/// A NATS server asked through async-nats. Opens its own connections for each grid, so that no state is left over.
pub struct ClientLane {
    address: String,
    identity: Identity,
    options: ClientOptions,
    runtime: tokio::runtime::Runtime,
    /// What must stay alive while the lane is used: the server process, or nothing. Dropped last.
    _keep: Box<dyn Send>,
}

impl ClientLane {
    /// The lane to the server at `address` (`127.0.0.1:4222`). Nothing is sent before the first grid.
    ///
    /// # Errors
    /// The runtime cannot be built (no file descriptors left).
    pub fn new(
        address: impl Into<String>,
        mut identity: Identity,
        options: ClientOptions,
        keep: Box<dyn Send>,
    ) -> Result<ClientLane, OracleError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|source| {
            OracleError::Unavailable {
                what: "the client lane".to_owned(),
                why: source.to_string(),
                how: "raise the limit of open files".to_owned(),
            }
        })?;
        identity.remarks.push(format!("asked through async-nats {ASYNC_NATS}"));
        Ok(ClientLane { address: address.into(), identity, options, runtime, _keep: keep })
    }

    fn lost(&self, end: End) -> OracleError {
        match end {
            End::Interrupted => OracleError::Interrupted,
            other => OracleError::Lost { what: self.identity.to_string(), why: other.to_string(), kept: None },
        }
    }

    fn ask(&self, grid: &Grid) -> Result<Observations, End> {
        let asked = Asked { address: &self.address, options: &self.options };
        let (patterns, pattern_texts) = texts(&grid.patterns);
        let (subjects, subject_texts) = texts(&grid.subjects);
        self.runtime.block_on(async {
            let mut session = None;
            let patterns = fates::settle(&asked, &mut session, Role::Pattern, patterns, &pattern_texts).await?;
            let subjects = fates::settle(&asked, &mut session, Role::Subject, subjects, &subject_texts).await?;
            let askable = |outcomes: &[Outcome], texts: Vec<Option<Subject>>| -> Vec<(u32, Subject)> {
                let kept = texts.into_iter().zip(outcomes).enumerate().filter_map(|(index, (text, outcome))| {
                    let sent = matches!(outcome, Outcome::Accepted | Outcome::RefusedOpen(_));
                    text.filter(|_| sent).map(|text| (index as u32, text))
                });
                kept.collect()
            };
            let asked_patterns = askable(&patterns, pattern_texts);
            let asked_subjects = askable(&subjects, subject_texts);
            let seen = deliver::deliver(&asked, &asked_patterns, &asked_subjects).await?;
            let delivered = Matches::from_deliveries(seen.deliveries, grid.subjects.len());
            Ok(Observations { patterns, subjects, delivered, unknown: seen.unknown })
        })
    }

    fn ask_isolated(&self, grid: &Grid) -> Result<Observations, End> {
        let settled = self.ask(&Grid { subjects: Vec::new(), ..grid.clone() })?;
        let mut all = Observations {
            patterns: settled.patterns,
            subjects: Vec::with_capacity(grid.subjects.len()),
            delivered: Matches::new(),
            unknown: Vec::new(),
        };
        for (s, subject) in grid.subjects.iter().enumerate() {
            let mut hits = Vec::new();
            let alone = Grid { patterns: Vec::new(), subjects: vec![subject.clone()], dialect: grid.dialect };
            all.subjects.extend(self.ask(&alone)?.subjects);
            for (p, pattern) in grid.patterns.iter().enumerate() {
                let one = self.ask(&Grid::pair(grid.dialect, &pattern.0, &subject.0))?;
                hits.extend(one.delivered.of(0).iter().map(|_| p as u32));
                all.unknown.extend(one.unknown.into_iter().map(|(_, _, why)| (p as u32, s as u32, why)));
            }
            all.delivered.push(hits);
        }
        Ok(all)
    }
}

/// The library's version, as the workspace requires it.
pub const ASYNC_NATS: &str = "0.51";

/// What the two passes need to know.
struct Asked<'a> {
    address: &'a str,
    options: &'a ClientOptions,
}

/// The operands as the library takes them (UTF-8 text), and the outcome of those that it cannot take at all.
fn texts(operands: &[Operand]) -> (Vec<Option<Outcome>>, Vec<Option<Subject>>) {
    let text = |operand: &Operand| match Subject::from_utf8(operand.0.clone()) {
        Ok(subject) => (None, Some(subject)),
        Err(_) => (Some(Outcome::Inexpressible("async-nats takes UTF-8 text only".to_owned())), None),
    };
    operands.iter().map(text).unzip()
}

impl Oracle for ClientLane {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn observe(&mut self, grid: &Grid) -> Result<Observations, OracleError> {
        let seen = if self.options.isolated { self.ask_isolated(grid) } else { self.ask(grid) };
        seen.map_err(|end| self.lost(end))
    }
}
