//! Disagreements counted as they stream by, under the wrong matchers that explain them.
//!
//! Must never keep the disagreements themselves: memory grows with the different explanations, not with the pairs.

use std::collections::HashMap;

use wildcheck_matcher::{Dialect, Operand as Side};
use wildcheck_tables::{Grid, Observations, Operand};

use crate::{
    classify::choose,
    compare::{Counts, Disagreement, compare},
    mutants::{self, Mutant, Parsed, bites, deviation::Set, plain, touches},
};

/// How one disagreement can be read. Bits are indexes into [`Tally::mutants`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reading {
    /// Each of these mutants alone is wrong in the same way.
    Alone(u64),
    /// No mutant alone is, but these together are.
    Together(u64),
    /// Nothing named explains it; the direction is kept apart.
    Unexplained {
        /// What the reference says.
        reference: bool,
    },
}

/// How often a reading came up, and its smallest pair.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// How many disagreements.
    pub count: u64,
    /// The one with the fewest bytes, the first in byte order among those.
    pub smallest: Disagreement,
}

/// How many pairs without a single explanation are searched for a joint one; later ones count as unexplained unless a
/// joint explanation found earlier fits.
const SEARCHES: u32 = 500;

/// How many causes are tried together.
const CAUSES: usize = 10;

/// How many pairs without a single explanation are put off until the rest of their grid is counted.
const LATER: usize = 1 << 20;

/// How many unexplained disagreements are kept to be tried again.
const PUZZLES: usize = 256;

/// How many agreeing pairs of one grid are shown to the mutants.
const AGREEMENTS: u64 = 2_000;

/// The streamed counts of one suspect.
pub struct Tally {
    dialect: &'static dyn Dialect,
    mutants: Vec<&'static Mutant>,
    /// The mutants that the suspect is known to be, as bits: they are tried before any other.
    known: u64,
    entries: HashMap<Reading, Entry>,
    /// How many disagreements each mutant explains alone.
    alone: Vec<u64>,
    /// How many agreeing pairs each mutant would have got wrong, scaled up from the sample.
    refuted: Vec<f64>,
    /// Joint explanations that were found, the last used first.
    joint: Vec<u64>,
    searches: u32,
    /// The first unexplained ones, tried again when more is known about the suspect.
    puzzles: Vec<Disagreement>,
}

impl Tally {
    /// An empty tally of that dialect's mutants.
    pub fn new(dialect: &'static dyn Dialect) -> Tally {
        Tally::with_mutants(dialect, mutants::of(dialect))
    }

    /// An empty tally that knows only these.
    pub fn with_mutants(dialect: &'static dyn Dialect, mutants: Vec<&'static Mutant>) -> Tally {
        let count = mutants.len();
        Tally {
            dialect,
            mutants,
            known: 0,
            entries: HashMap::new(),
            alone: vec![0; count],
            refuted: vec![0.0; count],
            joint: Vec::new(),
            searches: SEARCHES,
            puzzles: Vec::new(),
        }
    }

    /// The same, of a suspect that is known for these causes: what one of them explains is counted to it, whatever else
    /// would explain it too.
    pub fn knowing(mut self, known: impl Fn(&str) -> bool) -> Tally {
        let codes = self.mutants.iter().enumerate().filter(|(_, mutant)| known(mutant.code));
        self.known = codes.fold(0, |mask, (index, _)| mask | 1 << index);
        self
    }

    /// Is the suspect known to be this mutant?
    pub fn knows(&self, mutant: usize) -> bool {
        self.known >> mutant & 1 == 1
    }

