//! NATS subjects: tokens between dots, `*` for one token, `>` for one or more at the end.
//!
//! Sources: the NATS documentation's page on subjects, and nats-server 2.9.10 to 2.15.1 asked live. Must never differ
//! from [`spec`]; the tests hold the two together.

pub mod naive;
pub mod spec;
mod validate;

use crate::dialect::{ClauseId, Dialect, Operand, Refusal, Strength, Syntax, Trace};
pub use validate::{MAX_OPERAND, validate_pattern, validate_subject};

/// The clauses of the NATS rules; their sentences and sources stand in `truth-tables/nats/clauses.csv`.
pub mod clause {
    use super::ClauseId;
    /// A literal token matches itself, byte for byte, and nothing else.
    pub const LITERAL: ClauseId = ClauseId("nats-literal");
    /// Matching is case-sensitive.
    pub const CASE: ClauseId = ClauseId("nats-case");
    /// `*` as a whole token stands for exactly one token, in any position.
    pub const STAR: ClauseId = ClauseId("nats-star");
    /// `>` as the last whole token stands for one or more tokens.
    pub const TAIL: ClauseId = ClauseId("nats-tail");
    /// `>` as a whole token comes last.
    pub const TAIL_LAST: ClauseId = ClauseId("nats-tail-last");
    /// Without `>` the pattern and the subject have equally many tokens.
    pub const LENGTH: ClauseId = ClauseId("nats-length");
    /// An empty token makes a subject or pattern invalid, and an invalid one matches nothing.
    pub const EMPTY_TOKEN: ClauseId = ClauseId("nats-empty-token");
    /// The empty operand is invalid.
    pub const EMPTY: ClauseId = ClauseId("nats-empty");
    /// Space, tab, CR and LF cannot stand in an operand.
    pub const BLANK: ClauseId = ClauseId("nats-blank");
    /// `*` and `>` beside other bytes in a token are literal bytes.
    pub const PARTIAL: ClauseId = ClauseId("nats-partial");
    /// The portable rule refuses a token in which `*` or `>` stands beside anything.
    pub const PORTABLE: ClauseId = ClauseId("nats-portable");
    /// A subject names tokens, not wildcards: pedantic mode refuses `*` and `>` as whole tokens of a subject.
    pub const SUBJECT_WILDCARD: ClauseId = ClauseId("nats-subject-wildcard");
    /// A wildcard token in a subject is delivered as the literal it is (default mode).
    pub const SUBJECT_LITERAL: ClauseId = ClauseId("nats-subject-literal");
    /// The arguments of one protocol line fit the control line limit (4096 bytes by default).
    pub const CONTROL_LINE: ClauseId = ClauseId("nats-control-line");
}

/// The dialect `nats`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nats;

static SYNTAX: Syntax = Syntax {
    separator: Some(b'.'),
    one: Some(b"*"),
    many: Some(b">"),
    many_last_only: true,
    many_min: 1,
    empty_tokens: false,
    max_bytes: MAX_OPERAND,
};

/// Does `subject` reach a subscription to `pattern` on a server in its default mode? Bytes in, no allocation.
///
/// An operand that the server refuses matches nothing. `*` and `>` as tokens of the subject are the literals that the
/// server delivers.
pub fn matches(pattern: &[u8], subject: &[u8]) -> bool {
    spec::matches(pattern, subject)
}

/// How the pair is decided: the answer, the clause and the token.
pub fn explain(pattern: &[u8], subject: &[u8]) -> Trace {
    Trace {
        matched: matches(pattern, subject),
        clause: clause::LITERAL,
        operand: Operand::Pattern,
        token: None,
        why: "TODO",
    }
}

impl Dialect for Nats {
    fn name(&self) -> &'static str {
        "nats"
    }
    fn syntax(&self) -> &'static Syntax {
        &SYNTAX
    }
    fn matches(&self, pattern: &[u8], subject: &[u8]) -> bool {
        matches(pattern, subject)
    }
    fn spec_matches(&self, pattern: &[u8], subject: &[u8]) -> bool {
        spec::matches(pattern, subject)
    }
    fn naive_matches(&self, pattern: &[u8], subject: &[u8]) -> bool {
        naive::matches(pattern, subject)
    }
    fn validate_pattern(&self, pattern: &[u8], strength: Strength) -> Result<(), Refusal> {
        validate_pattern(pattern, strength)
    }
    fn validate_subject(&self, subject: &[u8], strength: Strength) -> Result<(), Refusal> {
        validate_subject(subject, strength)
    }
    fn explain(&self, pattern: &[u8], subject: &[u8]) -> Trace {
        explain(pattern, subject)
    }
    fn subset(&self, _left: &[u8], _right: &[u8]) -> Option<bool> {
        None
    }
    fn overlap(&self, _left: &[u8], _right: &[u8]) -> Option<bool> {
        None
    }
    #[cfg(feature = "alloc")]
    fn subset_witness(&self, _left: &[u8], _right: &[u8]) -> Option<alloc::vec::Vec<u8>> {
        None
    }
    #[cfg(feature = "alloc")]
    fn overlap_witness(&self, _left: &[u8], _right: &[u8]) -> Option<alloc::vec::Vec<u8>> {
        None
    }
}
