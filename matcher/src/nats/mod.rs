//! NATS subjects: tokens between dots, `*` for one token, `>` for one or more at the end.
//!
//! Sources: the NATS documentation's page on subjects, and nats-server 2.9.10 to 2.15.1 asked live. Must never differ
//! from [`spec`]; the tests hold the two together.

mod explain;
mod fast;
pub mod naive;
mod relations;
#[cfg(feature = "alloc")]
mod set;
pub mod spec;
mod validate;
#[cfg(feature = "alloc")]
mod witness;

#[cfg(feature = "alloc")]
use alloc::{boxed::Box, vec::Vec};

use crate::dialect::{ClauseId, Dialect, Refusal, Strength, Syntax, Trace};
use crate::{Capabilities, Said, Where};
#[cfg(feature = "alloc")]
use crate::{Coverage, PatternSet, Piece};

pub use explain::explain;
pub use fast::{Pattern, matches};
pub use relations::{overlap, subset};
#[cfg(feature = "alloc")]
pub use set::TokenTrie;
pub use validate::{MAX_OPERAND, validate_pattern, validate_subject};
#[cfg(feature = "alloc")]
pub use witness::{covers, intersection, overlap_witness, subset_witness};

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

static CAPABILITIES: Capabilities = Capabilities {
    patterns: Said::by(true, clause::STAR),
    separator: Said::by(Some('.'), clause::LITERAL),
    one: Said::by(Some("*"), clause::STAR),
    many: Said::by(Some(">"), clause::TAIL),
    many_least: Said::by(Some(1), clause::TAIL),
    many_place: Said::by(Where::Last, clause::TAIL_LAST),
    partial: Said::by(None, clause::PARTIAL),
    empty_tokens: Said::by(false, clause::EMPTY_TOKEN),
    hidden: Said::plain(None),
    max_bytes: Said::by(MAX_OPERAND, clause::CONTROL_LINE),
    max_tokens: Said::plain(None),
};

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
    fn capabilities(&self) -> &'static Capabilities {
        &CAPABILITIES
    }
    fn explain(&self, pattern: &[u8], subject: &[u8]) -> Trace {
        explain(pattern, subject)
    }
    fn subset(&self, left: &[u8], right: &[u8]) -> Option<bool> {
        Some(subset(left, right))
    }
    fn overlap(&self, left: &[u8], right: &[u8]) -> Option<bool> {
        Some(overlap(left, right))
    }
    #[cfg(feature = "alloc")]
    fn subset_witness(&self, left: &[u8], right: &[u8]) -> Option<Vec<u8>> {
        subset_witness(left, right)
    }
    #[cfg(feature = "alloc")]
    fn overlap_witness(&self, left: &[u8], right: &[u8]) -> Option<Vec<u8>> {
        overlap_witness(left, right)
    }
    #[cfg(feature = "alloc")]
    fn intersection(&self, left: &[u8], right: &[u8]) -> Option<Vec<Vec<u8>>> {
        Some(intersection(left, right).into_iter().collect())
    }
    #[cfg(feature = "alloc")]
    fn covers(&self, union: &[&[u8]], pattern: &[u8]) -> Coverage {
        covers(union, pattern)
    }
    #[cfg(feature = "alloc")]
    fn pieces<'a>(&self, pattern: &'a [u8]) -> Option<Vec<Piece<'a>>> {
        validate::is_pattern(pattern).then_some(())?;
        let mut pieces = Vec::new();
        for token in pattern.split(|b| *b == b'.') {
            match token {
                b"*" => pieces.push(Piece::One),
                b">" => pieces.extend([Piece::One, Piece::Any]),
                literal => pieces.push(Piece::Literal(literal)),
            }
        }
        Some(pieces)
    }
    #[cfg(feature = "alloc")]
    fn pattern_set(&self) -> Option<Box<dyn PatternSet>> {
        Some(Box::new(TokenTrie::new()))
    }
    #[cfg(feature = "alloc")]
    fn naive_set(&self) -> Option<Box<dyn PatternSet>> {
        Some(Box::new(naive::NaiveSet::new()))
    }
}
