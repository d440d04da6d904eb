//! `translate`: a pattern of one dialect said in another. Must never call exact what is not.

use std::{fmt::Write as _, io::Write as _};

use wildcheck::exit::ExitCode;
use wildcheck_matcher::{Translation, across::Both, translate};
use wildcheck_tables::Operand;

use super::{
    args::operand,
    failure::Failure,
    session::{Session, named},
};

/// The options of `translate`.
#[derive(clap::Args)]
#[command(
    after_help = "Exit 0: said exactly, by one pattern or several; 1: nearly, and a subject shows the difference; \
                        2: the pattern is refused; 4: it cannot be said."
)]
pub struct Args {
    /// What is subscribed to; \xNN is a byte
    #[arg(value_parser = operand())]
    pattern: Operand,
    /// The dialect of the pattern
    #[arg(long, value_name = "DIALECT")]
    from: String,
    /// The dialect to say it in
    #[arg(long, value_name = "DIALECT")]
    to: String,
}

/// Runs it.
pub fn run(_: &mut Session, args: Args) -> Result<ExitCode, Failure> {
    let (from, to) = (named(&args.from)?, named(&args.to)?);
    let (text, code) = match translate(from, to, args.pattern.bytes()) {
        Translation::Refused(refusal) => {
            return Err(Failure::Usage(format!("{} refuses {:?}: {refusal}", from.name(), args.pattern)));
        }
        Translation::NoFiniteForm { reason } => {
            return Err(Failure::Nothing(format!("no finite form in {}: {reason}", to.name())));
        }
        Translation::Exact(pattern) => (format!("{}\n  exact\n", shown(&pattern)), ExitCode::Agree),
        Translation::NeedsSeveral(patterns) => {
            let text = format!("{}  exact, together; a subject may be in several of them\n", listed(&patterns));
            (text, ExitCode::Agree)
        }
        Translation::Inexact { patterns, lost, gained, reserved_only } => {
            let mut text = listed(&patterns);
            text.push_str(match reserved_only {
                true => "  not exact, on names only that one of them keeps from wildcards\n",
                false => "  not exact\n",
            });
            for (word, both) in [("lost", lost), ("gained", gained)] {
                let Some(Both { from: left, to: right }) = both else { continue };
                let (left, right) = (shown(&left), shown(&right));
                let _ = writeln!(text, "  {word:<7} {left} in {}, {right} in {}", from.name(), to.name());
            }
            (text, ExitCode::Disagreement)
        }
    };
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(Failure::stdout)?;
    Ok(code)
}

fn listed(patterns: &[Vec<u8>]) -> String {
    patterns.iter().map(|pattern| format!("{}\n", shown(pattern))).collect()
}

/// As it can be typed again.
fn shown(operand: &[u8]) -> String {
    Operand::from(operand).to_string()
}
