//! `check PATTERN SUBJECT`: what each way says about one pair, and why. Must never let the naive approximation decide
//! the exit code, unless it is the one under test.

use std::{fmt::Write as _, io::Write as _};

use clap::ValueEnum;
use serde::Serialize;
use wildcheck::exit::ExitCode;
use wildcheck_matcher::Strength;
use wildcheck_oracle::{Address, Oracle};
use wildcheck_tables::{Grid, Identity, Operand, Outcome, Verdict};

use super::{
    args::{Live, operand},
    failure::Failure,
    mark,
    session::{Session, in_memory},
    talk::Paint,
};

/// The options of `check`.
#[derive(clap::Args)]
pub struct Args {
    /// What is subscribed to; \xNN is a byte
    #[arg(value_parser = operand())]
    pattern: Operand,
    /// What is published to; \xNN is a byte
    #[arg(value_parser = operand())]
    subject: Operand,
    #[command(flatten)]
    live: Live,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// How to print.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Text,
    /// One JSON object.
    Json,
}

/// Everything that is said about the pair.
#[derive(Serialize)]
struct Report {
    dialect: &'static str,
    pattern: Operand,
    subject: Operand,
    clause: &'static str,
    /// The clause's sentence.
    rule: Option<String>,
    why: &'static str,
    /// Which operand the token stands in.
    operand: String,
    /// Counted from 1.
    token: Option<usize>,
    answers: Vec<Said>,
    refusals: Vec<Refused>,
    /// Do the reference and everybody under test agree? Absent where nobody under test had an answer.
    agree: Option<bool>,
    shell: Option<String>,
}

#[derive(Serialize)]
struct Said {
    oracle: Identity,
    verdict: Verdict,
    under_test: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pattern: Option<Outcome>,
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<Outcome>,
}

/// An operand that the dialect refuses, by the server's rule or the portable one.
#[derive(Serialize)]
struct Refused {
    operand: String,
    rule: &'static str,
    clause: &'static str,
    why: &'static str,
    token: Option<usize>,
    text: String,
    caret: String,
}

/// Runs it.
pub fn run(session: &mut Session, args: Args) -> Result<ExitCode, Failure> {
    let mut report = Report::new(session, args.pattern, args.subject)?;
    let grid = Grid::pair(session.dialect.name(), &report.pattern.0, &report.subject.0);
    let mut code = ExitCode::Agree;
    let reference = report.ask(session.open_lane(&Address::Reference, None, Default::default())?, &grid, false)?;
    for address in args.live.addresses() {
        if matches!(address, Address::Reference) {
            continue;
        }
        let oracle = if in_memory(&address) {
            session.open(&address, &args.live.route.of_memory())?
        } else {
            session.open(&address, &args.live.route)?
        };
        let seen = report.ask(oracle, &grid, true)?;
        match seen {
            Verdict::Unsupported if report.lost() => code = code.worst(ExitCode::NoOracle),
            Verdict::Unsupported => code = code.worst(ExitCode::Nothing),
            _ => {
                let agree = seen == reference;
                report.agree = Some(agree && report.agree.unwrap_or(true));
                code = code.worst(if agree { ExitCode::Agree } else { ExitCode::Disagreement });
            }
        }
    }
    if !args.live.addresses().contains(&Address::Naive) {
        report.ask(session.open_lane(&Address::Naive, None, Default::default())?, &grid, false)?;
    }
    let text = match args.format {
        Format::Text => report.text(session.talk.paint),
        Format::Json => serde_json::to_string_pretty(&report).map_err(|e| Failure::stdout(e.into()))? + "\n",
    };
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(Failure::stdout)?;
    Ok(code)
}

impl Report {
    fn new(session: &Session, pattern: Operand, subject: Operand) -> Result<Report, Failure> {
        let dialect = session.dialect;
        let trace = dialect.explain(&pattern.0, &subject.0);
        let mut refusals = Vec::new();
        for (rule, strength) in [("server", Strength::Server), ("portable", Strength::Strict)] {
            let checks = [
                ("pattern", &pattern, dialect.validate_pattern(&pattern.0, strength)),
                ("subject", &subject, dialect.validate_subject(&subject.0, strength)),
            ];
            for (name, operand, check) in checks {
                let Err(refusal) = check else { continue };
                if refusals.iter().any(|r: &Refused| r.operand == name) {
                    continue;
                }
                let (text, caret) = mark::token(operand, dialect.syntax().separator, refusal.token);
                refusals.push(Refused {
                    operand: name.to_owned(),
                    rule,
                    clause: refusal.clause.0,
                    why: refusal.why,
                    token: refusal.token.map(|t| t + 1),
                    text,
                    caret,
                });
            }
        }
        Ok(Report {
            dialect: dialect.name(),
            clause: trace.clause.0,
            rule: session.clause(trace.clause.0)?,
            why: trace.why,
            operand: trace.operand.to_string(),
            token: trace.token.map(|t| t + 1),
            answers: Vec::new(),
            refusals,
            agree: None,
            shell: wildcheck_reports::shell::line(dialect.name(), pattern.bytes(), subject.bytes()),
            pattern,
            subject,
        })
    }

