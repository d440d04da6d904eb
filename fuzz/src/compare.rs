//! Two oracles' answers to one grid, side by side. Must never ask anything.

use wildcheck_tables::{Grid, Observations, Operand, Outcome, RunEvent, row::Direction};

/// Two verdicts on one pair that differ: the reference says one thing, the one under test the other.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Disagreement {
    /// What is subscribed to.
    pub pattern: Operand,
    /// What is published to.
    pub subject: Operand,
    /// What the reference says; the one under test says the opposite.
    pub reference: bool,
}

impl Disagreement {
    /// Which way the one under test is wrong.
    pub fn direction(&self) -> Direction {
        if self.reference { Direction::TooLittle } else { Direction::TooMuch }
    }
}

/// What comparing one grid, or many, came to.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Pairs compared.
    pub pairs: u64,
    /// Pairs the one under test delivered.
    pub matches: u64,
    /// It delivered, the rules say no.
    pub too_much: u64,
    /// It did not deliver, the rules say yes.
    pub too_little: u64,
    /// Pairs without an answer; neither agreement nor disagreement.
    pub unknown: u64,
    /// Copies beyond the first of one message to one subscription.
    pub duplicates: u64,
}

impl Counts {
    /// Disagreements, both directions.
    pub fn disagreements(&self) -> u64 {
        self.too_much + self.too_little
    }

    /// The record's line about the grid that was compared.
    pub fn event(&self, grid: &Grid) -> RunEvent {
        RunEvent::Grid {
            patterns: grid.patterns.len() as u64,
            subjects: grid.subjects.len() as u64,
            pairs: self.pairs,
            matches: self.matches,
            disagreements: self.disagreements(),
        }
    }

    /// Adds another grid's counts.
    pub fn add(&mut self, other: &Counts) {
        self.pairs += other.pairs;
        self.matches += other.matches;
        self.too_much += other.too_much;
        self.too_little += other.too_little;
        self.unknown += other.unknown;
        self.duplicates += other.duplicates;
    }
}

/// Merges two sparse answers row by row and tells each pair on which they differ: `(pattern, subject, reference)`, by
/// subject and then by pattern. Costs a step a delivery, never one a pair, unless answers are missing.
pub fn compare(
    grid: &Grid,
    reference: &Observations,
    other: &Observations,
    mut each: impl FnMut(usize, usize, bool),
) -> Counts {
    let mut counts = Counts { pairs: grid.pairs(), ..Counts::default() };
    let lost: Vec<bool> = other.patterns.iter().map(Outcome::is_unknown).collect();
    let lost_patterns = lost.iter().filter(|l| **l).count() as u64;
    let mut cells: Vec<(u32, u32)> = other.unknown.iter().map(|(p, s, _)| (*s, *p)).collect();
    cells.sort_unstable();
    cells.dedup();
    let mut cells = &cells[..];
    for subject in 0..grid.subjects.len() {
        let end = cells.iter().position(|(s, _)| *s as usize != subject).unwrap_or(cells.len());
        let (row_cells, rest) = cells.split_at(end);
        cells = rest;
        let silent = other.subjects[subject].is_unknown();
        let is_unknown = |p: u32| silent || lost[p as usize] || row_cells.binary_search(&(subject as u32, p)).is_ok();
        let (yes, got) = (reference.delivered.of(subject), other.delivered.of(subject));
        // A pair without an answer that was delivered all the same has one.
        let mut answered_in_spite = 0;
        let (mut i, mut j) = (0, 0);
        while i < yes.len() || j < got.len() {
            let expected = yes.get(i).copied().unwrap_or(u32::MAX);
            let seen = got.get(j).copied().unwrap_or(u32::MAX);
            let pattern = expected.min(seen);
            while i < yes.len() && yes[i] == pattern {
                i += 1;
            }
            let copies = got[j..].iter().take_while(|p| **p == pattern).count();
            j += copies;
            if copies > 0 {
                counts.matches += 1;
                counts.duplicates += copies as u64 - 1;
                answered_in_spite += u64::from(is_unknown(pattern));
            }
            match (expected == pattern, seen == pattern) {
                (true, false) if is_unknown(pattern) => {}
                (true, false) => {
                    counts.too_little += 1;
                    each(pattern as usize, subject, true);
                }
                (false, true) => {
                    counts.too_much += 1;
                    each(pattern as usize, subject, false);
                }
                _ => {}
            }
        }
        let missing = if silent {
            grid.patterns.len() as u64
        } else {
            lost_patterns + row_cells.iter().filter(|(_, p)| !lost[*p as usize]).count() as u64
        };
        counts.unknown += missing.saturating_sub(answered_in_spite);
    }
    counts
}
