//! Operands as text: the `\xNN` form that tables, records and the command line share.
//!
//! In a table the empty operand is the cell `''`, so that an empty cell can mean "none" (and, where an operand must
//! stand, a mistake); the operand of two apostrophes is written `\x27\x27`. A record is JSON and needs neither.
//!
//! Must never guess an encoding: an operand is bytes.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A pattern or a subject: bytes, shown as text with `\xNN` for what is not plain.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Operand(pub Vec<u8>);

impl Operand {
    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl From<&[u8]> for Operand {
    fn from(bytes: &[u8]) -> Self {
        Operand(bytes.to_vec())
    }
}

impl From<Vec<u8>> for Operand {
    fn from(bytes: Vec<u8>) -> Self {
        Operand(bytes)
    }
}

impl From<&str> for Operand {
    /// The bytes of the string as they are; see [`unescape`] for the `\xNN` form.
    fn from(text: &str) -> Self {
        Operand(text.as_bytes().to_vec())
    }
}

impl AsRef<[u8]> for Operand {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&escape(&self.0))
    }
}

impl fmt::Debug for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", escape(&self.0))
    }
}

impl Serialize for Operand {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&escape(&self.0))
    }
}

impl<'de> Deserialize<'de> for Operand {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        unescape(&text).map(Operand).map_err(serde::de::Error::custom)
    }
}

/// Why a text is not an operand.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`\\` at character {at} does not start `\\xNN` with two hexadecimal digits")]
pub struct EscapeError {
    /// Where the backslash stands, counted in characters from 1.
    pub at: usize,
}

/// Bytes to text: printable ASCII stays, except backslash, comma and double quote; every other byte becomes `\xnn`
/// (two lower-case hexadecimal digits). The inverse of [`unescape`].
pub fn escape(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for &byte in bytes {
        match byte {
            b'\\' | b',' | b'"' => push_hex(&mut text, byte),
            0x20..=0x7e => text.push(char::from(byte)),
            _ => push_hex(&mut text, byte),
        }
    }
    text
}

fn push_hex(text: &mut String, byte: u8) {
    use fmt::Write;
    let _ = write!(text, "\\x{byte:02x}");
}

/// Text to bytes: `\xNN` is that byte, every other character its UTF-8 bytes.
///
/// # Errors
/// A backslash that does not start `\xNN`.
pub fn unescape(text: &str) -> Result<Vec<u8>, EscapeError> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        let hex = rest.get(at + 2..at + 4).filter(|_| rest[at..].starts_with("\\x"));
        let byte =
            hex.filter(|h| h.bytes().all(|b| b.is_ascii_hexdigit())).and_then(|h| u8::from_str_radix(h, 16).ok());
        let Some(byte) = byte else {
            let before = text.len() - rest.len() + at;
            return Err(EscapeError { at: text[..before].chars().count() + 1 });
        };
        bytes.push(byte);
        rest = &rest[at + 4..];
    }
    bytes.extend_from_slice(rest.as_bytes());
    Ok(bytes)
}

/// A table's cell to an operand: the empty cell is none, `''` the empty operand.
///
/// # Errors
/// As [`unescape`].
pub fn read_operand(cell: &str) -> Result<Option<Operand>, EscapeError> {
    match cell {
        "" => Ok(None),
        EMPTY => Ok(Some(Operand::default())),
        text => Ok(Some(Operand(unescape(text)?))),
    }
}

/// An operand to a table's cell, the inverse of [`read_operand`].
pub fn write_operand(operand: Option<&Operand>) -> String {
    match operand {
        None => String::new(),
        Some(operand) if operand.0.is_empty() => EMPTY.to_owned(),
        Some(operand) if operand.0 == EMPTY.as_bytes() => r"\x27\x27".to_owned(),
        Some(operand) => escape(&operand.0),
    }
}

/// The cell of an operand that must stand.
pub fn operand_cell(operand: &Operand) -> String {
    write_operand(Some(operand))
}

/// The empty operand in a table.
pub const EMPTY: &str = "''";

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn bytes_outside_printable_ascii_and_the_unsafe_ones_are_hexadecimal() {
        assert_eq!(escape(b"a b\\c,d\"e\x00\x7f\xff\t"), r"a b\x5cc\x2cd\x22e\x00\x7f\xff\x09");
        assert_eq!(escape("é".as_bytes()), r"\xc3\xa9");
    }

    #[test]
    fn a_backslash_that_starts_no_byte_is_refused_where_it_stands() {
        for (text, at) in
            [("\\", 1), ("a\\x4", 2), ("é\\xg0", 2), ("\\x41\\n", 5), ("\\x+1", 1), ("\\xé", 1), ("\\X41", 1)]
        {
            assert_eq!(unescape(text), Err(EscapeError { at }), "{text}");
        }
    }

    #[test]
    fn upper_case_digits_are_read_and_lower_case_written() {
        assert_eq!(unescape(r"\xFF\xaB").map(|bytes| escape(&bytes)), Ok(r"\xff\xab".to_owned()));
    }

    #[test]
    fn none_the_empty_operand_and_two_apostrophes_are_three_different_cells() {
        let cells = [None, Some(Operand::default()), Some(Operand::from("''"))];
        let texts = cells.each_ref().map(|operand| write_operand(operand.as_ref()));
        assert_eq!(texts, ["", "''", r"\x27\x27"]);
        assert_eq!(texts.map(|text| read_operand(&text).expect("readable")), cells);
    }

    proptest! {
        #[test]
        fn every_operand_comes_back_from_its_text(bytes in any::<Vec<u8>>()) {
            let text = escape(&bytes);
            prop_assert!(text.bytes().all(|b| (0x20..=0x7e).contains(&b) && b != b',' && b != b'"'));
            prop_assert_eq!(unescape(&text), Ok(bytes));
        }

        #[test]
        fn every_operand_comes_back_from_its_cell(bytes in any::<Option<Vec<u8>>>()) {
            let operand = bytes.map(Operand);
            prop_assert_eq!(read_operand(&write_operand(operand.as_ref())), Ok(operand));
        }

        #[test]
        fn any_text_is_an_operand_or_an_error(text in any::<String>()) {
            if let Ok(bytes) = unescape(&text) {
                prop_assert_eq!(unescape(&escape(&bytes)), Ok(bytes));
            }
        }
    }
}
