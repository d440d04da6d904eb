//! The adapter protocol's lines: what is sent, and the checks of what comes back.
//!
//! Must never accept an answer of another shape than was asked for, and never talk to a program.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use wildcheck_tables::{Operand, row::Relation};

use super::program::shown;

/// The only version of the protocol that is spoken.
pub(super) const PROTOCOL: u64 = 1;

/// The characters that may stand in an answer.
pub(super) const CHARACTERS: &[u8] = b"10pse-";

/// An operand as JSON: a string, or `{"hex":"61ff"}` where it is not UTF-8.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Text<'a> {
    Plain(&'a str),
    Hex { hex: String },
}

impl<'a> From<&'a Operand> for Text<'a> {
    fn from(operand: &'a Operand) -> Self {
        match std::str::from_utf8(&operand.0) {
            Ok(text) => Text::Plain(text),
            Err(_) => Text::Hex { hex: operand.0.iter().map(|byte| format!("{byte:02x}")).collect() },
        }
    }
}

/// JSON back to an operand.
pub(super) fn operand(value: &Value) -> Option<Operand> {
    match value {
        Value::String(text) => Some(Operand::from(text.as_str())),
        Value::Object(object) if object.len() == 1 => {
            let hex = object.get("hex")?.as_str()?;
            if !hex.is_ascii() || !hex.len().is_multiple_of(2) {
                return None;
            }
            let bytes = (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).ok());
            bytes.collect::<Option<Vec<u8>>>().map(Operand)
        }
        _ => None,
    }
}

/// A question, as it goes out.
#[derive(Serialize)]
#[serde(tag = "op", rename_all = "lowercase")]
pub(super) enum Question<'a> {
    Hello { protocol: u64 },
    Grid { seq: u64, patterns: Vec<Text<'a>>, subjects: Vec<Text<'a>> },
    Valid { seq: u64, patterns: Vec<Text<'a>>, subjects: Vec<Text<'a>> },
    Relation { seq: u64, relation: &'static str, left: Vec<Text<'a>>, right: Vec<Text<'a>> },
    Sets { seq: u64, steps: Vec<(&'static str, Text<'a>)> },
    Stop,
}

impl Question<'_> {
    /// One line with its line end.
    pub(super) fn line(&self) -> Vec<u8> {
        let mut line = serde_json::to_vec(self).unwrap_or_default();
        line.push(b'\n');
        line
    }
}

/// The relation's name on the wire.
pub(super) fn relation_name(relation: Relation) -> &'static str {
    match relation {
        Relation::Subset => "subset",
        Relation::Overlap => "overlap",
    }
}

/// What an adapter says of itself.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Hello {
    pub(super) name: String,
    pub(super) version: Option<String>,
    pub(super) dialect: String,
    pub(super) entry: Option<String>,
    pub(super) can: Vec<String>,
}

/// Rows of characters, and the texts of the optional `errors` object.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Rows {
    pub(super) rows: Vec<Vec<u8>>,
    pub(super) errors: BTreeMap<String, String>,
}

impl Rows {
    /// The text for a cell, else for its row's pattern (`p0`) or its column's subject (`s1`), else none.
    pub(super) fn text(&self, row: usize, column: usize) -> &str {
        let find = |key: String| self.errors.get(&key).map(String::as_str);
        if self.errors.is_empty() {
            return "";
        }
        find(format!("{row},{column}"))
            .or_else(|| match self.rows[row][column] {
                b'p' => find(format!("p{row}")),
                b's' => find(format!("s{column}")),
                _ => None,
            })
            .unwrap_or_default()
    }
}

/// Reads a line as a JSON object. Errors are "expected …; came …".
pub(super) fn object(line: &[u8]) -> Result<Value, String> {
    let came = || format!("; came {}", shown(line));
    if std::str::from_utf8(line).is_err() {
        return Err(format!("expected one JSON object in UTF-8{}", came()));
    }
    match serde_json::from_slice::<Value>(line) {
        Ok(value) if value.is_object() => Ok(value),
        Ok(_) => Err(format!("expected one JSON object on the line{}", came())),
        Err(error) => Err(format!("expected one JSON object on the line ({error}){}", came())),
    }
}

