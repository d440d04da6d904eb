//! Which named wrong matchers do the rows of a dialect's tables refute by themselves, and which rows refute nobody?
//!
//! Must never count a row that the reference itself contradicts, nor call a wrong matcher refuted by anything but rows
//! and the one operand that is too long to be a row.

use wildcheck_matcher::{Dialect, Strength};
use wildcheck_tables::{DialectTables, Operand, row::OperandKind};

use crate::{
    error::CampaignError,
    mutants::{self, Mutant},
    outside::operands::{Effort, literals, structure},
};

/// What the rows do to one wrong matcher.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The wrong matcher.
    pub mutant: &'static Mutant,
    /// The rows of `match.csv` that it gets wrong, by index.
    pub matches: Vec<usize>,
    /// The rows of `validation.csv` whose refused operand it delivers to itself, by index.
    pub validation: Vec<usize>,
    /// It delivers an operand that is one byte longer than the dialect's limit. A row of it would be a line of thousands
    /// of bytes; the clause of the limit stands for it.
    pub limit: bool,
    /// Where nothing refutes it: the smallest pair that would, or nothing where none was found.
    pub smallest: Option<(Operand, Operand)>,
}

impl Judged {
    /// Is it refuted?
    pub fn refuted(&self) -> bool {
        !self.matches.is_empty() || !self.validation.is_empty() || self.limit
    }
}

/// What the tables of one dialect are good for.
#[derive(Clone, Debug)]
pub struct Adequacy {
    /// Every named wrong matcher of the dialect, by code.
    pub mutants: Vec<Judged>,
    /// Rows of `match.csv` that refute no wrong matcher, by index: they document their clause, or nothing.
    pub idle: Vec<usize>,
}

/// Runs every named wrong matcher against the rows alone.
///
/// # Errors
/// [`CampaignError::Nothing`] when the dialect has no wrong matcher or no row.
pub fn adequacy(dialect: &'static dyn Dialect, tables: &DialectTables) -> Result<Adequacy, CampaignError> {
    let wrong = mutants::of(dialect);
    if wrong.is_empty() || tables.matches.is_empty() {
        return Err(CampaignError::Nothing(format!("{} has no wrong matchers or no rows", dialect.name())));
    }
    let mutants: Vec<Judged> =
        wrong.into_iter().map(|mutant| judge(dialect, tables, mutant)).collect::<Result<_, _>>()?;
    let busy = |index: &usize| mutants.iter().any(|judged| judged.matches.contains(index));
    let idle = (0..tables.matches.len()).filter(|index| !busy(index)).collect();
    Ok(Adequacy { mutants, idle })
}

fn judge(
    dialect: &'static dyn Dialect,
    tables: &DialectTables,
    mutant: &'static Mutant,
) -> Result<Judged, CampaignError> {
    let wrong = |pattern: &[u8], subject: &[u8]| {
        let truth = dialect.matches(pattern, subject);
        (mutant.matches(dialect, pattern, subject) != truth).then_some(truth)
    };
    let matches = (0..tables.matches.len())
        .filter(|index| {
            let row = &tables.matches[*index];
            wrong(row.pattern.bytes(), row.subject.bytes()) == Some(row.expected)
        })
        .collect();
    let validation = (0..tables.validation.len())
        .filter(|index| {
            let row = &tables.validation[*index];
            let text = row.text.bytes();
            let refused = match row.operand {
                OperandKind::Pattern => dialect.validate_pattern(text, Strength::Server).is_err(),
                OperandKind::Subject => dialect.validate_subject(text, Strength::Server).is_err(),
            };
            refused && !row.strict && wrong(text, text) == Some(false)
        })
        .collect();
    let long = vec![b'a'; dialect.syntax().max_bytes + 1];
    let limit = wrong(&long, &long) == Some(false);
    let mut judged = Judged { mutant, matches, validation, limit, smallest: None };
    if !judged.refuted() {
        judged.smallest = smallest(dialect, |pattern, subject| wrong(pattern, subject).is_some())?;
    }
    Ok(judged)
}

/// The smallest pair of the exhaustive grids, and of a few operands that they lack, that this is true of.
fn smallest(
    dialect: &'static dyn Dialect,
    is_wrong: impl Fn(&[u8], &[u8]) -> bool,
) -> Result<Option<(Operand, Operand)>, CampaignError> {
    let separator: Vec<u8> = dialect.syntax().separator.into_iter().collect();
    let mut rare: Vec<Operand> = [&b"\xff"[..], b"\xfe", b"a\0", b"a\0b"].map(Operand::from).to_vec();
    rare.push(Operand(vec![&b"a"[..]; 17].join(&separator[..])));
    let mut best: Option<(Operand, Operand)> = None;
    for (mut patterns, mut subjects) in
        [structure(dialect, Effort::Full)?, literals(dialect, Effort::Full), (rare.clone(), rare)]
    {
        patterns.sort_by_key(|operand| operand.0.len());
        subjects.sort_by_key(|operand| operand.0.len());
        for pattern in &patterns {
            for subject in &subjects {
                let size = pattern.0.len() + subject.0.len();
                if best.as_ref().is_some_and(|(p, s)| size >= p.0.len() + s.0.len()) {
                    break;
                }
                if is_wrong(pattern.bytes(), subject.bytes()) {
                    best = Some((pattern.clone(), subject.clone()));
                }
            }
        }
    }
    Ok(best)
}
