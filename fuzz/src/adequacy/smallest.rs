//! The smallest pairs that would refute wrong matchers: of the exhaustive grids, and of a few operands that they lack.
//!
//! Must never take an operand apart more than once: there are half a million pairs, and a few thousand operands.

use wildcheck_matcher::{Dialect, Operand as Side};
use wildcheck_tables::Operand;

use crate::{
    error::CampaignError,
    mutants::{Mutant, Parsed, bites},
    outside::operands::{Effort, literals, structure},
};

/// The smallest pair that each of these gets wrong; nothing where none was found.
///
/// # Errors
/// None in practice: the grids are constants.
pub fn pairs(
    dialect: &'static dyn Dialect,
    mutants: &[&'static Mutant],
) -> Result<Vec<Option<(Operand, Operand)>>, CampaignError> {
    let mut best: Vec<Option<(Operand, Operand)>> = vec![None; mutants.len()];
    if mutants.is_empty() {
        return Ok(best);
    }
    let separator: Vec<u8> = dialect.syntax().separator.into_iter().collect();
    let mut rare: Vec<Operand> = [&b"\xff"[..], b"\xfe", b"a\0", b"a\0b"].map(Operand::from).to_vec();
    rare.push(Operand(vec![&b"a"[..]; 17].join(&separator[..])));
    for (patterns, subjects) in
        [structure(dialect, Effort::Full)?, literals(dialect, Effort::Full), (rare.clone(), rare)]
    {
        let (patterns, subjects) =
            (by_length(dialect, Side::Pattern, &patterns), by_length(dialect, Side::Subject, &subjects));
        for size in 0..patterns.len() + subjects.len() {
            let open = |pair: &Option<(Operand, Operand)>| {
                pair.as_ref().is_none_or(|(pattern, subject)| size < pattern.0.len() + subject.0.len())
            };
            let mut left: Vec<usize> = (0..mutants.len()).filter(|index| open(&best[*index])).collect();
            if left.is_empty() {
                break;
            }
            for (length, patterns) in patterns.iter().enumerate().take(size + 1) {
                let Some(subjects) = subjects.get(size - length) else { continue };
                for (pattern, subject) in patterns.iter().flat_map(|p| subjects.iter().map(move |s| (p, s))) {
                    left.retain(|index| {
                        let wrong = is_wrong(dialect, mutants[*index], pattern, subject);
                        if wrong {
                            best[*index] = Some((Operand::from(pattern.bytes), Operand::from(subject.bytes)));
                        }
                        !wrong
                    });
                }
            }
        }
    }
    Ok(best)
}

fn is_wrong(dialect: &dyn Dialect, mutant: &Mutant, pattern: &Parsed<'_>, subject: &Parsed<'_>) -> bool {
    bites(mutant.deviation, pattern, subject) && {
        let truth = dialect.matches(pattern.bytes, subject.bytes);
        mutant.verdict(dialect, pattern, subject, truth) != truth
    }
}

/// The operands taken apart, by their length.
fn by_length<'o>(dialect: &dyn Dialect, side: Side, operands: &'o [Operand]) -> Vec<Vec<Parsed<'o>>> {
    let longest = operands.iter().map(|operand| operand.0.len()).max().unwrap_or(0);
    let mut lengths: Vec<Vec<Parsed<'o>>> = vec![Vec::new(); longest + 1];
    for operand in operands {
        lengths[operand.0.len()].push(Parsed::new(dialect, side, &operand.0));
    }
    lengths
}
