//! `explain CODE` and `explain PATTERN SUBJECT`: what a cause means, which clause decided. Must never ask a server.

use std::{fmt::Write as _, io::Write as _};

use wildcheck::exit::ExitCode;
use wildcheck_matcher::{Dialect, Strength};
use wildcheck_tables::Operand;

use super::{args::operand, failure::Failure, mark, session::Session};

/// The options of `explain`.
#[derive(clap::Args)]
pub struct Args {
    /// A cause code such as WC001, or a pattern
    #[arg(value_name = "CODE or PATTERN", value_parser = operand())]
    first: Operand,
    /// A subject
    #[arg(value_name = "SUBJECT", value_parser = operand())]
    subject: Option<Operand>,
}

/// Runs it.
pub fn run(session: &mut Session, args: Args) -> Result<ExitCode, Failure> {
    let text = match args.subject {
        Some(subject) => pair(session.dialect, &args.first, &subject),
        None => code(session, &args.first)?,
    };
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(Failure::stdout)?;
    Ok(ExitCode::Agree)
}

fn code(_session: &Session, code: &Operand) -> Result<String, Failure> {
    Err(Failure::Usage(format!("unknown cause code `{code}`; to explain a pair, give a pattern and a subject")))
}

fn pair(dialect: &dyn Dialect, pattern: &Operand, subject: &Operand) -> String {
    let trace = dialect.explain(&pattern.0, &subject.0);
    let mut out = String::new();
    let word = if trace.matched { "match" } else { "no match" };
    let _ = writeln!(out, "{word}: {} [{}]", trace.why, trace.clause);
    let (name, operand) = match trace.operand {
        wildcheck_matcher::Operand::Pattern => ("pattern", pattern),
        wildcheck_matcher::Operand::Subject => ("subject", subject),
    };
    for (each, text) in [("pattern", pattern), ("subject", subject)] {
        let (line, caret) = mark::token(text, dialect.syntax().separator, trace.token);
        let _ = writeln!(out, "\n  {each} {line}");
        if each == name && operand.0 == text.0 {
            let _ = writeln!(out, "          {caret}");
        }
    }
    for (each, check) in [
        ("pattern", dialect.validate_pattern(&pattern.0, Strength::Strict)),
        ("subject", dialect.validate_subject(&subject.0, Strength::Strict)),
    ] {
        let server = match each {
            "pattern" => dialect.validate_pattern(&pattern.0, Strength::Server),
            _ => dialect.validate_subject(&subject.0, Strength::Server),
        };
        match (server, check) {
            (Err(refusal), _) => {
                let _ = writeln!(out, "\nthe server's rule refuses the {each}: {refusal}");
            }
            (Ok(()), Err(refusal)) => {
                let _ = writeln!(out, "\nthe portable rule refuses the {each}: {refusal}");
            }
            (Ok(()), Ok(())) => {}
        }
    }
    out
}
