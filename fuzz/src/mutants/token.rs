//! How wrong matchers compare two tokens. Must never look beyond the token.

use super::deviation::{Deviation, Set};

/// Does the literal token `pattern` take the token `subject` under these deviations?
pub fn takes(set: Set, one: Option<&[u8]>, pattern: &[u8], subject: &[u8]) -> bool {
    if set.has(Deviation::SubjectActs) && Some(subject) == one {
        return true;
    }
    if set.has(Deviation::FirstByte) && !pattern.is_empty() && pattern.first() == subject.first() {
        return true;
    }
    if set.has(Deviation::StarPartial)
        && let Some([star]) = one
        && pattern.contains(star)
    {
        return glob(set, *star, pattern, subject);
    }
    if set.has(Deviation::RegexLiteral) && is_regex(pattern) {
        return regex(set, pattern, subject);
    }
    if set.has(Deviation::ShellLiteral) && pattern.iter().any(|b| matches!(b, b'?' | b'[')) {
        return shell(set, pattern, subject);
    }
    pattern.len() == subject.len() && pattern.iter().zip(subject).all(|(p, s)| same(set, *p, *s))
}

/// One byte against one byte.
pub fn same(set: Set, pattern: u8, subject: u8) -> bool {
    pattern == subject || set.has(Deviation::CaseFolded) && pattern.eq_ignore_ascii_case(&subject)
}

/// `star` is any run of bytes.
pub fn glob(set: Set, star: u8, pattern: &[u8], subject: &[u8]) -> bool {
    glob_of(set, &[(star, None)], pattern, subject)
}

/// Each of these signs is any run of bytes; one that stops does so at that byte.
pub fn glob_of(set: Set, signs: &[(u8, Option<u8>)], pattern: &[u8], subject: &[u8]) -> bool {
    let mut reach = vec![false; subject.len() + 1];
    reach[0] = true;
    for byte in pattern {
        if let Some((_, stop)) = signs.iter().find(|(sign, _)| sign == byte) {
            for at in 0..subject.len() {
                reach[at + 1] |= reach[at] && Some(subject[at]) != *stop;
            }
            continue;
        }
        for at in (0..subject.len()).rev() {
            reach[at + 1] = reach[at] && same(set, *byte, subject[at]);
        }
        reach[0] = false;
    }
    reach[subject.len()]
}

/// Does the token hold what a regular expression would not read as itself?
fn is_regex(pattern: &[u8]) -> bool {
    pattern
        .iter()
        .any(|b| matches!(b, b'+' | b'*' | b'.' | b'?' | b'[' | b'(' | b')' | b'|' | b'^' | b'$' | b'\\' | b'{'))
}

/// A small part of regular expressions: `x+`, `x*`, `x?`, `.`, `[abc]`, `\x`, `^` first, `$` last; the rest is itself.
fn regex(set: Set, pattern: &[u8], subject: &[u8]) -> bool {
    let pattern = pattern.strip_prefix(b"^").unwrap_or(pattern);
    let pattern = pattern.strip_suffix(b"$").unwrap_or(pattern);
    let Some(((first, last), rest)) = atom(pattern) else {
        return subject.is_empty();
    };
    let any = pattern[0] == b'.';
    let takes = |b: u8| any || pattern[first..last].iter().any(|p| same(set, *p, b));
    let head = subject.first().is_some_and(|b| takes(*b));
    match rest.first() {
        Some(b'+') => {
            let run = subject.iter().take_while(|b| takes(**b)).count();
            (1..=run).any(|taken| regex(set, &rest[1..], &subject[taken..]))
        }
        Some(b'*') => {
            let run = subject.iter().take_while(|b| takes(**b)).count();
            (0..=run).any(|taken| regex(set, &rest[1..], &subject[taken..]))
        }
        Some(b'?') => regex(set, &rest[1..], subject) || head && regex(set, &rest[1..], &subject[1..]),
        _ => head && regex(set, rest, &subject[1..]),
    }
}

/// `?` is any byte, `[abc]` one of these.
fn shell(set: Set, pattern: &[u8], subject: &[u8]) -> bool {
    let Some(((first, last), rest)) = atom(pattern) else {
        return subject.is_empty();
    };
    let any = pattern[0] == b'?';
    let takes = |b: u8| any || pattern[first..last].iter().any(|p| same(set, *p, b));
    subject.first().is_some_and(|b| takes(*b)) && shell(set, rest, &subject[1..])
}

/// The first atom: where the bytes it takes stand, and what follows it.
#[allow(clippy::type_complexity, reason = "a range and a rest")]
pub fn atom(pattern: &[u8]) -> Option<((usize, usize), &[u8])> {
    match pattern {
        [] => None,
        [b'\\', _, rest @ ..] => Some(((1, 2), rest)),
        [b'[', inner @ ..] => match inner.iter().position(|b| *b == b']').filter(|end| *end > 0) {
            Some(end) => Some(((1, 1 + end), &inner[end + 1..])),
            None => Some(((0, 1), &pattern[1..])),
        },
        [_, rest @ ..] => Some(((0, 1), rest)),
    }
}
