//! One CSV file: bytes to rows and back. UTF-8, LF, RFC 4180, one row a line, the header exactly as the columns.
//!
//! Must never stop at the first broken cell, guess a value, or panic on any bytes.

use std::collections::{BTreeMap, btree_map::Entry};

use crate::{Lane, cell::escape, cells::Cells, error::Problem};

/// A row that has a table: columns, a key, and what a fresh observation may replace.
pub trait TableRow: Sized + Clone {
    /// The header, in order.
    const COLUMNS: &'static [&'static str];
    /// What rows are sorted by and may not share.
    type Key: Ord;

    /// The row's key.
    fn key(&self) -> Self::Key;

    /// One row from the cells of a line; `None` when a problem was told.
    fn read(cells: &mut Cells<'_>) -> Option<Self>;

    /// The cells, in the order of the columns.
    fn write(&self) -> Vec<String>;

    /// Takes what was observed from `fresh` (same key) and keeps what people wrote; a human column is taken from
    /// `fresh` only where this row has none.
    fn refresh(&mut self, fresh: Self);

    /// What the row refers to, for the lint.
    fn cites(&self) -> Cites<'_>;

    /// What the row answers, where several rows may answer it for versions that do not overlap; else `None`.
    fn question(&self) -> Option<String> {
        None
    }
}

/// What a row refers to; empty or `None` where its table has no such column.
#[derive(Clone, Copy, Default, Debug)]
pub struct Cites<'a> {
    /// A clause id.
    pub clause: Option<&'a str>,
    /// Where the row comes from (`seed`, `hand`, …).
    pub source: Option<&'a str>,
    /// A lane.
    pub lane: Option<&'a Lane>,
    /// First version.
    pub since: &'a str,
    /// Last version.
    pub until: &'a str,
}

/// The rows of one file with their lines, as far as they could be read, and everything wrong with it.
#[derive(Clone, Debug)]
pub struct Parsed<R> {
    /// The rows that could be read.
    pub rows: Vec<R>,
    /// The line of each row, counted from 1 with the header.
    pub lines: Vec<u64>,
    /// What is wrong, in the order of lines.
    pub problems: Vec<Problem>,
}

/// Bytes to rows. `file` is the name that problems carry.
pub fn parse<R: TableRow>(file: &str, bytes: &[u8]) -> Parsed<R> {
    let mut parsed = Parsed { rows: Vec::new(), lines: Vec::new(), problems: Vec::new() };
    let mut rest = bytes;
    if let Some(after) = rest.strip_prefix(b"\xef\xbb\xbf") {
        parsed.problems.push(Problem::line(file, 1, "found a byte order mark, expected none").mendable());
        rest = after;
    }
    let expected = R::COLUMNS.join(",");
    if rest.is_empty() {
        parsed.problems.push(Problem::line(file, 1, format!("found nothing, expected the header {expected}")));
        return parsed;
    }
    if !rest.ends_with(b"\n") {
        let last = rest.split(|b| *b == b'\n').count() as u64;
        let problem = Problem::line(file, last, "found the end of the file, expected a line feed after the last line");
        parsed.problems.push(problem.mendable());
    }
    let body = rest.strip_suffix(b"\n").unwrap_or(rest);
    let returns = body.split(|b| *b == b'\n').filter(|line| line.ends_with(b"\r")).count();
    if returns > 0 {
        let first = body.split(|b| *b == b'\n').position(|line| line.ends_with(b"\r")).unwrap_or(0) as u64 + 1;
        let text = format!("found lines that end in CR LF ({returns}), expected LF");
        parsed.problems.push(Problem::line(file, first, text).mendable());
    }
    for (index, line) in body.split(|b| *b == b'\n').enumerate() {
        let number = index as u64 + 1;
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if index == 0 {
            check_header(file, line, R::COLUMNS, &mut parsed.problems);
        } else if line.is_empty() {
            parsed.problems.push(Problem::line(file, number, "found an empty line, expected a row").mendable());
        } else if let Some(row) = parse_line::<R>(file, number, line, &mut parsed.problems) {
            parsed.rows.push(row);
            parsed.lines.push(number);
        }
    }
    check_order(file, &mut parsed);
    if parsed.problems.is_empty() {
        check_form(file, bytes, &mut parsed);
    }
    parsed
}

/// Rows to bytes: header, rows sorted by key, LF. Byte-identical for equal rows.
pub fn render<'a, R: TableRow + 'a>(rows: impl IntoIterator<Item = &'a R>) -> Vec<u8> {
    let mut rows: Vec<&R> = rows.into_iter().collect();
    rows.sort_by_cached_key(|row| row.key());
    let mut bytes = Vec::new();
    push_line(&mut bytes, R::COLUMNS.iter().copied());
    for row in rows {
        push_line(&mut bytes, row.write().iter().map(|cell| cell.as_str()));
    }
    bytes
}

/// Adds `fresh` rows to `rows`: a row with a new key is added, one with a known key refreshes the row that is there.
/// The result is sorted. Returns how many were added and how many changed.
pub fn merge<R: TableRow + PartialEq>(rows: &mut Vec<R>, fresh: impl IntoIterator<Item = R>) -> Merged {
    let mut merged = Merged::default();
    let mut places: BTreeMap<R::Key, usize> = rows.iter().enumerate().map(|(at, row)| (row.key(), at)).collect();
    for new in fresh {
        match places.entry(new.key()) {
            Entry::Vacant(place) => {
                place.insert(rows.len());
                rows.push(new);
                merged.added += 1;
            }
            Entry::Occupied(place) => {
                let row = &mut rows[*place.get()];
                let before = row.clone();
                row.refresh(new);
                merged.changed += usize::from(*row != before);
            }
        }
    }
    rows.sort_by_cached_key(|row| row.key());
    merged
}

