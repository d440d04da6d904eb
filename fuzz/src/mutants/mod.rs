//! Named wrong matchers: what implementations get wrong, one deviation each.
//!
//! They serve twice: a disagreement is explained by the mutants that are wrong in the same way on the same pair, and
//! the self-check plants one to see whether the harness finds it. Must never be used to decide who is right.

use wildcheck_matcher::Dialect;
use wildcheck_tables::row::{Cause, Direction};

/// The code of a disagreement that no mutant explains.
pub const UNEXPLAINED: &str = "WC000";

/// One named wrong matcher. The same columns as a line of `causes.csv`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mutant {
    /// `WC` and three digits; never reused.
    pub code: &'static str,
    /// A short name with hyphens.
    pub name: &'static str,
    /// What the wrong implementation does, in one sentence.
    pub statement: &'static str,
    /// Which way it is wrong.
    pub direction: Direction,
    /// The dialects it makes sense in.
    pub dialects: &'static [&'static str],
}

impl Mutant {
    /// What this wrong matcher says of the pair.
    pub fn matches(&self, dialect: &dyn Dialect, pattern: &[u8], subject: &[u8]) -> bool {
        dialect.matches(pattern, subject)
    }

    /// The row of `causes.csv`.
    pub fn cause(&self) -> Cause {
        Cause {
            code: self.code.to_owned(),
            name: self.name.to_owned(),
            statement: self.statement.to_owned(),
            dialect: self.dialects.join(" "),
            direction: self.direction,
        }
    }
}

/// Every mutant, by code.
pub fn all() -> &'static [Mutant] {
    &[]
}

/// The mutants that make sense in this dialect, by code.
pub fn of(dialect: &dyn Dialect) -> Vec<&'static Mutant> {
    all().iter().filter(|m| m.dialects.contains(&dialect.tables())).collect()
}

/// The mutant with this code or name.
pub fn by_code(code: &str) -> Option<&'static Mutant> {
    all().iter().find(|m| m.code == code || m.name == code)
}
