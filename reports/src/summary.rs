//! A record boiled down to what every report tells. Must never leave out something that does not hold.

use std::{fs::File, io::BufReader, path::Path};

use serde::Serialize;
use wildcheck_tables::{
    EventLog, Identity, Operand, RefereeRecord, Refereed, RunEvent,
    event::{Certificate, ClaimResult, Pile, RowResult, SCHEMA, WitnessRecord},
    read_events,
};

use crate::ReportError;

/// The record's name in the folder of a run.
pub const RECORD: &str = "record.jsonl";

/// What one run came to.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Summary {
    /// The record's format.
    pub schema: u32,
    /// wildcheck's version; empty when the record is cut off before its first line.
    pub wildcheck: String,
    /// The command.
    pub command: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The dialect.
    pub dialect: String,
    /// The seed.
    pub seed: u64,
    /// What was asked, in words.
    pub scope: String,
    /// When it started; UTC, RFC 3339.
    pub at: String,
    /// Reference, the ones under test, naive.
    pub oracles: Vec<Identity>,
    /// An outside program was audited: the piles that fail the run.
    pub fail_on: Option<Vec<Pile>>,
    /// The planted bugs.
    pub self_checks: Vec<SelfCheck>,
    /// Every row asked, in order.
    pub rows: Vec<RowResult>,
    /// Pairs asked of the oracles under test.
    pub pairs: u64,
    /// Deliveries they showed.
    pub matches: u64,
    /// Their disagreements with the reference, before shrinking.
    pub disagreements: u64,
    /// The last word on each cause: unknown ones first, those of the oracle under test before those of the naive
    /// approximation.
    pub witnesses: Vec<WitnessRecord>,
    /// What the referees said about them, a program each.
    pub referees: Vec<RefereeRecord>,
    /// The certificates.
    pub certificates: Vec<Certificate>,
    /// What no longer holds.
    pub drift: Vec<Drift>,
    /// The claims that were asked, a line each lane.
    pub claims: Vec<ClaimResult>,
    /// What happened on the way.
    pub findings: Vec<Finding>,
    /// What was not run.
    pub not_run: Vec<NotRun>,
    /// The exit code; `None` for a run that was cut off.
    pub exit: Option<u8>,
    /// What it means.
    pub meaning: String,
    /// How long it took; `None` for a run that was cut off.
    pub seconds: Option<f64>,
    /// Lines of a kind that this version does not know.
    pub skipped: u64,
}

/// One planted bug.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SelfCheck {
    /// Its code.
    pub cause: String,
    /// Its name.
    pub name: String,
    /// Was it found?
    pub caught: bool,
    /// By which pair.
    pub witness: Option<(Operand, Operand)>,
}

/// Something that no longer holds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Drift {
    /// Where it is written.
    pub place: String,
    /// What is written there.
    pub expected: String,
    /// What was seen.
    pub seen: String,
}

/// Something that happened.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Finding {
    /// A short name.
    pub kind: String,
    /// What.
    pub text: String,
    /// The file with the last grid.
    pub kept: Option<String>,
}

/// Something that was not run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct NotRun {
    /// What.
    pub what: String,
    /// Why.
    pub why: String,
}

impl Summary {
    /// Reads a record: the file, or the folder that holds `record.jsonl`.
    ///
    /// # Errors
    /// [`ReportError::Open`] and [`ReportError::Record`], which name the file.
    pub fn read(path: &Path) -> Result<Summary, ReportError> {
        let path = if path.is_dir() { path.join(RECORD) } else { path.to_owned() };
        let file = File::open(&path).map_err(|source| ReportError::Open { path: path.clone(), source })?;
        let log = read_events(BufReader::new(file)).map_err(|source| ReportError::Record { path, source })?;
        Ok(Summary::of(log))
    }

