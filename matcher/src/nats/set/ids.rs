//! The ids of one place in the trie: the first beside the node, more of them in a common store.

use alloc::vec::Vec;

use super::table::push;

/// No id at all.
const EMPTY: u32 = u32::MAX;
/// One id and no more.
const END: u32 = u32::MAX - 1;

/// A list of ids; most have none or one.
#[derive(Clone, Copy)]
pub(super) struct Ids {
    first: u32,
    more: u32,
}

impl Default for Ids {
    fn default() -> Ids {
        Ids { first: 0, more: EMPTY }
    }
}

impl Ids {
    pub(super) fn is_empty(self) -> bool {
        self.more == EMPTY
    }
}

#[derive(Clone, Copy)]
struct More {
    id: u32,
    next: u32,
}

/// Where second and later ids stand.
#[derive(Clone)]
pub(super) struct Overflow {
    entries: Vec<More>,
    free: u32,
}

impl Default for Overflow {
    fn default() -> Overflow {
        Overflow { entries: Vec::new(), free: END }
    }
}

impl Overflow {
    pub(super) fn add(&mut self, ids: &mut Ids, id: u32) {
        if ids.is_empty() {
            *ids = Ids { first: id, more: END };
            return;
        }
        let entry = More { id: ids.first, next: ids.more };
        let index = self.free;
        if index == END {
            push(&mut self.entries, entry);
            *ids = Ids { first: id, more: self.entries.len() as u32 - 1 };
        } else {
            self.free = self.entries[index as usize].next;
            self.entries[index as usize] = entry;
            *ids = Ids { first: id, more: index };
        }
    }

    /// Takes one occurrence of `id` out; `false` when there is none.
    pub(super) fn take(&mut self, ids: &mut Ids, id: u32) -> bool {
        if ids.is_empty() {
            return false;
        }
        if ids.first == id {
            if ids.more == END {
                *ids = Ids::default();
            } else {
                let index = ids.more;
                let More { id, next } = self.entries[index as usize];
                *ids = Ids { first: id, more: next };
                self.release(index);
            }
            return true;
        }
        let (mut before, mut index) = (END, ids.more);
        while index != END {
            let More { id: found, next } = self.entries[index as usize];
            if found == id {
                if before == END {
                    ids.more = next;
                } else {
                    self.entries[before as usize].next = next;
                }
                self.release(index);
                return true;
            }
            (before, index) = (index, next);
        }
        false
    }

    pub(super) fn append_to(&self, ids: Ids, out: &mut Vec<u32>) {
        if ids.is_empty() {
            return;
        }
        out.push(ids.first);
        let mut index = ids.more;
        while index != END {
            let More { id, next } = self.entries[index as usize];
            out.push(id);
            index = next;
        }
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.entries.capacity() * size_of::<More>()
    }

    fn release(&mut self, index: u32) {
        self.entries[index as usize].next = self.free;
        self.free = index;
    }
}
