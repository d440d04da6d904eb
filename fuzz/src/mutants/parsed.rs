//! An operand taken apart once, so that forty wrong matchers can look at it. Must never decide a match.

use wildcheck_matcher::{Dialect, Operand as Side, Strength};

use super::{
    deviation::{Deviation, Set},
    shape::Shape,
};

/// The rules that a wrong matcher may drop: bits of [`Parsed::broken`], each with the deviations that drop it.
const RULES: [(u16, &[Deviation]); 9] = [
    (EMPTY, &[Deviation::EmptyAllowed, Deviation::EmptyDropped, Deviation::EmptyEnds, Deviation::EmptyOperand]),
    (BLANK, &[Deviation::BlankAllowed]),
    (
        MISPLACED,
        &[Deviation::MisplacedLiteral, Deviation::MisplacedActs, Deviation::MisplacedEnds, Deviation::SignAllowed],
    ),
    (LENGTH, &[Deviation::LengthIgnored]),
    (WILD, &[Deviation::SignAllowed, Deviation::SubjectActs]),
    (PARTIAL, &[Deviation::SignAllowed, Deviation::StarPartial, Deviation::TailPartial]),
    (CONTROL, &[Deviation::ControlAllowed]),
    (SHARE, &[Deviation::ShareLiteral, Deviation::ShareUnchecked]),
    (TEXT, &[Deviation::BytesAllowed]),
];
const EMPTY: u16 = 1;
const BLANK: u16 = 1 << 1;
const MISPLACED: u16 = 1 << 2;
const LENGTH: u16 = 1 << 3;
/// Wildcards in a subject.
const WILD: u16 = 1 << 4;
/// A wildcard sign beside something in a pattern.
const PARTIAL: u16 = 1 << 5;
const CONTROL: u16 = 1 << 6;
const SHARE: u16 = 1 << 7;
/// UTF-8.
const TEXT: u16 = 1 << 8;

const BLANKS: &[u8] = b" \t\r\n";

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
    /// The rules that it breaks; `None` when it also breaks one that nobody here drops.
    broken: Option<u16>,
}

impl<'a> Parsed<'a> {
    /// Takes an operand apart.
    pub fn new(dialect: &dyn Dialect, side: Side, bytes: &'a [u8]) -> Parsed<'a> {
        let tokens = match dialect.syntax().separator {
            Some(separator) => bytes.split(|b| *b == separator).collect(),
            None => vec![bytes],
        };
        let shape = Shape::of(dialect.syntax(), bytes, &tokens);
        let mut parsed = Parsed { bytes, tokens, side, shape, broken: Some(0) };
        // Where matching takes a wildcard in a subject for a literal, whether it may be published is not the question.
        let literal = side == Side::Subject && dialect.syntax().one.is_some_and(|one| dialect.matches(one, one));
        let always = if literal && shape.has(Shape::WILD) { WILD } else { 0 };
        if !parsed.is_valid_as(dialect, always) {
            parsed.shape = parsed.shape.with(Shape::REFUSED);
            let breaks = |rule: u16| !parsed.is_valid_as(dialect, always | !rule);
            parsed.broken = parsed
                .is_valid_as(dialect, u16::MAX)
                .then(|| RULES.iter().filter(|(rule, _)| breaks(*rule)).fold(0, |all, (rule, _)| all | rule))
                .filter(|broken| *broken != 0);
        }
        if bytes.is_empty()
            && dialect.is_subject(b"")
            && !dialect.syntax().one.is_some_and(|one| dialect.matches(one, b""))
        {
            parsed.tokens.clear();
        }
        parsed
    }

    /// Would an implementation with these deviations take the operand?
    pub fn valid(&self, set: Set) -> bool {
        let Some(broken) = self.broken else { return false };
        let dropped = |(rule, by): &(u16, &[Deviation])| {
            broken & rule == 0
                || by.iter().any(|deviation| set.has(*deviation))
                || *rule == EMPTY && self.side == Side::Subject && set.has(Deviation::StarTakesEmpty)
        };
        broken == 0 || RULES.iter().all(dropped)
    }

    /// Replaces what the dropped rules would refuse by a plain literal and asks the dialect about the rest.
    fn is_valid_as(&self, dialect: &dyn Dialect, dropped: u16) -> bool {
        let syntax = dialect.syntax();
        let valid = |bytes: &[u8]| match self.side {
            Side::Pattern => dialect.validate_pattern(bytes, Strength::Server).is_ok(),
            Side::Subject => dialect.is_subject(bytes),
        };
        if dropped == 0 {
            return valid(self.bytes);
        }
        let drops = |rule: u16| dropped & rule != 0;
        let count = self.tokens.len();
        // A tab is a blank where blanks are refused, a control character elsewhere: one rule an operand breaks, not two.
        let blanks = !dialect.is_subject(b" ");
        let signs: Vec<u8> = [syntax.one, syntax.many].into_iter().flatten().flatten().copied().collect();
        let plain = |(index, token): (usize, &&'a [u8])| -> Vec<u8> {
            let wild = Some(*token) == syntax.many || Some(*token) == syntax.one;
            let misplaced =
                self.side == Side::Pattern && drops(MISPLACED) && Some(*token) == syntax.many && index + 1 < count;
            let subject = self.side == Side::Subject && drops(WILD);
            if (subject && wild)
                || misplaced
                || (drops(EMPTY) && token.is_empty() && (count == 1 || !syntax.empty_tokens))
            {
                return b"a".to_vec();
            }
            if index == 0 && drops(SHARE) && token.starts_with(b"$share") {
                return [b"a", &token[1..]].concat();
            }
            if index == 1 && drops(SHARE) && self.tokens[0] == b"$share" {
                return b"a".to_vec();
            }
            let partial = subject || self.side == Side::Pattern && drops(PARTIAL) && !wild;
            let odd = |b: &u8| blanks && drops(BLANK) && BLANKS.contains(b) || partial && signs.contains(b);
            let token: Vec<u8> = token.iter().map(|b| if odd(b) { b'a' } else { *b }).collect();
            let token = if drops(TEXT) { String::from_utf8_lossy(&token).into_owned().into_bytes() } else { token };
            if drops(CONTROL) { without_control(token, blanks) } else { token }
        };
        let parts: Vec<Vec<u8>> = self.tokens.iter().enumerate().map(plain).collect();
        let separator: Vec<u8> = syntax.separator.into_iter().collect();
        let mut bytes = parts.join(&separator[..]);
        if drops(LENGTH) && bytes.len() > syntax.max_bytes {
            bytes.truncate(syntax.max_bytes);
            while bytes.last().is_some_and(|b| Some(*b) == syntax.separator) {
                bytes.pop();
            }
        }
        valid(&bytes)
    }
}

/// NUL, control characters and non-characters replaced; what is no text stays.
fn without_control(token: Vec<u8>, but_blanks: bool) -> Vec<u8> {
    let plain = |c: char| {
        let number = u32::from(c);
        let blank = but_blanks && u8::try_from(c).is_ok_and(|b| BLANKS.contains(&b));
        let odd = c.is_control() && !blank || matches!(number, 0xfdd0..=0xfdef) || number & 0xfffe == 0xfffe;
        if odd { 'a' } else { c }
    };
    match String::from_utf8(token) {
        Ok(text) => text.chars().map(plain).collect::<String>().into_bytes(),
        Err(error) => error.into_bytes(),
    }
}
