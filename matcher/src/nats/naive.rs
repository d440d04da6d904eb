//! The approximation that people write: a prefix test and a glob. Wrong on purpose.
//!
//! A pattern ending in `>` is a byte prefix test on what stands before the `>`; any other pattern is a glob over the
//! whole string in which only `*` is special and is any run of bytes, dots and nothing included. No validation.

/// What the approximation answers.
pub fn matches(pattern: &[u8], subject: &[u8]) -> bool {
    if let Some(prefix) = pattern.strip_suffix(b">") {
        return subject.starts_with(prefix);
    }
    glob(pattern, subject)
}

/// `*` is any run of bytes; everything else is itself. Linear with one backtrack point.
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
