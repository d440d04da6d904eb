//! Many patterns against one subject: the trait, and the plain list that every faster set is held against.
//!
//! Must never know a dialect.

use alloc::vec::Vec;

use crate::Refusal;

/// A set of subscriptions: patterns with ids. The same pattern may be in it often, also under the same id: each
/// insertion is a subscription of its own, delivers its own copy and is removed by itself.
pub trait PatternSet: Send {
    /// Adds one subscription.
    ///
    /// # Errors
    /// Where the dialect refuses the pattern; the set is unchanged.
    fn insert(&mut self, pattern: &[u8], id: u32) -> Result<(), Refusal>;

    /// Removes one subscription of that pattern and id; `false` when there is none.
    fn remove(&mut self, pattern: &[u8], id: u32) -> bool;

    /// Appends the id of every subscription that `subject` reaches, in no particular order.
    fn matches(&self, subject: &[u8], ids: &mut Vec<u32>);

    /// How many subscriptions.
    fn len(&self) -> usize;

    /// No subscription.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of heap that the set holds, spare capacity included.
    fn heap_bytes(&self) -> usize;
}

/// The plain list: each pattern asked in turn.
#[derive(Clone)]
pub struct ListSet {
    matches: fn(&[u8], &[u8]) -> bool,
    validate: fn(&[u8]) -> Result<(), Refusal>,
    entries: Vec<(Vec<u8>, u32)>,
}

impl ListSet {
    /// An empty list of a dialect given by its matcher and its pattern validation.
    pub fn new(matches: fn(&[u8], &[u8]) -> bool, validate: fn(&[u8]) -> Result<(), Refusal>) -> ListSet {
        ListSet { matches, validate, entries: Vec::new() }
    }
}

impl PatternSet for ListSet {
    fn insert(&mut self, pattern: &[u8], id: u32) -> Result<(), Refusal> {
        (self.validate)(pattern)?;
        self.entries.push((pattern.to_vec(), id));
        Ok(())
    }

    fn remove(&mut self, pattern: &[u8], id: u32) -> bool {
        let found = self.entries.iter().position(|(p, i)| p == pattern && *i == id);
        found.map(|index| self.entries.swap_remove(index)).is_some()
    }

    fn matches(&self, subject: &[u8], ids: &mut Vec<u32>) {
        ids.extend(self.entries.iter().filter(|(p, _)| (self.matches)(p, subject)).map(|(_, id)| *id));
    }

    fn len(&self) -> usize {
        self.entries.len()
    }

    fn heap_bytes(&self) -> usize {
        let patterns: usize = self.entries.iter().map(|(p, _)| p.capacity()).sum();
        patterns + self.entries.capacity() * size_of::<(Vec<u8>, u32)>()
    }
}
