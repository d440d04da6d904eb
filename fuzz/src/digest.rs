//! The digest of a certificate: SHA-256 over every verdict in enumeration order, in a short form.
//!
//! Must never depend on how the scope was cut into grids.

use sha2::{Digest as _, Sha256};

/// The hash of a stream of rows.
///
/// The form: first the line `wildcheck verdicts 1` and a newline; then for every block of the scope the byte `B` and the
/// number of its patterns; then for every subject in order the byte `S`, the number of patterns that it reaches, and for
/// each of these, ascending, how many patterns before it and after the one before are not reached. Numbers are eight
/// bytes or fewer: seven bits a byte, the low ones first, the high bit set on all but the last.
#[derive(Clone)]
pub struct Verdicts {
    hash: Sha256,
    row: Vec<u8>,
}

impl Default for Verdicts {
    fn default() -> Self {
        Verdicts::new()
    }
}

impl Verdicts {
    /// No row yet.
    pub fn new() -> Verdicts {
        Verdicts { hash: Sha256::new_with_prefix(b"wildcheck verdicts 1\n"), row: Vec::new() }
    }

    /// A block of so many patterns begins.
    pub fn block(&mut self, patterns: u64) {
        self.row.clear();
        self.row.push(b'B');
        number(&mut self.row, patterns);
        self.hash.update(&self.row);
    }

    /// The next subject and the patterns that it reaches, ascending; repeats count once.
    pub fn subject(&mut self, patterns: &[u32]) {
        let copies = patterns.windows(2).filter(|pair| pair[0] == pair[1]).count();
        self.row.clear();
        self.row.push(b'S');
        number(&mut self.row, (patterns.len() - copies) as u64);
        let mut next = 0;
        for pattern in patterns.iter().map(|pattern| u64::from(*pattern)) {
            if pattern >= next {
                number(&mut self.row, pattern - next);
                next = pattern + 1;
            }
        }
        self.hash.update(&self.row);
    }

    /// The digest in lower-case hexadecimal digits.
    pub fn finish(self) -> String {
        self.hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

fn number(row: &mut Vec<u8>, mut value: u64) {
    while value > 0x7f {
        row.push(value as u8 | 0x80);
        value >>= 7;
    }
    row.push(value as u8);
}
