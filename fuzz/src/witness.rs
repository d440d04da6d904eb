//! From a cause and its smallest disagreement to the line of the record: shrunk, asked of all three ways, told.
//!
//! Must never shrink across causes, nor from legal input to illegal: the count and the sentence belong to the witness that stands beside them.

use wildcheck_matcher::{Dialect, Strength};
use wildcheck_oracle::{Oracle, OracleError};
use wildcheck_reports::shell;
use wildcheck_tables::{
    Grid, Lane, Operand, Verdict,
    event::{Answer, Pile, WitnessRecord},
    row::Direction,
};

use crate::{
    campaign::{self, Trio},
    classify::Named,
    compare::Disagreement,
    error::CampaignError,
    minimize::minimize_within,
    mutants,
    tally::Tally,
};

/// Which of the two that can be wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Suspect {
    /// The oracle under test.
    UnderTest,
    /// The approximation.
    Naive,
}

/// Shrinks the cause's smallest disagreement and asks all three ways about the result. A disagreement that does not
/// come again, or an oracle that cannot be asked any more, leaves the pair as it was found.
///
/// # Errors
/// [`CampaignError::Nothing`] when nobody is under test and `suspect` says so.
pub fn settle(
    dialect: &'static dyn Dialect,
    named: &Named,
    suspect: Suspect,
    trio: &mut Trio,
) -> Result<WitnessRecord, CampaignError> {
    let found = &named.smallest;
    let nobody = || CampaignError::Nothing("nobody is under test".to_owned());
    let other: &mut dyn Oracle = match suspect {
        Suspect::UnderTest => &mut **trio.under_test.as_mut().ok_or_else(nobody)?,
        Suspect::Naive => &mut *trio.naive,
    };
    let identity = other.identity().clone();
    let baseline = &trio.baseline;
    let mut known = Tally::new(dialect).knowing(|code| campaign::knows(baseline, &identity, code));
    let of_pile = pile(dialect, found);
    let mut keep = |pair: &Disagreement| {
        if pile(dialect, pair) > of_pile {
            return false;
        }
        let reasons = known.explain(pair);
        match named.mutant {
            Some(mutant) => reasons.contains(&mutant),
            None => reasons.is_empty(),
        }
    };
    let minimal = match minimize_within(dialect, found, &mut *trio.reference, other, &mut keep) {
        Ok(witness) => witness.minimal,
        Err(CampaignError::Nothing(_) | CampaignError::Oracle(_)) => found.clone(),
        Err(other) => return Err(other),
    };
    let (code, name, statement) = match named.mutant {
        Some(mutant) => (mutant.code, mutant.name, mutant.statement),
        None => (mutants::UNKNOWN.code, mutants::UNKNOWN.name, mutants::UNKNOWN.statement),
    };
    let answers = answers(dialect, &minimal, suspect, trio);
    Ok(WitnessRecord {
        cause: code.to_owned(),
        name: name.to_owned(),
        statement: statement.to_owned(),
        direction: minimal.direction(),
        alone: alone(&answers, &identity.name),
        answers,
        clause: dialect.explain(minimal.pattern.bytes(), minimal.subject.bytes()).clause.to_string(),
        shell: shell::line(dialect.name(), minimal.pattern.bytes(), minimal.subject.bytes()).unwrap_or_default(),
        pile: pile(dialect, &minimal),
        pattern: minimal.pattern,
        subject: minimal.subject,
        found: (found.pattern.clone(), found.subject.clone()),
        count: named.count,
        known: trio.knows(&identity, code),
    })
}

/// Reference, the one under test, the approximation. Who cannot be asked any more answers as the disagreement says.
fn answers(dialect: &dyn Dialect, pair: &Disagreement, suspect: Suspect, trio: &mut Trio) -> Vec<Answer> {
    let grid = Grid::pair(dialect.name(), pair.pattern.bytes(), pair.subject.bytes());
    let ask = |oracle: &mut dyn Oracle, otherwise: Verdict| {
        let identity = oracle.identity().clone();
        let seen: Result<_, OracleError> = oracle.observe(&grid);
        let live = identity.lane != Lane::MEMORY;
        let (verdict, pattern, subject) = match seen {
            Ok(seen) => (
                seen.verdict(0, 0),
                seen.patterns.into_iter().next().filter(|_| live),
                seen.subjects.into_iter().next().filter(|_| live),
            ),
            Err(_) => (otherwise, None, None),
        };
        Answer { oracle: identity.name, lane: identity.lane, verdict, pattern, subject, delivered: None }
    };
    let wrong = |who: Suspect| if who == suspect { Verdict::from(!pair.reference) } else { Verdict::Unsupported };
    let mut answers = vec![ask(&mut *trio.reference, Verdict::from(pair.reference))];
    if let Some(under_test) = trio.under_test.as_deref_mut() {
        answers.push(ask(under_test, wrong(Suspect::UnderTest)));
    }
    answers.push(ask(&mut *trio.naive, wrong(Suspect::Naive)));
    answers
}

/// An operand that the server refuses makes it "accepts illegal input", one that is longer than any server takes is a
/// matter of limits; everything else is wrong on legal input.
pub fn pile(dialect: &dyn Dialect, pair: &Disagreement) -> Pile {
    let most = dialect.syntax().max_bytes;
    if pair.pattern.0.len() > most || pair.subject.0.len() > most {
        return Pile::Limits;
    }
    let legal = dialect.validate_pattern(pair.pattern.bytes(), Strength::Server).is_ok()
        && dialect.validate_subject(pair.subject.bytes(), Strength::Server).is_ok();
    if legal { Pile::Legal } else { Pile::Illegal }
}

/// The one whose verdict nobody shares; where that is not one, the suspect.
fn alone(answers: &[Answer], suspect: &str) -> String {
    let known: Vec<(&str, bool)> =
        answers.iter().filter_map(|a| a.verdict.known().map(|v| (a.oracle.as_str(), v))).collect();
    let with = |verdict: bool| known.iter().filter(|(_, v)| *v == verdict).collect::<Vec<_>>();
    match (&with(true)[..], &with(false)[..]) {
        ([(one, _)], [_, _, ..]) | ([_, _, ..], [(one, _)]) => (*one).to_owned(),
        _ => suspect.to_owned(),
    }
}

/// The line of an operand that one accepts and the other refuses: no pair, one of the two is empty.
pub fn of_operand(cause: &mutants::Plain, operand: Operand, is_pattern: bool, count: u64, who: &str) -> WitnessRecord {
    let (pattern, subject) = if is_pattern { (operand, Operand::default()) } else { (Operand::default(), operand) };
    let pile = if cause.direction == Direction::TooMuch { Pile::Illegal } else { Pile::Legal };
    of_pair(cause, (pattern, subject), pile, count, who)
}

/// The line of a cause that is no disagreement about a pair but shows on one: no answers, nobody to compare with.
pub fn of_pair(
    cause: &mutants::Plain,
    (pattern, subject): (Operand, Operand),
    pile: Pile,
    count: u64,
    who: &str,
) -> WitnessRecord {
    WitnessRecord {
        cause: cause.code.to_owned(),
        name: cause.name.to_owned(),
        statement: cause.statement.to_owned(),
        direction: cause.direction,
        found: (pattern.clone(), subject.clone()),
        pattern,
        subject,
        answers: Vec::new(),
        alone: who.to_owned(),
        clause: String::new(),
        count,
        known: false,
        pile,
        shell: String::new(),
    }
}
