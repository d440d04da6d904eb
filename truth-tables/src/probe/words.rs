//! Steps to words: blanks separate, double quotes hold together, `\xNN` is a byte. Must never know a verb.

use super::ProbeError;

/// One word with the bytes it stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Word {
    /// As bytes.
    pub bytes: Vec<u8>,
    /// It was in quotes, so it is no keyword.
    pub quoted: bool,
}

impl Word {
    /// The word, where it is a plain one.
    pub fn plain(&self) -> Option<&str> {
        if self.quoted { None } else { std::str::from_utf8(&self.bytes).ok() }
    }
}

/// Everything that separates at `separator`, outside quotes, trimmed; empty parts are left out.
pub(super) fn parts(text: &str, separator: char) -> Vec<&str> {
    let mut quoted = false;
    text.split(|c: char| {
        quoted ^= c == '"';
        c == separator && !quoted
    })
    .map(str::trim)
    .filter(|part| !part.is_empty())
    .collect()
}

/// The words of a step.
///
/// # Errors
/// A quote without its end, a backslash that starts no byte.
pub(super) fn words(step: &str) -> Result<Vec<Word>, ProbeError> {
    let mut words = Vec::new();
    let mut rest = step.trim_start();
    while !rest.is_empty() {
        let mut bytes = String::new();
        let mut quoted = false;
        // A quote may start inside a word: `Name="two words"`.
        let mut inside = false;
        let mut end = rest.len();
        for (at, c) in rest.char_indices() {
            match c {
                '"' => (inside, quoted) = (!inside, quoted || at == 0),
                _ if c.is_whitespace() && !inside => {
                    end = at;
                    break;
                }
                _ => bytes.push(c),
            }
        }
        if inside {
            return Err(error(step, "a quote has no end"));
        }
        words.push(Word { bytes: unescape(step, &bytes)?, quoted });
        rest = rest[end..].trim_start();
    }
    Ok(words)
}

/// `\r`, `\n`, `\t`, `\\` and `\xNN` to bytes.
///
/// # Errors
/// Any other backslash.
pub(super) fn unescape(step: &str, text: &str) -> Result<Vec<u8>, ProbeError> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        let after = &rest[at + 1..];
        let (byte, length) = match after.as_bytes().first() {
            Some(b'r') => (Some(b'\r'), 1),
            Some(b'n') => (Some(b'\n'), 1),
            Some(b't') => (Some(b'\t'), 1),
            Some(b'\\') => (Some(b'\\'), 1),
            Some(b'x') => {
                let hex = after.get(1..3).filter(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()));
                (hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()), 3)
            }
            _ => (None, 0),
        };
        bytes.push(byte.ok_or_else(|| error(step, "expected \\r, \\n, \\t, \\\\ or \\xNN"))?);
        rest = &after[length..];
    }
    bytes.extend_from_slice(rest.as_bytes());
    Ok(bytes)
}

pub(super) fn error(at: &str, why: impl Into<String>) -> ProbeError {
    ProbeError { at: at.trim().to_owned(), why: why.into() }
}
