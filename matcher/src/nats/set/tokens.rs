//! Each literal token once, under a number. Must never hold a token that no edge uses.

use alloc::vec::Vec;

use super::table::{Table, hash_bytes, push};

#[derive(Clone, Copy)]
struct Span {
    offset: u32,
    len: u32,
    uses: u32,
}

/// Tokens and their numbers.
#[derive(Clone, Default)]
pub(super) struct Tokens {
    bytes: Vec<u8>,
    spans: Vec<Span>,
    free: Vec<u32>,
    table: Table,
    dead_bytes: usize,
}

impl Tokens {
    /// The number of a token; `None` when no edge uses it.
    pub(super) fn find(&self, token: &[u8]) -> Option<u32> {
        self.table.find(hash_bytes(token), |number| self.get(number) == token)
    }

    /// Counts one more use of a token, which gets a number if it has none.
    pub(super) fn acquire(&mut self, token: &[u8]) -> u32 {
        if let Some(number) = self.find(token) {
            self.spans[number as usize].uses += 1;
            return number;
        }
        let span = Span { offset: self.bytes.len() as u32, len: token.len() as u32, uses: 1 };
        self.keep(token);
        let number = match self.free.pop() {
            Some(number) => {
                self.spans[number as usize] = span;
                number
            }
            None => {
                push(&mut self.spans, span);
                self.spans.len() as u32 - 1
            }
        };
        self.table.insert(hash_bytes(token), number);
        number
    }

    /// Counts one use less; an unused token goes.
    pub(super) fn release(&mut self, number: u32) {
        let span = &mut self.spans[number as usize];
        span.uses -= 1;
        if span.uses > 0 {
            return;
        }
        self.dead_bytes += span.len as usize;
        let hash = hash_bytes(self.get(number));
        self.table.remove(hash, number);
        self.free.push(number);
        if self.dead_bytes > 4096 && self.dead_bytes > self.bytes.len() / 2 {
            self.compact();
        }
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.bytes.capacity()
            + self.spans.capacity() * size_of::<Span>()
            + self.free.capacity() * size_of::<u32>()
            + self.table.heap_bytes()
    }

    fn keep(&mut self, token: &[u8]) {
        if self.bytes.capacity() - self.bytes.len() < token.len() {
            self.bytes.reserve_exact(self.bytes.len() / 4 + token.len());
        }
        self.bytes.extend_from_slice(token);
    }

    fn get(&self, number: u32) -> &[u8] {
        let Span { offset, len, .. } = self.spans[number as usize];
        &self.bytes[offset as usize..][..len as usize]
    }

    fn compact(&mut self) {
        let mut bytes = Vec::with_capacity(self.bytes.len() - self.dead_bytes);
        for number in 0..self.spans.len() {
            if self.spans[number].uses > 0 {
                let offset = bytes.len() as u32;
                bytes.extend_from_slice(self.get(number as u32));
                self.spans[number].offset = offset;
            }
        }
        self.bytes = bytes;
        self.dead_bytes = 0;
    }
}
