//! What can go wrong with tables: a [`Problem`] has a place, a [`Lint`] is all of them, a [`TablesError`] ends the call.
//!
//! Must never hold only the first problem where several can be told.

use std::{fmt, io, path::PathBuf};

/// One thing wrong in one file, with its place and what was expected.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Problem {
    /// The file below the tables' folder (`nats/match.csv`).
    pub file: String,
    /// The line, counted from 1 with the header; `None` when the whole file is meant.
    pub line: Option<u64>,
    /// The column's name, where one cell is meant.
    pub column: Option<String>,
    /// What is wrong and what was expected, a fragment without a full stop.
    pub text: String,
    /// Writing the tables anew mends it (order, canonical form).
    pub mendable: bool,
}

impl Problem {
    /// A problem of a whole file.
    pub fn file(file: &str, text: impl Into<String>) -> Problem {
        Problem { file: file.to_owned(), line: None, column: None, text: text.into(), mendable: false }
    }

    /// A problem of a line.
    pub fn line(file: &str, line: u64, text: impl Into<String>) -> Problem {
        Problem { line: Some(line), ..Problem::file(file, text) }
    }

    /// A problem of a cell.
    pub fn cell(file: &str, line: u64, column: &str, text: impl Into<String>) -> Problem {
        Problem { column: Some(column.to_owned()), ..Problem::line(file, line, text) }
    }

    /// The same, and writing the tables anew mends it.
    pub fn mendable(self) -> Problem {
        Problem { mendable: true, ..self }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        if let Some(column) = &self.column {
            write!(f, ": column {column}")?;
        }
        write!(f, ": {}", self.text)
    }
}

/// Every problem of a set of tables, in the order of files and lines. Never empty inside an error.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lint {
    /// The problems.
    pub problems: Vec<Problem>,
}

impl Lint {
    /// Sorted by place, without repetition.
    pub fn new(mut problems: Vec<Problem>) -> Lint {
        problems.sort();
        problems.dedup();
        Lint { problems }
    }

    /// Nothing is wrong.
    pub fn is_clean(&self) -> bool {
        self.problems.is_empty()
    }

    /// Nothing is wrong that writing the tables anew does not mend.
    pub fn is_mendable(&self) -> bool {
        self.problems.iter().all(|problem| problem.mendable)
    }
}

impl fmt::Display for Lint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.problems.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{problem}")?;
        }
        Ok(())
    }
}

/// Why tables or records could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum TablesError {
    /// The tables were read and are wrong (exit 6).
    #[error("{0}")]
    Lint(Lint),
    /// A file or folder could not be read.
    #[error("{} could not be read: {source}", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file could not be written (exit 74). The old files are whole; `replaced` of them are already the new ones.
    #[error("{} could not be written: {source}{}", path.display(), after(*replaced))]
    Write {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
        /// How many files had been renamed into place before; 0 unless a rename failed.
        replaced: usize,
    },
    /// A record could not be read.
    #[error("the record could not be read: {0}")]
    Record(io::Error),
    /// A line of a record is not an event.
    #[error("line {line} of the record is not an event: {why}")]
    Event {
        /// Counted from 1.
        line: u64,
        /// What the JSON reader says.
        why: String,
    },
    /// A record of a later format.
    #[error("the record has schema {found}; this wildcheck reads up to {known}")]
    Schema {
        /// The record's.
        found: u64,
        /// Ours.
        known: u32,
    },
}

fn after(replaced: usize) -> String {
    match replaced {
        0 => String::new(),
        1 => " (1 file before it was replaced already)".to_owned(),
        more => format!(" ({more} files before it were replaced already)"),
    }
}
