//! RFC 4180 records out of a byte stream, each with its raw bytes so that it can be written back verbatim.
//!
//! Must never wait for more input to hand out a record that is complete, and never hold more than one record.

/// One record: its raw bytes without the line end, its fields, the line it starts on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Record {
    /// As read, without the line end.
    pub raw: Vec<u8>,
    /// The line end as read; empty at the end of the input.
    pub end: Vec<u8>,
    /// The fields, unquoted.
    pub fields: Vec<Vec<u8>>,
    /// The line it starts on, counted from 1.
    pub line: u64,
}

impl Record {
    /// Nothing stands on this line.
    pub fn is_blank(&self) -> bool {
        self.raw.is_empty()
    }
}

/// Why the input is not CSV.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct CsvError {
    /// The line, counted from 1.
    pub line: u64,
    /// What is wrong with it.
    pub why: &'static str,
}

/// The longest record that is taken, in bytes: two operands at four characters a byte, and room for other columns.
const MAX_RECORD: usize = 16 << 20;

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    FieldStart,
    Plain,
    Quoted,
    /// After a quote inside a quoted field: it closed the field, or was the first of a pair.
    Quote,
    /// After a CR outside quotes: a line end if LF follows.
    Return,
}

/// The reader: bytes in, records out.
pub struct Reader {
    state: State,
    /// Before the CR, to go back to when no LF follows.
    before: State,
    record: Record,
    field: Vec<u8>,
    line: u64,
}

impl Reader {
    /// At the first byte of the first line.
    pub fn new() -> Reader {
        let record = Record { line: 1, ..Record::default() };
        Reader { state: State::FieldStart, before: State::FieldStart, record, field: Vec::new(), line: 1 }
    }

    /// The next byte; a record when that byte completes one.
    ///
    /// # Errors
    /// Text after a closing quote, or a record of more than 16 MiB.
    pub fn push(&mut self, byte: u8) -> Result<Option<Record>, CsvError> {
        if byte == b'\n' {
            self.line += 1;
        }
        match (self.state, byte) {
            (State::Quoted, b'"') => self.state = State::Quote,
            (State::Quoted, _) => self.field.push(byte),
            (State::Quote, b'"') => {
                self.field.push(b'"');
                self.state = State::Quoted;
            }
            (State::Return, b'\n') => {
                self.record.raw.pop();
                return Ok(Some(self.finish(b"\r\n")));
            }
            (_, b'\n') => return Ok(Some(self.finish(b"\n"))),
            (State::Return, _) => {
                // A CR alone is no line end; it belongs to the field.
                if self.before == State::Quote {
                    return Err(self.error("something stands after a closing quote"));
                }
                self.field.push(b'\r');
                self.state = State::Plain;
                return self.push(byte);
            }
            (state, b'\r') => {
                self.before = state;
                self.state = State::Return;
            }
            (_, b',') => {
                self.record.fields.push(std::mem::take(&mut self.field));
                self.state = State::FieldStart;
            }
            (State::FieldStart, b'"') => self.state = State::Quoted,
            (State::Quote, _) => return Err(self.error("something stands after a closing quote")),
            (State::FieldStart | State::Plain, _) => {
                self.field.push(byte);
                self.state = State::Plain;
            }
        }
        self.record.raw.push(byte);
        if self.record.raw.len() > MAX_RECORD {
            return Err(self.error("a record of more than 16 MiB; is a quote left open?"));
        }
        Ok(None)
    }

    /// The input ended; the last record, if the last line had no end.
    ///
    /// # Errors
    /// A quoted field that is never closed.
    pub fn end(&mut self) -> Result<Option<Record>, CsvError> {
        if self.state == State::Quoted {
            return Err(self.error("a quoted field is never closed"));
        }
        if self.state == State::Return {
            if self.before == State::Quote {
                return Err(self.error("something stands after a closing quote"));
            }
            self.field.push(b'\r');
        }
        let untouched = self.record.raw.is_empty() && self.record.fields.is_empty();
        Ok(if untouched { None } else { Some(self.finish(b"")) })
    }

    fn finish(&mut self, end: &[u8]) -> Record {
        self.record.fields.push(std::mem::take(&mut self.field));
        self.record.end = end.to_vec();
        self.state = State::FieldStart;
        std::mem::replace(&mut self.record, Record { line: self.line, ..Record::default() })
    }

    fn error(&self, why: &'static str) -> CsvError {
        CsvError { line: self.record.line, why }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(text: &str) -> Result<Vec<Record>, CsvError> {
        let mut reader = Reader::new();
        let mut out = Vec::new();
        for byte in text.bytes() {
            out.extend(reader.push(byte)?);
        }
        out.extend(reader.end()?);
        Ok(out)
    }

    fn fields(text: &str) -> Vec<Vec<String>> {
        let text_of = |field: &Vec<u8>| String::from_utf8_lossy(field).into_owned();
        records(text).expect("it parses").iter().map(|r| r.fields.iter().map(text_of).collect()).collect()
    }

    #[test]
    fn raw_bytes_and_line_ends_put_together_are_the_input() {
        for text in ["a,b\n\"c\n\r\n,\"\"\",d\r\n\n,,\r\ne\rf,g", "", "\n", "a", ",", "\"\"\n", "x\r"] {
            let again: Vec<u8> =
                records(text).unwrap().iter().flat_map(|r| [&r.raw[..], &r.end[..]].concat()).collect();
            assert_eq!(String::from_utf8(again).unwrap(), text);
        }
    }

    #[test]
    fn quotes_commas_and_line_ends_stand_in_quoted_fields() {
        assert_eq!(fields("\"a\"\"b\",\"c,\r\nd\"\r\ne,"), [vec!["a\"b", "c,\r\nd"], vec!["e", ""]]);
    }

    #[test]
    fn a_quote_inside_a_plain_field_is_itself() {
        assert_eq!(fields("a\"b,c\n"), [["a\"b", "c"]]);
    }

    #[test]
    fn lines_are_counted_through_quoted_line_ends() {
        let lines: Vec<u64> = records("h\n\"a\nb\"\nc\n").unwrap().iter().map(|r| r.line).collect();
        assert_eq!(lines, [1, 2, 4]);
    }

    #[test]
    fn text_after_a_closing_quote_and_an_open_quote_are_refused_with_their_line() {
        assert_eq!(records("h\n\"a\"b\n").unwrap_err().line, 2);
        assert_eq!(records("h\n\"a\"\rb\n").unwrap_err().line, 2);
        assert_eq!(records("h\nx\n\"a\nb\n").unwrap_err().line, 3);
    }
}
