//! What is asked at random. One definition serves the seeded search, the libFuzzer targets and the property tests.
//!
//! Must never look at a verdict, and never make a subject that a server keeps for itself.

mod bytes;
pub mod source;
mod structured;
mod words;

use arbitrary::{Arbitrary, Unstructured};
use proptest::strategy::Strategy;
use rand::RngCore;
use wildcheck_matcher::Dialect;
use wildcheck_tables::{Grid, Operand};

use source::{Bytes, Random, Source};

/// Subjects that begin so are the server's own, in some dialect; generated subjects never do.
pub const RESERVED: &[&[u8]] = &[b"$SYS", b"$JS.API", b"$NRG", b"$share", b"$queue", b"_GR_", b"_INBOX"];

/// A pattern and the subject that was derived from it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pair {
    /// What is subscribed to.
    pub pattern: Operand,
    /// What is published to.
    pub subject: Operand,
}

/// Which generator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Tokens first, the subject derived from the pattern.
    Structured,
    /// Raw bytes.
    Bytes,
}

/// Draws a pair.
pub fn pair(dialect: &dyn Dialect, kind: Kind, source: &mut impl Source) -> Pair {
    let mut pair = match kind {
        Kind::Structured => structured::pair(dialect.syntax(), source),
        Kind::Bytes => bytes::pair(dialect.syntax(), source),
    };
    if dialect.unshared(b"$share/a/a") == b"a" && source.once_in(24) {
        share(&mut pair, source);
    }
    if RESERVED.iter().any(|prefix| pair.subject.0.starts_with(prefix)) {
        pair.subject.0.insert(0, b'x');
    }
    pair
}

/// Makes the pattern a shared subscription, now and then of a group that is refused, or to a name with a `$` first.
fn share(pair: &mut Pair, source: &mut impl Source) {
    let name = source.pick(&[&b"a"[..], b"a", b"+", b""]);
    if source.once_in(3) {
        pair.pattern.0.insert(0, b'$');
        pair.subject.0.insert(0, b'$');
    }
    pair.pattern.0.splice(..0, [b"$share/", name, b"/"].concat());
}

/// Draws a pair of either kind; one in eight is bytes.
pub fn any_pair(dialect: &dyn Dialect, source: &mut impl Source) -> Pair {
    let kind = if source.once_in(8) { Kind::Bytes } else { Kind::Structured };
    pair(dialect, kind, source)
}

/// Draws a grid of about so many patterns and subjects: each pattern with the subject derived from it, none twice.
pub fn grid(dialect: &dyn Dialect, random: &mut impl RngCore, patterns: usize, subjects: usize) -> Grid {
    draw_grid(dialect, &mut Random(random), patterns, subjects)
}

fn draw_grid(dialect: &dyn Dialect, source: &mut impl Source, patterns: usize, subjects: usize) -> Grid {
    let mut grid = Grid { dialect: dialect.name(), patterns: Vec::new(), subjects: Vec::new() };
    for turn in 0..patterns.max(subjects) {
        let Pair { pattern, subject } = any_pair(dialect, source);
        if turn < patterns && !grid.patterns.contains(&pattern) {
            grid.patterns.push(pattern);
        }
        if turn < subjects && !grid.subjects.contains(&subject) {
            grid.subjects.push(subject);
        }
    }
    grid
}

/// A fuzzer's bytes as a `nats` pair.
impl<'a> Arbitrary<'a> for Pair {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> arbitrary::Result<Pair> {
        Ok(any_pair(&wildcheck_matcher::nats::Nats, &mut Bytes(bytes)))
    }
}

/// A fuzzer's bytes as a grid of that dialect, of at most so many patterns and as many subjects.
pub fn grid_from_bytes(dialect: &dyn Dialect, bytes: &mut Unstructured<'_>, most: usize) -> Grid {
    let mut grid = Grid { dialect: dialect.name(), patterns: Vec::new(), subjects: Vec::new() };
    while !bytes.is_empty() && grid.patterns.len() < most {
        let Pair { pattern, subject } = any_pair(dialect, &mut Bytes(bytes));
        grid.patterns.push(pattern);
        grid.subjects.push(subject);
    }
    grid
}

/// Pairs of that dialect and kind for property tests. Shrinks the choices, and so towards plain short tokens.
pub fn pairs(dialect: &'static dyn Dialect, kind: Kind) -> impl Strategy<Value = Pair> {
    choices(256).prop_map(move |bytes| pair(dialect, kind, &mut Bytes(&mut Unstructured::new(&bytes))))
}

/// Grids of that dialect with at most so many patterns and subjects for property tests.
pub fn grids(dialect: &'static dyn Dialect, most: usize) -> impl Strategy<Value = Grid> {
    choices(most * 48).prop_map(move |bytes| grid_from_bytes(dialect, &mut Unstructured::new(&bytes), most))
}

fn choices(most: usize) -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(proptest::num::u8::ANY, 1..most)
}
