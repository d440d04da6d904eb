//! `matrix --bisect`: the release in which one answer flips, with the fewest starts. Must never say a side that it did
//! not ask.

use std::io::Write;

use wildcheck::{claims, exit::ExitCode, matrix::flip, rows};
use wildcheck_oracle::{Address, Plan};
use wildcheck_tables::{DialectTables, Grid, Lane, Operand, row::Claim};

use super::{args::decode, audit, failure::Failure, session::Session};

/// What flips.
enum Question<'a> {
    Claim(&'a Claim),
    Pair(Operand, Operand),
    Pattern(Operand),
}

/// Looks for it between the first and the last of `versions`.
pub(super) fn run(
    session: &Session,
    tables: &DialectTables,
    what: &str,
    versions: &[String],
) -> Result<ExitCode, Failure> {
    let question = read(tables, what)?;
    let mut starts = 0;
    let found = flip(versions.len(), &mut |place| {
        if session.interrupt.is_set() {
            return Err(Failure::Interrupted);
        }
        starts += 1;
        let seen = ask(session, &question, &versions[place])?;
        session.talk.say(&format!("{}: {seen}", versions[place]));
        Ok(seen)
    })?;
    let (first, last) = (&versions[0], &versions[versions.len() - 1]);
    let (text, code) = match found {
        None => (format!("{what}: {first} and {last} say the same\n"), ExitCode::Nothing),
        Some((place, before, after)) => {
            let (old, new) = (&versions[place], &versions[place + 1]);
            (format!("{what}: flips in {new}\n  {old}: {before}\n  {new}: {after}\n"), ExitCode::Agree)
        }
    };
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(Failure::stdout)?;
    session.talk.say(&format!("{} releases, {starts} asked", versions.len()));
    Ok(code)
}

fn read<'a>(tables: &'a DialectTables, what: &str) -> Result<Question<'a>, Failure> {
    let (id, lane) = what.split_once(" by ").map_or((what, None), |(id, lane)| (id, Some(lane)));
    let claims = tables.claims.as_deref().unwrap_or_default();
    let wanted = |claim: &&Claim| claim.id == id && lane.is_none_or(|lane| claim.lane.0 == lane);
    if let Some(claim) = claims.iter().find(wanted) {
        return Ok(Question::Claim(claim));
    }
    let operand = |text: &str| decode(text.as_bytes()).map_err(|error| Failure::Usage(error.to_string()));
    match what.split(' ').collect::<Vec<_>>()[..] {
        [pattern, subject] => Ok(Question::Pair(operand(pattern)?, operand(subject)?)),
        [pattern] if !pattern.is_empty() && !pattern.starts_with("nats-claim-") => {
            Ok(Question::Pattern(operand(pattern)?))
        }
        _ => Err(Failure::Usage(format!("`{what}` is no claim, no `PATTERN SUBJECT` and no `PATTERN`"))),
    }
}

fn ask(session: &Session, question: &Question<'_>, version: &str) -> Result<String, Failure> {
    let address = Address::Process { program: "nats-server".to_owned(), version: Some(version.to_owned()) };
    if let Question::Claim(claim) = question {
        let (binary, _) = audit::server(session, &address)?;
        let found = claims::ask(claim, &binary, &session.interrupt)?.found;
        return Ok(found.word().to_owned());
    }
    let mut oracle = session.open_lane(&address, Some(Lane::WIRE), Plan::FanOut)?;
    Ok(match question {
        Question::Pair(pattern, subject) => {
            let seen = rows::ask_pairs(session.dialect, &[(pattern, subject)], &mut *oracle)?;
            seen.first().map(|seen| seen.verdict.to_string()).unwrap_or_default()
        }
        Question::Pattern(pattern) => {
            let grid = Grid { dialect: session.dialect.name(), patterns: vec![pattern.clone()], subjects: Vec::new() };
            oracle.observe(&grid)?.patterns[0].fate(false).to_string()
        }
        Question::Claim(_) => String::new(),
    })
}
