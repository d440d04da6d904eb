//! The cells of one line, read column by column, each with what its column expects.
//!
//! Must never guess: a cell that is not understood is told and read as nothing.

use crate::{
    Fate, Lane, Operand, Version,
    cell::read_operand,
    error::Problem,
    row::{ClauseStatus, Direction, OperandKind, Relation},
};

/// The cells of one line, read from left to right; each method takes the next column and tells what is wrong with it.
pub struct Cells<'a> {
    file: &'a str,
    line: u64,
    columns: &'static [&'static str],
    texts: &'a [&'a str],
    next: usize,
    problems: &'a mut Vec<Problem>,
}

impl<'a> Cells<'a> {
    /// The cells of one line, one text a column; problems go to `problems`.
    pub(crate) fn new(
        file: &'a str,
        line: u64,
        columns: &'static [&'static str],
        texts: &'a [&'a str],
        problems: &'a mut Vec<Problem>,
    ) -> Cells<'a> {
        Cells { file, line, columns, texts, next: 0, problems }
    }

    fn take(&mut self) -> (&'static str, String) {
        let index = self.next;
        self.next += 1;
        let column = self.columns.get(index).copied().unwrap_or("?");
        (column, self.texts.get(index).copied().unwrap_or_default().to_owned())
    }

    fn refuse(&mut self, column: &str, found: &str, expected: &str) {
        let text = format!("found \"{found}\", expected {expected}");
        self.problems.push(Problem::cell(self.file, self.line, column, text));
    }

    /// An operand; the empty one is written `''`.
    pub fn operand(&mut self) -> Option<Operand> {
        let (column, text) = self.take();
        match read_operand(&text) {
            Ok(Some(operand)) => Some(operand),
            Ok(None) => {
                self.refuse(column, &text, "an operand; the empty one is written ''");
                None
            }
            Err(error) => {
                self.refuse(column, &text, &format!("an operand: {error}"));
                None
            }
        }
    }

    /// An operand or nothing: an empty cell is nothing, `''` is the empty operand.
    pub fn maybe_operand(&mut self) -> Option<Option<Operand>> {
        let (column, text) = self.take();
        match read_operand(&text) {
            Ok(operand) => Some(operand),
            Err(error) => {
                self.refuse(column, &text, &format!("nothing or an operand: {error}"));
                None
            }
        }
    }

    /// `true` or `false`.
    pub fn boolean(&mut self) -> Option<bool> {
        self.one_of("true or false", |text| match text {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        })
    }

    /// `true`, `false` or an empty cell.
    pub fn maybe_boolean(&mut self) -> Option<Option<bool>> {
        self.one_of("true, false or nothing", |text| match text {
            "true" => Some(Some(true)),
            "false" => Some(Some(false)),
            "" => Some(None),
            _ => None,
        })
    }

    /// Any text, the empty one included.
    pub fn text(&mut self) -> Option<String> {
        Some(self.take().1)
    }

    /// A text that is not empty.
    pub fn filled(&mut self, expected: &str) -> Option<String> {
        self.one_of(expected, |text| (!text.trim().is_empty() && text.trim() == text).then(|| text.to_owned()))
    }

    /// A word of small letters, digits, dots and hyphens.
    pub fn word(&mut self, expected: &str) -> Option<String> {
        let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'.');
        self.one_of(expected, |text| (!text.is_empty() && text.bytes().all(plain)).then(|| text.to_owned()))
    }

    /// A lane's name. Whether the dialect has it is a question of the lint.
    pub fn lane(&mut self) -> Option<Lane> {
        self.word("a lane such as wire").map(|name| Lane(name.into()))
    }

    /// A version or an empty cell.
    pub fn version(&mut self) -> Option<String> {
        self.one_of("nothing or a version such as 2.9.10", |text| {
            (text.is_empty() || text.parse::<Version>().is_ok()).then(|| text.to_owned())
        })
    }

    /// What a server did, or an empty cell.
    pub fn maybe_fate(&mut self) -> Option<Option<Fate>> {
        const SEEN: [Fate; 6] = [
            Fate::Accepted,
            Fate::RefusedOpen,
            Fate::RefusedClosed,
            Fate::RefusedClient,
            Fate::RefusedDelivered,
            Fate::Inexpressible,
        ];
        let names: Vec<&str> = SEEN.iter().map(|fate| fate.as_str()).collect();
        self.one_of(&format!("nothing or one of {}", names.join(", ")), |text| {
            if text.is_empty() {
                return Some(None);
            }
            SEEN.into_iter().find(|fate| fate.as_str() == text).map(Some)
        })
    }

    /// `pattern` or `subject`.
    pub fn operand_kind(&mut self) -> Option<OperandKind> {
        self.one_of("pattern or subject", |text| match text {
            "pattern" => Some(OperandKind::Pattern),
            "subject" => Some(OperandKind::Subject),
            _ => None,
        })
    }

    /// `subset` or `overlap`.
    pub fn relation(&mut self) -> Option<Relation> {
        self.one_of("subset or overlap", |text| match text {
            "subset" => Some(Relation::Subset),
            "overlap" => Some(Relation::Overlap),
            _ => None,
        })
    }

    /// `stated`, `measured` or `open`.
    pub fn status(&mut self) -> Option<ClauseStatus> {
        self.one_of("stated, measured or open", |text| match text {
            "stated" => Some(ClauseStatus::Stated),
            "measured" => Some(ClauseStatus::Measured),
            "open" => Some(ClauseStatus::Open),
            _ => None,
        })
    }

    /// `too-much`, `too-little` or `both`.
    pub fn direction(&mut self) -> Option<Direction> {
        self.one_of("too-much, too-little or both", |text| match text {
            "too-much" => Some(Direction::TooMuch),
            "too-little" => Some(Direction::TooLittle),
            "both" => Some(Direction::Both),
            _ => None,
        })
    }

    /// Whatever `read` understands; `expected` says what that is.
    pub fn one_of<T>(&mut self, expected: &str, read: impl FnOnce(&str) -> Option<T>) -> Option<T> {
        let (column, text) = self.take();
        let value = read(&text);
        if value.is_none() {
            self.refuse(column, &text, expected);
        }
        value
    }
}
