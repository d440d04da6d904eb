//! From disagreements to causes: the smallest set of named mutants that explains them all.
//!
//! Must never invent a cause: what no mutant explains is `WC000`, and comes first.

use wildcheck_matcher::Dialect;

use crate::{compare::Disagreement, mutants::Mutant};

/// One cause of an oracle's disagreements, before shrinking.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// The wrong matcher that explains them; `None` is `WC000`.
    pub mutant: Option<&'static Mutant>,
    /// How many disagreements are counted to it; each is counted once.
    pub count: u64,
    /// The smallest of them.
    pub smallest: Disagreement,
}

/// The mutants that are wrong on this pair in the same way; empty: unexplained.
pub fn explain(dialect: &dyn Dialect, disagreement: &Disagreement) -> Vec<&'static Mutant> {
    let (pattern, subject) = (disagreement.pattern.bytes(), disagreement.subject.bytes());
    let same = |m: &&Mutant| m.matches(dialect, pattern, subject) != disagreement.reference;
    crate::mutants::of(dialect).into_iter().filter(same).collect()
}
