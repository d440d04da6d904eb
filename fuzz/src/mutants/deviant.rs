//! A matcher that can be wrong in many ways at once: the dialect's rules with a set of deviations.
//!
//! Must never be asked for the truth: without a deviation the dialect itself answers.

use std::borrow::Cow;

use wildcheck_matcher::{Dialect, Operand as Side, Syntax};

use super::{
    deviation::{Deviation, Set},
    parsed::Parsed,
    shape::Shape,
    translated,
    walk::Walk,
    whole,
};

/// What a matcher with these deviations says, given what the rules say: where the deviations change nothing of the
/// plain algorithm, the dialect's own answer stands.
pub fn verdict(dialect: &dyn Dialect, set: Set, pattern: &Parsed<'_>, subject: &Parsed<'_>, truth: bool) -> bool {
    let deviant = plain(dialect, set, pattern, subject);
    if deviant == plain(dialect, Set::NONE, pattern, subject) { truth } else { deviant }
}

/// The deviations that see other bytes.
const REWRITES: [Deviation; 5] = [
    Deviation::NulEnds,
    Deviation::LossyUtf8,
    Deviation::TrailingSeparator,
    Deviation::AmqpWords,
    Deviation::NatsWords,
];

/// The plain algorithm over tokens, bent by the deviations.
pub fn plain(dialect: &dyn Dialect, set: Set, pattern: &Parsed<'_>, subject: &Parsed<'_>) -> bool {
    for deviation in REWRITES {
        if !set.has(deviation) {
            continue;
        }
        let p = normal(dialect, deviation, Side::Pattern, pattern.bytes);
        let s = normal(dialect, deviation, Side::Subject, subject.bytes);
        if matches!((&p, &s), (Cow::Borrowed(p), Cow::Borrowed(s)) if p.len() == pattern.bytes.len() && s.len() == subject.bytes.len())
        {
            continue;
        }
        let (p, s) = (Parsed::new(dialect, Side::Pattern, &p), Parsed::new(dialect, Side::Subject, &s));
        return plain(dialect, translated::with_it(deviation, set), &p, &s);
    }
    let syntax = dialect.syntax();
    if pattern.shape.has(Shape::DOLLAR) && !set.has(Deviation::ShareLiteral) {
        let inner = dialect.unshared(pattern.bytes);
        if inner.len() < pattern.bytes.len() && pattern.valid(set) && subject.valid(set) {
            if set.has(Deviation::ShareDollarLost) && inner.starts_with(b"$") {
                return false;
            }
            // Once: what stands behind is levels, whatever it looks like.
            let set = set.with(Set::of(Deviation::ShareLiteral));
            return plain(dialect, set, &Parsed::new(dialect, Side::Pattern, inner), subject);
        }
    }
    if set.has(Deviation::TailBytePrefix)
        && let (Some(many), Some(last)) = (syntax.many, pattern.tokens.last())
        && *last == many
    {
        return pattern.valid(set) && subject.bytes.starts_with(&pattern.bytes[..pattern.bytes.len() - many.len()]);
    }
    if !pattern.valid(set) || !subject.valid(set) {
        return false;
    }
    let wild = |t: &[u8]| Some(t) == syntax.one || Some(t) == syntax.many;
    let edge = [pattern.tokens.first(), pattern.tokens.last()];
    if set.has(Deviation::EdgeStarRefused) && edge.iter().any(|t| t.copied() == syntax.one) {
        return false;
    }
    if set.has(Deviation::SubjectRefused) && subject.tokens.iter().any(|t| wild(t)) {
        return false;
    }
    if set.has(Deviation::Shallow) && subject.tokens.len() > 16 {
        return false;
    }
    if set.has(Deviation::DollarHidden) && subject.shape.has(Shape::DOLLAR) {
        return false;
    }
    if subject.shape.has(Shape::DOLLAR) && pattern.tokens.first().is_some_and(|t| wild(t)) {
        // Some dialects hide such a subject; whether this one does is asked with another first byte.
        let seen = dialect.matches(pattern.bytes, &[b"x", &subject.bytes[1..]].concat());
        if !set.has(Deviation::DollarVisible) && seen && !dialect.matches(pattern.bytes, subject.bytes) {
            return false;
        }
    }
    if set.has(Deviation::SeparatorAny)
        && let Some(separator) = syntax.separator
        && pattern.bytes.contains(&separator)
        && whole::separator_is_any_byte(syntax, set, pattern, subject)
    {
        return true;
    }
    if set.has(Deviation::RegexLiteral) && whole::quantifies_separators(syntax, &pattern.tokens) {
        return whole::regex(syntax, set, &pattern.tokens, subject.bytes);
    }
    let run = |p: &[&[u8]], s: &[&[u8]]| {
        let walk = Walk { dialect, set, pattern: p, subject: s };
        if set.has(Deviation::ManyNoBacktrack) { walk.committed() } else { walk.all() }
    };
    if set.has(Deviation::EmptyDropped) {
        let full = |tokens: &[&'_ [u8]]| tokens.iter().any(|t| t.is_empty());
        if full(&pattern.tokens) || full(&subject.tokens) {
            let p: Vec<&[u8]> = pattern.tokens.iter().copied().filter(|t| !t.is_empty()).collect();
            let s: Vec<&[u8]> = subject.tokens.iter().copied().filter(|t| !t.is_empty()).collect();
            return (p.is_empty() == s.is_empty()) && run(&p, &s);
        }
    }
    let lone: [&[u8]; 1] = [b""];
    let words = |tokens: &'_ [&[u8]]| set.has(Deviation::EmptyWord) && tokens.is_empty();
    let p = if words(&pattern.tokens) { &lone[..] } else { &pattern.tokens };
    run(seen(syntax, set, p), if words(&subject.tokens) { &lone } else { &subject.tokens })
}

/// The pattern up to where an implementation with these deviations reads it.
fn seen<'p, 'a>(syntax: &Syntax, set: Set, tokens: &'p [&'a [u8]]) -> &'p [&'a [u8]] {
    let many = |t: &&[u8]| Some(*t) == syntax.many;
    let end = match set.has(Deviation::EmptyEnds) {
        true => tokens.iter().position(|t| t.is_empty()).unwrap_or(tokens.len()),
        false => tokens.len(),
    };
    match tokens[..end].iter().position(many) {
        Some(at) if set.has(Deviation::MisplacedEnds) => &tokens[..=at],
        _ => &tokens[..end],
    }
}

/// The operand as an implementation with this deviation sees it.
fn normal<'a>(dialect: &dyn Dialect, deviation: Deviation, side: Side, bytes: &'a [u8]) -> Cow<'a, [u8]> {
    match deviation {
        Deviation::NulEnds => Cow::Borrowed(bytes.split(|b| *b == 0).next().unwrap_or(bytes)),
        Deviation::LossyUtf8 => match String::from_utf8_lossy(bytes) {
            Cow::Borrowed(_) => Cow::Borrowed(bytes),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        },
        Deviation::AmqpWords | Deviation::NatsWords => translated::translated(deviation, side, bytes),
        _ => match (dialect.syntax().separator, bytes) {
            (Some(separator), [rest @ .., last]) if *last == separator && !rest.is_empty() => Cow::Borrowed(rest),
            _ => Cow::Borrowed(bytes),
        },
    }
}
