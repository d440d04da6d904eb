//! Named wrong matchers: what implementations get wrong, one deviation each.
//!
//! They serve twice: a disagreement is explained by the mutants that are wrong in the same way on the same pair, and
//! the self-check plants one to see whether the harness finds it. Must never be used to decide who is right.

mod catalogue;
mod deviant;
pub mod deviation;
pub mod oracle;
mod parsed;
mod shape;
mod token;
mod translated;
mod walk;
mod whole;

use wildcheck_matcher::{Dialect, Operand as Side};
use wildcheck_tables::row::{Cause, Direction};

pub use deviant::plain;
pub use oracle::Planted;
pub use parsed::Parsed;
pub use shape::{bites, touches};

use deviation::{Deviation, Set};

/// The code of a disagreement that no mutant explains.
pub const UNEXPLAINED: &str = "WC000";

/// One named wrong matcher: the columns of a line of `causes.csv`, and what it does differently.
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
    /// The dialects it makes sense in, by their folder.
    pub dialects: &'static [&'static str],
    /// The one thing it does differently.
    pub deviation: Deviation,
}

impl Mutant {
    /// What this wrong matcher says of the pair.
    pub fn matches(&self, dialect: &dyn Dialect, pattern: &[u8], subject: &[u8]) -> bool {
        let truth = dialect.matches(pattern, subject);
        let pattern = Parsed::new(dialect, Side::Pattern, pattern);
        let subject = Parsed::new(dialect, Side::Subject, subject);
        self.verdict(dialect, &pattern, &subject, truth)
    }

    /// The same of operands that were taken apart before; `truth` is what the dialect says.
    pub fn verdict(&self, dialect: &dyn Dialect, pattern: &Parsed<'_>, subject: &Parsed<'_>, truth: bool) -> bool {
        if !bites(self.deviation, pattern, subject) {
            return truth;
        }
        deviant::verdict(dialect, Set::of(self.deviation), pattern, subject, truth)
    }

    /// The row of `causes.csv`.
    pub fn cause(&self) -> Cause {
        let known = |name: &&&str| wildcheck_matcher::dialects().iter().any(|d| d.tables() == **name);
        Cause {
            code: self.code.to_owned(),
            name: self.name.to_owned(),
            statement: self.statement.to_owned(),
            dialect: self.dialects.iter().filter(known).copied().collect::<Vec<_>>().join(" "),
            direction: self.direction,
        }
    }
}

/// A cause without a wrong matcher: it is not about a pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plain {
    /// As in [`Mutant`].
    pub code: &'static str,
    /// As in [`Mutant`].
    pub name: &'static str,
    /// As in [`Mutant`].
    pub statement: &'static str,
    /// As in [`Mutant`].
    pub direction: Direction,
}

/// What no named mutant explains.
pub static UNKNOWN: Plain = Plain {
    code: UNEXPLAINED,
    name: "unexplained",
    statement: "No named wrong matcher explains the disagreement.",
    direction: Direction::Both,
};

/// Validation refuses what the rules allow.
pub static REFUSES_LEGAL: Plain = Plain {
    code: "WC042",
    name: "legal-operand-refused",
    statement: "An operand that the rules accept is refused.",
    direction: Direction::TooLittle,
};

/// Validation takes what the rules refuse.
pub static ACCEPTS_ILLEGAL: Plain = Plain {
    code: "WC043",
    name: "illegal-operand-accepted",
    statement: "An operand that the rules refuse is accepted.",
    direction: Direction::TooMuch,
};

/// The one-pair question that never got an answer.
pub static HANGS: Plain = Plain {
    code: "WC050",
    name: "no-answer",
    statement: "The program gives no answer in time.",
    direction: Direction::Both,
};

/// The one-pair question that ended the program.
pub static DIES: Plain = Plain {
    code: "WC051",
    name: "program-died",
    statement: "The program ends while it is asked.",
    direction: Direction::Both,
};

/// A legal pair that raised something else than a refusal.
pub static THROWS: Plain = Plain {
    code: "WC052",
    name: "exception",
    statement: "Legal operands raise an exception that is not a refusal.",
    direction: Direction::Both,
};

/// Time per pair that runs away.
pub static EXPLODES: Plain = Plain {
    code: "WC053",
    name: "time-explodes",
    statement: "The time for one pair grows out of proportion to its length.",
    direction: Direction::Both,
};

/// A set that tells a pattern more than once.
pub static SET_REPEATS: Plain = Plain {
    code: "WC054",
    name: "set-repeats",
    statement: "A set tells a pattern more than once for one subject.",
    direction: Direction::TooMuch,
};

/// A set that leaves patterns out.
pub static SET_FORGETS: Plain = Plain {
    code: "WC055",
    name: "set-forgets",
    statement: "A set leaves out a pattern that matches by itself, as one that stops at the first match does.",
    direction: Direction::TooLittle,
};

/// A set that tells patterns it does not hold.
pub static SET_KEEPS: Plain = Plain {
    code: "WC056",
    name: "set-keeps",
    statement: "A set tells a pattern that was removed, or never added, or does not match by itself.",
    direction: Direction::TooMuch,
};

/// The causes that have no wrong matcher.
static PLAIN: [&Plain; 10] = [
    &UNKNOWN,
    &REFUSES_LEGAL,
    &ACCEPTS_ILLEGAL,
    &HANGS,
    &DIES,
    &THROWS,
    &EXPLODES,
    &SET_REPEATS,
    &SET_FORGETS,
    &SET_KEEPS,
];

/// Every row of `causes.csv`, by code: the mutants and the causes that have none.
pub fn causes() -> Vec<Cause> {
    let plain = PLAIN.map(|plain| Cause {
        code: plain.code.to_owned(),
        name: plain.name.to_owned(),
        statement: plain.statement.to_owned(),
        dialect: "*".to_owned(),
        direction: plain.direction,
    });
    let mut causes: Vec<Cause> = all().iter().map(Mutant::cause).chain(plain).collect();
    causes.sort_by(|a, b| a.code.cmp(&b.code));
    causes
}

/// Every mutant, by code.
pub fn all() -> &'static [Mutant] {
    catalogue::ALL_MUTANTS
}

/// The mutants that make sense in this dialect, by code.
pub fn of(dialect: &dyn Dialect) -> Vec<&'static Mutant> {
    // A variant that keeps tables of its own (`rabbitmq-2.2`) is still a variant of the dialect before the hyphen.
    let folder = dialect.tables().split('-').next().unwrap_or_default();
    // A variant may lack the rule that a mutant drops, or have the mutant's rule.
    let lacks = |m: &Mutant| match m.deviation {
        Deviation::BytesAllowed => dialect.is_subject(b"\xff"),
        Deviation::EmptyDropped | Deviation::TrailingSeparator => dialect.drops(b""),
        _ => false,
    };
    all().iter().filter(|m| m.dialects.contains(&folder) && !lacks(m)).collect()
}

/// The mutant with this code or name.
pub fn by_code(code: &str) -> Option<&'static Mutant> {
    all().iter().find(|m| m.code == code || m.name == code)
}
