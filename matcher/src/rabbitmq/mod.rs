//! RabbitMQ topic exchanges: words between dots, `*` for one word, `#` for zero or more, anywhere and as often as liked.
//!
//! Sources: the RabbitMQ tutorial on topics, the documented algorithm of 2.2.0, and RabbitMQ 3.10.8 and 4.0.5 asked
//! live. Matching takes words x words steps at most, where the broker's own trie walk is exponential in the `#`s. Must
//! never differ from [`spec`]; the tests hold the two together.

mod clause;
mod explain;
mod glob;
#[cfg(feature = "alloc")]
mod intersection;
pub mod naive;
mod relations;
pub mod spec;
mod validate;
#[cfg(feature = "alloc")]
mod witness;
mod words;

#[cfg(feature = "alloc")]
use alloc::{boxed::Box, vec::Vec};

use crate::dialect::{Dialect, Refusal, Strength, Syntax, Trace};
use crate::{Capabilities, Said, Where};
#[cfg(feature = "alloc")]
use crate::{Coverage, PatternSet, Piece, across::PieceTrie};
pub use clause::Clauses;
pub use explain::explain;
use relations::Forms;
pub use validate::{MAX_HASHES, MAX_OPERAND, validate_pattern, validate_subject};
use words::{Split, Words};

/// Which broker's rules.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Variant {
    /// 3.x and 4.x before 4.3.5.
    Current,
    /// From 4.3.5: a binding key holds at most two `#`.
    V4_3_5,
    /// 2.2, rebuilt from its description: empty words are dropped.
    V2_2,
}

impl Variant {
    fn split(self) -> Split {
        match self {
            Variant::V2_2 => Split::DropEmpty,
            _ => Split::KeepEmpty,
        }
    }

    /// The ids of its clauses.
    pub fn clauses(self) -> &'static Clauses {
        match self {
            Variant::V2_2 => &clause::OLD,
            _ => &clause::CURRENT,
        }
    }
}

/// The dialects `rabbitmq`, `rabbitmq@4.3.5` and `rabbitmq-2.2`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rabbitmq(pub Variant);

static SYNTAX: Syntax = Syntax {
    separator: Some(b'.'),
    one: Some(glob::ONE),
    many: Some(glob::MANY),
    many_last_only: false,
    many_min: 0,
    empty_tokens: true,
    max_bytes: MAX_OPERAND,
};

static SYNTAX_2_2: Syntax = Syntax { empty_tokens: false, ..SYNTAX };

const fn capabilities(clauses: &'static Clauses) -> Capabilities {
    Capabilities {
        patterns: Said::by(true, clauses.star),
        separator: Said::by(Some('.'), clauses.literal),
        one: Said::by(Some("*"), clauses.star),
        many: Said::by(Some("#"), clauses.hash),
        many_least: Said::by(Some(0), clauses.hash),
        many_place: Said::by(Where::Anywhere, clauses.hash),
        partial: Said::by(None, clauses.partial),
        empty_tokens: Said::by(true, clauses.empty_word),
        hidden: Said::plain(None),
        max_bytes: Said::by(MAX_OPERAND, clauses.limit),
        max_tokens: Said::plain(None),
    }
}

static CAPABILITIES: Capabilities = capabilities(&clause::CURRENT);
static CAPABILITIES_4_3_5: Capabilities = Capabilities {
    many_place: Said::by(Where::AtMost(MAX_HASHES), clause::CURRENT.hash_limit),
    ..capabilities(&clause::CURRENT)
};
static CAPABILITIES_2_2: Capabilities =
    Capabilities { empty_tokens: Said::by(false, clause::OLD.empty_word), ..capabilities(&clause::OLD) };

/// Does a message with this routing key reach a binding with this pattern? Bytes in, no allocation.
///
/// A pattern that the broker refuses matches nothing. `*` and `#` in the key are literals.
pub fn matches(variant: Variant, pattern: &[u8], key: &[u8]) -> bool {
    if validate_pattern(variant, pattern, Strength::Server).is_err() || key.len() > MAX_OPERAND {
        return false;
    }
    let split = variant.split();
    let fits = |word: &[u8], other: &[u8]| word == glob::ONE || word == other;
    glob::glob(Words::new(pattern, split), Words::new(key, split), fits, &mut ())
}

impl Rabbitmq {
    /// The patterns that together are `left`, and those that are `right`; `None` when either is refused.
    fn related<'a>(&self, left: &'a [u8], right: &'a [u8]) -> Option<[Forms<'a>; 2]> {
        validate::relatable(self.0, left).ok()?;
        validate::relatable(self.0, right).ok()?;
        Some([relations::forms(left, self.0.split()), relations::forms(right, self.0.split())])
    }
}

/// The first, then the second where there is one.
fn each<'a>((first, second): Forms<'a>) -> impl Iterator<Item = &'a [u8]> {
    core::iter::once(first).chain(second)
}

