//! `adequacy`: which named wrong matchers do the rows refute by themselves, and which rows refute nobody? Must never
//! judge; the library does.

use std::{fmt::Write as _, io::Write};

use wildcheck::{adequacy::Judged, exit::ExitCode};
use wildcheck_tables::{DialectTables, line_of};

use super::{failure::Failure, session::Session};

/// Runs it.
pub fn run(session: &mut Session) -> Result<ExitCode, Failure> {
    let tables = session.tables()?;
    let tables = session.of_dialect(&tables)?;
    let adequacy = wildcheck::adequacy::adequacy(session.dialect, tables)?;
    let paint = session.talk.paint;
    let mut text = String::new();
    for judged in &adequacy.mutants {
        let line = line(judged, tables);
        let line = if judged.refuted() { line } else { paint.bad(&line) };
        let _ = writeln!(text, "{line}");
    }
    for index in &adequacy.idle {
        let row = &tables.matches[*index];
        let _ =
            writeln!(text, "line {}: {} {} refutes nobody [{}]", line_of(*index), row.pattern, row.subject, row.clause);
    }
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(Failure::stdout)?;
    let refuted = adequacy.mutants.iter().filter(|judged| judged.refuted()).count();
    session.talk.say(&format!(
        "{refuted} of {} wrong matchers are refuted; {} of {} match rows refute nobody and document their clause",
        adequacy.mutants.len(),
        adequacy.idle.len(),
        tables.matches.len()
    ));
    Ok(if refuted == adequacy.mutants.len() { ExitCode::Agree } else { ExitCode::Drift })
}

fn line(judged: &Judged, tables: &DialectTables) -> String {
    let head = format!("{} {}", judged.mutant.code, judged.mutant.name);
    let (matches, validation) = (&judged.matches, &judged.validation);
    if let Some(first) = matches.first() {
        let row = &tables.matches[*first];
        let (line, count) = (line_of(*first), matches.len());
        return format!("{head:<32} refuted by {count} rows, first line {line}: {} {}", row.pattern, row.subject);
    }
    if let Some(first) = validation.first() {
        let (line, count) = (line_of(*first), validation.len());
        return format!("{head:<32} refuted by {count} rows of validation.csv, first line {line}");
    }
    match &judged.smallest {
        _ if judged.limit => format!("{head:<32} refuted by the limit, one byte over it"),
        Some((pattern, subject)) => format!("{head:<32} refuted by no row; one that would: {pattern:?} {subject:?}"),
        None => format!("{head:<32} refuted by no row, and no pair was found that would"),
    }
}
