//! The single deviations from a dialect's rules, and sets of them. Must never decide a match.

/// One thing that an implementation does differently from the rules.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Deviation {
    /// Empty tokens are tokens like any other.
    EmptyAllowed,
    /// Empty tokens are dropped before matching.
    EmptyDropped,
    /// One separator at the end is ignored.
    TrailingSeparator,
    /// Blanks (space, tab, CR, LF) are bytes like any other.
    BlankAllowed,
    /// An operand beyond the length limit is taken.
    LengthIgnored,
    /// The many-wildcard before the end is a literal where it should be refused.
    MisplacedLiteral,
    /// The many-wildcard before the end acts where it should be refused.
    MisplacedActs,
    /// ASCII letters compare without case.
    CaseFolded,
    /// The one-wildcard crosses separators.
    StarCrosses,
    /// The one-wildcard also takes no token at all.
    StarTakesNothing,
    /// The one-wildcard takes an empty token of the subject where empty tokens are refused.
    StarTakesEmpty,
    /// A pattern with the one-wildcard first or last is refused.
    EdgeStarRefused,
    /// The one-wildcard takes only word characters.
    StarWordOnly,
    /// The one-wildcard does not take an empty token.
    StarNotEmpty,
    /// The one-wildcard beside other bytes acts inside the token.
    StarPartial,
    /// Only the first one-wildcard acts.
    StarOnce,
    /// The one-wildcard acts only as the first token.
    StarFirstOnly,
    /// The one-wildcard acts only as the last token.
    StarLastOnly,
    /// A final many-wildcard makes the pattern a byte prefix, and one-wildcards before it literals.
    TailBytePrefix,
    /// The one-wildcard is a literal.
    StarLiteral,
    /// The many-wildcard takes no token where it needs one.
    TailTakesNothing,
    /// The many-wildcard takes exactly one token.
    TailTakesOne,
    /// The many-wildcard at the end of a longer token acts as a prefix test.
    TailPartial,
    /// The many-wildcard needs one token where none is enough.
    ManyNeedsOne,
    /// The many-wildcard before the end commits to the first possible stop.
    ManyNoBacktrack,
    /// The many-wildcard acts only as the last token where it may act anywhere.
    ManyLastOnly,
    /// The many-wildcard is a literal.
    ManyLiteral,
    /// The subject may go on after the pattern has ended.
    EndOpen,
    /// The subject may have one token more than the pattern.
    OneTokenMore,
    /// The last literal token is a byte prefix.
    LastTokenPrefix,
    /// The subject may begin before the pattern does.
    StartOpen,
    /// Wildcards in the subject act.
    SubjectActs,
    /// A subject with a wildcard token reaches nobody.
    SubjectRefused,
    /// The separator stands for any byte.
    SeparatorAny,
    /// Literal tokens are regular expressions.
    RegexLiteral,
    /// `?` and `[…]` in literals act as in a shell.
    ShellLiteral,
    /// Tokens compare by their first byte.
    FirstByte,
    /// Bytes that are not UTF-8 are replaced before they are compared.
    LossyUtf8,
    /// An operand ends at its first NUL.
    NulEnds,
    /// Subjects of more than sixteen tokens reach nobody.
    Shallow,
    /// Subjects with a `$` first are seen by wildcards in the first token.
    DollarVisible,
    /// A wildcard sign in a subject, beside other bytes or before the end is a literal where it should be refused.
    SignAllowed,
    /// NUL, control characters and non-characters are bytes like any other.
    ControlAllowed,
    /// The prefix of a shared subscription is levels like any other.
    ShareLiteral,
    /// What follows a many-wildcard before the end is ignored where it should be refused.
    MisplacedEnds,
    /// An empty token ends the pattern.
    EmptyEnds,
    /// The empty operand is one empty token where it has none.
    EmptyWord,
    /// The name of a shared subscription's group is not looked at, and a subject may look like one.
    ShareUnchecked,
    /// A shared subscription to names with a `$` first delivers nothing.
    ShareDollarLost,
    /// A subject with a `$` first reaches nobody.
    DollarHidden,
    /// The empty operand is taken where it should be refused.
    EmptyOperand,
    /// Bytes that are not UTF-8 are bytes like any other where they should be refused.
    BytesAllowed,
    /// A token in braces is a one-wildcard.
    BraceParameter,
    /// Operands become words of AMQP: `.` separates too, a token `*` is a one-wildcard, and no sign is refused.
    AmqpWords,
    /// A pattern becomes one of NATS: a token `*` is a one-wildcard, a last token `>` is the many-wildcard.
    NatsWords,
}

/// A set of deviations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Set(u64);

impl Set {
    /// No deviation: the rules.
    pub const NONE: Set = Set(0);

    /// Just this one.
    pub fn of(deviation: Deviation) -> Set {
        Set(1 << deviation as u8)
    }

    /// Is it in the set?
    pub fn has(self, deviation: Deviation) -> bool {
        self.0 & (1 << deviation as u8) != 0
    }

    /// Both sets.
    pub fn with(self, other: Set) -> Set {
        Set(self.0 | other.0)
    }

    /// Without this one.
    pub fn without(self, deviation: Deviation) -> Set {
        Set(self.0 & !(1 << deviation as u8))
    }
}
