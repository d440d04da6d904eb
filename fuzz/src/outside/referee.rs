//! Who stands alone: a third party is asked the smallest pairs on which the reference and a program disagree.
//!
//! Must never ask more than one grid, and never take a missing answer for one side or the other.

use wildcheck_matcher::Dialect;
use wildcheck_oracle::{Oracle, OracleError};
use wildcheck_tables::{
    Alone, Operand, RefereeRecord, Refereed, Verdict,
    event::{Answer, WitnessRecord},
    row::BaselineRow,
};

use crate::{campaign::knows, compare::Disagreement, rows, tally::Tally};

/// Asks the referee about every witness that is a pair. `None`: there is no such witness.
///
/// # Errors
/// The referee was lost, or the run was interrupted.
pub fn ask(
    dialect: &'static dyn Dialect,
    under_test: &str,
    witnesses: &[WitnessRecord],
    referee: &mut dyn Oracle,
    baseline: &[BaselineRow],
) -> Result<Option<RefereeRecord>, OracleError> {
    let disputed: Vec<(&WitnessRecord, bool)> =
        witnesses.iter().filter_map(|witness| Some((witness, disputed(witness)?))).collect();
    if disputed.is_empty() {
        return Ok(None);
    }
    let pairs: Vec<(&Operand, &Operand)> =
        disputed.iter().map(|(witness, _)| (&witness.pattern, &witness.subject)).collect();
    let seen = rows::ask_pairs(dialect, &pairs, referee)?;
    let oracle = referee.identity().clone();
    let mut tally = Tally::new(dialect).knowing(|code| knows(baseline, &oracle, code));
    let pairs = disputed.into_iter().zip(seen).map(|((witness, reference), seen)| {
        let alone = match seen.verdict.known() {
            None => Alone::Unknown,
            Some(verdict) if verdict == reference => Alone::UnderTest,
            Some(_) => Alone::Reference,
        };
        let (pattern, subject) = (witness.pattern.clone(), witness.subject.clone());
        let mut reasons = tally.explain(&Disagreement { pattern, subject, reference }).into_iter();
        Refereed {
            cause: witness.cause.clone(),
            name: witness.name.clone(),
            pile: witness.pile,
            pattern: witness.pattern.clone(),
            subject: witness.subject.clone(),
            clause: witness.clause.clone(),
            reference,
            referee: Answer {
                oracle: oracle.name.clone(),
                lane: oracle.lane.clone(),
                verdict: seen.verdict,
                pattern: Some(seen.pattern),
                subject: Some(seen.subject),
                delivered: None,
            },
            alone,
            known: alone == Alone::Reference && reasons.any(|mutant| knows(baseline, &oracle, mutant.code)),
        }
    });
    let pairs = pairs.collect();
    Ok(Some(RefereeRecord { oracle, under_test: under_test.to_owned(), pairs }))
}

/// What the reference says of the witness, where the program says the opposite.
fn disputed(witness: &WitnessRecord) -> Option<bool> {
    let [reference, program, ..] = &witness.answers[..] else { return None };
    let opposite = |verdict: bool| program.verdict == Verdict::from(!verdict);
    reference.verdict.known().filter(|verdict| opposite(*verdict))
}

/// Is there a witness that a referee can be asked about?
pub fn is_needed(witnesses: &[WitnessRecord]) -> bool {
    witnesses.iter().any(|witness| disputed(witness).is_some())
}
