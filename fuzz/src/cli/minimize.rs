//! `minimize PATTERN SUBJECT`: the smallest pair with the same disagreement. Must never turn one disagreement into
//! another.

use std::io::Write;

use wildcheck::{
    Disagreement, classify,
    exit::ExitCode,
    witness::{Suspect, settle},
};
use wildcheck_oracle::Oracle;
use wildcheck_tables::{Grid, Operand, event::WitnessRecord};

use super::{
    args::{Live, operand},
    bounded,
    check::Format,
    failure::Failure,
    session::Session,
    told,
};

/// The options of `minimize`.
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

/// Runs it.
pub fn run(session: &mut Session, args: Args) -> Result<ExitCode, Failure> {
    let session = &*session;
    let baseline = session.tables()?.baseline;
    let mut witnesses: Vec<WitnessRecord> = Vec::new();
    for (_, oracle) in bounded::open_all(session, &args.live)? {
        let mut trio = bounded::trio(session, oracle, baseline.clone())?;
        let grid = Grid::pair(session.dialect.name(), args.pattern.bytes(), args.subject.bytes());
        let ask = |oracle: &mut dyn Oracle| -> Result<Option<bool>, Failure> {
            Ok(oracle.observe(&grid)?.verdict(0, 0).known())
        };
        let Some(reference) = ask(&mut *trio.reference)? else { continue };
        let mut suspects = Vec::new();
        if let Some(oracle) = trio.under_test.as_deref_mut()
            && ask(oracle)?.is_some_and(|verdict| verdict != reference)
        {
            suspects.push(Suspect::UnderTest);
        }
        if ask(&mut *trio.naive)?.is_some_and(|verdict| verdict != reference) {
            suspects.push(Suspect::Naive);
        }
        let smallest = Disagreement { pattern: args.pattern.clone(), subject: args.subject.clone(), reference };
        for suspect in suspects {
            let mutant = classify::explain(session.dialect, &smallest).first().copied();
            let named = classify::Named { mutant, count: 1, smallest: smallest.clone() };
            let witness = settle(session.dialect, &named, suspect, &mut trio)?;
            if !witnesses.contains(&witness) {
                witnesses.push(witness);
            }
        }
    }
    if witnesses.is_empty() {
        let (pattern, subject) = (&args.pattern, &args.subject);
        return Err(Failure::Nothing(format!("nobody disagrees on pattern {pattern:?} subject {subject:?}")));
    }
    let text = match args.format {
        Format::Json => serde_json::to_string_pretty(&witnesses).map_err(|e| Failure::stdout(e.into()))? + "\n",
        Format::Text => witnesses.iter().map(shown).collect(),
    };
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(Failure::stdout)?;
    let new = witnesses.iter().any(|witness| !witness.known && witness.alone != "naive");
    Ok(if new { ExitCode::Disagreement } else { ExitCode::Agree })
}

fn shown(witness: &WitnessRecord) -> String {
    let mut text = format!("{}\n  {}\n", told::witness(witness), witness.statement);
    for answer in &witness.answers {
        text.push_str(&format!("  {:<12} {}\n", answer.oracle, answer.verdict));
    }
    if !witness.shell.is_empty() {
        text.push_str(&format!("  to see it yourself:\n{}\n", witness.shell));
    }
    text
}
