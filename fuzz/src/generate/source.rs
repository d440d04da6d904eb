//! Where choices come from: fuzz bytes, a random generator, a proptest case. Must never know what is chosen.

use arbitrary::Unstructured;
use rand::RngCore;

/// A stream of choices. Zero is the plainest choice everywhere, so that shrinking bytes shrinks what is built.
pub trait Source {
    /// A number below `bound`, which is at least 1.
    fn below(&mut self, bound: usize) -> usize;

    /// True once in `bound` times.
    fn once_in(&mut self, bound: usize) -> bool {
        self.below(bound) == bound - 1
    }

    /// One of these; there is at least one.
    fn pick<'l, T: ?Sized>(&mut self, list: &[&'l T]) -> &'l T {
        list[self.below(list.len())]
    }
}

/// Any random generator.
pub struct Random<'r, R>(pub &'r mut R);

impl<R: RngCore> Source for Random<'_, R> {
    fn below(&mut self, bound: usize) -> usize {
        // The bias of one in 2^64 / bound is no concern here, and the result is the same on every machine.
        (self.0.next_u64() % bound as u64) as usize
    }
}

/// A fuzzer's bytes; every choice is the plainest once they are used up.
pub struct Bytes<'b, 'a>(pub &'b mut Unstructured<'a>);

impl Source for Bytes<'_, '_> {
    fn below(&mut self, bound: usize) -> usize {
        self.0.int_in_range(0..=bound - 1).unwrap_or(0)
    }
}
