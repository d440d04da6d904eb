//! The list of named mutants, by code. `truth-tables/causes.csv` holds the same rows; a test keeps the two equal.
//!
//! A code is never reused and never changes its meaning. Where two mutants explain the same disagreements, the one that
//! stands first here is taken: the narrow before the sweeping.

use wildcheck_tables::row::Direction::{Both, TooLittle, TooMuch};

use super::{Mutant, deviation::Deviation as D};

const RABBITMQ: &[&str] = &["rabbitmq"];
const SMF: &[&str] = &["nats", "solace"];
const LAST: &[&str] = &["nats", "mqtt"];
const NATS: &[&str] = &["nats"];
const PARTIAL: &[&str] = &["nats", "rabbitmq", "mqtt"];
const DEEP: &[&str] = &["nats", "mqtt", "solace"];
const MANY_ZERO: &[&str] = &["rabbitmq", "mqtt"];
const MQTT: &[&str] = &["mqtt"];
const TEXT: &[&str] = &["rabbitmq", "mqtt", "solace"];
const DOLLAR: &[&str] = &["mqtt", "solace"];
const TOKENS: &[&str] = &["nats", "rabbitmq", "mqtt", "solace"];
const ALL: &[&str] = &["nats", "rabbitmq", "mqtt", "solace", "flat"];

macro_rules! mutants {
    ($($code:literal $name:literal $direction:ident $dialects:ident $deviation:ident $statement:literal;)*) => {
        &[$(Mutant {
            code: $code,
            name: $name,
            statement: $statement,
            direction: $direction,
            dialects: $dialects,
            deviation: D::$deviation,
        },)*]
    };
}

