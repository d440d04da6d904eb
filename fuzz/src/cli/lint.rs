//! `lint`: do the tables keep their rules? Must never ask a server.

use std::io::Write;

use wildcheck::exit::ExitCode;
use wildcheck_tables::{Tables, review};

use super::{failure::Failure, session::Session};

/// Runs it.
pub fn run(session: &mut Session) -> Result<ExitCode, Failure> {
    let tables = session.tables()?;
    let findings = review(&tables);
    let mut text = String::new();
    for finding in &findings {
        text.push_str(&format!("{finding}\n"));
    }
    if findings.is_empty() {
        text.push_str(&counted(&tables));
    }
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(Failure::stdout)?;
    Ok(if findings.is_empty() { ExitCode::Agree } else { ExitCode::Lint })
}

fn counted(tables: &Tables) -> String {
    let mut text = String::new();
    for d in &tables.dialects {
        text.push_str(&format!(
            "{}: {} matches, {} validations, {} relations, {} clauses, {} recordings\n",
            d.name,
            d.matches.len(),
            d.validation.len(),
            d.relations.len(),
            d.clauses.len(),
            d.observed.len()
        ));
    }
    text.push_str(&format!("{} causes, {} known disagreements\n", tables.causes.len(), tables.baseline.len()));
    text
}
