//! Operands to ask with: all of a scope, and random ones.

use proptest::prelude::*;

/// Tokens that have gone wrong somewhere, legal and not.
pub const ODD_TOKENS: [&[u8]; 24] = [
    b"a",
    b"b",
    b"A",
    b"ab",
    b"abc",
    b"*",
    b">",
    b"**",
    b">>",
    b"*a",
    b"a*",
    b"a>",
    b"",
    b" ",
    b"a b",
    b"\t",
    b"\r",
    b"\n",
    b"\x0c",
    b"\0",
    "\u{e9}".as_bytes(),
    b"\xff",
    b"$SYS",
    b"[a-z]+",
];

/// Every list of one to `depth` tokens, joined by dots.
pub fn scope(tokens: &[&str], depth: usize) -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> = Vec::new();
    let mut longest: Vec<Vec<u8>> = tokens.iter().map(|token| token.as_bytes().to_vec()).collect();
    for _ in 0..depth {
        all.extend(longest.iter().cloned());
        longest = longest
            .iter()
            .flat_map(|head| tokens.iter().map(|token| [head, &b"."[..], token.as_bytes()].concat()))
            .collect();
    }
    all
}

/// Tokens joined by dots.
pub fn join(tokens: &[Vec<u8>]) -> Vec<u8> {
    tokens.join(&b'.')
}

/// A token of the kinds in [`ODD_TOKENS`], mostly the plain ones.
pub fn token() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        6 => prop::sample::select(vec![&b"a"[..], b"b", b"ab"]),
        2 => Just(&b"*"[..]),
        1 => Just(&b">"[..]),
        2 => prop::sample::select(ODD_TOKENS.to_vec()),
    ]
    .prop_map(<[u8]>::to_vec)
}

/// A pattern in tokens, usually a valid one.
pub fn pattern_tokens() -> impl Strategy<Value = Vec<Vec<u8>>> {
    (prop::collection::vec(prop_oneof![3 => literal(), 1 => Just(b"*".to_vec())], 0..6), any::<bool>()).prop_map(
        |(mut tokens, tail)| {
            if tail || tokens.is_empty() {
                tokens.push(b">".to_vec());
            }
            tokens
        },
    )
}

/// A valid token that is no wildcard.
pub fn literal() -> impl Strategy<Value = Vec<u8>> {
    prop::sample::select(vec![&b"a"[..], b"b", b"B", b"ab", b"**", b"a>", b"\xff"]).prop_map(<[u8]>::to_vec)
}

/// Two operands, the second derived from the first with near misses, so that about half of the pairs match.
pub fn structured_pair() -> impl Strategy<Value = (Vec<u8>, Vec<u8>)> {
    let near = (any::<prop::sample::Index>(), token(), 0..8_u8);
    (pattern_tokens(), prop::collection::vec(token(), 8), near).prop_map(|(pattern, fill, (index, odd, change))| {
        let mut subject: Vec<Vec<u8>> = Vec::new();
        for (token, fill) in pattern.iter().zip(&fill) {
            match token.as_slice() {
                b"*" => subject.push(fill.clone()),
                b">" => subject.extend(fill_tail(fill, &fill[..])),
                literal => subject.push(literal.to_vec()),
            }
        }
        let at = index.index(subject.len());
        match change {
            0 => subject[at] = odd,
            1 => subject.insert(at, odd),
            2 => drop(subject.remove(at)),
            3 => subject.push(odd),
            _ => {}
        }
        (join(&pattern), join(&subject))
    })
}

fn fill_tail(token: &[u8], again: &[u8]) -> Vec<Vec<u8>> {
    if token.len() == 1 { vec![token.to_vec()] } else { vec![token.to_vec(), again.to_vec()] }
}

/// Bytes in which dots, wildcards and blanks are likely.
pub fn soup() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(
        prop_oneof![
            4 => Just(b'.'), 2 => Just(b'*'), 2 => Just(b'>'), 6 => prop::sample::select(b"ab".to_vec()),
            1 => prop::sample::select(b" \t\r\n\x0b\x0c\0".to_vec()), 1 => any::<u8>(),
        ],
        0..12,
    )
}

/// An operand of either kind.
pub fn operand() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![prop::collection::vec(token(), 1..7).prop_map(|tokens| join(&tokens)), soup()]
}
