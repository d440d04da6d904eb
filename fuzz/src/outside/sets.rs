//! A set of subscriptions that grows and shrinks: patterns added twice, several that match, some removed.
//!
//! Must never blame a set for what the program's own matcher gets wrong by itself: the set is compared with what the
//! same program says of each pair alone.

use std::collections::BTreeSet;

use rand::{Rng, SeedableRng, rngs::StdRng};
use wildcheck_matcher::{Dialect, Strength};
use wildcheck_oracle::{Oracle, OracleError, SetStep, SetsAnswer};
use wildcheck_tables::{Grid, Operand, Verdict};

use crate::{
    mutants::{self, Plain},
    scope::Scope,
};

/// Sequences asked.
const SEQUENCES: usize = 60;
/// Steps of each.
const STEPS: usize = 24;

/// A set that is wrong, with the fewest steps that show it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrongSet {
    /// How it is wrong.
    pub cause: &'static Plain,
    /// The pattern that is told wrongly or left out.
    pub pattern: Operand,
    /// The subject asked.
    pub subject: Operand,
    /// The steps, the question last.
    pub steps: Vec<SetStep>,
    /// In how many sequences.
    pub count: u64,
}

impl WrongSet {
    /// The steps in one line.
    pub fn sentence(&self) -> String {
        let steps: Vec<String> = self.steps.iter().map(|step| format!("{}{}", step.sign(), step.operand())).collect();
        format!("{}: {} ({}, {} sequences)", self.cause.name, steps.join(" "), self.pattern, self.count)
    }
}

/// What came of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sets {
    /// The program keeps no sets, and what it said.
    CannotSay(String),
    /// One for each way of being wrong.
    Wrong(Vec<WrongSet>),
}

/// Asks sequences drawn by the seed, after a few by hand.
///
/// # Errors
/// The program was lost or broke its protocol.
pub fn ask(dialect: &'static dyn Dialect, seed: u64, program: &mut dyn Oracle) -> Result<Sets, OracleError> {
    let Ok(scope) = Scope::parse(dialect, "a,b", 3, false, false) else { return Ok(Sets::Wrong(Vec::new())) };
    let legal = |operand: &Operand| dialect.validate_subject(&operand.0, Strength::Strict).is_ok();
    let (patterns, subjects): (Vec<_>, Vec<_>) = (scope.patterns().collect(), scope.subjects().filter(legal).collect());
    if subjects.is_empty() {
        return Ok(Sets::CannotSay("no subject to ask".to_owned()));
    }
    let mut random = StdRng::seed_from_u64(seed);
    let mut wrong: Vec<WrongSet> = Vec::new();
    for _ in 0..SEQUENCES {
        let steps = draw(&patterns, &subjects, &mut random);
        let told = match fault(&steps, dialect, program)? {
            Told::Right => continue,
            Told::Silent(why) => return Ok(Sets::CannotSay(why)),
            Told::Wrong(wrong) => wrong,
        };
        match wrong.iter_mut().find(|known| known.cause == told.cause) {
            Some(known) => known.count += 1,
            None => wrong.push(shrink(told, dialect, program)?),
        }
    }
    Ok(Sets::Wrong(wrong))
}

fn draw(patterns: &[Operand], subjects: &[Operand], random: &mut StdRng) -> Vec<SetStep> {
    // Few patterns a sequence, so that they are added twice and removed while another stays.
    let few: Vec<&Operand> = (0..5).map(|_| &patterns[random.random_range(0..patterns.len())]).collect();
    (0..STEPS)
        .map(|_| {
            let pattern = few[random.random_range(0..few.len())].clone();
            match random.random_range(0..5) {
                0 | 1 => SetStep::Add(pattern),
                2 => SetStep::Remove(pattern),
                _ => SetStep::Ask(subjects[random.random_range(0..subjects.len())].clone()),
            }
        })
        .collect()
}

enum Told {
    Right,
    Silent(String),
    Wrong(WrongSet),
}

/// The first answer of a sequence that is not what the pairs alone make of it.
fn fault(steps: &[SetStep], dialect: &'static dyn Dialect, program: &mut dyn Oracle) -> Result<Told, OracleError> {
    let answers = match program.sets(steps)? {
        SetsAnswer::Answers(answers) => answers,
        SetsAnswer::Unknown(why) => return Ok(Told::Silent(why.words().to_owned())),
    };
    let mut held: BTreeSet<&Operand> = BTreeSet::new();
    let mut answers = answers.into_iter();
    for (index, step) in steps.iter().enumerate() {
        let subject = match step {
            SetStep::Add(pattern) => {
                held.insert(pattern);
                continue;
            }
            SetStep::Remove(pattern) => {
                held.remove(pattern);
                continue;
            }
            SetStep::Ask(subject) => subject,
        };
        let Some(answer) = answers.next() else { break };
        let expected = alone(&held, subject, dialect, program)?;
        let told: BTreeSet<&Operand> = answer.iter().collect();
        let extra =
            told.iter().find(|pattern| !expected.contains(**pattern)).map(|p| (&mutants::SET_KEEPS, (*p).clone()));
        let missing = || expected.iter().find(|p| !told.contains(p)).map(|p| (&mutants::SET_FORGETS, p.clone()));
        let twice = || {
            let often = |pattern: &&Operand| answer.iter().filter(|other| other == pattern).count() > 1;
            answer.iter().find(often).map(|pattern| (&mutants::SET_REPEATS, pattern.clone()))
        };
        if let Some((cause, pattern)) = extra.or_else(missing).or_else(twice) {
            let steps = steps[..=index].iter();
            // Only the last question is wrong; the earlier ones are taken out first.
            let steps: Vec<SetStep> = steps.filter(|step| !matches!(step, SetStep::Ask(_))).cloned().collect();
            let steps = [steps, vec![SetStep::Ask(subject.clone())]].concat();
            return Ok(Told::Wrong(WrongSet { cause, pattern, subject: subject.clone(), steps, count: 1 }));
        }
    }
    Ok(Told::Right)
}

/// What the program says of each held pattern and the subject by themselves.
fn alone(
    held: &BTreeSet<&Operand>,
    subject: &Operand,
    dialect: &'static dyn Dialect,
    program: &mut dyn Oracle,
) -> Result<BTreeSet<Operand>, OracleError> {
    if held.is_empty() {
        return Ok(BTreeSet::new());
    }
    let patterns: Vec<Operand> = held.iter().map(|pattern| (*pattern).clone()).collect();
    let grid = Grid { dialect: dialect.name(), patterns, subjects: vec![subject.clone()] };
    let seen = program.observe(&grid)?;
    let matching = |(index, _): &(usize, &Operand)| seen.verdict(*index, 0) == Verdict::True;
    Ok(grid.patterns.iter().enumerate().filter(matching).map(|(_, pattern)| pattern.clone()).collect())
}

/// Takes steps out one by one while it stays wrong in the same way.
fn shrink(found: WrongSet, dialect: &'static dyn Dialect, program: &mut dyn Oracle) -> Result<WrongSet, OracleError> {
    let mut best = found;
    let mut index = 0;
    while index + 1 < best.steps.len() {
        let mut steps = best.steps.clone();
        steps.remove(index);
        match fault(&steps, dialect, program)? {
            Told::Wrong(smaller) if smaller.cause == best.cause => best = WrongSet { count: best.count, ..smaller },
            _ => index += 1,
        }
    }
    Ok(best)
}
