//! Many patterns of the approximation against one subject. Must never answer otherwise than [`super::matches`] would.
//!
//! Prefixes stand in a trie of bytes that is walked once. Globs stand in a trie of bytes and stars in which every place
//! a subject can be at is followed at once; a star, once reached, stays.

use alloc::{vec, vec::Vec};

use crate::{PatternSet, Refusal};

const NONE: u32 = u32::MAX;
const ROOT: u32 = 0;

#[derive(Clone)]
struct Node {
    byte: u8,
    /// The first child by a byte, and the next child of the same parent.
    child: u32,
    sibling: u32,
    /// The child by a star.
    star: u32,
    ids: Vec<u32>,
}

impl Node {
    fn new(byte: u8) -> Node {
        Node { byte, child: NONE, sibling: NONE, star: NONE, ids: Vec::new() }
    }
}

/// A trie that only grows: removed ids leave their nodes behind.
#[derive(Clone)]
struct Trie(Vec<Node>);

impl Trie {
    fn new() -> Trie {
        Trie(vec![Node::new(0)])
    }

    fn child(&self, node: u32, byte: u8) -> Option<u32> {
        let mut child = self.0[node as usize].child;
        while child != NONE {
            let node = &self.0[child as usize];
            if node.byte == byte {
                return Some(child);
            }
            child = node.sibling;
        }
        None
    }

    fn star(&self, node: u32) -> Option<u32> {
        Some(self.0[node as usize].star).filter(|star| *star != NONE)
    }

    fn add_child(&mut self, node: u32, byte: u8) -> u32 {
        self.child(node, byte).unwrap_or_else(|| {
            let sibling = self.0[node as usize].child;
            self.0.push(Node { sibling, ..Node::new(byte) });
            self.0[node as usize].child = self.0.len() as u32 - 1;
            self.0.len() as u32 - 1
        })
    }

    fn add_star(&mut self, node: u32) -> u32 {
        self.star(node).unwrap_or_else(|| {
            self.0.push(Node::new(b'*'));
            self.0[node as usize].star = self.0.len() as u32 - 1;
            self.0.len() as u32 - 1
        })
    }

    fn take(&mut self, node: Option<u32>, id: u32) -> bool {
        let Some(node) = node else { return false };
        let ids = &mut self.0[node as usize].ids;
        ids.iter().position(|i| *i == id).map(|at| ids.swap_remove(at)).is_some()
    }

    fn heap_bytes(&self) -> usize {
        let ids: usize = self.0.iter().map(|node| node.ids.capacity() * size_of::<u32>()).sum();
        ids + self.0.capacity() * size_of::<Node>()
    }
}

/// A set of subscriptions as the approximation sees them; no pattern is refused.
#[derive(Clone)]
pub struct NaiveSet {
    prefixes: Trie,
    globs: Trie,
    len: usize,
}

impl Default for NaiveSet {
    fn default() -> NaiveSet {
        NaiveSet::new()
    }
}

impl NaiveSet {
    /// No subscription.
    pub fn new() -> NaiveSet {
        NaiveSet { prefixes: Trie::new(), globs: Trie::new(), len: 0 }
    }

    fn match_prefixes(&self, subject: &[u8], ids: &mut Vec<u32>) {
        let mut bytes = subject.iter();
        let mut node = Some(ROOT);
        while let Some(at) = node {
            ids.extend_from_slice(&self.prefixes.0[at as usize].ids);
            node = bytes.next().and_then(|byte| self.prefixes.child(at, *byte));
        }
    }

    fn match_globs(&self, subject: &[u8], ids: &mut Vec<u32>) {
        let globs = &self.globs;
        // A node is reached from one parent by one byte, so `places` holds none twice; stars say themselves whether
        // they were reached before.
        let mut reached = vec![0_u64; globs.0.len().div_ceil(64)];
        let mut stars = Vec::new();
        let mut places = vec![ROOT];
        let reach_stars = |mut node: u32, stars: &mut Vec<u32>, reached: &mut [u64]| {
            while let Some(star) = globs.star(node) {
                let (word, bit) = (star as usize / 64, 1 << (star % 64));
                if reached[word] & bit != 0 {
                    return;
                }
                reached[word] |= bit;
                stars.push(star);
                node = star;
            }
        };
        reach_stars(ROOT, &mut stars, &mut reached);
        let mut next = Vec::new();
        for byte in subject {
            next.extend(places.iter().chain(&stars).filter_map(|node| globs.child(*node, *byte)));
            core::mem::swap(&mut places, &mut next);
            next.clear();
            for node in &places {
                reach_stars(*node, &mut stars, &mut reached);
            }
        }
        for node in places.iter().chain(&stars) {
            ids.extend_from_slice(&globs.0[*node as usize].ids);
        }
    }
}

impl PatternSet for NaiveSet {
    fn insert(&mut self, pattern: &[u8], id: u32) -> Result<(), Refusal> {
        let mut node = ROOT;
        if let Some(prefix) = pattern.strip_suffix(b">") {
            for byte in prefix {
                node = self.prefixes.add_child(node, *byte);
            }
            self.prefixes.0[node as usize].ids.push(id);
        } else {
            for byte in pattern {
                node = if *byte == b'*' { self.globs.add_star(node) } else { self.globs.add_child(node, *byte) };
            }
            self.globs.0[node as usize].ids.push(id);
        }
        self.len += 1;
        Ok(())
    }

    fn remove(&mut self, pattern: &[u8], id: u32) -> bool {
        let removed = if let Some(prefix) = pattern.strip_suffix(b">") {
            let node = prefix.iter().try_fold(ROOT, |node, byte| self.prefixes.child(node, *byte));
            self.prefixes.take(node, id)
        } else {
            let node = pattern.iter().try_fold(ROOT, |node, byte| {
                if *byte == b'*' { self.globs.star(node) } else { self.globs.child(node, *byte) }
            });
            self.globs.take(node, id)
        };
        self.len -= usize::from(removed);
        removed
    }

    fn matches(&self, subject: &[u8], ids: &mut Vec<u32>) {
        self.match_prefixes(subject, ids);
        self.match_globs(subject, ids);
    }

    fn len(&self) -> usize {
        self.len
    }

    fn heap_bytes(&self) -> usize {
        self.prefixes.heap_bytes() + self.globs.heap_bytes()
    }
}