/// Every mutant, by code.
pub static ALL_MUTANTS: &[Mutant] = mutants! {
    "WC001" "tail-matches-zero" TooMuch SMF TailTakesNothing
        "The tail wildcard also matches when no token is left for it.";
    "WC002" "star-crosses-separators" TooMuch TOKENS StarCrosses
        "The one-token wildcard runs across separators.";
    "WC003" "case-folded" TooMuch ALL CaseFolded
        "Letters of different case count as equal.";
    "WC004" "empty-token-allowed" TooMuch NATS EmptyAllowed
        "Operands with an empty token take part in matching.";
    "WC005" "prefix-bleed" TooMuch TOKENS EndOpen
        "The pattern need not reach the end of the subject.";
    "WC006" "star-takes-nothing" TooMuch NATS StarTakesEmpty
        "The one-token wildcard also stands for an empty token.";
    "WC007" "tail-as-byte-prefix" Both SMF TailBytePrefix
        "A pattern that ends in the tail wildcard is a byte prefix and what stands before the tail is literal.";
    "WC008" "partial-star-acts" TooMuch PARTIAL StarPartial
        "A star beside other bytes in a token acts as a wildcard.";
    "WC009" "partial-tail-acts" TooMuch TOKENS TailPartial
        "A tail sign beside other bytes in a token acts as a wildcard.";
    "WC010" "tail-anywhere" TooMuch DEEP MisplacedActs
        "The tail wildcard acts before the last token.";
    "WC011" "subject-wildcard-acts" TooMuch TOKENS SubjectActs
        "A wildcard token of the subject acts as a wildcard.";
    "WC012" "blank-allowed" TooMuch NATS BlankAllowed
        "Operands with a blank take part in matching.";
    "WC013" "edge-star-refused" TooLittle TOKENS EdgeStarRefused
        "The one-token wildcard is refused as the first or last token.";
    "WC014" "tail-takes-one" TooLittle TOKENS TailTakesOne
        "The wildcard for many tokens takes exactly one.";
    "WC015" "empty-tokens-dropped" Both TOKENS EmptyDropped
        "Empty tokens are dropped before matching.";
    "WC016" "trailing-separator-ignored" Both TOKENS TrailingSeparator
        "A separator at the end of an operand is ignored.";
    "WC017" "misplaced-tail-literal" TooMuch NATS MisplacedLiteral
        "A tail wildcard before the last token is taken as a literal instead of being refused.";
    "WC018" "length-limit-ignored" TooMuch ALL LengthIgnored
        "Operands longer than any server takes take part in matching.";
    "WC019" "suffix-match" TooMuch TOKENS StartOpen
        "The pattern need not begin where the subject begins.";
    "WC020" "one-token-more" TooMuch TOKENS OneTokenMore
        "The subject may have one token more than the pattern.";
    "WC021" "last-token-prefix" TooMuch ALL LastTokenPrefix
        "The last literal token of the pattern is a byte prefix of the subject's.";
    "WC022" "star-optional" TooMuch TOKENS StarTakesNothing
        "The one-token wildcard also matches where there is no token.";
    "WC023" "star-word-characters" TooLittle TOKENS StarWordOnly
        "The one-token wildcard takes only letters, digits and the underscore.";
    "WC024" "star-refuses-empty" TooLittle MANY_ZERO StarNotEmpty
        "The one-token wildcard does not take an empty token.";
    "WC025" "first-star-only" TooLittle TOKENS StarOnce
        "Only the first one-token wildcard of a pattern acts, the others are literals.";
    "WC026" "star-first-position-only" TooLittle TOKENS StarFirstOnly
        "The one-token wildcard acts only as the first token and is a literal elsewhere.";
    "WC027" "star-last-position-only" TooLittle TOKENS StarLastOnly
        "The one-token wildcard acts only as the last token and is a literal elsewhere.";
    "WC028" "star-literal" TooLittle TOKENS StarLiteral
        "The one-token wildcard is a literal.";
    "WC029" "tail-literal" TooLittle TOKENS ManyLiteral
        "The wildcard for many tokens is a literal.";
    "WC030" "many-needs-one" TooLittle MANY_ZERO ManyNeedsOne
        "The wildcard for many tokens needs at least one.";
    "WC031" "many-without-backtracking" TooLittle RABBITMQ ManyNoBacktrack
        "The wildcard for many tokens stops at the first token that fits what follows and never tries a later one.";
    "WC032" "many-last-only" TooLittle RABBITMQ ManyLastOnly
        "The wildcard for many tokens acts only as the last token and is a literal elsewhere.";
    "WC033" "subject-wildcard-refused" TooLittle SMF SubjectRefused
        "A subject that holds a wildcard token reaches nobody.";
    "WC034" "separator-any-byte" TooMuch TOKENS SeparatorAny
        "The separator of the pattern stands for any byte, as an unescaped dot does in a regular expression.";
    "WC035" "literal-as-regex" Both ALL RegexLiteral
        "Literal tokens of the pattern are read as regular expressions.";
    "WC036" "literal-as-shell-glob" Both ALL ShellLiteral
        "A question mark and square brackets in the pattern act as in a shell.";
    "WC037" "first-byte-only" TooMuch ALL FirstByte
        "Tokens count as equal when their first bytes are.";
    "WC038" "lossy-utf8" TooMuch TOKENS LossyUtf8
        "Bytes that are not UTF-8 are replaced before they are compared, so that different ones are equal.";
    "WC039" "nul-terminated" Both SMF NulEnds
        "An operand ends at its first NUL byte.";
    "WC040" "sixteen-tokens" TooLittle DEEP Shallow
        "A subject of more than sixteen tokens reaches nobody.";
    "WC041" "dollar-visible" TooMuch DOLLAR DollarVisible
        "A subject that starts with a dollar sign is seen by a wildcard in the first place.";
    "WC044" "wildcard-sign-allowed" TooMuch MQTT SignAllowed
        "A wildcard sign where it is refused (in a subject, beside other bytes, before the end) is a byte like any other.";
    "WC045" "control-allowed" TooMuch DOLLAR ControlAllowed
        "Operands with NUL, control characters or non-characters take part in matching.";
    "WC046" "share-literal" Both MQTT ShareLiteral
        "The prefix of a shared subscription is taken for levels like any other.";
    "WC047" "tail-ends-pattern" TooMuch LAST MisplacedEnds
        "What follows a tail wildcard is ignored instead of being refused.";
    "WC048" "empty-token-ends-pattern" Both RABBITMQ EmptyEnds
        "A pattern ends before its first empty token.";
    "WC049" "empty-subject-is-a-token" TooMuch RABBITMQ EmptyWord
        "The empty subject is one empty token instead of none.";
    "WC057" "share-unchecked" TooMuch MQTT ShareUnchecked
        "The rules of `$share` are not checked: any group name is taken, and a subject may begin with it.";
    "WC058" "dollar-hidden" TooLittle MQTT DollarHidden
        "A subject that starts with a dollar sign reaches nobody.";
    "WC059" "empty-operand-allowed" TooMuch DOLLAR EmptyOperand
        "The empty operand takes part in matching.";
    "WC060" "brace-parameter" TooMuch MQTT BraceParameter
        "A token in braces is a parameter that takes any token.";
    "WC061" "share-dollar-lost" TooLittle MQTT ShareDollarLost
        "A shared subscription to subjects that start with a dollar sign delivers nothing.";
    "WC062" "bytes-allowed" TooMuch TEXT BytesAllowed
        "Operands that are not UTF-8 take part in matching.";
    "WC063" "amqp-words" Both MQTT AmqpWords
        "Operands are translated to words of AMQP: a dot separates as the slash does, and the token `*` takes any token.";
    "WC064" "nats-words" TooMuch MQTT NatsWords
        "The tokens `*` and, at the end, `>` of the pattern act as the wildcards for one and for many.";
};
