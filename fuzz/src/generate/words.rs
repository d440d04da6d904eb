//! The tokens that generated operands are made of, plain ones first. Must never hold a wildcard of every dialect only by
//! chance: look-alikes are built from the dialect's own signs.

use wildcheck_matcher::Syntax;

use super::source::Source;

const PLAIN: &[&[u8]] = &[b"a", b"b", b"c", b"ab", b"abc", b"foo", b"1"];
const CASES: &[&[u8]] = &[b"A", b"B", b"Ab", b"aB", b"FOO"];
const SIGNS: &[&[u8]] = &[
    b"a+", b"a?", b"?", b"[ab]", b"(a)", b"a|b", b"^a", b"a$", b"\\a", b"a{2}", b"-", b"_x", b"$a", b"a/b", b"#",
    b"{a}", b"*",
];
const UTF8: &[&str] = &["\u{e4}", "\u{c4}", "\u{65e5}\u{672c}", "e\u{301}", "\u{ff0a}", "\u{200b}", "\u{130}"];
const BYTES: &[&[u8]] = &[b"\xff", b"\xfe", b"a\0", b"a\0b", b"\0", b"\x7f", b"\xc3", b"\x0b"];
const BLANKS: &[&[u8]] = &[b"a b", b" ", b"a\t", b"\ra"];

/// A literal token, now and then an odd one. Never empty, and without the separator.
pub fn word(syntax: &Syntax, source: &mut impl Source) -> Vec<u8> {
    let mut word = match source.below(20) {
        0..=10 => source.pick(PLAIN).to_vec(),
        11..=12 => source.pick(CASES).to_vec(),
        13..=14 => source.pick(SIGNS).to_vec(),
        15 => source.pick(UTF8).as_bytes().to_vec(),
        16..=17 => look_alike(syntax, source),
        18 => source.pick(BYTES).to_vec(),
        _ if source.once_in(4) => source.pick(BLANKS).to_vec(),
        _ => long(syntax, source),
    };
    word.retain(|byte| Some(*byte) != syntax.separator);
    if word.is_empty() { b"a".to_vec() } else { word }
}

/// A plain literal token.
pub fn plain(source: &mut impl Source) -> Vec<u8> {
    source.pick(PLAIN).to_vec()
}

/// A token that looks like a wildcard: `a*`, `*a`, `**`, `a>`.
pub fn look_alike(syntax: &Syntax, source: &mut impl Source) -> Vec<u8> {
    let signs: Vec<&[u8]> = [syntax.one, syntax.many].into_iter().flatten().collect();
    if signs.is_empty() {
        return b"a*".to_vec();
    }
    let sign = source.pick(&signs);
    let beside = source.pick(&[&b"a"[..], b"b", b"ab", sign]);
    match source.below(3) {
        0 => [beside, sign].concat(),
        1 => [sign, beside].concat(),
        _ => [beside, sign, beside].concat(),
    }
}

/// A long token, now and then at the length limit or one byte beyond; the rarer the longer that is.
fn long(syntax: &Syntax, source: &mut impl Source) -> Vec<u8> {
    match source.below(4) {
        0 => vec![b'a'; 33],
        1 => vec![b'b'; 257],
        n if source.once_in(syntax.max_bytes / 2048 + 1) => vec![b'a'; syntax.max_bytes + n - 2],
        _ => vec![b'a'; 65],
    }
}
