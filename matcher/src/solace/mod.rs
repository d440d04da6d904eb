//! Solace SMF topic subscriptions: levels between slashes, `*` for a level or the end of one, `>` for one or more levels.
//!
//! Sources: Solace's pages on wildcards in topic subscriptions and on SMF topics. No broker could be asked; where the
//! pages leave something open, the clause says so and names the reading that is taken here. Must never differ from
//! [`spec`]; the tests hold the two together.

pub mod clause;
mod explain;
mod level;
pub mod naive;
mod relations;
pub mod spec;
mod validate;
#[cfg(feature = "alloc")]
mod witness;

#[cfg(feature = "alloc")]
use alloc::{boxed::Box, vec::Vec};

use crate::dialect::{Dialect, Refusal, Strength, Syntax, Trace};
use crate::{Capabilities, Said, Where};
#[cfg(feature = "alloc")]
use crate::{Coverage, PatternSet, Piece, across::PieceTrie};
pub use explain::explain;
pub(crate) use level::{Level, levels};
pub use validate::{MAX_LEVELS, MAX_OPERAND, validate_pattern, validate_subject};

/// The dialect `solace`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Solace;

/// The level that no wildcard takes.
pub(crate) const INBOX: &[u8] = b"#P2P";

static SYNTAX: Syntax = Syntax {
    separator: Some(b'/'),
    one: Some(b"*"),
    many: Some(b">"),
    many_last_only: true,
    many_min: 1,
    empty_tokens: true,
    max_bytes: MAX_OPERAND,
};

static CAPABILITIES: Capabilities = Capabilities {
    patterns: Said::by(true, clause::STAR),
    separator: Said::by(Some('/'), clause::LITERAL),
    one: Said::by(Some("*"), clause::STAR),
    many: Said::by(Some(">"), clause::TAIL),
    many_least: Said::by(Some(1), clause::TAIL),
    many_place: Said::by(Where::Last, clause::TAIL_LITERAL),
    partial: Said::by(Some("prefix*"), clause::PREFIX),
    empty_tokens: Said::by(true, clause::EMPTY_LEVEL),
    hidden: Said::by(
        Some("`#P2P`; topics that begin with `$`, from a stand-alone wildcard in the first level"),
        clause::P2P,
    ),
    max_bytes: Said::by(MAX_OPERAND, clause::LIMIT),
    max_tokens: Said::by(Some(MAX_LEVELS), clause::LEVELS),
};

/// Does a message with this topic reach this topic subscription? Bytes in, no allocation.
///
/// A refused operand matches nothing. `*` and `>` in the topic are literals.
pub fn matches(subscription: &[u8], topic: &[u8]) -> bool {
    if validate_pattern(subscription, Strength::Server).is_err() || validate_subject(topic, Strength::Server).is_err() {
        return false;
    }
    let mut rest = topic.split(|b| *b == b'/').enumerate();
    for wanted in levels(subscription) {
        let Some((index, level)) = rest.next() else { return false };
        if !wanted.takes(level, index == 0) {
            return false;
        }
        if wanted == Level::Rest {
            return rest.all(|(_, level)| level != INBOX);
        }
    }
    rest.next().is_none()
}

impl Dialect for Solace {
    fn name(&self) -> &'static str {
        "solace"
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
        Some(relations::accepted(left, right) && relations::subset(left, right))
    }
    fn overlap(&self, left: &[u8], right: &[u8]) -> Option<bool> {
        Some(relations::accepted(left, right) && relations::overlap(left, right))
    }
    #[cfg(feature = "alloc")]
    fn subset_witness(&self, left: &[u8], right: &[u8]) -> Option<Vec<u8>> {
        if relations::accepted(left, right) { witness::of_not_subset(left, right) } else { None }
    }
    #[cfg(feature = "alloc")]
    fn overlap_witness(&self, left: &[u8], right: &[u8]) -> Option<Vec<u8>> {
        if relations::accepted(left, right) { witness::of_overlap(left, right) } else { None }
    }
    #[cfg(feature = "alloc")]
    fn intersection(&self, left: &[u8], right: &[u8]) -> Option<Vec<Vec<u8>>> {
        let both = relations::accepted(left, right).then(|| witness::intersection(left, right)).flatten();
        Some(both.into_iter().collect())
    }
    #[cfg(feature = "alloc")]
    fn covers(&self, union: &[&[u8]], pattern: &[u8]) -> Coverage {
        crate::across::covers(self, union, pattern)
    }
    #[cfg(feature = "alloc")]
    fn pieces<'a>(&self, pattern: &'a [u8]) -> Option<Vec<Piece<'a>>> {
        validate::relatable(pattern).ok()?;
        let mut pieces = Vec::new();
        for level in levels(pattern) {
            match level {
                Level::Literal(literal) => pieces.push(Piece::Literal(literal)),
                Level::Prefix(prefix) => pieces.push(Piece::Prefix(prefix)),
                Level::Any => pieces.push(Piece::One),
                Level::Rest => pieces.extend([Piece::One, Piece::Any]),
            }
        }
        Some(pieces)
    }
    #[cfg(feature = "alloc")]
    fn wildcard_takes(&self, piece: Piece<'_>, token: &[u8], first: bool) -> bool {
        let alone = !matches!(piece, Piece::Prefix(_));
        token != INBOX && !(alone && first && token.starts_with(b"$"))
    }
    #[cfg(feature = "alloc")]
    fn pattern_set(&self) -> Option<Box<dyn PatternSet>> {
        Some(Box::new(PieceTrie::new(&Solace)))
    }
}
