//! Wrong matchers that turn the whole pattern into one regular expression, where separators are bytes like others.
//!
//! Must never be asked about what they get right: [`super::deviant`] asks only where the text decides, not the tokens.

use wildcheck_matcher::Syntax;

use super::{deviation::Set, parsed::Parsed, token};

/// Does a token begin with a sign that repeats, so that it repeats the separator before it?
pub fn quantifies_separators(syntax: &Syntax, tokens: &[&[u8]]) -> bool {
    let wild = |t: &[u8]| Some(t) == syntax.one || Some(t) == syntax.many;
    tokens.iter().skip(1).any(|t| !wild(t) && matches!(t.first(), Some(b'*' | b'+' | b'?')))
}

/// What one byte of the text may be.
enum Atom<'p> {
    Byte(u8),
    Any,
    OneOf(&'p [u8]),
    Not(u8),
}

/// The pattern with its separators escaped, its wildcards translated and everything else as it stands.
pub fn regex(syntax: &Syntax, set: Set, tokens: &[&[u8]], text: &[u8]) -> bool {
    let separator = syntax.separator.unwrap_or_default();
    let mut atoms: Vec<(Atom<'_>, u8)> = Vec::new();
    for (index, pattern) in tokens.iter().enumerate() {
        if index > 0 {
            atoms.push((Atom::Byte(separator), b'1'));
        }
        if Some(*pattern) == syntax.one {
            atoms.push((Atom::Not(separator), b'+'));
        } else if Some(*pattern) == syntax.many {
            atoms.push((Atom::Any, b'*'));
        } else {
            literal(pattern, &mut atoms);
        }
    }
    let takes = |atom: &Atom<'_>, byte: u8| match atom {
        Atom::Byte(b) => token::same(set, *b, byte),
        Atom::Any => true,
        Atom::OneOf(bytes) => bytes.iter().any(|b| token::same(set, *b, byte)),
        Atom::Not(b) => *b != byte,
    };
    let mut reach = vec![false; text.len() + 1];
    reach[0] = true;
    for (atom, times) in &atoms {
        let mut next = vec![false; text.len() + 1];
        for at in 0..=text.len() {
            let again = matches!(times, b'*' | b'+') && at > 0 && next[at - 1];
            let stepped = at > 0 && (reach[at - 1] || again) && takes(atom, text[at - 1]);
            next[at] = stepped || reach[at] && matches!(times, b'*' | b'?');
        }
        reach = next;
    }
    reach[text.len()]
}

/// A token's atoms; a sign that repeats belongs to the atom before it, which may be the separator.
fn literal<'p>(mut pattern: &'p [u8], atoms: &mut Vec<(Atom<'p>, u8)>) {
    while let Some(((first, last), rest)) = token::atom(pattern) {
        match (pattern[0], atoms.last_mut()) {
            (sign @ (b'*' | b'+' | b'?'), Some((_, times @ b'1'))) => *times = sign,
            (b'.', _) => atoms.push((Atom::Any, b'1')),
            _ => atoms.push((Atom::OneOf(&pattern[first..last]), b'1')),
        }
        pattern = rest;
    }
}

/// The pattern as a regular expression whose author forgot to escape the separator.
pub fn separator_is_any_byte(syntax: &Syntax, set: Set, pattern: &Parsed<'_>, subject: &Parsed<'_>) -> bool {
    let text = subject.bytes;
    let mut reach = vec![false; text.len() + 1];
    reach[0] = true;
    let shift = |reach: &mut Vec<bool>, takes: &dyn Fn(u8) -> bool| {
        for at in (0..text.len()).rev() {
            reach[at + 1] = reach[at] && takes(text[at]);
        }
        reach[0] = false;
    };
    for (index, token) in pattern.tokens.iter().enumerate() {
        if index > 0 {
            shift(&mut reach, &|_| true);
        }
        if Some(*token) == syntax.one || Some(*token) == syntax.many {
            let crosses = Some(*token) == syntax.many;
            // One or more bytes, of the same token unless the wildcard is for many.
            let mut grown = vec![false; text.len() + 1];
            for at in 0..text.len() {
                let takes = crosses || Some(text[at]) != syntax.separator;
                grown[at + 1] = (reach[at] || grown[at]) && takes;
            }
            reach = grown;
        } else {
            for byte in *token {
                shift(&mut reach, &|b| token::same(set, *byte, b));
            }
        }
    }
    reach[text.len()]
}
