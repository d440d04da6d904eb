//! What a campaign has seen so far: the tallies of both suspects, their counts, and the operands they rule differently.
//!
//! Must never ask anybody while it takes; only settling asks, after the grid is done.

use std::{collections::BTreeMap, io};

use wildcheck_matcher::{Dialect, Operand as Side};
use wildcheck_oracle::Oracle;
use wildcheck_tables::{Grid, Identity, Lane, Matches, Observations, Operand, Outcome, RunEvent, event::WitnessRecord};

use crate::{
    campaign::Trio,
    classify::classify,
    compare::Counts,
    error::CampaignError,
    mutants,
    sink::Sink,
    tally::Tally,
    witness::{Suspect, of_operand, settle},
};

/// The books of one campaign.
pub struct Ledger {
    dialect: &'static dyn Dialect,
    under_test: Tally,
    naive: Tally,
    /// The one under test against the reference.
    pub counts: Counts,
    /// The approximation against the reference.
    pub naive_counts: Counts,
    /// Operands ruled differently: which side, and whether the one under test accepts it.
    ruled: BTreeMap<(Side, bool), Ruled>,
    lost: u64,
}

#[derive(Default)]
struct Ruled {
    count: u64,
    smallest: Option<Operand>,
}

impl Ledger {
    /// Empty books of a campaign with these three.
    pub fn new(dialect: &'static dyn Dialect, trio: &Trio) -> Ledger {
        let tally = |suspect: Option<&dyn Oracle>| match suspect {
            Some(oracle) => Tally::new(dialect).knowing(|code| trio.knows(oracle.identity(), code)),
            None => Tally::new(dialect),
        };
        Ledger {
            dialect,
            under_test: tally(trio.under_test.as_deref()),
            naive: tally(Some(&*trio.naive)),
            counts: Counts::default(),
            naive_counts: Counts::default(),
            ruled: BTreeMap::new(),
            lost: 0,
        }
    }

    /// How many operands one accepts and the other refuses.
    pub fn validity(&self) -> u64 {
        self.ruled.values().map(|ruled| ruled.count).sum()
    }

    /// In how many different ways the one under test was wrong so far.
    pub fn causes(&self) -> usize {
        self.under_test.entries().len() + self.ruled.len()
    }

    /// Takes the answer of the one under test: compares, counts, and writes the `Grid` event and what must be told at
    /// once. `rule_patterns` is false where the same patterns were ruled by an earlier grid.
    ///
    /// # Errors
    /// The record could not be written.
    pub fn take(
        &mut self,
        grid: &Grid,
        reference: &Observations,
        seen: &Observations,
        who: &Identity,
        rule_patterns: bool,
        sink: &mut dyn Sink,
    ) -> io::Result<Counts> {
        // A legal operand that is refused is one mistake, which is ruled below, not one for each pair it stands in.
        let excused = excused(reference, seen);
        let counts = self.under_test.grid(grid, excused.as_ref().unwrap_or(reference), seen);
        self.counts.add(&counts);
        sink.event(counts.event(grid))?;
        if counts.duplicates > 0 {
            let text = format!("{} copies beyond the first of one message to one subscription", counts.duplicates);
            sink.event(RunEvent::Finding { kind: "delivered-twice".to_owned(), text, kept: None })?;
        }
        // In default mode a server says nothing about a bad subject, and a program that is only asked for matches says
        // nothing about a bad pattern: silence is no acceptance there.
        let live = [Lane::WIRE, Lane::WIRE_PEDANTIC].contains(&who.lane);
        let strict = who.lane == Lane::WIRE_PEDANTIC;
        if rule_patterns {
            self.rule(Side::Pattern, &grid.patterns, &reference.patterns, &seen.patterns, live, sink)?;
        }
        self.rule(Side::Subject, &grid.subjects, &reference.subjects, &seen.subjects, strict, sink)?;
        Ok(counts)
    }

