//! Words against words with one place to come back to: what matching and the relations share.
//!
//! The latest `#` is the only place worth coming back to, since it can take whatever an earlier one could: the broker
//! tries every way of sharing the words out between its `#`s, this tries words x words at most.

use super::words::Words;

/// The word that stands for any number of words.
pub(super) const MANY: &[u8] = b"#";
/// The word that stands for one word.
pub(super) const ONE: &[u8] = b"*";

/// What happens while words are compared; the witness builder listens.
pub(super) trait Listener<'a> {
    /// The next word of the text meets this word of the pattern; `None`: a `#` takes it.
    fn met(&mut self, _word: Option<&'a [u8]>) {}
    /// Everything that was met from text word `at` on is taken back.
    fn back_to(&mut self, _at: usize) {}
}

impl Listener<'_> for () {}

/// Do the words of `text` fit `pattern`, where `#` takes any number of them and any other word of the pattern takes
/// one that `fits` it?
pub(super) fn glob<'a, 't>(
    mut pattern: Words<'a>,
    mut text: Words<'t>,
    fits: impl Fn(&[u8], &[u8]) -> bool,
    listener: &mut impl Listener<'a>,
) -> bool {
    // The pattern after the latest `#`, the text it was last tried on, and how many words of text stand before that.
    let mut back: Option<(Words<'a>, Words<'t>, usize)> = None;
    let mut at = 0;
    loop {
        match pattern.next() {
            Some(MANY) => {
                back = Some((pattern, text, at));
                continue;
            }
            Some(word) => match text.next() {
                Some(other) if fits(word, other) => {
                    listener.met(Some(word));
                    at += 1;
                    continue;
                }
                Some(_) => {}
                // Fewer words are left than the pattern still wants, and coming back leaves fewer still.
                None => return false,
            },
            None if text.next().is_none() => return true,
            None => {}
        }
        let Some((after, mut tried, words)) = back else { return false };
        if tried.next().is_none() {
            return false;
        }
        listener.back_to(words);
        listener.met(None);
        at = words + 1;
        back = Some((after, tried, at));
        (pattern, text) = (after, tried);
    }
}
