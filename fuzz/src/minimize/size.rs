//! The total order in which a simplification goes down. Must never call two different pairs equal.

use wildcheck_matcher::Syntax;

/// How simple an operand, or a pair, is; smaller is simpler. Empty tokens weigh most (a reader stumbles over them), then
/// the number of tokens, then bytes, then the bytes themselves: `a` before other letters, letters before digits, those
/// before punctuation, wildcards after that, control bytes and bytes beyond ASCII last.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Size {
    empties: usize,
    tokens: usize,
    bytes: usize,
    letters: Vec<u16>,
}

impl Size {
    /// The size of the pair of this pattern and that subject.
    pub fn beside(&self, subject: &Size) -> Size {
        let (empties, tokens, bytes) = self.roughly(subject);
        let mut letters = self.letters.clone();
        letters.push(u16::MAX);
        letters.extend_from_slice(&subject.letters);
        Size { empties, tokens, bytes, letters }
    }

    /// The first parts of [`Size::beside`], without a copy.
    pub fn roughly(&self, subject: &Size) -> (usize, usize, usize) {
        (self.empties + subject.empties, self.tokens + subject.tokens, self.bytes + subject.bytes)
    }

    /// The first parts of this size.
    pub fn rough(&self) -> (usize, usize, usize) {
        (self.empties, self.tokens, self.bytes)
    }
}

/// The size of an operand.
pub fn size(syntax: &Syntax, operand: &[u8]) -> Size {
    let separator = |b: &u8| Some(*b) == syntax.separator;
    let empties = operand.split(separator).filter(|token| token.is_empty()).count();
    let tokens = operand.split(separator).count();
    let wild = |b: u8| syntax.one.is_some_and(|one| one.contains(&b)) || syntax.many.is_some_and(|m| m.contains(&b));
    let letter = |b: &u8| {
        let class = match *b {
            b if Some(b) == syntax.separator => 0,
            b'a'..=b'z' => 1,
            b'A'..=b'Z' => 2,
            b'0'..=b'9' => 3,
            b if wild(b) => 5,
            0x21..=0x7e => 4,
            b' ' => 6,
            0x00..=0x7f => 7,
            _ => 8,
        };
        class << 8 | u16::from(*b)
    };
    Size { empties, tokens, bytes: operand.len(), letters: operand.iter().map(letter).collect() }
}
