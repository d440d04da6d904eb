//! The ids of the clauses; their sentences and sources stand in `truth-tables/rabbitmq/clauses.csv` and
//! `truth-tables/rabbitmq-2.2/clauses.csv`.

use crate::dialect::ClauseId;

/// One id for each rule.
#[derive(Clone, Copy, Debug)]
pub struct Clauses {
    /// A literal word matches itself, byte for byte, and nothing else.
    pub literal: ClauseId,
    /// Matching is case-sensitive.
    pub case: ClauseId,
    /// `*` as a whole word stands for exactly one word, in any position.
    pub star: ClauseId,
    /// `#` as a whole word stands for zero or more words, in any position, as often as liked.
    pub hash: ClauseId,
    /// Words that no `#` takes are matched one to one.
    pub length: ClauseId,
    /// `*` and `#` beside other bytes in a word are literal bytes.
    pub partial: ClauseId,
    /// What an empty word is.
    pub empty_word: ClauseId,
    /// The empty key has no word: `#` and the empty pattern take it, `*` does not.
    pub empty_key: ClauseId,
    /// `*` and `#` in a routing key are literals.
    pub key_literal: ClauseId,
    /// The portable rule refuses a word in which `*` or `#` stands beside anything.
    pub portable: ClauseId,
    /// A key is a short string: 255 bytes at most.
    pub limit: ClauseId,
    /// A binding key is UTF-8.
    pub utf8: ClauseId,
    /// From 4.3.5 a binding key holds at most two `#`.
    pub hash_limit: ClauseId,
}

/// 3.x and 4.x.
pub(super) const CURRENT: Clauses = Clauses {
    literal: ClauseId("rabbitmq-literal"),
    case: ClauseId("rabbitmq-case"),
    star: ClauseId("rabbitmq-star"),
    hash: ClauseId("rabbitmq-hash"),
    length: ClauseId("rabbitmq-length"),
    partial: ClauseId("rabbitmq-partial"),
    empty_word: ClauseId("rabbitmq-empty-word"),
    empty_key: ClauseId("rabbitmq-empty-key"),
    key_literal: ClauseId("rabbitmq-key-literal"),
    portable: ClauseId("rabbitmq-portable"),
    limit: ClauseId("rabbitmq-limit"),
    utf8: ClauseId("rabbitmq-utf8"),
    hash_limit: ClauseId("rabbitmq-hash-limit"),
};

/// 2.2.
pub(super) const OLD: Clauses = Clauses {
    literal: ClauseId("rabbitmq-2.2-literal"),
    case: ClauseId("rabbitmq-2.2-case"),
    star: ClauseId("rabbitmq-2.2-star"),
    hash: ClauseId("rabbitmq-2.2-hash"),
    length: ClauseId("rabbitmq-2.2-length"),
    partial: ClauseId("rabbitmq-2.2-partial"),
    empty_word: ClauseId("rabbitmq-2.2-split"),
    empty_key: ClauseId("rabbitmq-2.2-empty-key"),
    key_literal: ClauseId("rabbitmq-2.2-key-literal"),
    portable: ClauseId("rabbitmq-2.2-portable"),
    limit: ClauseId("rabbitmq-2.2-limit"),
    utf8: ClauseId("rabbitmq-2.2-utf8"),
    // No limit is known of it, so nothing cites this.
    hash_limit: ClauseId("rabbitmq-2.2-hash"),
};
