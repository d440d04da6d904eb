//! The approximation that people write: `*` a glob inside a level, `>` anything. Wrong on purpose.
//!
//! It takes `*` in the middle of a level for a wildcard (`br*wn`), `>` wherever it stands, shows `$` topics and the
//! `#P2P` inboxes to everybody, and lets `a/>` take `a/`.

use crate::guess::Guess;

/// What the approximation answers.
pub fn matches(subscription: &[u8], topic: &[u8]) -> bool {
    const GUESS: Guess = Guess { separator: b'/', one: b'*', one_may_be_empty: true, many: b'>' };
    GUESS.matches(subscription, topic)
}