    fn rule(
        &mut self,
        side: Side,
        operands: &[Operand],
        rules: &[Outcome],
        seen: &[Outcome],
        silence_accepts: bool,
        sink: &mut dyn Sink,
    ) -> io::Result<()> {
        for ((operand, rule), seen) in operands.iter().zip(rules).zip(seen) {
            let legal = *rule == Outcome::Accepted;
            let accepted = match seen {
                Outcome::Accepted if silence_accepts => true,
                seen if seen.is_refusal() => false,
                Outcome::Lost(why) => {
                    self.lost += 1;
                    if self.lost <= 5 {
                        let text = format!("no answer about the {side} {operand:?}: {why}");
                        sink.event(RunEvent::Finding { kind: "lost".to_owned(), text, kept: None })?;
                    }
                    continue;
                }
                _ => continue,
            };
            if accepted != legal {
                let ruled = self.ruled.entry((side, accepted)).or_default();
                ruled.count += 1;
                let size = |o: &Operand| (o.0.len(), o.clone());
                if ruled.smallest.as_ref().is_none_or(|smallest| size(operand) < size(smallest)) {
                    ruled.smallest = Some(operand.clone());
                }
            }
        }
        Ok(())
    }

    /// Takes the answer of the approximation.
    pub fn take_naive(&mut self, grid: &Grid, reference: &Observations, seen: &Observations) {
        let counts = self.naive.grid(grid, reference, seen);
        self.naive_counts.add(&counts);
    }

    /// Shrinks and names what the one under test got wrong, writes a `Witness` a cause and returns them.
    ///
    /// # Errors
    /// The record could not be written.
    pub fn settle(&self, trio: &mut Trio, sink: &mut dyn Sink) -> Result<Vec<WitnessRecord>, CampaignError> {
        let mut witnesses = self.settle_tally(&self.under_test, Suspect::UnderTest, trio, sink)?;
        let who = trio.under_test.as_ref().map(|oracle| oracle.identity().clone());
        for ((side, accepted), ruled) in &self.ruled {
            let (Some(operand), Some(who)) = (&ruled.smallest, &who) else { continue };
            let cause = if *accepted { &mutants::ACCEPTS_ILLEGAL } else { &mutants::REFUSES_LEGAL };
            let mut witness = of_operand(cause, operand.clone(), *side == Side::Pattern, ruled.count, &who.name);
            witness.known = trio.knows(who, cause.code);
            sink.event(RunEvent::Witness(witness.clone()))?;
            witnesses.push(witness);
        }
        Ok(witnesses)
    }

    /// The same for the approximation.
    ///
    /// # Errors
    /// The record could not be written.
    pub fn settle_naive(&self, trio: &mut Trio, sink: &mut dyn Sink) -> Result<Vec<WitnessRecord>, CampaignError> {
        self.settle_tally(&self.naive, Suspect::Naive, trio, sink)
    }

    fn settle_tally(
        &self,
        tally: &Tally,
        suspect: Suspect,
        trio: &mut Trio,
        sink: &mut dyn Sink,
    ) -> Result<Vec<WitnessRecord>, CampaignError> {
        let mut witnesses = Vec::new();
        for named in classify(tally) {
            let witness = settle(self.dialect, &named, suspect, trio)?;
            sink.event(RunEvent::Witness(witness.clone()))?;
            witnesses.push(witness);
        }
        Ok(witnesses)
    }
}

/// What the reference delivers but for operands that the one under test refused; `None` where it refused none that is
/// legal.
fn excused(reference: &Observations, seen: &Observations) -> Option<Observations> {
    let refused = |rule: &Outcome, seen: &Outcome| *rule == Outcome::Accepted && seen.is_refusal();
    let of = |rules: &[Outcome], seen: &[Outcome]| -> Vec<bool> {
        rules.iter().zip(seen).map(|(rule, seen)| refused(rule, seen)).collect()
    };
    let (patterns, subjects) = (of(&reference.patterns, &seen.patterns), of(&reference.subjects, &seen.subjects));
    if !patterns.contains(&true) && !subjects.contains(&true) {
        return None;
    }
    let mut delivered = Matches::new();
    for (subject, gone) in subjects.iter().enumerate() {
        let got = seen.delivered.of(subject);
        // What was delivered all the same is no refusal.
        let stays = |pattern: &u32| !gone && !patterns[*pattern as usize] || got.binary_search(pattern).is_ok();
        delivered.push(reference.delivered.of(subject).iter().copied().filter(stays));
    }
    Some(Observations { delivered, ..reference.clone() })
}
