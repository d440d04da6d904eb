//! Many patterns against one subject: a trie of tokens. Must never answer otherwise than [`super::matches`] would,
//! pattern by pattern.
//!
//! A node is 32 bytes; an edge is found by hashing (node, token) in one table for the whole trie; each literal token
//! is kept once. The walk visits only nodes that the subject reaches.

mod ids;
mod table;
mod tokens;

use alloc::{vec, vec::Vec};

use self::{
    ids::{Ids, Overflow},
    table::{Table, hash_pair, push},
    tokens::Tokens,
};
use super::{fast::split_valid, validate::validate_pattern};
use crate::{PatternSet, Refusal, Strength};

const ROOT: u32 = 0;
/// In a node's `star`: no such child. In `token`: reached by `*`. Among a subject's tokens: one that no edge uses.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Node {
    parent: u32,
    token: u32,
    star: u32,
    literals: u32,
    here: Ids,
    tail: Ids,
}

impl Node {
    fn new(parent: u32, token: u32) -> Node {
        Node { parent, token, star: NONE, literals: 0, here: Ids::default(), tail: Ids::default() }
    }

    fn is_bare(&self) -> bool {
        self.star == NONE && self.literals == 0 && self.here.is_empty() && self.tail.is_empty()
    }
}

/// A set of NATS subscriptions that answers one subject in the time of the nodes it reaches.
///
/// At most 2^32 - 2 nodes and as many bytes of distinct tokens.
#[derive(Clone)]
pub struct TokenTrie {
    nodes: Vec<Node>,
    free: Vec<u32>,
    edges: Table,
    tokens: Tokens,
    overflow: Overflow,
    len: usize,
}

impl Default for TokenTrie {
    fn default() -> TokenTrie {
        TokenTrie::new()
    }
}

impl TokenTrie {
    /// No subscription.
    pub fn new() -> TokenTrie {
        TokenTrie {
            nodes: vec![Node::new(NONE, NONE)],
            free: Vec::new(),
            edges: Table::default(),
            tokens: Tokens::default(),
            overflow: Overflow::default(),
            len: 0,
        }
    }

    fn literal_child(&self, node: u32, token: u32) -> Option<u32> {
        self.edges.find(hash_pair(node, token), |child| {
            let child = &self.nodes[child as usize];
            child.parent == node && child.token == token
        })
    }

    fn add_node(&mut self, node: Node) -> u32 {
        if let Some(index) = self.free.pop() {
            self.nodes[index as usize] = node;
            return index;
        }
        push(&mut self.nodes, node);
        self.nodes.len() as u32 - 1
    }

    /// The child for one token of a pattern, made where there is none.
    fn step(&mut self, node: u32, token: &[u8]) -> u32 {
        if token == b"*" {
            let star = self.nodes[node as usize].star;
            if star != NONE {
                return star;
            }
            let child = self.add_node(Node::new(node, NONE));
            self.nodes[node as usize].star = child;
            return child;
        }
        if let Some(child) = self.tokens.find(token).and_then(|number| self.literal_child(node, number)) {
            return child;
        }
        let number = self.tokens.acquire(token);
        let child = self.add_node(Node::new(node, number));
        self.edges.insert(hash_pair(node, number), child);
        self.nodes[node as usize].literals += 1;
        child
    }

    /// The node of a valid pattern and whether the pattern ends in a tail there.
    fn locate(&self, pattern: &[u8]) -> Option<(u32, bool)> {
        let mut node = ROOT;
        for token in pattern.split(|byte| *byte == b'.') {
            node = match token {
                b">" => return Some((node, true)),
                b"*" => Some(self.nodes[node as usize].star).filter(|star| *star != NONE)?,
                literal => self.literal_child(node, self.tokens.find(literal)?)?,
            };
        }
        Some((node, false))
    }

    /// Takes away nodes that nothing needs any more, from `node` upwards.
    fn prune(&mut self, mut node: u32) {
        while node != ROOT && self.nodes[node as usize].is_bare() {
            let Node { parent, token, .. } = self.nodes[node as usize];
            if token == NONE {
                self.nodes[parent as usize].star = NONE;
            } else {
                self.edges.remove(hash_pair(parent, token), node);
                self.nodes[parent as usize].literals -= 1;
                self.tokens.release(token);
            }
            self.free.push(node);
            node = parent;
        }
    }

    fn walk(&self, tokens: &[u32], pending: &mut [(u32, u32)], ids: &mut Vec<u32>) {
        // At most one sibling waits at each depth.
        let mut waiting = 0;
        let (mut node, mut depth) = (ROOT, 0);
        loop {
            let Node { star, literals, here, tail, .. } = self.nodes[node as usize];
            let mut next = None;
            if let Some(&token) = tokens.get(depth) {
                self.overflow.append_to(tail, ids);
                if star != NONE {
                    next = Some(star);
                }
                if literals > 0
                    && token != NONE
                    && let Some(child) = self.literal_child(node, token)
                {
                    if let Some(star) = next {
                        pending[waiting] = (star, depth as u32 + 1);
                        waiting += 1;
                    }
                    next = Some(child);
                }
            } else {
                self.overflow.append_to(here, ids);
            }
            if let Some(child) = next {
                (node, depth) = (child, depth + 1);
            } else if waiting > 0 {
                waiting -= 1;
                (node, depth) = (pending[waiting].0, pending[waiting].1 as usize);
            } else {
                return;
            }
        }
    }
}

impl PatternSet for TokenTrie {
    fn insert(&mut self, pattern: &[u8], id: u32) -> Result<(), Refusal> {
        validate_pattern(pattern, Strength::Server)?;
        let mut node = ROOT;
        let mut tail = false;
        for token in pattern.split(|byte| *byte == b'.') {
            if token == b">" {
                tail = true;
            } else {
                node = self.step(node, token);
            }
        }
        let node = &mut self.nodes[node as usize];
        self.overflow.add(if tail { &mut node.tail } else { &mut node.here }, id);
        self.len += 1;
        Ok(())
    }

    fn remove(&mut self, pattern: &[u8], id: u32) -> bool {
        if validate_pattern(pattern, Strength::Server).is_err() {
            return false;
        }
        let Some((index, tail)) = self.locate(pattern) else { return false };
        let node = &mut self.nodes[index as usize];
        if !self.overflow.take(if tail { &mut node.tail } else { &mut node.here }, id) {
            return false;
        }
        self.prune(index);
        self.len -= 1;
        true
    }

    fn matches(&self, subject: &[u8], ids: &mut Vec<u32>) {
        const SHORT: usize = 24;
        let mut numbers = [NONE; SHORT];
        let mut count = 0;
        let valid = split_valid(subject, |token| {
            if let Some(number) = numbers.get_mut(count) {
                *number = self.tokens.find(token).unwrap_or(NONE);
            }
            count += 1;
        });
        if !valid {
            return;
        }
        if count <= SHORT {
            self.walk(&numbers[..count], &mut [(0, 0); SHORT], ids);
        } else {
            let all = subject.split(|byte| *byte == b'.').map(|token| self.tokens.find(token).unwrap_or(NONE));
            self.walk(&all.collect::<Vec<_>>(), &mut vec![(0, 0); count], ids);
        }
    }

    fn len(&self) -> usize {
        self.len
    }

    fn heap_bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.free.capacity() * size_of::<u32>()
            + self.edges.heap_bytes()
            + self.tokens.heap_bytes()
            + self.overflow.heap_bytes()
    }
}
