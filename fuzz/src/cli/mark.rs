//! A line under an operand that points at the token in question. Must never change how the operand is written.

use wildcheck_tables::{Operand, cell::escape};

/// The operand as text, and a line of the same width with `^` under its bytes `from..to` (one caret at the place itself
/// where nothing stands there).
pub fn bytes(operand: &Operand, from: usize, to: usize) -> (String, String) {
    let before = escape(operand.0.get(..from).unwrap_or(&operand.0)).len();
    let under = operand.0.get(from..to).map_or(0, |token| escape(token).len()).max(1);
    (operand.to_string(), format!("{}{}", " ".repeat(before), "^".repeat(under)))
}

/// As [`bytes`], under token `token` (counted from 0); under all of it where no token is meant.
pub fn token(operand: &Operand, separator: Option<u8>, token: Option<usize>) -> (String, String) {
    let (Some(separator), Some(token)) = (separator, token) else {
        return bytes(operand, 0, operand.0.len());
    };
    let mut from = 0;
    for (index, part) in operand.0.split(|byte| *byte == separator).enumerate() {
        if index == token {
            return bytes(operand, from, from + part.len());
        }
        from += part.len() + 1;
    }
    bytes(operand, operand.0.len(), operand.0.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caret_stands_under_the_token_as_it_is_written() {
        let (text, line) = token(&Operand(b"a\xff.b*.c".to_vec()), Some(b'.'), Some(1));
        assert_eq!(format!("{text}\n{line}"), "a\\xff.b*.c\n      ^^");
    }

    #[test]
    fn an_empty_token_and_a_missing_one_have_a_caret_too() {
        assert_eq!(token(&Operand::from("a..b"), Some(b'.'), Some(1)).1, "  ^");
        assert_eq!(token(&Operand::from("a"), Some(b'.'), Some(1)).1, " ^");
        assert_eq!(token(&Operand::default(), Some(b'.'), None).1, "^");
    }
}
