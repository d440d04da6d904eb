//! The approximation that people write: dots escaped, `*` turned into `[^.]+`, `#` into `.*`. Wrong on purpose.
//!
//! It loses `a` for `a.#` (the dot stays), takes `ab` for `a*` (a literal), and never meets an empty word.

use crate::guess::Guess;

/// What the approximation answers.
pub fn matches(pattern: &[u8], subject: &[u8]) -> bool {
    const GUESS: Guess = Guess { separator: b'.', one: b'*', one_may_be_empty: false, many: b'#' };
    GUESS.matches(pattern, subject)
}