    /// The dialect.
    pub fn dialect(&self) -> &'static dyn Dialect {
        self.dialect
    }

    /// The mutants that the bits of a [`Reading`] stand for.
    pub fn mutants(&self) -> &[&'static Mutant] {
        &self.mutants
    }

    /// What was counted, in a fixed order.
    pub fn entries(&self) -> Vec<(Reading, &Entry)> {
        let mut entries: Vec<_> = self.entries.iter().map(|(reading, entry)| (*reading, entry)).collect();
        entries.sort_by_key(|(reading, _)| *reading);
        entries
    }

    /// How much of what this mutant gets wrong the suspect gets wrong too, between 0 and 1.
    pub fn likeness(&self, mutant: usize) -> f64 {
        let alone = self.alone[mutant] as f64;
        if alone == 0.0 { 0.0 } else { alone / (alone + self.refuted[mutant]) }
    }

    /// Compares two answers to a grid and counts every disagreement. Also shows the mutants a sample of the pairs on
    /// which the suspect is right, because a mutant that is wrong there is not what the suspect does.
    pub fn grid(&mut self, grid: &Grid, reference: &Observations, other: &Observations) -> Counts {
        let mut sides = Sides::new(self.dialect, grid);
        let mut later = Vec::new();
        let counts = compare(grid, reference, other, |pattern, subject, truth| {
            let (p, s) = sides.pair(pattern, subject);
            match self.alone(p, s, truth) {
                0 if later.len() < LATER => later.push((pattern as u32, subject as u32, truth)),
                0 => self.add(p, s, truth),
                mask => self.put(Reading::Alone(mask), p, s, truth),
            }
        });
        if counts.disagreements() > 0 {
            self.sample(grid, reference, other, &mut sides);
        }
        for (pattern, subject, truth) in later {
            let (p, s) = sides.pair(pattern as usize, subject as usize);
            self.add(p, s, truth);
        }
        self.try_again();
        counts
    }

    /// A joint explanation may have to wait until each of its parts was seen.
    fn try_again(&mut self) {
        for pair in std::mem::take(&mut self.puzzles) {
            let pattern = Parsed::new(self.dialect, Side::Pattern, pair.pattern.bytes());
            let subject = Parsed::new(self.dialect, Side::Subject, pair.subject.bytes());
            let without = Reading::Unexplained { reference: pair.reference };
            match self.together(&pattern, &subject, pair.reference) {
                None => self.puzzles.push(pair),
                Some(mask) => {
                    self.put(Reading::Together(mask), &pattern, &subject, pair.reference);
                    if let Some(entry) = self.entries.get_mut(&without) {
                        entry.count -= 1;
                    }
                }
            }
        }
        for reference in [true, false] {
            let without = Reading::Unexplained { reference };
            let smallest =
                self.puzzles.iter().filter(|pair| pair.reference == reference).min_by_key(|pair| weight(pair));
            match (self.entries.get_mut(&without), smallest) {
                (Some(entry), _) if entry.count == 0 => drop(self.entries.remove(&without)),
                (Some(entry), Some(smallest)) if self.puzzles.len() < PUZZLES => entry.smallest = smallest.clone(),
                _ => {}
            }
        }
    }

    /// Counts one disagreement.
    pub fn add(&mut self, pattern: &Parsed<'_>, subject: &Parsed<'_>, reference: bool) {
        let reading = self.read(pattern, subject, reference);
        self.put(reading, pattern, subject, reference);
    }

    fn put(&mut self, reading: Reading, pattern: &Parsed<'_>, subject: &Parsed<'_>, reference: bool) {
        if let Reading::Alone(mask) = reading {
            for (index, alone) in self.alone.iter_mut().enumerate() {
                *alone += mask >> index & 1;
            }
        }
        let (p, s) = (pattern.bytes, subject.bytes);
        let build = || Disagreement { pattern: Operand::from(p), subject: Operand::from(s), reference };
        let entry = self.entries.entry(reading).or_insert_with(|| Entry { count: 0, smallest: build() });
        entry.count += 1;
        let old = &entry.smallest;
        let new = (bulk(p, s), p, s);
        if new < (bulk(&old.pattern.0, &old.subject.0), &old.pattern.0, &old.subject.0) {
            entry.smallest = build();
        }
        if matches!(reading, Reading::Unexplained { .. }) && self.puzzles.len() < PUZZLES {
            self.puzzles.push(build());
        }
    }

    /// The mutants that alone are wrong on this pair as `truth` is right, as bits.
    fn alone(&self, pattern: &Parsed<'_>, subject: &Parsed<'_>, truth: bool) -> u64 {
        let base = plain(self.dialect, Set::NONE, pattern, subject);
        let mut mask = 0;
        for (index, mutant) in self.mutants.iter().enumerate() {
            if !bites(mutant.deviation, pattern, subject) {
                continue;
            }
            let says = plain(self.dialect, Set::of(mutant.deviation), pattern, subject);
            mask |= u64::from(says != base && says != truth) << index;
        }
        mask
    }

    /// The mutants that are wrong on this pair in the same way, by code; several when only together they are; empty:
    /// unexplained. What the suspect is known for comes first, also several at once.
    pub fn explain(&mut self, disagreement: &Disagreement) -> Vec<&'static Mutant> {
        let pattern = Parsed::new(self.dialect, Side::Pattern, disagreement.pattern.bytes());
        let subject = Parsed::new(self.dialect, Side::Subject, disagreement.subject.bytes());
        let reading = match self.read(&pattern, &subject, disagreement.reference) {
            Reading::Alone(mask) if mask & self.known != 0 => Reading::Alone(mask & self.known),
            Reading::Alone(mask) => {
                let fits = |mask: u64| self.fits(mask, &pattern, &subject, disagreement.reference);
                several(&self.known(&pattern, &subject), CAUSES as u32)
                    .into_iter()
                    .find(|mask| fits(*mask))
                    .map_or(Reading::Alone(mask), Reading::Together)
            }
            other => other,
        };
        match reading {
            Reading::Alone(mask) | Reading::Together(mask) => {
                let named = self.mutants.iter().enumerate().filter(|(index, _)| mask >> index & 1 == 1);
                named.map(|(_, mutant)| *mutant).collect()
            }
            Reading::Unexplained { .. } => Vec::new(),
        }
    }

    /// How a disagreement reads.
    pub fn read(&mut self, pattern: &Parsed<'_>, subject: &Parsed<'_>, reference: bool) -> Reading {
        match self.alone(pattern, subject, reference) {
            0 => match self.together(pattern, subject, reference) {
                Some(mask) => Reading::Together(mask),
                None => Reading::Unexplained { reference },
            },
            mask => Reading::Alone(mask),
        }
    }

    fn together(&mut self, pattern: &Parsed<'_>, subject: &Parsed<'_>, truth: bool) -> Option<u64> {
        let fits = |mask: u64| self.fits(mask, pattern, subject, truth);
        if let Some(at) = self.joint.iter().position(|mask| fits(*mask)) {
            let mask = self.joint.remove(at);
            self.joint.insert(0, mask);
            return Some(mask);
        }
        if let Some(found) = several(&self.known(pattern, subject), CAUSES as u32).into_iter().find(|mask| fits(*mask))
        {
            self.joint.insert(0, found);
            return Some(found);
        }
        if self.searches == 0 {
            return None;
        }
        // What the suspect does anyway, several at once; only then anything else.
        let causes = choose(self).order;
        let causes = &causes[..causes.len().min(CAUSES)];
        let count = self.mutants.len();
        let pairs = (0..count).flat_map(|a| (0..a).map(move |b| 1u64 << a | 1 << b));
        let several = several(causes, 4);
        let beside = several.iter().filter(|mask| mask.count_ones() < 4);
        let beside = beside.flat_map(|mask| (0..count).map(move |other| mask | 1 << other));
        let found = several.iter().copied().chain(pairs).chain(beside).find(|mask| fits(*mask));
        self.searches -= 1;
        self.joint.extend(found);
        found
    }

    /// Which of these causes, several at once, explain the pair together.
    pub fn jointly(&self, causes: &[usize], pair: &Disagreement) -> Option<u64> {
        let pattern = Parsed::new(self.dialect, Side::Pattern, pair.pattern.bytes());
        let subject = Parsed::new(self.dialect, Side::Subject, pair.subject.bytes());
        let base = plain(self.dialect, Set::NONE, &pattern, &subject);
        several(&causes[..causes.len().min(CAUSES)], CAUSES as u32).into_iter().find(|mask| {
            let says = plain(self.dialect, self.set(*mask), &pattern, &subject);
            says != base && says != pair.reference
        })
    }

    /// Are these mutants together wrong on the pair as `truth` is right?
    fn fits(&self, mask: u64, pattern: &Parsed<'_>, subject: &Parsed<'_>, truth: bool) -> bool {
        let base = plain(self.dialect, Set::NONE, pattern, subject);
        let says = plain(self.dialect, self.set(mask), pattern, subject);
        says != base && says != truth
    }

    /// What the suspect is known for and the pair can show.
    fn known(&self, pattern: &Parsed<'_>, subject: &Parsed<'_>) -> Vec<usize> {
        let touches = |index: &usize| touches(self.mutants[*index].deviation, pattern, subject);
        (0..self.mutants.len()).filter(|index| self.knows(*index)).filter(touches).take(CAUSES).collect()
    }

    fn set(&self, mask: u64) -> Set {
        let chosen = self.mutants.iter().enumerate().filter(|(index, _)| mask >> index & 1 == 1);
        chosen.fold(Set::NONE, |set, (_, mutant)| set.with(Set::of(mutant.deviation)))
    }

    fn sample<'g>(&mut self, grid: &'g Grid, reference: &Observations, other: &Observations, sides: &mut Sides<'g>) {
        let pairs = grid.pairs();
        // A stride that shares no factor with the number of patterns walks over all of them.
        let step = (pairs / AGREEMENTS).max(1) | 1;
        let scale = step as f64;
        let mut at = 0;
        while at < pairs {
            let (subject, pattern) =
                ((at / grid.patterns.len() as u64) as usize, (at % grid.patterns.len() as u64) as usize);
            at += step;
            let truth = reference.delivered.contains(pattern, subject);
            if other.verdict(pattern, subject).known() != Some(truth) {
                continue;
            }
            let (p, s) = sides.pair(pattern, subject);
            let mask = self.alone(p, s, truth);
            for (index, refuted) in self.refuted.iter_mut().enumerate() {
                *refuted += scale * (mask >> index & 1) as f64;
            }
        }
    }
}

