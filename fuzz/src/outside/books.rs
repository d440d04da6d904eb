//! What an outside program got wrong, in three piles that never mix.
//!
//! Must never let an illegal operand into the tally of the legal pile: one cause can have both kinds, and the exit code
//! hangs on the legal one.

use std::collections::BTreeMap;

use wildcheck_matcher::{Dialect, Operand as Side, Strength};
use wildcheck_oracle::adapter::{DIED, NO_ANSWER, SET_ASIDE};
use wildcheck_tables::{
    Grid, Matches, Observations, Operand, Outcome, RunEvent,
    event::{Pile, WitnessRecord},
};

use crate::{
    campaign::Trio,
    classify::classify,
    compare::Counts,
    error::CampaignError,
    mutants::{self, Plain},
    sink::Sink,
    tally::Tally,
    witness::{Suspect, of_operand, of_pair, settle},
};

/// Subjects in one question, so that progress moves and an interrupt is heard.
const CHUNK: usize = 256;

/// The books of one audit.
pub struct Books {
    dialect: &'static dyn Dialect,
    legal: Tally,
    illegal: Tally,
    /// All that was compared.
    pub counts: Counts,
    odd: BTreeMap<(&'static str, Pile, Option<Side>), Odd>,
}

/// What is wrong without a verdict to compare.
struct Odd {
    cause: &'static Plain,
    count: u64,
    pair: (Operand, Operand),
}

impl Books {
    /// Empty books. What the baseline knows of the one under test is counted to that first.
    pub fn new(dialect: &'static dyn Dialect, trio: &Trio) -> Books {
        let tally = || {
            let who = trio.under_test.as_ref().map(|oracle| oracle.identity());
            Tally::new(dialect).knowing(|code| who.is_some_and(|who| trio.knows(who, code)))
        };
        Books { dialect, legal: tally(), illegal: tally(), counts: Counts::default(), odd: BTreeMap::new() }
    }

    /// Asks patterns x subjects, legal and illegal apart, and compares. `false`: the user stopped it.
    ///
    /// # Errors
    /// The program was lost or broke its protocol; the record could not be written.
    pub fn ask(
        &mut self,
        (patterns, subjects): (Vec<Operand>, Vec<Operand>),
        trio: &mut Trio,
        sink: &mut dyn Sink,
    ) -> Result<bool, CampaignError> {
        let (good, bad): (Vec<_>, Vec<_>) =
            patterns.into_iter().partition(|operand| self.is_legal(Side::Pattern, operand));
        let (fine, poor): (Vec<_>, Vec<_>) =
            subjects.into_iter().partition(|operand| self.is_legal(Side::Subject, operand));
        let all: Vec<Operand> = fine.iter().chain(&poor).cloned().collect();
        for (patterns, subjects, pile) in
            [(&good, &fine, Pile::Legal), (&good, &poor, Pile::Illegal), (&bad, &all, Pile::Illegal)]
        {
            if patterns.is_empty() {
                continue;
            }
            for chunk in subjects.chunks(CHUNK) {
                if sink.interrupted() {
                    return Ok(false);
                }
                let grid = Grid { dialect: self.dialect.name(), patterns: patterns.clone(), subjects: chunk.to_vec() };
                self.one(grid, pile, trio, sink)?;
            }
        }
        Ok(true)
    }

    fn one(&mut self, grid: Grid, pile: Pile, trio: &mut Trio, sink: &mut dyn Sink) -> Result<(), CampaignError> {
        let Some(program) = trio.under_test.as_deref_mut() else { return Ok(()) };
        let mut reference = trio.reference.observe(&grid)?;
        let mut seen = program.observe(&grid)?;
        for text in program.findings() {
            sink.event(RunEvent::Finding { kind: "outside".to_owned(), text, kept: None })?;
        }
        if pile == Pile::Legal {
            self.refusals(&grid, &mut seen);
        } else {
            reference.delivered = both(&reference, &seen);
        }
        self.failures(&grid, &seen, pile);
        let tally = if pile == Pile::Legal { &mut self.legal } else { &mut self.illegal };
        let counts = tally.grid(&grid, &reference, &seen);
        self.counts.add(&counts);
        sink.event(counts.event(&grid))?;
        sink.progress(self.counts.pairs, None);
        Ok(())
    }

    /// A legal operand that is refused is one mistake, not one for each pair it stands in.
    fn refusals(&mut self, grid: &Grid, seen: &mut Observations) {
        let sides =
            [(Side::Pattern, &grid.patterns, &mut seen.patterns), (Side::Subject, &grid.subjects, &mut seen.subjects)];
        for (side, operands, outcomes) in sides {
            for (operand, outcome) in operands.iter().zip(outcomes) {
                if let Outcome::RefusedClient(words) = outcome {
                    *outcome = Outcome::Unsupported(std::mem::take(words));
                    self.note(&mutants::REFUSES_LEGAL, Pile::Legal, Some(side), alone(side, operand), 1);
                }
            }
        }
    }

    fn failures(&mut self, grid: &Grid, seen: &Observations, pile: Pile) {
        for (p, s, outcome) in &seen.unknown {
            let Outcome::Failed(words) = outcome else { continue };
            let pair = (grid.patterns[*p as usize].clone(), grid.subjects[*s as usize].clone());
            let legal = pile == Pile::Legal;
            let (cause, pile) = match words {
                words if words.starts_with(SET_ASIDE) => continue,
                words if words.starts_with(NO_ANSWER) => (&mutants::HANGS, if legal { pile } else { Pile::Limits }),
                words if words.starts_with(DIED) => (&mutants::DIES, if legal { pile } else { Pile::Limits }),
                // An exception about an illegal operand is a refusal in other words.
                _ if !legal => continue,
                _ => (&mutants::THROWS, pile),
            };
            self.note(cause, pile, None, pair, 1);
        }
    }

