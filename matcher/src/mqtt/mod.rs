//! MQTT topic filters: levels between slashes, `+` for one level, `#` for the rest and the parent, `$share` groups.
//!
//! Sources: MQTT 3.1.1 and 5.0, sections 1.5.3/1.5.4 and 4.7, 5.0 section 4.8.2, and mosquitto 2.0.11 asked live.
//! Must never differ from [`spec`]; the tests hold the two together.

pub mod clause;
mod explain;
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
pub use validate::{MAX_OPERAND, MAX_SLASHES, validate_pattern, validate_subject};

/// The dialect `mqtt`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Mqtt;

pub(crate) const ONE: &[u8] = b"+";
pub(crate) const MANY: &[u8] = b"#";

static SYNTAX: Syntax = Syntax {
    separator: Some(b'/'),
    one: Some(ONE),
    many: Some(MANY),
    many_last_only: true,
    many_min: 0,
    empty_tokens: true,
    max_bytes: MAX_OPERAND,
};

static CAPABILITIES: Capabilities = Capabilities {
    patterns: Said::by(true, clause::PLUS),
    separator: Said::by(Some('/'), clause::LITERAL),
    one: Said::by(Some("+"), clause::PLUS),
    many: Said::by(Some("#"), clause::HASH),
    many_least: Said::by(Some(0), clause::PARENT),
    many_place: Said::by(Where::Last, clause::HASH_LAST),
    partial: Said::by(None, clause::PLUS_ALONE),
    empty_tokens: Said::by(true, clause::EMPTY_LEVEL),
    hidden: Said::by(Some("topics that begin with `$`, from a wildcard in the first level"), clause::DOLLAR),
    max_bytes: Said::by(MAX_OPERAND, clause::LIMIT),
    max_tokens: Said::by(Some(MAX_SLASHES + 1), clause::LEVELS),
};

/// Does a message with this topic name reach a subscription to this filter? Bytes in, no allocation.
///
/// A refused operand matches nothing; a topic under `$SYS` is refused to clients and matched all the same, since the
/// server publishes there. A `$share` group is taken to have this one member.
pub fn matches(filter: &[u8], topic: &[u8]) -> bool {
    if validate_pattern(filter, Strength::Server).is_err() || validate::topic(topic).is_err() {
        return false;
    }
    let filter = validate::unshared(filter);
    if topic[0] == b'$' && matches!(filter[0], b'+' | b'#') {
        return false;
    }
    let mut levels = topic.split(|b| *b == b'/');
    for wanted in filter.split(|b| *b == b'/') {
        if wanted == MANY {
            return true;
        }
        match levels.next() {
            Some(level) if wanted == ONE || wanted == level => {}
            _ => return false,
        }
    }
    levels.next().is_none()
}

impl Dialect for Mqtt {
    fn name(&self) -> &'static str {
        "mqtt"
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
    fn is_subject(&self, subject: &[u8]) -> bool {
        validate::topic(subject).is_ok()
    }
    fn unshared<'a>(&self, pattern: &'a [u8]) -> &'a [u8] {
        validate::unshared(pattern)
    }
    fn capabilities(&self) -> &'static Capabilities {
        &CAPABILITIES
    }
    fn explain(&self, pattern: &[u8], subject: &[u8]) -> Trace {
        explain(pattern, subject)
    }
    fn subset(&self, left: &[u8], right: &[u8]) -> Option<bool> {
        Some(relations::pair(left, right).is_some_and(|(left, right)| relations::subset(left, right)))
    }
    fn overlap(&self, left: &[u8], right: &[u8]) -> Option<bool> {
        Some(relations::pair(left, right).is_some_and(|(left, right)| relations::overlap(left, right)))
    }
    #[cfg(feature = "alloc")]
    fn subset_witness(&self, left: &[u8], right: &[u8]) -> Option<Vec<u8>> {
        relations::pair(left, right).and_then(|(left, right)| witness::of_not_subset(left, right))
    }
    #[cfg(feature = "alloc")]
    fn overlap_witness(&self, left: &[u8], right: &[u8]) -> Option<Vec<u8>> {
        relations::pair(left, right).and_then(|(left, right)| witness::of_overlap(left, right))
    }
    #[cfg(feature = "alloc")]
    fn intersection(&self, left: &[u8], right: &[u8]) -> Option<Vec<Vec<u8>>> {
        let both = relations::pair(left, right).and_then(|(left, right)| witness::intersection(left, right));
        Some(both.into_iter().collect())
    }
    #[cfg(feature = "alloc")]
    fn covers(&self, union: &[&[u8]], pattern: &[u8]) -> Coverage {
        crate::across::covers(self, union, pattern)
    }
    #[cfg(feature = "alloc")]
    fn pieces<'a>(&self, pattern: &'a [u8]) -> Option<Vec<Piece<'a>>> {
        validate::relatable(pattern).ok()?;
        let piece = |level| match level {
            ONE => Piece::One,
            MANY => Piece::Any,
            literal => Piece::Literal(literal),
        };
        Some(validate::unshared(pattern).split(|b| *b == b'/').map(piece).collect())
    }
    #[cfg(feature = "alloc")]
    fn wildcard_takes(&self, _piece: Piece<'_>, token: &[u8], first: bool) -> bool {
        !(first && token.starts_with(b"$"))
    }
    #[cfg(feature = "alloc")]
    fn pattern_set(&self) -> Option<Box<dyn PatternSet>> {
        Some(Box::new(PieceTrie::new(&Mqtt)))
    }
}