/// How many bytes to read. The empty operand is hard to read and cannot be put on every wire.
fn bulk(pattern: &[u8], subject: &[u8]) -> usize {
    pattern.len() + subject.len() + 99 * usize::from(pattern.is_empty() || subject.is_empty())
}

fn weight(pair: &Disagreement) -> (usize, &Disagreement) {
    (bulk(pair.pattern.bytes(), pair.subject.bytes()), pair)
}

/// Every two to `most` of these at once as bits, fewer first.
fn several(causes: &[usize], most: u32) -> Vec<u64> {
    let some = (0u64..1 << causes.len()).filter(|some| (2..=most).contains(&some.count_ones()));
    let mut masks: Vec<u64> = some
        .map(|some| {
            let bits = causes.iter().enumerate().filter(|(at, _)| some >> at & 1 == 1);
            bits.fold(0, |mask, (_, index)| mask | 1 << index)
        })
        .collect();
    masks.sort_by_key(|mask| mask.count_ones());
    masks
}

/// The operands of a grid, taken apart when they are first needed.
struct Sides<'g> {
    dialect: &'static dyn Dialect,
    grid: &'g Grid,
    patterns: Vec<Option<Parsed<'g>>>,
    subjects: Vec<Option<Parsed<'g>>>,
}

impl<'g> Sides<'g> {
    fn new(dialect: &'static dyn Dialect, grid: &'g Grid) -> Sides<'g> {
        Sides { dialect, grid, patterns: vec![None; grid.patterns.len()], subjects: vec![None; grid.subjects.len()] }
    }

    fn pair(&mut self, pattern: usize, subject: usize) -> (&Parsed<'g>, &Parsed<'g>) {
        let (dialect, grid) = (self.dialect, self.grid);
        let p = self.patterns[pattern]
            .get_or_insert_with(|| Parsed::new(dialect, Side::Pattern, &grid.patterns[pattern].0));
        let s = self.subjects[subject]
            .get_or_insert_with(|| Parsed::new(dialect, Side::Subject, &grid.subjects[subject].0));
        (p, s)
    }
}
