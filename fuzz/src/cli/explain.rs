//! `explain CODE` and `explain PATTERN SUBJECT`: what a cause means, which clause decided. Must never ask a server.

use std::{fmt::Write as _, io::Write as _};

use wildcheck::exit::ExitCode;
use wildcheck_matcher::Strength;
use wildcheck_tables::{Operand, row::Direction};

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
        Some(subject) => pair(session, &args.first, &subject)?,
        None => code(session, &args.first)?,
    };
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(Failure::stdout)?;
    Ok(ExitCode::Agree)
}

fn code(session: &Session, code: &Operand) -> Result<String, Failure> {
    let tables = session.tables()?;
    let unknown = || {
        let hint = "to explain a pair, give a pattern and a subject";
        Failure::Usage(format!("unknown cause code `{code}`; {hint}"))
    };
    let cause = tables.cause(&code.to_string().to_ascii_uppercase()).ok_or_else(unknown)?;
    let mut out = String::new();
    let paint = session.talk.paint;
    let _ = writeln!(out, "{} {}: {}", paint.bold(&cause.code), cause.name, cause.statement);
    let means = match cause.direction {
        Direction::TooMuch => "too much: says yes where the rules say no; somebody gets what is not theirs",
        Direction::TooLittle => "too little: says no where the rules say yes; somebody waits for ever",
        Direction::Both => "both: wrong either way, depending on the pair",
    };
    let dialect = if cause.dialect == "*" { "every dialect" } else { &cause.dialect };
    let _ = writeln!(out, "\ndialect    {dialect}\ndirection  {means}");
    for row in tables.baseline.iter().filter(|row| row.cause == cause.code) {
        let _ = writeln!(out, "known      of {} ({}, {}): {}", row.oracle, row.lane, row.dialect, row.reason);
    }
    Ok(out)
}

fn pair(session: &Session, pattern: &Operand, subject: &Operand) -> Result<String, Failure> {
    let dialect = session.dialect;
    let trace = dialect.explain(&pattern.0, &subject.0);
    let mut out = String::new();
    let word = if trace.matched { "match" } else { "no match" };
    let _ = writeln!(out, "{word}: {} [{}]", trace.why, trace.clause);
    if let Some(rule) = session.clause(trace.clause.0)? {
        let _ = writeln!(out, "{}: {rule}", trace.clause);
    }
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
    Ok(out)
}
