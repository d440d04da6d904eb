//! A set of patterns of any dialect that has pieces: a trie of pieces, walked with every place a subject can have
//! reached. Must never answer otherwise than pair by pair.
//!
//! A walk costs at most tokens times the nodes that `Any` keeps open, however many ways a subject could be shared out.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

use super::Piece;
use crate::{Dialect, PatternSet, Refusal, Strength};

const ROOT: u32 = 0;

/// A set of subscriptions of one dialect that answers one subject in the time of the nodes it reaches.
///
/// At most 2^32 - 1 nodes.
pub struct PieceTrie {
    dialect: &'static dyn Dialect,
    nodes: Vec<Node>,
    free: Vec<u32>,
    len: usize,
}

#[derive(Default)]
struct Node {
    literals: BTreeMap<Box<[u8]>, u32>,
    prefixes: BTreeMap<Box<[u8]>, u32>,
    one: Option<u32>,
    any: Option<u32>,
    /// It is behind an `Any`, which also takes the next token.
    stays: bool,
    entries: Vec<Entry>,
}

/// A subscription, with the pattern's own bytes where the pieces do not tell them (`$share/g/a`).
struct Entry {
    id: u32,
    spelling: Option<Box<[u8]>>,
}

impl Node {
    fn child(&self, piece: Piece<'_>) -> Option<u32> {
        match piece {
            Piece::Literal(token) => self.literals.get(token).copied(),
            Piece::Prefix(prefix) => self.prefixes.get(prefix).copied(),
            Piece::One => self.one,
            Piece::Any => self.any,
        }
    }

    fn set_child(&mut self, piece: Piece<'_>, child: Option<u32>) {
        let set = |map: &mut BTreeMap<Box<[u8]>, u32>, token: &[u8]| match child {
            Some(child) => map.insert(token.into(), child),
            None => map.remove(token),
        };
        match piece {
            Piece::Literal(token) => {
                set(&mut self.literals, token);
            }
            Piece::Prefix(prefix) => {
                set(&mut self.prefixes, prefix);
            }
            Piece::One => self.one = child,
            Piece::Any => self.any = child,
        }
    }

    fn is_bare(&self) -> bool {
        let leads_on =
            self.one.is_some() || self.any.is_some() || !self.literals.is_empty() || !self.prefixes.is_empty();
        self.entries.is_empty() && !leads_on
    }

    fn heap_bytes(&self) -> usize {
        // A B-tree does not tell what it holds; its nodes are two thirds full on average.
        let map = |map: &BTreeMap<Box<[u8]>, u32>| {
            map.keys().map(|token| token.len()).sum::<usize>() + map.len() * size_of::<(Box<[u8]>, u32)>() * 3 / 2
        };
        let spellings: usize = self.entries.iter().filter_map(|e| e.spelling.as_ref()).map(|s| s.len()).sum();
        map(&self.literals) + map(&self.prefixes) + self.entries.capacity() * size_of::<Entry>() + spellings
    }
}

impl PieceTrie {
    /// No subscription.
    pub fn new(dialect: &'static dyn Dialect) -> PieceTrie {
        PieceTrie { dialect, nodes: vec![Node::default()], free: Vec::new(), len: 0 }
    }

    fn make(&mut self, stays: bool) -> u32 {
        let node = Node { stays, ..Node::default() };
        match self.free.pop() {
            Some(index) => {
                self.nodes[index as usize] = node;
                index
            }
            None => {
                self.nodes.push(node);
                (self.nodes.len() - 1) as u32
            }
        }
    }

    /// The node and every node that it leads to without a token.
    fn open(&self, mut node: u32, places: &mut Vec<u32>) {
        places.push(node);
        while let Some(next) = self.nodes[node as usize].any {
            places.push(next);
            node = next;
        }
    }

    fn step(&self, node: u32, token: &[u8], first: bool, places: &mut Vec<u32>) {
        let here = &self.nodes[node as usize];
        let takes = |piece: Piece<'_>| self.dialect.wildcard_takes(piece, token, first);
        if let Some(next) = here.literals.get(token) {
            self.open(*next, places);
        }
        if let Some(next) = here.one
            && takes(Piece::One)
        {
            self.open(next, places);
        }
        if !here.prefixes.is_empty() {
            for length in 0..=token.len() {
                let prefix = &token[..length];
                if let Some(next) = here.prefixes.get(prefix)
                    && takes(Piece::Prefix(prefix))
                {
                    self.open(*next, places);
                }
            }
        }
        if here.stays && takes(Piece::Any) {
            self.open(node, places);
        }
    }