    /// Boils a record down.
    pub fn of(log: EventLog) -> Summary {
        let mut summary = Summary { schema: SCHEMA, skipped: log.skipped, ..Summary::default() };
        log.events.into_iter().for_each(|event| summary.take(event));
        let rank = |w: &WitnessRecord| (w.known, w.alone == "naive", std::cmp::Reverse(w.count), w.cause.clone());
        summary.witnesses.sort_by_key(rank);
        summary
    }

    fn take(&mut self, event: RunEvent) {
        match event {
            RunEvent::Started { schema, wildcheck, command, arguments, dialect, seed, scope, oracles, fail_on, at } => {
                self.schema = schema;
                (self.wildcheck, self.command, self.arguments, self.dialect) = (wildcheck, command, arguments, dialect);
                (self.seed, self.scope, self.oracles, self.fail_on, self.at) = (seed, scope, oracles, fail_on, at);
            }
            RunEvent::SelfCheck { cause, name, caught, witness } => {
                self.self_checks.push(SelfCheck { cause, name, caught, witness });
            }
            RunEvent::Row(row) => self.rows.push(row),
            RunEvent::Grid { pairs, matches, disagreements, .. } => {
                self.pairs += pairs;
                self.matches += matches;
                self.disagreements += disagreements;
            }
            // An audit writes every witness once, and one cause may stand in two piles.
            RunEvent::Witness(witness) if self.fail_on.is_some() => self.witnesses.push(witness),
            RunEvent::Witness(witness) => {
                let key = |w: &WitnessRecord| (w.cause.clone(), w.direction, w.alone.clone());
                match self.witnesses.iter_mut().find(|old| key(old) == key(&witness)) {
                    Some(old) => *old = witness,
                    None => self.witnesses.push(witness),
                }
            }
            RunEvent::Referee(referee) => self.referees.push(referee),
            RunEvent::Drift { place, expected, seen } => self.drift.push(Drift { place, expected, seen }),
            RunEvent::Claim(claim) => self.claims.push(claim),
            RunEvent::Finding { kind, text, kept } => self.findings.push(Finding { kind, text, kept }),
            RunEvent::NotRun { what, why } => self.not_run.push(NotRun { what, why }),
            RunEvent::Certificate(certificate) => self.certificates.push(certificate),
            RunEvent::Finished { exit, meaning, seconds, .. } => {
                (self.exit, self.meaning, self.seconds) = (Some(exit), meaning, Some(seconds));
            }
        }
    }

    /// Rows that do not hold.
    pub fn broken(&self) -> impl Iterator<Item = &RowResult> {
        self.rows.iter().filter(|row| !row.holds)
    }

    /// Where a referee contradicts the reference and no baseline entry says why, with the referee and the program.
    pub fn contradicted(&self) -> impl Iterator<Item = (&RefereeRecord, &Refereed)> {
        self.referees.iter().flat_map(|referee| referee.news().map(move |pair| (referee, pair)))
    }

    /// Does this cause count against the run?
    pub fn fails(&self, witness: &WitnessRecord) -> bool {
        !witness.known && self.fails_on(witness.pile)
    }

    /// Does this row count against the run?
    pub fn row_fails(&self, row: &RowResult) -> bool {
        !row.holds && self.fails_on(row.pile.unwrap_or_default())
    }

    fn fails_on(&self, pile: Pile) -> bool {
        self.fail_on.as_ref().is_none_or(|piles| piles.contains(&pile))
    }

    /// It got to its end: what it did not find, it looked for.
    pub fn is_whole(&self) -> bool {
        matches!(self.exit, Some(0 | 1 | 3))
    }

    /// The result in one sentence.
    pub fn sentence(&self) -> String {
        let Some(exit) = self.exit else {
            return "The run was cut off: this is what the record holds up to there.".to_owned();
        };
        let meaning = if self.meaning.is_empty() { "done" } else { &self.meaning };
        format!("Exit {exit}: {meaning}.")
    }
}
