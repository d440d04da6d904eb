//! What stands in an operand, as bits: most deviations need something to bite on, and looking is cheaper than matching.
//!
//! Must never say that a deviation has no effect where it has one; a test asks both ways.

use wildcheck_matcher::Syntax;

use super::{deviation::Deviation as D, parsed::Parsed};

/// A set of features.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Shape(u16);

impl Shape {
    /// The rules refuse the operand.
    pub const REFUSED: Shape = Shape(1);
    /// A token is the one-wildcard.
    pub const ONE: Shape = Shape(1 << 1);
    /// A token is the many-wildcard.
    pub const MANY: Shape = Shape(1 << 2);
    /// A token is a wildcard.
    pub const WILD: Shape = Shape(Shape::ONE.0 | Shape::MANY.0);
    /// A wildcard sign stands beside something.
    pub const PARTIAL: Shape = Shape(1 << 3);
    /// A token is empty.
    pub const EMPTY: Shape = Shape(1 << 4);
    /// A sign of regular expressions or of the shell.
    pub const SIGN: Shape = Shape(1 << 5);
    /// A NUL.
    pub const NUL: Shape = Shape(1 << 6);
    /// A byte beyond ASCII.
    pub const HIGH: Shape = Shape(1 << 7);
    /// More than sixteen tokens.
    pub const LONG: Shape = Shape(1 << 8);
    /// A dollar sign first.
    pub const DOLLAR: Shape = Shape(1 << 9);
    /// A separator.
    pub const SEVERAL: Shape = Shape(1 << 10);

    /// What stands in the operand; [`Shape::REFUSED`] is not looked at.
    pub fn of(syntax: &Syntax, bytes: &[u8], tokens: &[&[u8]]) -> Shape {
        let mut shape = Shape::default();
        let mut put = |when: bool, feature: Shape| {
            if when {
                shape = shape.with(feature);
            }
        };
        put(tokens.len() > 16, Shape::LONG);
        put(tokens.len() > 1, Shape::SEVERAL);
        put(bytes.first() == Some(&b'$'), Shape::DOLLAR);
        let sign = |b: &u8| [syntax.one, syntax.many].into_iter().flatten().any(|wild| wild.contains(b));
        for token in tokens {
            put(token.is_empty(), Shape::EMPTY);
            let (one, many) = (Some(*token) == syntax.one, Some(*token) == syntax.many);
            put(one, Shape::ONE);
            put(many, Shape::MANY);
            put(!one && !many && token.iter().any(sign), Shape::PARTIAL);
        }
        for byte in bytes {
            put(*byte == 0, Shape::NUL);
            put(*byte >= 0x80, Shape::HIGH);
            put(b"+*.>?[()|^$\\{".contains(byte) && Some(*byte) != syntax.separator, Shape::SIGN);
        }
        shape
    }

    /// Has it one of these features?
    pub fn has(self, features: Shape) -> bool {
        self.0 & features.0 != 0
    }

    /// The features of both.
    pub const fn with(self, features: Shape) -> Shape {
        Shape(self.0 | features.0)
    }
}

/// The deviations that look at operands which the rules refuse; the others compare what both validations let through.
const DROPS_RULES: &[D] = &[
    D::EmptyAllowed,
    D::EmptyDropped,
    D::EmptyOperand,
    D::TrailingSeparator,
    D::BlankAllowed,
    D::LengthIgnored,
    D::MisplacedLiteral,
    D::MisplacedActs,
    D::MisplacedEnds,
    D::SignAllowed,
    D::ControlAllowed,
    D::BytesAllowed,
    D::ShareUnchecked,
    D::ShareLiteral,
    D::StarTakesEmpty,
    D::StarPartial,
    D::TailPartial,
    D::TailBytePrefix,
    D::SubjectActs,
    D::LossyUtf8,
    D::NulEnds,
    D::AmqpWords,
];

/// Can this deviation alone change anything about the pair?
pub fn bites(deviation: D, pattern: &Parsed<'_>, subject: &Parsed<'_>) -> bool {
    let drops_rules = DROPS_RULES.contains(&deviation);
    let refused = pattern.shape.with(subject.shape).has(Shape::REFUSED);
    (drops_rules || !refused) && touches(deviation, pattern, subject)
}

/// Can this deviation change anything about the pair, if others drop the rules that refuse it?
pub fn touches(deviation: D, pattern: &Parsed<'_>, subject: &Parsed<'_>) -> bool {
    let (p, s) = (pattern.shape, subject.shape);
    let either = p.with(s);
    let refused = either.has(Shape::REFUSED);
    match deviation {
        D::EmptyAllowed | D::StarTakesEmpty | D::BlankAllowed | D::LengthIgnored => refused,
        D::ControlAllowed | D::EmptyOperand => refused,
        D::BytesAllowed => refused && either.has(Shape::HIGH),
        D::SignAllowed => refused && either.has(Shape::WILD.with(Shape::PARTIAL)),
        D::ShareUnchecked => refused && either.has(Shape::DOLLAR),
        D::ShareLiteral | D::ShareDollarLost => either.has(Shape::DOLLAR),
        D::StarPartial | D::TailPartial => p.has(Shape::PARTIAL),
        D::SubjectActs => s.has(Shape::WILD.with(Shape::PARTIAL)),
        D::SubjectRefused => s.has(Shape::WILD),
        D::EmptyDropped | D::TrailingSeparator | D::EmptyWord => either.has(Shape::EMPTY),
        D::EmptyEnds => p.has(Shape::EMPTY),
        D::TailBytePrefix => p.has(Shape::MANY.with(Shape::PARTIAL)),
        D::LossyUtf8 => either.has(Shape::HIGH),
        D::NulEnds => either.has(Shape::NUL),
        D::StarCrosses => p.has(Shape::ONE.with(Shape::PARTIAL)),
        D::StarTakesNothing | D::EdgeStarRefused | D::StarWordOnly | D::StarNotEmpty => p.has(Shape::ONE),
        D::StarOnce | D::StarFirstOnly | D::StarLastOnly | D::StarLiteral => p.has(Shape::ONE),
        D::TailTakesNothing | D::TailTakesOne | D::MisplacedLiteral | D::MisplacedActs => p.has(Shape::MANY),
        D::MisplacedEnds | D::ManyNeedsOne | D::ManyNoBacktrack | D::ManyLastOnly => p.has(Shape::MANY),
        D::ManyLiteral => p.has(Shape::MANY),
        D::SeparatorAny => p.has(Shape::SEVERAL),
        D::RegexLiteral | D::ShellLiteral | D::BraceParameter => p.has(Shape::SIGN),
        D::AmqpWords => either.has(Shape::SIGN),
        D::NatsWords => p.has(Shape::SIGN),
        D::Shallow => s.has(Shape::LONG),
        D::DollarVisible | D::DollarHidden => s.has(Shape::DOLLAR),
        D::CaseFolded | D::EndOpen | D::OneTokenMore | D::LastTokenPrefix | D::StartOpen | D::FirstByte => true,
    }
}
