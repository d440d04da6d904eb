//! The ids of the clauses; their sentences and sources stand in `truth-tables/flat/clauses.csv`.

use crate::dialect::ClauseId;

/// A subscription names one topic, and takes that topic only.
pub const EXACT: ClauseId = ClauseId("flat-exact");
/// Names are case-sensitive.
pub const CASE: ClauseId = ClauseId("flat-case");
/// What any other dialect would read as a wildcard is refused.
pub const WILDCARD: ClauseId = ClauseId("flat-wildcard");
/// A name has at least one byte.
pub const EMPTY: ClauseId = ClauseId("flat-empty");
/// At most 249 bytes (Kafka; SQS: 80).
pub const LIMIT: ClauseId = ClauseId("flat-limit");
/// The portable rule: letters, digits, `.`, `_` and `-`.
pub const CHARACTERS: ClauseId = ClauseId("flat-characters");