/// The answer to `hello`.
pub(super) fn hello(line: &[u8]) -> Result<Hello, String> {
    let value = object(line)?;
    let wrong = |what: &str| Err(format!("expected {what}; came {}", shown(line)));
    match value.get("protocol").and_then(Value::as_u64) {
        Some(PROTOCOL) => {}
        Some(other) => return Err(format!("it speaks protocol {other}, and only {PROTOCOL} is known here")),
        None => return wrong(r#""protocol":1 in the answer to hello"#),
    }
    let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let Some(name) = text("impl").filter(|name| !name.is_empty()) else {
        return wrong(r#""impl" to name the implementation"#);
    };
    let Some(dialect) = text("dialect") else {
        return wrong(r#""dialect" to name the pattern language"#);
    };
    let can: Option<Vec<String>> = value
        .get("can")
        .and_then(Value::as_array)
        .and_then(|can| can.iter().map(|word| word.as_str().map(str::to_owned)).collect());
    let Some(can) = can else {
        return wrong(r#""can" to be a list of words"#);
    };
    Ok(Hello { name, version: text("version"), dialect, entry: text("entry"), can })
}

/// An object that answers question `seq`.
pub(super) fn answer(line: &[u8], seq: u64) -> Result<Value, String> {
    let value = object(line)?;
    match value.get("seq").and_then(Value::as_u64) {
        Some(echoed) if echoed == seq => {}
        Some(echoed) => return Err(format!("expected the answer to seq {seq}, and it echoes seq {echoed}")),
        None => return Err(format!(r#"expected "seq":{seq}; came {}"#, shown(line))),
    }
    match value.get("error") {
        None => Ok(value),
        Some(error) => Err(format!("it refuses the question: {}", shown(error.to_string().as_bytes()))),
    }
}

/// `count` strings of `width` characters under `key`.
pub(super) fn rows(line: &[u8], seq: u64, key: &str, count: usize, width: usize) -> Result<Rows, String> {
    let value = answer(line, seq)?;
    let Some(rows) = value.get(key).and_then(Value::as_array) else {
        return Err(format!(r#"expected "{key}" with {count} strings of {width} characters; came {}"#, shown(line)));
    };
    if rows.len() != count {
        return Err(format!(r#"expected {count} strings in "{key}", and there are {}"#, rows.len()));
    }
    let rows: Result<Vec<Vec<u8>>, String> = rows
        .iter()
        .enumerate()
        .map(|(index, row)| characters(row, width).map_err(|why| format!(r#"string {} of "{key}": {why}"#, index + 1)))
        .collect();
    Ok(Rows { rows: rows?, errors: errors(&value)? })
}

/// The two strings of an answer to `valid`, as two rows.
pub(super) fn valid(line: &[u8], seq: u64, patterns: usize, subjects: usize) -> Result<Rows, String> {
    let value = answer(line, seq)?;
    let one = |key: &str, width: usize| match value.get(key) {
        Some(row) => characters(row, width).map_err(|why| format!(r#""{key}": {why}"#)),
        None if width == 0 => Ok(Vec::new()),
        None => Err(format!(r#"expected "{key}" with {width} characters; came {}"#, shown(line))),
    };
    Ok(Rows { rows: vec![one("patterns", patterns)?, one("subjects", subjects)?], errors: errors(&value)? })
}

/// The lists of an answer to `sets`.
pub(super) fn answers(line: &[u8], seq: u64, count: usize) -> Result<Vec<Vec<Operand>>, String> {
    let value = answer(line, seq)?;
    let wrong = || format!(r#"expected "answers" with {count} lists of patterns; came {}"#, shown(line));
    let lists = value.get("answers").and_then(Value::as_array).ok_or_else(wrong)?;
    if lists.len() != count {
        return Err(format!(r#"expected {count} lists in "answers", and there are {}"#, lists.len()));
    }
    let list = |list: &Value| list.as_array()?.iter().map(operand).collect::<Option<Vec<Operand>>>();
    lists.iter().map(|value| list(value).ok_or_else(wrong)).collect()
}

fn characters(row: &Value, width: usize) -> Result<Vec<u8>, String> {
    let Some(text) = row.as_str() else {
        return Err(format!("expected a string of {width} characters, came {}", shown(row.to_string().as_bytes())));
    };
    let count = text.chars().count();
    if count != width {
        return Err(format!("expected {width} characters, and there are {count}: {}", shown(text.as_bytes())));
    }
    match text.chars().find(|c| !c.is_ascii() || !CHARACTERS.contains(&(*c as u8))) {
        None => Ok(text.as_bytes().to_vec()),
        Some(other) => Err(format!("`{}` is none of 1 0 p s e -", other.escape_default())),
    }
}

fn errors(value: &Value) -> Result<BTreeMap<String, String>, String> {
    let Some(errors) = value.get("errors") else {
        return Ok(BTreeMap::new());
    };
    let wrong =
        || format!(r#"expected "errors" to be an object of texts; came {}"#, shown(errors.to_string().as_bytes()));
    let object = errors.as_object().ok_or_else(wrong)?;
    object
        .iter()
        .map(|(key, text)| Some((key.clone(), text.as_str()?.to_owned())))
        .collect::<Option<_>>()
        .ok_or_else(wrong)
}
