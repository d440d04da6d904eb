//! What every pattern language has in common: the trait its callers see, and the words a decision is told in.
//!
//! Must never name a dialect's rule; those stand in the dialect's own folder.

#[cfg(feature = "alloc")]
use alloc::{boxed::Box, vec::Vec};
use core::fmt;

use crate::Capabilities;
#[cfg(feature = "alloc")]
use crate::{PatternSet, Piece};

/// The id of one sentence of a dialect's rules, as in `truth-tables/<dialect>/clauses.csv` (`nats-star`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ClauseId(pub &'static str);

impl fmt::Display for ClauseId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// Which of the two operands of a question is meant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Operand {
    /// What is subscribed to.
    Pattern,
    /// What is published to.
    Subject,
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Operand::Pattern => "pattern",
            Operand::Subject => "subject",
        })
    }
}

/// How much validation refuses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Strength {
    /// Exactly what the server accepts.
    Server,
    /// The portable rule: also refuses what looks like a wildcard and never acts as one.
    Strict,
}

/// Why an operand may not be used: which clause, and where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The clause that refuses.
    pub clause: ClauseId,
    /// Which token, counted from 0; `None` when the whole operand is meant (empty, too long).
    pub token: Option<usize>,
    /// Where in the operand the refused bytes start, counted in bytes from 0.
    pub offset: usize,
    /// Why, as a lower-case fragment without a full stop.
    pub why: &'static str,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.why)?;
        if let Some(token) = self.token {
            write!(f, " (token {}, byte {})", token + 1, self.offset)?;
        }
        write!(f, " [{}]", self.clause)
    }
}

impl core::error::Error for Refusal {}

/// How one pair was decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trace {
    /// The answer.
    pub matched: bool,
    /// The clause that decided it.
    pub clause: ClauseId,
    /// Which operand the token index speaks of.
    pub operand: Operand,
    /// The token that decided, counted from 0; `None` when the whole operand decided.
    pub token: Option<usize>,
    /// Why, as a lower-case fragment without a full stop.
    pub why: &'static str,
}

/// The punctuation of a dialect: what generators and shrinkers need to build and take apart operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Syntax {
    /// The byte between tokens; `None` for a flat name space.
    pub separator: Option<u8>,
    /// The token that stands for one token.
    pub one: Option<&'static [u8]>,
    /// The token that stands for several tokens.
    pub many: Option<&'static [u8]>,
    /// `many` is legal only as the last token.
    pub many_last_only: bool,
    /// How many tokens `many` stands for at least.
    pub many_min: usize,
    /// A legal subject may hold empty tokens.
    pub empty_tokens: bool,
    /// The longest operand in bytes that any server of this dialect takes.
    pub max_bytes: usize,
}

/// One pattern language. Stateless: every method is a function of its operands.
///
/// Callers hold `&'static dyn Dialect` and never ask which one it is; what differs between dialects is asked through
/// [`Dialect::syntax`] or decided behind these methods.
pub trait Dialect: Sync + Send {
    /// The name on the command line.
    fn name(&self) -> &'static str;

