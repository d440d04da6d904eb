//! An operand taken apart once, so that forty wrong matchers can look at it. Must never decide a match.

use wildcheck_matcher::{Dialect, Operand as Side, Strength};

use super::{
    deviation::{Deviation, Set},
    shape::Shape,
};

/// The deviations that make a refused operand acceptable, in the order of the bits of [`Parsed::valid`].
const RELAX: [Deviation; 4] = [
    Deviation::EmptyAllowed,
    Deviation::BlankAllowed,
    Deviation::MisplacedLiteral, // and MisplacedActs
    Deviation::LengthIgnored,
];

/// An operand, its tokens, and by which deviations it would be valid.
#[derive(Clone, Debug)]
pub struct Parsed<'a> {
    /// The whole operand.
    pub bytes: &'a [u8],
    /// Between the separators.
    pub tokens: Vec<&'a [u8]>,
    /// Pattern or subject.
    pub side: Side,
    /// What stands in it.
    pub shape: Shape,
    /// Bit `n`: acceptable when the rules whose bits are set in `n` (see [`RELAX`]) are dropped.
    valid: u16,
}

impl<'a> Parsed<'a> {
    /// Takes an operand apart.
    pub fn new(dialect: &dyn Dialect, side: Side, bytes: &'a [u8]) -> Parsed<'a> {
        let tokens = match dialect.syntax().separator {
            Some(separator) => bytes.split(|b| *b == separator).collect(),
            None => vec![bytes],
        };
        let shape = Shape::of(dialect.syntax(), bytes, &tokens);
        let mut parsed = Parsed { bytes, tokens, side, shape, valid: u16::MAX };
        if !parsed.is_valid_as(dialect, 0) {
            parsed.shape = parsed.shape.with(Shape::REFUSED);
            parsed.valid = (1..16).filter(|bits| parsed.is_valid_as(dialect, *bits)).fold(0, |all, bit| all | 1 << bit);
        }
        parsed
    }

    /// Would an implementation with these deviations take the operand?
    pub fn valid(&self, set: Set) -> bool {
        let mut bits = 0;
        for (bit, deviation) in RELAX.into_iter().enumerate() {
            let dropped = set.has(deviation)
                || deviation == Deviation::MisplacedLiteral && set.has(Deviation::MisplacedActs)
                || deviation == Deviation::EmptyAllowed && self.takes_empty(set);
            bits |= u16::from(dropped) << bit;
        }
        self.valid & (1 << bits) != 0
    }

    fn takes_empty(&self, set: Set) -> bool {
        set.has(Deviation::EmptyDropped) || self.side == Side::Subject && set.has(Deviation::StarTakesEmpty)
    }

    /// Replaces what the dropped rules would refuse by a plain literal and asks the dialect about the rest. In a
    /// subject wildcards are always replaced: whether they may be published is not the question here.
    fn is_valid_as(&self, dialect: &dyn Dialect, dropped: u16) -> bool {
        let syntax = dialect.syntax();
        let valid = |bytes: &[u8]| match self.side {
            Side::Pattern => dialect.validate_pattern(bytes, Strength::Server).is_ok(),
            Side::Subject => dialect.validate_subject(bytes, Strength::Server).is_ok(),
        };
        if dropped == 0 && !(self.side == Side::Subject && self.shape.has(Shape::WILD)) {
            return valid(self.bytes);
        }
        let drops = |bit: u16| dropped & (1 << bit) != 0;
        let count = self.tokens.len();
        let plain = |(index, token): (usize, &&'a [u8])| -> Vec<u8> {
            let wild = Some(*token) == syntax.many || Some(*token) == syntax.one;
            let misplaced = drops(2) && Some(*token) == syntax.many && index + 1 < count;
            if (self.side == Side::Subject && wild) || misplaced || (drops(0) && token.is_empty()) {
                return b"a".to_vec();
            }
            let blank = |b: &u8| drops(1) && matches!(b, b' ' | b'\t' | b'\r' | b'\n');
            token.iter().map(|b| if blank(b) { b'a' } else { *b }).collect()
        };
        let parts: Vec<Vec<u8>> = self.tokens.iter().enumerate().map(plain).collect();
        let separator: Vec<u8> = syntax.separator.into_iter().collect();
        let mut bytes = parts.join(&separator[..]);
        if drops(3) && bytes.len() > syntax.max_bytes {
            bytes.truncate(syntax.max_bytes);
            while bytes.last().is_some_and(|b| Some(*b) == syntax.separator) {
                bytes.pop();
            }
        }
        valid(&bytes)
    }
}
