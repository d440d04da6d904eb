//! The approximation that people write: a prefix test and a glob. Wrong on purpose.
//!
//! A pattern ending in `>` is a byte prefix test on what stands before the `>`, wildcards there included; any other
//! pattern is a glob over the whole string in which only `*` is special and is any run of bytes, dots and nothing
//! included. No validation. So it is wrong like this, and in no other way:
//!
//! - `*` crosses dots (`a.*` takes `a.b.c`) and takes nothing (`a.*` takes `a.`, `a*` takes `a`);
//! - `*` acts beside other bytes (`a.b*` takes `a.bc`), where NATS has a literal;
//! - `*` before a `>` is a literal (`*.>` does not take `a.b`), and so is any `*` there;
//! - `>` needs no token (`a.>` takes `a.`) and ends no token (`a>` takes `ab`);
//! - `>` before the end is a literal (`a.>.c` takes `a.>.c`), where NATS refuses the pattern;
//! - operands that NATS refuses are asked like any others: empty tokens, blanks, nothing at all, any length.
//!
//! Must never be mended.

#[cfg(feature = "alloc")]
mod set;

#[cfg(feature = "alloc")]
pub use set::NaiveSet;

/// What the approximation answers.
pub fn matches(pattern: &[u8], subject: &[u8]) -> bool {
    if let Some(prefix) = pattern.strip_suffix(b">") {
        return subject.starts_with(prefix);
    }
    glob(pattern, subject)
}

/// `*` is any run of bytes; everything else is itself. One backtrack point: quadratic at worst, never exponential.
fn glob(pattern: &[u8], subject: &[u8]) -> bool {
    let (mut p, mut s) = (0, 0);
    let mut back: Option<(usize, usize)> = None;
    loop {
        if p < pattern.len() && pattern[p] == b'*' {
            back = Some((p + 1, s));
            p += 1;
        } else if s < subject.len() && p < pattern.len() && pattern[p] == subject[s] {
            p += 1;
            s += 1;
        } else if s == subject.len() && p == pattern.len() {
            return true;
        } else if let Some((bp, bs)) = back {
            if bs == subject.len() {
                return false;
            }
            back = Some((bp, bs + 1));
            p = bp;
            s = bs + 1;
        } else {
            return false;
        }
    }
}
