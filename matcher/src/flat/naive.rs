//! The approximation that people write: a glob over the names they know of (`fnmatch`). Wrong on purpose.
//!
//! It subscribes to what was never named: `orders.*` takes `orders.eu` and `orders.eu.created`.

use crate::guess::Guess;

/// What the approximation answers: `*` any run of bytes, everything else itself.
pub fn matches(name: &[u8], subject: &[u8]) -> bool {
    // No separator can be met: `*` is the many-level wildcard, and no byte is the one-level wildcard.
    const GUESS: Guess = Guess { separator: b'*', one: b'*', one_may_be_empty: true, many: b'*' };
    GUESS.matches(name, subject)
}
