//! What a backend can express, each with the clause that says so.

use crate::ClauseId;

/// A statement and its clause; `None`: nothing is said, so it is as the statement has it by default.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Said<T> {
    /// What holds.
    pub is: T,
    /// The clause that says so.
    pub clause: Option<ClauseId>,
}

impl<T> Said<T> {
    /// This holds by that clause.
    pub const fn by(is: T, clause: ClauseId) -> Said<T> {
        Said { is, clause: Some(clause) }
    }

    /// This holds, and no clause needs to say so.
    pub const fn plain(is: T) -> Said<T> {
        Said { is, clause: None }
    }
}

/// Where the wildcard for many tokens may stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Where {
    /// There is none.
    Nowhere,
    /// As the last token.
    Last,
    /// As any token, and more than once.
    Anywhere,
    /// As any token, this often at most.
    AtMost(usize),
}

/// What a dialect can express.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Capabilities {
    /// There are patterns at all.
    pub patterns: Said<bool>,
    /// The separator between tokens.
    pub separator: Said<Option<char>>,
    /// The wildcard for one token.
    pub one: Said<Option<&'static str>>,
    /// The wildcard for many tokens.
    pub many: Said<Option<&'static str>>,
    /// How many tokens that one stands for at least.
    pub many_least: Said<Option<usize>>,
    /// Where it may stand.
    pub many_place: Said<Where>,
    /// A wildcard inside a token, as people write it.
    pub partial: Said<Option<&'static str>>,
    /// Empty tokens are tokens.
    pub empty_tokens: Said<bool>,
    /// Names that wildcards do not take.
    pub hidden: Said<Option<&'static str>>,
    /// The most bytes of an operand.
    pub max_bytes: Said<usize>,
    /// The most tokens of an operand.
    pub max_tokens: Said<Option<usize>>,
}

impl Capabilities {
    /// No patterns; everything else is then said by the same clause.
    pub const fn none(clause: ClauseId, max_bytes: Said<usize>) -> Capabilities {
        Capabilities {
            patterns: Said::by(false, clause),
            separator: Said::plain(None),
            one: Said::by(None, clause),
            many: Said::by(None, clause),
            many_least: Said::plain(None),
            many_place: Said::plain(Where::Nowhere),
            partial: Said::by(None, clause),
            empty_tokens: Said::plain(false),
            hidden: Said::plain(None),
            max_bytes,
            max_tokens: Said::plain(None),
        }
    }

    /// Every clause that says something, in the order of the fields.
    pub fn clauses(&self) -> impl Iterator<Item = ClauseId> {
        [
            self.patterns.clause,
            self.separator.clause,
            self.one.clause,
            self.many.clause,
            self.many_least.clause,
            self.many_place.clause,
            self.partial.clause,
            self.empty_tokens.clause,
            self.hidden.clause,
            self.max_bytes.clause,
            self.max_tokens.clause,
        ]
        .into_iter()
        .flatten()
    }
}
