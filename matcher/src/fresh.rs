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

/// The first character of `x`, `y`, `z`, then of all letters and signs, that stands in none of these operands.
pub(crate) fn character(operands: &[&[u8]]) -> Vec<u8> {
    let plain = "xyzabcdefghijklmnopqrstuvwABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".chars();
    let mut encoded = [0; 4];
    for character in plain.chain('\u{c0}'..='\u{d7ff}') {
        let bytes = character.encode_utf8(&mut encoded).as_bytes();
        if operands.iter().all(|operand| !operand.windows(bytes.len()).any(|w| w == bytes)) {
            return bytes.to_vec();
        }
    }
    // Operands that hold every letter there is are longer than any broker takes.
    token(operands.iter().copied())
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
