//! The approximation that people write: `+` turned into `[^/]+`, `#` into `.*`. Wrong on purpose.
//!
//! It loses the parent (`a` for `a/#`) and empty levels, shows `$` topics to everybody, takes `a+` for a wildcard and
//! does not know `$share`.

use crate::guess::Guess;

/// What the approximation answers.
pub fn matches(filter: &[u8], topic: &[u8]) -> bool {
    const GUESS: Guess = Guess { separator: b'/', one: b'+', one_may_be_empty: false, many: b'#' };
    GUESS.matches(filter, topic)
}
