//! The ids of the clauses; their sentences and sources stand in `truth-tables/mqtt/clauses.csv`.

use crate::dialect::ClauseId;

/// A literal level matches itself, byte for byte, and nothing else.
pub const LITERAL: ClauseId = ClauseId("mqtt-literal");
/// Matching is case-sensitive.
pub const CASE: ClauseId = ClauseId("mqtt-case");
/// `+` stands for exactly one level, in any position.
pub const PLUS: ClauseId = ClauseId("mqtt-plus");
/// `#` stands for any number of levels.
pub const HASH: ClauseId = ClauseId("mqtt-hash");
/// `#` includes the parent level.
pub const PARENT: ClauseId = ClauseId("mqtt-parent");
/// Without `#` filter and topic have equally many levels.
pub const LENGTH: ClauseId = ClauseId("mqtt-length");
/// An empty level is a level: `+` takes it, and a leading or trailing slash makes another topic.
pub const EMPTY_LEVEL: ClauseId = ClauseId("mqtt-empty-level");
/// A topic that begins with `$` is hidden from a filter that begins with a wildcard.
pub const DOLLAR: ClauseId = ClauseId("mqtt-dollar");
/// `#` stands alone in the last level.
pub const HASH_LAST: ClauseId = ClauseId("mqtt-hash-last");
/// `+` stands alone in its level.
pub const PLUS_ALONE: ClauseId = ClauseId("mqtt-plus-alone");
/// `$share/NAME/FILTER` subscribes to FILTER; NAME is one level without wildcards.
pub const SHARE: ClauseId = ClauseId("mqtt-share");
/// A topic name holds no wildcard.
pub const TOPIC_WILDCARD: ClauseId = ClauseId("mqtt-topic-wildcard");
/// Clients do not publish to `$SYS…` or `$share…`.
pub const RESERVED: ClauseId = ClauseId("mqtt-reserved");
/// An application does not use topics that begin with `$` for its own purposes.
pub const DOLLAR_PUBLISH: ClauseId = ClauseId("mqtt-dollar-publish");
/// Topic names and filters have at least one character.
pub const EMPTY: ClauseId = ClauseId("mqtt-empty");
/// At most 65535 bytes.
pub const LIMIT: ClauseId = ClauseId("mqtt-limit");
/// At most 200 slashes (mosquitto).
pub const LEVELS: ClauseId = ClauseId("mqtt-levels");
/// UTF-8, without surrogates.
pub const UTF8: ClauseId = ClauseId("mqtt-utf8");
/// No U+0000.
pub const NUL: ClauseId = ClauseId("mqtt-nul");
/// Control characters and non-characters may be refused, and mosquitto does.
pub const CONTROL: ClauseId = ClauseId("mqtt-control");
