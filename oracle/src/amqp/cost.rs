//! What a pair costs the broker: its walk tries every way of sharing the key's words out between the pattern's `#`s.
//!
//! Must never let a pair through that keeps a broker busy for longer than it may be silent.

/// How many ways a pair may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget(pub u64);

/// For questions about matching: three `#` against 25 words, four against 14, six against 8.
pub const USUAL: Budget = Budget(3500);
/// For the lane `cost`, which measures the walk itself: seconds for one pair, and still an answer within the patience of
/// a connection.
pub const MEASURED: Budget = Budget(10_000_000);

/// How many words of a pattern are `#`.
pub fn hashes(pattern: &[u8]) -> usize {
    pattern.split(|byte| *byte == b'.').filter(|word| *word == b"#").count()
}

/// How many words a key has; the empty key has none.
pub fn words(key: &[u8]) -> usize {
    if key.is_empty() { 0 } else { key.split(|byte| *byte == b'.').count() }
}

/// The ways of sharing `words` words out between `hashes` `#`s and what is left over: words + hashes over hashes.
pub fn ways(hashes: usize, words: usize) -> u64 {
    let mut ways = 1_u64;
    for taken in 1..=hashes.min(words) as u64 {
        ways = match ways.checked_mul((hashes + words) as u64 + 1 - taken) {
            Some(product) => product / taken,
            None => return u64::MAX,
        };
    }
    ways
}

impl Budget {
    /// May it be asked?
    pub fn affordable(self, hashes: usize, words: usize) -> bool {
        ways(hashes, words) <= self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ways_are_a_binomial_and_the_corner_is_cut_off() {
        assert_eq!([ways(0, 200), ways(1, 4), ways(2, 4), ways(4, 12), ways(3, 0)], [1, 5, 15, 1820, 1]);
        assert_eq!(ways(60, 60), u64::MAX);
        let affordable = |hashes, words| USUAL.affordable(hashes, words);
        assert!(affordable(1, 256) && affordable(2, 81) && affordable(3, 25) && affordable(4, 14) && affordable(6, 7));
        assert!(!affordable(2, 90) && !affordable(4, 16) && !affordable(20, 20) && !affordable(128, 3));
    }

    #[test]
    fn words_and_hashes_are_counted_as_the_broker_splits() {
        assert_eq!([hashes(b"#.a.#"), hashes(b"##"), hashes(b""), hashes(b"a.#")], [2, 0, 0, 1]);
        assert_eq!([words(b""), words(b"."), words(b"a.b.c")], [0, 2, 3]);
    }
}
