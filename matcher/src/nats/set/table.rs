//! A hash table of small numbers: open addressing, eight bytes a slot. Must never know what the numbers mean.

use alloc::{vec, vec::Vec};

/// Maps hashes to values that the owner compares. A value is below `u32::MAX`.
#[derive(Clone, Default)]
pub(super) struct Table {
    /// The upper half is the hash, the lower half the value plus one; zero is a free slot.
    slots: Vec<u64>,
    len: usize,
}

impl Table {
    /// The value with that hash for which `is` says yes.
    pub(super) fn find(&self, hash: u32, mut is: impl FnMut(u32) -> bool) -> Option<u32> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                return None;
            }
            let value = (slot as u32).wrapping_sub(1);
            if (slot >> 32) as u32 == hash && is(value) {
                return Some(value);
            }
            at = (at + 1) & mask;
        }
    }

    /// Adds a value that is not in it.
    pub(super) fn insert(&mut self, hash: u32, value: u32) {
        if (self.len + 1) * 5 > self.slots.len() * 4 {
            self.grow();
        }
        self.place(u64::from(hash) << 32 | u64::from(value + 1));
        self.len += 1;
    }

    /// Takes a value out; whatever stood behind it moves up.
    pub(super) fn remove(&mut self, hash: u32, value: u32) {
        let mask = self.slots.len() - 1;
        let sought = u64::from(hash) << 32 | u64::from(value + 1);
        let mut hole = hash as usize & mask;
        while self.slots[hole] != sought {
            hole = (hole + 1) & mask;
        }
        let mut next = hole;
        loop {
            next = (next + 1) & mask;
            let slot = self.slots[next];
            if slot == 0 {
                break;
            }
            let home = (slot >> 32) as usize & mask;
            // It may move to the hole unless its home lies behind the hole, on the way round to where it stands.
            if next.wrapping_sub(home) & mask >= next.wrapping_sub(hole) & mask {
                self.slots[hole] = slot;
                hole = next;
            }
        }
        self.slots[hole] = 0;
        self.len -= 1;
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.slots.capacity() * size_of::<u64>()
    }

    fn grow(&mut self) {
        let bigger = vec![0; (self.slots.len() * 2).max(8)];
        for slot in core::mem::replace(&mut self.slots, bigger) {
            if slot != 0 {
                self.place(slot);
            }
        }
    }

    fn place(&mut self, slot: u64) {
        let mask = self.slots.len() - 1;
        let mut at = (slot >> 32) as usize & mask;
        while self.slots[at] != 0 {
            at = (at + 1) & mask;
        }
        self.slots[at] = slot;
    }
}

/// Adds to the end; when full it grows by a quarter, not to the double, because a set is mostly capacity otherwise.
pub(super) fn push<T>(store: &mut Vec<T>, value: T) {
    if store.len() == store.capacity() {
        store.reserve_exact(store.len() / 4 + 16);
    }
    store.push(value);
}

/// A hash of bytes. Not proof against somebody who chooses tokens to collide: then a lookup is linear, never wrong.
pub(super) fn hash_bytes(bytes: &[u8]) -> u32 {
    let mut hash = bytes.len() as u64;
    let (words, rest) = bytes.as_chunks::<8>();
    for word in words {
        hash = fold(hash ^ u64::from_le_bytes(*word));
    }
    let mut last = 0;
    for byte in rest {
        last = last << 8 | u64::from(*byte);
    }
    let hash = fold(hash ^ last ^ 0x9e37_79b9_7f4a_7c15);
    (hash ^ hash >> 32) as u32
}

/// A hash of two numbers.
pub(super) fn hash_pair(one: u32, other: u32) -> u32 {
    let hash = fold(u64::from(one) << 32 | u64::from(other));
    (hash ^ hash >> 32) as u32
}

/// Multiplies into 128 bits and folds the halves together.
fn fold(value: u64) -> u64 {
    let wide = u128::from(value ^ 0x2d35_8dcc_aa6c_78a5) * 0x8bb8_4b93_962e_acc9;
    wide as u64 ^ (wide >> 64) as u64
}
