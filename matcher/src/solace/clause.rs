//! The ids of the clauses; their sentences and sources stand in `truth-tables/solace/clauses.csv`.

use crate::dialect::ClauseId;

/// A literal level matches itself, byte for byte, and nothing else.
pub const LITERAL: ClauseId = ClauseId("solace-literal");
/// Matching is case-sensitive.
pub const CASE: ClauseId = ClauseId("solace-case");
/// `*` alone in a level takes that level, whatever it is.
pub const STAR: ClauseId = ClauseId("solace-star");
/// `*` behind a prefix takes the prefix and zero or more bytes of that level.
pub const PREFIX: ClauseId = ClauseId("solace-prefix");
/// `*` anywhere else in a level is a literal.
pub const STAR_LITERAL: ClauseId = ClauseId("solace-star-literal");
/// `>` alone in the last level takes one or more levels.
pub const TAIL: ClauseId = ClauseId("solace-tail");
/// `>` anywhere else is a literal.
pub const TAIL_LITERAL: ClauseId = ClauseId("solace-tail-literal");
/// `*` acts behind a `>` that does not (open).
pub const TAIL_PREFIX: ClauseId = ClauseId("solace-tail-prefix");
/// Without `>` subscription and topic have equally many levels.
pub const LENGTH: ClauseId = ClauseId("solace-length");
/// No wildcard takes `#P2P`.
pub const P2P: ClauseId = ClauseId("solace-p2p");
/// `#P2P` is a whole level, not a piece of one (open).
pub const P2P_LEVEL: ClauseId = ClauseId("solace-p2p-level");
/// A prefix is a wildcard, so that not even `#P2P*` takes `#P2P` (open).
pub const P2P_PREFIX: ClauseId = ClauseId("solace-p2p-prefix");
/// A stand-alone wildcard in the first level does not take a topic that begins with `$`.
pub const DOLLAR: ClauseId = ClauseId("solace-dollar");
/// A prefix in the first level is no stand-alone wildcard (open).
pub const DOLLAR_PREFIX: ClauseId = ClauseId("solace-dollar-prefix");
/// In `**`, `*x*` and `x*y*` the last `*` is the wildcard and what stands before it the prefix (open).
pub const STAR_PREFIX: ClauseId = ClauseId("solace-star-prefix");
/// Empty levels are levels, and wildcards take them (open).
pub const EMPTY_LEVEL: ClauseId = ClauseId("solace-empty-level");
/// In a topic `*` and `>` are literals.
pub const TOPIC_LITERAL: ClauseId = ClauseId("solace-topic-literal");
/// The portable rule refuses what looks like a wildcard and is none.
pub const PORTABLE: ClauseId = ClauseId("solace-portable");
/// Client libraries refuse subscriptions with empty levels.
pub const EMPTY_SUBSCRIPTION: ClauseId = ClauseId("solace-empty-subscription");
/// At least one byte.
pub const EMPTY: ClauseId = ClauseId("solace-empty");
/// At most 250 bytes.
pub const LIMIT: ClauseId = ClauseId("solace-limit");
/// At most 128 levels.
pub const LEVELS: ClauseId = ClauseId("solace-levels");
/// UTF-8 without U+0000.
pub const UTF8: ClauseId = ClauseId("solace-utf8");
