//! The byte lane: operands without a plan, from the bytes that mean something and a few that mean nothing.
//!
//! Must never be the only generator: it rarely makes a match.

use wildcheck_matcher::Syntax;

use super::{Pair, source::Source};

/// One pair: a run of bytes, and either the same with a byte changed or another run.
pub fn pair(syntax: &Syntax, source: &mut impl Source) -> Pair {
    let mut letters: Vec<u8> = b"ab".to_vec();
    letters.extend(syntax.separator);
    letters.extend(syntax.one.into_iter().chain(syntax.many).flatten());
    letters.extend(b"A.*>+#/$ \t\0\x7f\xff\xc3\xa4");
    let letter = |source: &mut dyn FnMut(usize) -> usize| letters[source(letters.len())];
    let run = |source: &mut dyn FnMut(usize) -> usize| -> Vec<u8> {
        let length = 1 + source(10);
        (0..length).map(|_| letter(source)).collect()
    };
    let draw = &mut |bound| source.below(bound);
    let pattern = run(draw);
    let subject = if draw(3) < 2 {
        let mut subject = pattern.clone();
        for _ in 0..draw(3) {
            let at = draw(subject.len());
            subject[at] = letter(draw);
        }
        subject
    } else {
        run(draw)
    };
    Pair { pattern: pattern.into(), subject: subject.into() }
}