impl Dialect for Rabbitmq {
    fn name(&self) -> &'static str {
        match self.0 {
            Variant::Current => "rabbitmq",
            Variant::V4_3_5 => "rabbitmq@4.3.5",
            Variant::V2_2 => "rabbitmq-2.2",
        }
    }
    fn tables(&self) -> &'static str {
        match self.0 {
            Variant::Current | Variant::V4_3_5 => "rabbitmq",
            Variant::V2_2 => "rabbitmq-2.2",
        }
    }
    fn syntax(&self) -> &'static Syntax {
        match self.0 {
            Variant::V2_2 => &SYNTAX_2_2,
            _ => &SYNTAX,
        }
    }
    fn matches(&self, pattern: &[u8], subject: &[u8]) -> bool {
        matches(self.0, pattern, subject)
    }
    fn spec_matches(&self, pattern: &[u8], subject: &[u8]) -> bool {
        spec::matches(self.0, pattern, subject)
    }
    fn naive_matches(&self, pattern: &[u8], subject: &[u8]) -> bool {
        naive::matches(pattern, subject)
    }
    fn validate_pattern(&self, pattern: &[u8], strength: Strength) -> Result<(), Refusal> {
        validate_pattern(self.0, pattern, strength)
    }
    fn validate_subject(&self, subject: &[u8], strength: Strength) -> Result<(), Refusal> {
        validate_subject(self.0, subject, strength)
    }
    fn capabilities(&self) -> &'static Capabilities {
        match self.0 {
            Variant::Current => &CAPABILITIES,
            Variant::V4_3_5 => &CAPABILITIES_4_3_5,
            Variant::V2_2 => &CAPABILITIES_2_2,
        }
    }
    fn explain(&self, pattern: &[u8], subject: &[u8]) -> Trace {
        explain(self.0, pattern, subject)
    }
    fn subset(&self, left: &[u8], right: &[u8]) -> Option<bool> {
        let split = self.0.split();
        let Some([forms, _]) = self.related(left, right) else { return Some(false) };
        let wanted = Words::new(right, split);
        Some(each(forms).all(|form| relations::subset(Words::new(form, split), wanted, &mut |_| ())))
    }
    fn overlap(&self, left: &[u8], right: &[u8]) -> Option<bool> {
        let split = self.0.split();
        let Some([left, right]) = self.related(left, right) else { return Some(false) };
        let met = |l, r| relations::overlap(Words::new(l, split), Words::new(r, split));
        Some(each(left).any(|l| each(right).any(|r| met(l, r))))
    }
    #[cfg(feature = "alloc")]
    fn subset_witness(&self, left: &[u8], right: &[u8]) -> Option<Vec<u8>> {
        let [forms, _] = self.related(left, right)?;
        each(forms).find_map(|form| witness::of_not_subset(form, right, self.0.split()))
    }
    #[cfg(feature = "alloc")]
    fn overlap_witness(&self, left: &[u8], right: &[u8]) -> Option<Vec<u8>> {
        let split = self.0.split();
        let [left, right] = self.related(left, right)?;
        let met = |l, r| relations::overlap(Words::new(l, split), Words::new(r, split));
        each(left).find_map(|l| each(right).find(|r| met(l, r)).map(|r| witness::of_overlap(l, r, split)))
    }
    #[cfg(feature = "alloc")]
    fn intersection(&self, left: &[u8], right: &[u8]) -> Option<Vec<Vec<u8>>> {
        if self.overlap(left, right) != Some(true) {
            return Some(Vec::new());
        }
        let patterns = intersection::of(left, right, self.0.split())?;
        // The broker may refuse to bind what two of its patterns share: three `#`.
        patterns.iter().all(|p| validate::relatable(self.0, p).is_ok()).then_some(patterns)
    }
    #[cfg(feature = "alloc")]
    fn covers(&self, union: &[&[u8]], pattern: &[u8]) -> Coverage {
        crate::across::covers(self, union, pattern)
    }
    #[cfg(feature = "alloc")]
    fn pieces<'a>(&self, pattern: &'a [u8]) -> Option<Vec<Piece<'a>>> {
        validate::relatable(self.0, pattern).ok()?;
        let piece = |word| match word {
            glob::ONE => Piece::One,
            glob::MANY => Piece::Any,
            literal => Piece::Literal(literal),
        };
        Some(Words::new(pattern, self.0.split()).map(piece).collect())
    }
    #[cfg(feature = "alloc")]
    fn drops(&self, token: &[u8]) -> bool {
        self.0.split() == Split::DropEmpty && token.is_empty()
    }
    #[cfg(feature = "alloc")]
    fn pattern_set(&self) -> Option<Box<dyn PatternSet>> {
        Some(Box::new(PieceTrie::new(match self.0 {
            Variant::Current => &Rabbitmq(Variant::Current),
            Variant::V4_3_5 => &Rabbitmq(Variant::V4_3_5),
            Variant::V2_2 => &Rabbitmq(Variant::V2_2),
        })))
    }
}