    fn ask(&mut self, mut oracle: Box<dyn Oracle>, grid: &Grid, under_test: bool) -> Result<Verdict, Failure> {
        let seen = oracle.observe(grid)?;
        let verdict = seen.verdict(0, 0);
        let live = oracle.identity().lane != wildcheck_tables::Lane::MEMORY;
        let kept = |outcome: Option<&Outcome>| outcome.filter(|_| live).cloned();
        self.answers.push(Said {
            oracle: oracle.identity().clone(),
            verdict,
            under_test,
            pattern: kept(seen.patterns.first()),
            subject: kept(seen.subjects.first()),
        });
        Ok(verdict)
    }

    /// Was the last answer lost on the way?
    fn lost(&self) -> bool {
        let outcomes = self.answers.last().into_iter().flat_map(|said| [&said.pattern, &said.subject]);
        outcomes.flatten().any(|outcome| matches!(outcome, Outcome::Lost(_)))
    }

    fn text(&self, paint: Paint) -> String {
        let mut out = String::new();
        let _ = writeln!(out, "{} pattern {:?} subject {:?}\n", self.dialect, self.pattern, self.subject);
        let width = self.answers.iter().map(|said| said.oracle.to_string().len()).max().unwrap_or(0);
        let reference = self.answers.first().map(|said| said.verdict);
        for said in &self.answers {
            let word = match said.verdict {
                Verdict::True => "match",
                Verdict::False => "no match",
                Verdict::Unsupported => "unsupported",
            };
            let word = format!("{word:<11}");
            let word = match reference == Some(said.verdict) {
                true => paint.good(&word),
                false => paint.bad(&word),
            };
            let detail = said.detail();
            let line = format!("  {:<width$}  {word}  {detail}", said.oracle.to_string());
            let _ = writeln!(out, "{}", line.trim_end());
        }
        let token = self.token.map(|t| format!(", {} token {t}", self.operand)).unwrap_or_default();
        let _ = writeln!(out, "\n  why: {}{token} [{}]", self.why, paint.bold(self.clause));
        if let Some(rule) = &self.rule {
            let _ = writeln!(out, "  rule: {rule}");
        }
        for refused in &self.refusals {
            let _ = writeln!(
                out,
                "\n  the {} rule refuses the {}: {} [{}]\n    {}\n    {}",
                refused.rule,
                refused.operand,
                refused.why,
                refused.clause,
                refused.text,
                paint.bad(&refused.caret)
            );
        }
        if let Some(shell) = &self.shell {
            let _ = writeln!(out, "\n  to see it yourself:\n  {}", paint.dim(shell));
        }
        let _ = writeln!(out, "\n{}", self.sentence());
        out
    }

    fn sentence(&self) -> String {
        let alone: Vec<String> = self
            .answers
            .iter()
            .filter(|said| {
                said.verdict.known().is_some() && Some(said.verdict) != self.answers.first().map(|s| s.verdict)
            })
            .map(|said| said.oracle.name.clone())
            .collect();
        match (self.agree, alone.is_empty()) {
            (_, true) if self.answers.iter().all(|said| said.verdict.known().is_some()) => "all agree".to_owned(),
            (None, true) => "the one under test has no answer".to_owned(),
            (Some(true), false) => format!("reference and the one under test agree; {} stands apart", alone.join(", ")),
            (_, false) => format!("{} stands apart from the reference", alone.join(", ")),
            (Some(_), true) => "those who have an answer agree".to_owned(),
        }
    }
}

impl Said {
    fn detail(&self) -> String {
        let (Some(pattern), Some(subject)) = (&self.pattern, &self.subject) else { return String::new() };
        let told = |what: &str, outcome: &Outcome| match outcome.words() {
            "" => format!("{what} {}", outcome.fate(false)),
            words => format!("{what} {} ({words})", outcome.fate(false)),
        };
        let delivered = if self.verdict == Verdict::True { "delivered" } else { "not delivered" };
        format!("{}, {}, {delivered}", told("subscription", pattern), told("publication", subject))
    }
}
