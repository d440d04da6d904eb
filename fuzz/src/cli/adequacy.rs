//! `adequacy`: which named wrong matchers do the rows of `match.csv` refute by themselves? Must never count a row that
//! the reference itself contradicts.

use std::io::Write;

use wildcheck::{exit::ExitCode, mutants};
use wildcheck_tables::line_of;

use super::{failure::Failure, session::Session};

/// Runs it.
pub fn run(session: &mut Session) -> Result<ExitCode, Failure> {
    let tables = session.tables()?;
    let rows = &session.of_dialect(&tables)?.matches;
    let dialect = session.dialect;
    let paint = session.talk.paint;
    let wrong = mutants::of(dialect);
    if wrong.is_empty() || rows.is_empty() {
        return Err(Failure::Nothing(format!("{} has no wrong matchers or no rows", dialect.name())));
    }
    let mut text = String::new();
    let mut alive = 0;
    for mutant in &wrong {
        let refuting: Vec<usize> = (0..rows.len())
            .filter(|index| {
                let row = &rows[*index];
                let (pattern, subject) = (row.pattern.bytes(), row.subject.bytes());
                dialect.matches(pattern, subject) == row.expected
                    && mutant.matches(dialect, pattern, subject) != row.expected
            })
            .collect();
        let head = format!("{} {}", mutant.code, mutant.name);
        let line = match refuting.first() {
            Some(first) => {
                let row = &rows[*first];
                let (line, count) = (line_of(*first), refuting.len());
                format!("{head:<32} refuted by {count} rows, first line {line}: {} {}", row.pattern, row.subject)
            }
            None => {
                alive += 1;
                paint.bad(&format!("{head:<32} refuted by no row"))
            }
        };
        text.push_str(&line);
        text.push('\n');
    }
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(Failure::stdout)?;
    session.talk.say(&format!("{} of {} wrong matchers are refuted", wrong.len() - alive, wrong.len()));
    Ok(if alive == 0 { ExitCode::Agree } else { ExitCode::Drift })
}