    /// Counts a mistake that is no disagreement about a pair.
    pub fn note(
        &mut self,
        cause: &'static Plain,
        pile: Pile,
        side: Option<Side>,
        pair: (Operand, Operand),
        count: u64,
    ) {
        let size = |pair: &(Operand, Operand)| (pair.0.0.len() + pair.1.0.len(), pair.clone());
        let odd =
            self.odd.entry((cause.code, pile, side)).or_insert_with(|| Odd { cause, count: 0, pair: pair.clone() });
        odd.count += count;
        if size(&pair) < size(&odd.pair) {
            odd.pair = pair;
        }
    }

    /// Asks what is legal by itself, of programs that can say; `false` when this one cannot.
    ///
    /// # Errors
    /// As for [`Books::ask`].
    pub fn ask_validity(
        &mut self,
        (patterns, subjects): (Vec<Operand>, Vec<Operand>),
        trio: &mut Trio,
    ) -> Result<bool, CampaignError> {
        let Some(program) = trio.under_test.as_deref_mut() else { return Ok(false) };
        let mut can = false;
        for (side, operands) in [(Side::Pattern, patterns), (Side::Subject, subjects)] {
            let mut grid = Grid { dialect: self.dialect.name(), patterns: Vec::new(), subjects: Vec::new() };
            let here = if side == Side::Pattern { &mut grid.patterns } else { &mut grid.subjects };
            here.clone_from(&operands);
            let seen = program.observe(&grid)?;
            let outcomes = if side == Side::Pattern { seen.patterns } else { seen.subjects };
            for (operand, outcome) in operands.iter().zip(outcomes) {
                let legal = self.is_legal(side, operand);
                let pair = alone(side, operand);
                match outcome {
                    Outcome::Accepted if !legal => {
                        self.note(&mutants::ACCEPTS_ILLEGAL, Pile::Illegal, Some(side), pair, 1);
                    }
                    Outcome::RefusedClient(_) if legal => {
                        self.note(&mutants::REFUSES_LEGAL, Pile::Legal, Some(side), pair, 1);
                    }
                    _ => {}
                }
                can |= !outcome.is_unknown();
            }
        }
        Ok(can)
    }

    fn is_legal(&self, side: Side, operand: &Operand) -> bool {
        match side {
            Side::Pattern => self.dialect.validate_pattern(&operand.0, Strength::Server).is_ok(),
            Side::Subject => self.dialect.validate_subject(&operand.0, Strength::Server).is_ok(),
        }
    }

    /// Names, shrinks and writes everything: the legal pile first, within a pile the unexplained first.
    ///
    /// # Errors
    /// The record could not be written.
    pub fn settle(&self, trio: &mut Trio, sink: &mut dyn Sink) -> Result<Vec<WitnessRecord>, CampaignError> {
        let Some(who) = trio.under_test.as_ref().map(|oracle| oracle.identity().clone()) else { return Ok(Vec::new()) };
        let mut witnesses: Vec<WitnessRecord> = Vec::new();
        for named in classify(&self.legal) {
            witnesses.push(settle(self.dialect, &named, Suspect::UnderTest, trio)?);
        }
        let known: Vec<_> = witnesses.iter().map(|witness| witness.cause.clone()).collect();
        for named in classify(&self.illegal) {
            // What is wrong on legal input is wrong on illegal input too; that is not a second mistake.
            if named.mutant.is_none_or(|mutant| !known.iter().any(|code| code == mutant.code)) {
                let witness = settle(self.dialect, &named, Suspect::UnderTest, trio)?;
                let key = |w: &WitnessRecord| (w.cause.clone(), w.pile, w.direction);
                // Shrinking may end at a legal pair; that is not a second mistake either.
                match witnesses.iter_mut().find(|old| key(old) == key(&witness)) {
                    Some(old) => old.count += witness.count,
                    None => witnesses.push(witness),
                }
            }
        }
        for ((_, pile, side), odd) in &self.odd {
            let mut witness = match side {
                Some(side) => {
                    let operand = if *side == Side::Pattern { &odd.pair.0 } else { &odd.pair.1 };
                    of_operand(odd.cause, operand.clone(), *side == Side::Pattern, odd.count, &who.name)
                }
                None => of_pair(odd.cause, odd.pair.clone(), *pile, odd.count, &who.name),
            };
            witness.known = trio.knows(&who, odd.cause.code);
            witnesses.push(witness);
        }
        witnesses.sort_by_key(|witness| witness.pile);
        for witness in &witnesses {
            sink.event(RunEvent::Witness(witness.clone()))?;
        }
        Ok(witnesses)
    }
}

/// What both delivered. Nobody has to deliver what is illegal, even where a server does so in its default mode; only
/// what is delivered beyond that is held against a program.
fn both(reference: &Observations, seen: &Observations) -> Matches {
    let mut both = Matches::new();
    for subject in 0..reference.delivered.subjects() {
        let got = seen.delivered.of(subject);
        both.push(reference.delivered.of(subject).iter().copied().filter(|pattern| got.binary_search(pattern).is_ok()));
    }
    both
}

fn alone(side: Side, operand: &Operand) -> (Operand, Operand) {
    match side {
        Side::Pattern => (operand.clone(), Operand::default()),
        Side::Subject => (Operand::default(), operand.clone()),
    }
}
