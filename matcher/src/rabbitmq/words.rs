//! A key as its words, without allocation: a cursor that is copied where a matcher wants to come back.
//!
//! Must never know a wildcard.

/// How a key is cut at its dots.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Split {
    /// Empty words are words; only the empty key has none (3.x and 4.x).
    KeepEmpty,
    /// Empty words are dropped, as `string:tokens` does (2.2).
    DropEmpty,
}

/// The words that are left of a key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Words<'a> {
    rest: Option<&'a [u8]>,
    split: Split,
}

impl<'a> Words<'a> {
    /// All words of `key`.
    pub(super) fn new(key: &'a [u8], split: Split) -> Words<'a> {
        Words { rest: if key.is_empty() { None } else { Some(key) }, split }
    }

    fn keeps(&self, word: &[u8]) -> bool {
        self.split == Split::KeepEmpty || !word.is_empty()
    }

    /// Where the word that [`Iterator::next`] just gave starts in `key`, in bytes.
    pub(super) fn offset_of(&self, word: &[u8], key: &[u8]) -> usize {
        // Behind the word stand its dot and the rest, or nothing.
        key.len() - word.len() - self.rest.map_or(0, |rest| rest.len() + 1)
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        loop {
            let rest = self.rest?;
            let word = match rest.iter().position(|b| *b == b'.') {
                Some(dot) => {
                    self.rest = Some(&rest[dot + 1..]);
                    &rest[..dot]
                }
                None => {
                    self.rest = None;
                    rest
                }
            };
            if self.keeps(word) {
                return Some(word);
            }
        }
    }
}

impl<'a> DoubleEndedIterator for Words<'a> {
    fn next_back(&mut self) -> Option<&'a [u8]> {
        loop {
            let rest = self.rest?;
            let word = match rest.iter().rposition(|b| *b == b'.') {
                Some(dot) => {
                    self.rest = Some(&rest[..dot]);
                    &rest[dot + 1..]
                }
                None => {
                    self.rest = None;
                    rest
                }
            };
            if self.keeps(word) {
                return Some(word);
            }
        }
    }
}