    /// The folder under `truth-tables/`; several variants of a dialect share one.
    fn tables(&self) -> &'static str {
        self.name()
    }

    /// The punctuation.
    fn syntax(&self) -> &'static Syntax;

    /// Does `subject` reach a subscription to `pattern`? An operand that the dialect refuses matches nothing.
    fn matches(&self, pattern: &[u8], subject: &[u8]) -> bool;

    /// The same, decided by a second implementation written to be read, not to be fast.
    fn spec_matches(&self, pattern: &[u8], subject: &[u8]) -> bool;

    /// What people write instead; wrong on purpose.
    fn naive_matches(&self, pattern: &[u8], subject: &[u8]) -> bool;

    /// May this be subscribed to?
    ///
    /// # Errors
    /// The clause that refuses, and the token.
    fn validate_pattern(&self, pattern: &[u8], strength: Strength) -> Result<(), Refusal>;

    /// May this be published to?
    ///
    /// # Errors
    /// The clause that refuses, and the token.
    fn validate_subject(&self, subject: &[u8], strength: Strength) -> Result<(), Refusal>;

    /// Can anything be published to it, by clients or by the server itself? What `matches` wants of a subject.
    fn is_subject(&self, subject: &[u8]) -> bool {
        self.validate_subject(subject, Strength::Server).is_ok()
    }

    /// What of a pattern takes part in matching: `$share/NAME/` and its like left off. Of a pattern that is accepted.
    fn unshared<'a>(&self, pattern: &'a [u8]) -> &'a [u8] {
        pattern
    }

    /// What can be expressed, with the clauses that say so.
    fn capabilities(&self) -> &'static Capabilities;

    /// How the pair is decided: the answer, the clause and the token.
    fn explain(&self, pattern: &[u8], subject: &[u8]) -> Trace;

    /// Every subject of `left` is one of `right`; `None` when this dialect cannot decide it.
    ///
    /// Relations speak of tokens, not of length limits. A refused operand stands in no relation: `Some(false)`.
    fn subset(&self, left: &[u8], right: &[u8]) -> Option<bool>;

    /// Some subject is in both; `None` when this dialect cannot decide it. A refused operand: `Some(false)`.
    fn overlap(&self, left: &[u8], right: &[u8]) -> Option<bool>;

    /// Both have the same subjects; `None` when this dialect cannot decide it. A refused operand: `Some(false)`.
    fn equivalent(&self, left: &[u8], right: &[u8]) -> Option<bool> {
        Some(self.subset(left, right)? && self.subset(right, left)?)
    }

    /// A legal subject in `left` and not in `right`: why `subset` says no. `None` when there is none, when an operand
    /// is refused, or when this dialect cannot decide it.
    #[cfg(feature = "alloc")]
    fn subset_witness(&self, left: &[u8], right: &[u8]) -> Option<Vec<u8>>;

    /// A legal subject in both: why `overlap` says yes. `None` when there is none, when an operand is refused, or when
    /// this dialect cannot decide it.
    #[cfg(feature = "alloc")]
    fn overlap_witness(&self, left: &[u8], right: &[u8]) -> Option<Vec<u8>>;

    /// Patterns that together have exactly the subjects in both: empty when there are none (also for a refused
    /// operand). `None` when no finite list of patterns does it, or this dialect cannot say.
    #[cfg(feature = "alloc")]
    fn intersection(&self, left: &[u8], right: &[u8]) -> Option<Vec<Vec<u8>>> {
        let _ = (left, right);
        None
    }

    /// Is every subject of `pattern` in one of `union` at least? Refused patterns in `union` add nothing; a refused
    /// `pattern` is [`Coverage::Refused`].
    #[cfg(feature = "alloc")]
    fn covers(&self, union: &[&[u8]], pattern: &[u8]) -> Coverage;

    /// The pattern token by token, in words that dialects share; `None` when it is refused (lengths aside).
    #[cfg(feature = "alloc")]
    fn pieces<'a>(&self, pattern: &'a [u8]) -> Option<Vec<Piece<'a>>>;

    /// May this wildcard take this token of a subject, the first one or not? Asked of tokens that [`Piece::takes`].
    #[cfg(feature = "alloc")]
    fn wildcard_takes(&self, piece: Piece<'_>, token: &[u8], first: bool) -> bool {
        let _ = (piece, token, first);
        true
    }

    /// Is this token of a subject left out, as if it were not there?
    #[cfg(feature = "alloc")]
    fn drops(&self, token: &[u8]) -> bool {
        let _ = token;
        false
    }

    /// An empty set of patterns that answers one subject faster than pair by pair, and always as
    /// [`Dialect::matches`] does; `None` where this dialect has none.
    #[cfg(feature = "alloc")]
    fn pattern_set(&self) -> Option<Box<dyn PatternSet>> {
        None
    }

    /// The same for [`Dialect::naive_matches`].
    #[cfg(feature = "alloc")]
    fn naive_set(&self) -> Option<Box<dyn PatternSet>> {
        None
    }
}

/// Whether a union of patterns covers a pattern.
#[cfg(feature = "alloc")]
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Coverage {
    /// Every subject is covered.
    Whole,
    /// This legal subject of the pattern is in none of the union.
    Misses(Vec<u8>),
    /// The pattern itself is refused.
    Refused,
    /// Not decided within the budget, or not by this dialect.
    Undecided,
}

/// Every dialect, in the order the help lists them.
pub fn dialects() -> &'static [&'static dyn Dialect] {
    use crate::rabbitmq::{Rabbitmq, Variant};
    &[
        &crate::nats::Nats,
        &Rabbitmq(Variant::Current),
        &Rabbitmq(Variant::V4_3_5),
        &Rabbitmq(Variant::V2_2),
        &crate::mqtt::Mqtt,
        &crate::solace::Solace,
        &crate::flat::Flat,
    ]
}

/// The dialect of that name.
pub fn by_name(name: &str) -> Option<&'static dyn Dialect> {
    dialects().iter().copied().find(|d| d.name() == name)
}
