//! Which wrong matchers do the rows of a dialect's tables refute by themselves, and which rows refute nobody?
//!
//! Must never count a row that the reference itself contradicts, nor call a wrong matcher refuted by anything but rows
//! and the one operand that is too long to be a row.

mod smallest;

use std::collections::HashSet;

use wildcheck_matcher::{Dialect, Strength};
use wildcheck_oracle::Oracle;
use wildcheck_tables::{DialectTables, Operand, row::OperandKind};

use crate::{
    error::CampaignError,
    mutants::{self, Mutant},
    rows,
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

/// What the rows do to somebody's matcher.
#[derive(Clone, Debug)]
pub struct Outsider {
    /// Its name and version.
    pub name: String,
    /// The rows of `match.csv` that it gets wrong, by index.
    pub matches: Vec<usize>,
    /// How many rows of `match.csv` it has no answer to.
    pub unanswered: usize,
}

/// Why a row that refutes nobody stands in the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Worth {
    /// No other row shows that its clause says yes, or that it says no.
    Clause,
    /// It is one of the seed's, whose verdicts are kept.
    Seed,
    /// It does not: a row that can go.
    Nothing,
}

/// What the tables of one dialect are good for.
#[derive(Clone, Debug)]
pub struct Adequacy {
    /// Every named wrong matcher of the dialect, by code.
    pub mutants: Vec<Judged>,
    /// The matchers of other people that were asked.
    pub outsiders: Vec<Outsider>,
    /// Rows of `match.csv` that refute nobody, by index, and what they are there for.
    pub idle: Vec<(usize, Worth)>,
}

/// Runs every named wrong matcher, and these matchers, against the rows alone.
///
/// # Errors
/// [`CampaignError::Nothing`] when the dialect has no wrong matcher or no row; a matcher was lost.
pub fn adequacy(
    dialect: &'static dyn Dialect,
    tables: &DialectTables,
    outsiders: &mut [Box<dyn Oracle>],
) -> Result<Adequacy, CampaignError> {
    let wrong = mutants::of(dialect);
    if wrong.is_empty() || tables.matches.is_empty() {
        return Err(CampaignError::Nothing(format!("{} has no wrong matchers or no rows", dialect.name())));
    }
    let mut mutants: Vec<Judged> = wrong.into_iter().map(|mutant| judge(dialect, tables, mutant)).collect();
    let alive: Vec<&mut Judged> = mutants.iter_mut().filter(|judged| !judged.refuted()).collect();
    let found = smallest::pairs(dialect, &alive.iter().map(|judged| judged.mutant).collect::<Vec<_>>())?;
    for (judged, pair) in alive.into_iter().zip(found) {
        judged.smallest = pair;
    }
    let outsiders: Vec<Outsider> =
        outsiders.iter_mut().map(|program| ask(dialect, tables, &mut **program)).collect::<Result<_, _>>()?;
    let busy: HashSet<usize> =
        mutants.iter().flat_map(|m| &m.matches).chain(outsiders.iter().flat_map(|o| &o.matches)).copied().collect();
    let idle = idle(tables, &busy);
    Ok(Adequacy { mutants, outsiders, idle })
}

/// The rows that are not busy, each with what it is there for. Of several that show the same, the first does.
fn idle(tables: &DialectTables, busy: &HashSet<usize>) -> Vec<(usize, Worth)> {
    let shows = |index: usize| (&tables.matches[index].clause, tables.matches[index].expected);
    let mut shown: HashSet<_> = busy.iter().map(|index| shows(*index)).collect();
    let rest: Vec<usize> = (0..tables.matches.len()).filter(|index| !busy.contains(index)).collect();
    let is_seed = |index: usize| tables.matches[index].source.starts_with("seed");
    shown.extend(rest.iter().filter(|index| is_seed(**index)).map(|index| shows(*index)));
    let worth = |index: usize| match () {
        () if is_seed(index) => Worth::Seed,
        () if shown.insert(shows(index)) => Worth::Clause,
        () => Worth::Nothing,
    };
    let worths: Vec<Worth> = rest.iter().copied().map(worth).collect();
    rest.into_iter().zip(worths).collect()
}

/// Asks somebody's matcher the rows, as it stands.
fn ask(
    dialect: &'static dyn Dialect,
    tables: &DialectTables,
    program: &mut dyn Oracle,
) -> Result<Outsider, CampaignError> {
    let pairs: Vec<(&Operand, &Operand)> = tables.matches.iter().map(|row| (&row.pattern, &row.subject)).collect();
    let seen = rows::ask_pairs(dialect, &pairs, program)?;
    let verdicts: Vec<Option<bool>> = seen.iter().map(|seen| seen.verdict.known()).collect();
    let wrong = |index: &usize| verdicts[*index].is_some_and(|verdict| verdict != tables.matches[*index].expected);
    Ok(Outsider {
        name: program.identity().to_string(),
        matches: (0..verdicts.len()).filter(wrong).collect(),
        unanswered: verdicts.iter().filter(|verdict| verdict.is_none()).count(),
    })
}

fn judge(dialect: &'static dyn Dialect, tables: &DialectTables, mutant: &'static Mutant) -> Judged {
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
    Judged { mutant, matches, validation, limit, smallest: None }
}
