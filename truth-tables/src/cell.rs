//! Operands as text: the `\xNN` form that tables, records and the command line share.
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