/// What a merge did.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Merged {
    /// Rows that were not there.
    pub added: usize,
    /// Rows whose observed columns differ now.
    pub changed: usize,
}

fn push_line<'a>(bytes: &mut Vec<u8>, cells: impl Iterator<Item = &'a str>) {
    for (index, cell) in cells.enumerate() {
        if index > 0 {
            bytes.push(b',');
        }
        if cell.contains([',', '"']) {
            bytes.push(b'"');
            bytes.extend_from_slice(cell.replace('"', "\"\"").as_bytes());
            bytes.push(b'"');
        } else {
            bytes.extend_from_slice(cell.as_bytes());
        }
    }
    bytes.push(b'\n');
}

/// The fields of one line. A line holds one record, because cells hold no line breaks.
fn fields(line: &[u8]) -> Option<csv::ByteRecord> {
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).flexible(true).buffer_capacity(1 << 10).from_reader(line);
    let mut record = csv::ByteRecord::new();
    matches!(reader.read_byte_record(&mut record), Ok(true)).then_some(record)
}

fn check_header(file: &str, line: &[u8], columns: &[&str], problems: &mut Vec<Problem>) {
    let found: Vec<String> = fields(line).map(|record| record.iter().map(printable).collect()).unwrap_or_default();
    for (index, column) in columns.iter().enumerate() {
        match found.get(index) {
            Some(name) if name == column => {}
            Some(name) => {
                problems.push(Problem::line(file, 1, format!("found the column {name:?}, expected {column}")));
                return;
            }
            None => {
                problems.push(Problem::line(
                    file,
                    1,
                    format!("found no column {column}, expected it after the others"),
                ));
                return;
            }
        }
    }
    if let Some(extra) = found.get(columns.len()) {
        problems.push(Problem::line(file, 1, format!("found the column {extra:?}, expected no more columns")));
    }
}

fn parse_line<R: TableRow>(file: &str, line: u64, bytes: &[u8], problems: &mut Vec<Problem>) -> Option<R> {
    if bytes.iter().filter(|b| **b == b'"').count() % 2 == 1 {
        problems.push(Problem::line(file, line, "found a quote that is not closed on its line"));
        return None;
    }
    let record = fields(bytes)?;
    let (found, expected) = (record.len(), R::COLUMNS.len());
    if found != expected {
        problems.push(Problem::line(file, line, format!("found {found} fields, expected {expected}")));
        return None;
    }
    let before = problems.len();
    let mut texts = Vec::with_capacity(expected);
    for (cell, column) in record.iter().zip(R::COLUMNS) {
        match std::str::from_utf8(cell) {
            Ok(text) if !text.chars().any(char::is_control) => texts.push(text),
            Ok(_) => problems.push(Problem::cell(
                file,
                line,
                column,
                format!("found a raw control byte in \"{}\", expected it as \\xNN", printable(cell)),
            )),
            Err(_) => problems.push(Problem::cell(
                file,
                line,
                column,
                format!("found bytes that are not UTF-8 (\"{}\"), expected them as \\xNN", printable(cell)),
            )),
        }
    }
    if problems.len() > before {
        return None;
    }
    R::read(&mut Cells::new(file, line, R::COLUMNS, &texts, problems))
}

fn check_order<R: TableRow>(file: &str, parsed: &mut Parsed<R>) {
    let mut seen = BTreeMap::new();
    let mut previous: Option<(R::Key, u64)> = None;
    for (row, line) in parsed.rows.iter().zip(&parsed.lines) {
        if let Some(first) = seen.get(&row.key()) {
            parsed.problems.push(Problem::line(
                file,
                *line,
                format!("found a second row with the key of line {first}"),
            ));
        } else {
            seen.insert(row.key(), *line);
            if let Some((key, above)) = &previous
                && *key > row.key()
            {
                let text = format!("found a row that sorts before line {above}, expected rows sorted by their key");
                parsed.problems.push(Problem::line(file, *line, text).mendable());
            }
        }
        previous = Some((row.key(), *line));
    }
}

/// Everything was understood and stands in order, so that lines correspond: are they also written the way we write them?
fn check_form<R: TableRow>(file: &str, bytes: &[u8], parsed: &mut Parsed<R>) {
    let canonical = render(&parsed.rows);
    let lines = bytes.split(|b| *b == b'\n').zip(canonical.split(|b| *b == b'\n'));
    for (index, (found, expected)) in lines.enumerate().filter(|(_, (found, expected))| found != expected) {
        let text = format!("found `{}`, expected it written `{}`", printable(found), printable(expected));
        parsed.problems.push(Problem::line(file, index as u64 + 1, text).mendable());
    }
}

/// A cell's bytes for a message: text as it is, anything else as `\xNN`.
fn printable(cell: &[u8]) -> String {
    match std::str::from_utf8(cell) {
        Ok(text) if !text.chars().any(char::is_control) => text.to_owned(),
        _ => escape(cell),
    }
}
