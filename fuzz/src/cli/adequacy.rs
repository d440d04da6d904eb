//! `adequacy`: which wrong matchers do the rows refute by themselves, and which rows refute nobody? Must never judge; the
//! library does.

use std::{fmt::Write as _, io::Write};

use wildcheck::{
    adequacy::{Judged, Outsider, Worth},
    exit::ExitCode,
};
use wildcheck_oracle::Address;
use wildcheck_tables::{DialectTables, line_of};

use super::{failure::Failure, session::Session};

/// What is said on the command line.
#[derive(clap::Args, Clone)]
pub struct Args {
    /// Also ask somebody's matcher the rows: exec:COMMAND, cmd:COMMAND, tsv:COMMAND, or any other address; may be repeated
    #[arg(long, value_name = "ADDRESS")]
    oracle: Vec<Address>,
}

/// Runs it.
pub fn run(session: &mut Session, args: Args) -> Result<ExitCode, Failure> {
    let tables = session.tables()?;
    let tables = session.of_dialect(&tables)?;
    let mut outsiders = Vec::new();
    for address in &args.oracle {
        outsiders.push(session.open_lane(address, None, Default::default())?);
    }
    let adequacy = wildcheck::adequacy::adequacy(session.dialect, tables, &mut outsiders)?;
    let paint = session.talk.paint;
    let mut text = String::new();
    for judged in &adequacy.mutants {
        let line = line(judged, tables);
        let line = if judged.refuted() { line } else { paint.bad(&line) };
        let _ = writeln!(text, "{line}");
    }
    for outsider in &adequacy.outsiders {
        let _ = writeln!(text, "{}", of_outsider(outsider, tables));
    }
    for (index, worth) in &adequacy.idle {
        let row = &tables.matches[*index];
        let worth = match worth {
            Worth::Clause => format!("keep it: no other row shows that {} says {}", row.clause, row.expected),
            Worth::Seed => "keep it: it is the seed's".to_owned(),
            Worth::Nothing => paint.bad(&format!("remove it: other rows show what it shows of {}", row.clause)),
        };
        let _ = writeln!(text, "line {}: {} {} refutes nobody; {worth}", line_of(*index), row.pattern, row.subject);
    }
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(Failure::stdout)?;
    let refuted = adequacy.mutants.iter().filter(|judged| judged.refuted()).count();
    let asked = adequacy.outsiders.len();
    let wrong = adequacy.outsiders.iter().filter(|outsider| !outsider.matches.is_empty()).count();
    let idle = |worth: Worth| adequacy.idle.iter().filter(|(_, found)| *found == worth).count();
    session.talk.say(&format!(
        "{refuted} of {} wrong matchers are refuted{}; of {} match rows {} refute nobody: {} are kept for their clause, {} \
         for the seed, {} can go",
        adequacy.mutants.len(),
        if asked > 0 { format!(", and {wrong} of {asked} matchers that were asked") } else { String::new() },
        tables.matches.len(),
        adequacy.idle.len(),
        idle(Worth::Clause),
        idle(Worth::Seed),
        idle(Worth::Nothing),
    ));
    let adequate = refuted == adequacy.mutants.len() && idle(Worth::Nothing) == 0;
    Ok(if adequate { ExitCode::Agree } else { ExitCode::Drift })
}

fn of_outsider(outsider: &Outsider, tables: &DialectTables) -> String {
    let head = &outsider.name;
    let silent = match outsider.unanswered {
        0 => String::new(),
        count => format!("; no answer to {count}"),
    };
    match outsider.matches.first() {
        Some(first) => {
            let (line, count, row) = (line_of(*first), outsider.matches.len(), &tables.matches[*first]);
            format!("{head:<32} refuted by {count} rows, first line {line}: {} {}{silent}", row.pattern, row.subject)
        }
        None => format!("{head:<32} refuted by no row{silent}"),
    }
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
