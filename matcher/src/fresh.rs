//! A token that stands nowhere: what a witness puts where a wildcard may take anything.

use alloc::vec::Vec;

/// The first of `x`, `y`, `z`, `xx`, `xy` … that is none of `tokens`.
pub(crate) fn token<'a>(tokens: impl Iterator<Item = &'a [u8]> + Clone) -> Vec<u8> {
    let mut number = 0_usize;
    loop {
        let candidate = spelled(number);
        if tokens.clone().all(|t| t != candidate) {
            return candidate;
        }
        number += 1;
    }
}

fn spelled(mut number: usize) -> Vec<u8> {
    let mut letters = Vec::new();
    loop {
        letters.push(b"xyz"[number % 3]);
        number /= 3;
        if number == 0 {
            break;
        }
        number -= 1;
    }
    letters.reverse();
    letters
}