    /// The pattern's bytes, unless the pieces tell them.
    fn spelling(&self, pattern: &[u8], pieces: &[Piece<'_>]) -> Option<Box<[u8]>> {
        let syntax = self.dialect.syntax();
        let mut told: Vec<u8> = Vec::with_capacity(pattern.len());
        let mut rest = pieces;
        while let [piece, after @ ..] = rest {
            rest = after;
            if !told.is_empty() || rest.len() + 1 < pieces.len() {
                told.extend(syntax.separator);
            }
            match piece {
                Piece::Literal(token) => told.extend_from_slice(token),
                Piece::Prefix(prefix) => told.extend(prefix.iter().chain(b"*")),
                Piece::One if syntax.many_min > 0 && *rest == [Piece::Any] => {
                    rest = &[];
                    told.extend(syntax.many.unwrap_or_default());
                }
                Piece::One => told.extend(syntax.one.unwrap_or_default()),
                Piece::Any => told.extend(syntax.many.unwrap_or_default()),
            }
        }
        (told != pattern).then(|| pattern.into())
    }
}

impl PatternSet for PieceTrie {
    fn insert(&mut self, pattern: &[u8], id: u32) -> Result<(), Refusal> {
        self.dialect.validate_pattern(pattern, Strength::Server)?;
        let pieces = self.dialect.pieces(pattern).unwrap_or_default();
        let mut node = ROOT;
        for piece in &pieces {
            node = match self.nodes[node as usize].child(*piece) {
                Some(child) => child,
                None => {
                    let child = self.make(*piece == Piece::Any);
                    self.nodes[node as usize].set_child(*piece, Some(child));
                    child
                }
            };
        }
        let spelling = self.spelling(pattern, &pieces);
        self.nodes[node as usize].entries.push(Entry { id, spelling });
        self.len += 1;
        Ok(())
    }

    fn remove(&mut self, pattern: &[u8], id: u32) -> bool {
        let Some(pieces) = self.dialect.pieces(pattern) else { return false };
        let mut path = vec![ROOT];
        let mut node = ROOT;
        for piece in &pieces {
            match self.nodes[node as usize].child(*piece) {
                Some(child) => node = child,
                None => return false,
            }
            path.push(node);
        }
        let spelling = self.spelling(pattern, &pieces);
        let entries = &mut self.nodes[node as usize].entries;
        let Some(index) = entries.iter().position(|e| e.id == id && e.spelling == spelling) else { return false };
        entries.swap_remove(index);
        self.len -= 1;
        for (index, piece) in pieces.iter().enumerate().rev() {
            let (parent, child) = (path[index], path[index + 1]);
            if !self.nodes[child as usize].is_bare() {
                break;
            }
            self.nodes[parent as usize].set_child(*piece, None);
            self.nodes[child as usize] = Node::default();
            self.free.push(child);
        }
        true
    }

    fn matches(&self, subject: &[u8], ids: &mut Vec<u32>) {
        if !self.dialect.is_subject(subject) {
            return;
        }
        let mut places = Vec::new();
        self.open(ROOT, &mut places);
        let mut next = Vec::new();
        let mut first = true;
        let mut take = |token: &[u8], places: &mut Vec<u32>| {
            if self.dialect.drops(token) {
                return;
            }
            next.clear();
            for node in &*places {
                self.step(*node, token, first, &mut next);
            }
            first = false;
            // A node that `Any` keeps open may be reached anew.
            next.sort_unstable();
            next.dedup();
            core::mem::swap(places, &mut next);
        };
        match self.dialect.syntax().separator {
            None => take(subject, &mut places),
            Some(_) if subject.is_empty() => {}
            Some(separator) => subject.split(|b| *b == separator).for_each(|token| take(token, &mut places)),
        }
        for node in places {
            ids.extend(self.nodes[node as usize].entries.iter().map(|entry| entry.id));
        }
    }

    fn len(&self) -> usize {
        self.len
    }

    fn heap_bytes(&self) -> usize {
        let own = self.nodes.capacity() * size_of::<Node>() + self.free.capacity() * size_of::<u32>();
        own + self.nodes.iter().map(Node::heap_bytes).sum::<usize>()
    }
}
