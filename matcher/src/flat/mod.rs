//! Flat name spaces (Kafka topics, SQS queues): a subscription names one topic, and there are no patterns at all.
//!
//! A name that any other dialect would read as a wildcard is refused where it is subscribed to: accepted, it would match
//! only itself, which is the silent failure that this harness exists to show. Must never differ from [`spec`]; the tests
//! hold the two together.

pub mod clause;
pub mod naive;
pub mod spec;
mod validate;

#[cfg(feature = "alloc")]
use alloc::{boxed::Box, vec::Vec};

use crate::dialect::{Dialect, Operand, Refusal, Strength, Syntax, Trace};
use crate::{Capabilities, Said};
#[cfg(feature = "alloc")]
use crate::{Coverage, PatternSet, Piece, across::PieceTrie};
pub use validate::{MAX_OPERAND, validate_pattern, validate_subject};

/// The dialect `flat`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Flat;

static SYNTAX: Syntax = Syntax {
    separator: None,
    one: None,
    many: None,
    many_last_only: true,
    many_min: 1,
    empty_tokens: false,
    max_bytes: MAX_OPERAND,
};

static CAPABILITIES: Capabilities = Capabilities::none(clause::WILDCARD, Said::by(MAX_OPERAND, clause::LIMIT));

/// Is this the name that was subscribed to? Bytes in, no allocation. A refused operand matches nothing.
pub fn matches(name: &[u8], subject: &[u8]) -> bool {
    name == subject && validate_pattern(name, Strength::Server).is_ok()
}

/// How the pair is decided: the answer and the clause; there are no tokens.
pub fn explain(name: &[u8], subject: &[u8]) -> Trace {
    let told = |matched, clause, operand, why| Trace { matched, clause, operand, token: None, why };
    if let Err(refusal) = validate_pattern(name, Strength::Server) {
        return told(false, refusal.clause, Operand::Pattern, refusal.why);
    }
    if let Err(refusal) = validate_subject(subject, Strength::Server) {
        return told(false, refusal.clause, Operand::Subject, refusal.why);
    }
    if name == subject {
        told(true, clause::EXACT, Operand::Pattern, "the names are equal")
    } else if name.eq_ignore_ascii_case(subject) {
        told(false, clause::CASE, Operand::Pattern, "names are compared byte for byte: upper and lower case differ")
    } else {
        told(false, clause::EXACT, Operand::Pattern, "the names differ")
    }
}

/// Both are names and equal, lengths aside.
fn same(left: &[u8], right: &[u8]) -> bool {
    left == right && validate::relatable(left).is_ok()
}

impl Dialect for Flat {
    fn name(&self) -> &'static str {
        "flat"
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
        Some(same(left, right))
    }
    fn overlap(&self, left: &[u8], right: &[u8]) -> Option<bool> {
        Some(same(left, right))
    }
    #[cfg(feature = "alloc")]
    fn subset_witness(&self, left: &[u8], right: &[u8]) -> Option<Vec<u8>> {
        let names = validate::relatable(left).is_ok() && validate::relatable(right).is_ok();
        (names && left != right).then(|| left.to_vec())
    }
    #[cfg(feature = "alloc")]
    fn overlap_witness(&self, left: &[u8], right: &[u8]) -> Option<Vec<u8>> {
        same(left, right).then(|| left.to_vec())
    }
    #[cfg(feature = "alloc")]
    fn intersection(&self, left: &[u8], right: &[u8]) -> Option<Vec<Vec<u8>>> {
        Some(same(left, right).then(|| left.to_vec()).into_iter().collect())
    }
    #[cfg(feature = "alloc")]
    fn covers(&self, union: &[&[u8]], pattern: &[u8]) -> Coverage {
        crate::across::covers(self, union, pattern)
    }
    #[cfg(feature = "alloc")]
    fn pieces<'a>(&self, pattern: &'a [u8]) -> Option<Vec<Piece<'a>>> {
        validate::relatable(pattern).ok().map(|()| alloc::vec![Piece::Literal(pattern)])
    }
    #[cfg(feature = "alloc")]
    fn pattern_set(&self) -> Option<Box<dyn PatternSet>> {
        Some(Box::new(PieceTrie::new(&Flat)))
    }
}
