//! `tsv:` a filter: lines of pattern TAB subject on its stdin, a line with one character each on its stdout.
//!
//! Each block is one run of the program, its stdin closed behind the last line, so that a program that writes only at
//! its end works too. Must never send what would break a line.

use std::{
    borrow::Cow,
    ffi::OsString,
    time::{Duration, Instant},
};

use wildcheck_tables::{Grid, Identity, Lane, Observations, Operand};

use super::{
    acceptance_unsupported,
    message::{CHARACTERS, Rows},
    narrow::{Backend, Narrower, Trouble},
    program::{Program, Silence, shown, split},
};
use crate::{Options, Oracle, OracleError};

/// The oracle.
pub struct Tsv {
    identity: Identity,
    filter: Filter,
    narrower: Narrower,
}

struct Filter {
    what: String,
    words: Vec<OsString>,
    options: Options,
}

impl Tsv {
    /// Checks the line; the program is started with the first grid.
    ///
    /// # Errors
    /// [`OracleError::Address`] for a line that cannot be split.
    pub fn open(line: &str, options: &Options) -> Result<Tsv, OracleError> {
        let what = format!("tsv:{line}");
        let words = split("tsv", line)?;
        let identity = super::plain_identity(&what, &words, Lane(Cow::Borrowed("tsv")), options);
        let narrower = Narrower::new(what.clone(), options.answer_timeout, options.restarts);
        Ok(Tsv { identity, filter: Filter { what, words, options: options.clone() }, narrower })
    }
}

impl Oracle for Tsv {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn observe(&mut self, grid: &Grid) -> Result<Observations, OracleError> {
        if grid.pairs() == 0 {
            return Ok(acceptance_unsupported(grid));
        }
        self.narrower.observe(&mut self.filter, grid)
    }

    fn findings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.narrower.findings)
    }
}

impl Backend for Filter {
    fn block(&mut self, patterns: &[&Operand], subjects: &[&Operand], limit: Duration) -> Result<Rows, Trouble> {
        let deadline = Instant::now() + limit;
        let mut program = Program::start(&self.what, &self.words, 4_096, &self.options.interrupt)?;
        let mut lines = Vec::new();
        for pattern in patterns {
            for subject in subjects {
                lines.extend_from_slice(&pattern.0);
                lines.push(b'\t');
                lines.extend_from_slice(&subject.0);
                lines.push(b'\n');
            }
        }
        program.send(lines);
        program.close_input();
        let cells = patterns.len() * subjects.len();
        let broken = |why: String| Trouble::Fatal(OracleError::Protocol { what: self.what.clone(), why });
        let mut characters = Vec::with_capacity(cells);
        loop {
            let line = match program.receive(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) => line,
                Err(Silence::Late) => return Err(Trouble::NoAnswer),
                Err(Silence::Interrupted) => return Err(OracleError::Interrupted.into()),
                Err(Silence::TooLong(start)) => {
                    return Err(broken(format!(
                        "line {}: expected one character, came {}",
                        characters.len() + 1,
                        shown(&start)
                    )));
                }
                Err(Silence::Ended(how)) => match program.failure() {
                    Some(_) => return Err(Trouble::Died(how)),
                    None if characters.len() == cells => break,
                    None => {
                        return Err(broken(format!("expected {cells} lines, and it ended after {}", characters.len())));
                    }
                },
            };
            match line.as_slice() {
                _ if characters.len() == cells => {
                    return Err(broken(format!("expected {cells} lines, and one more came: {}", shown(&line))));
                }
                [character] if CHARACTERS.contains(character) => characters.push(*character),
                _ => {
                    let place = characters.len() + 1;
                    return Err(broken(format!("line {place}: expected one of 1 0 p s e -, came {}", shown(&line))));
                }
            }
        }
        let rows = characters.chunks(subjects.len()).map(<[u8]>::to_vec).collect();
        Ok(Rows { rows, ..Rows::default() })
    }

    fn revive(&mut self) -> Result<(), OracleError> {
        Ok(())
    }

    fn unsayable(&self, operand: &Operand) -> Option<&'static str> {
        if operand.0.iter().any(|byte| matches!(byte, b'\t' | b'\n' | b'\r')) {
            Some("a tab or a line end cannot stand in a line of tab-separated values")
        } else if std::str::from_utf8(&operand.0).is_err() {
            Some("it is not UTF-8")
        } else {
            None
        }
    }
}
