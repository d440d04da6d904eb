//! `adapter serve` and `adapter check`: be an adapter, check somebody's. Must never judge an adapter's verdicts.

use std::io::{self, BufReader, Write};

use wildcheck::exit::ExitCode;
use wildcheck_oracle::{Address, adapter};

use super::{args::Route, failure::Failure, session::Session, stdin::Stdin};

/// The options of `adapter`.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    /// Speak the adapter protocol on stdin and stdout for any oracle
    Serve(ServeArgs),
    /// Does a program keep the adapter protocol? One line a promise
    Check(CheckArgs),
}

#[derive(clap::Args)]
struct ServeArgs {
    /// Who answers
    #[arg(long, value_name = "ADDRESS", default_value = "reference")]
    oracle: Address,
    #[command(flatten)]
    route: Route,
}

#[derive(clap::Args)]
struct CheckArgs {
    /// The program and its arguments: 'exec:python3 my_matcher.py'
    #[arg(value_name = "exec:COMMAND")]
    program: String,
}

/// Runs it.
pub fn run(session: &mut Session, args: Args) -> Result<ExitCode, Failure> {
    match args.what {
        What::Serve(args) => {
            let mut oracle = session.open(&args.oracle, &args.route)?;
            let input = BufReader::new(Stdin::new().until(session.interrupt.clone()));
            match adapter::serve(&mut *oracle, input, io::stdout().lock()) {
                Ok(()) => Ok(ExitCode::Agree),
                Err(_) if session.interrupt.is_set() => Err(Failure::Interrupted),
                Err(error) => Err(Failure::stdout(error)),
            }
        }
        What::Check(args) => check(session, &args.program),
    }
}

fn check(session: &Session, program: &str) -> Result<ExitCode, Failure> {
    let checks = adapter::check(program, &session.options(None, Default::default()))?;
    let paint = session.talk.paint;
    let mut text = String::new();
    for check in &checks {
        let mark = if check.passed { paint.good("ok ") } else { paint.bad("NO ") };
        text.push_str(&format!("{mark} {:<24} {}\n", check.name, check.said));
    }
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(Failure::stdout)?;
    let broken = checks.iter().filter(|check| !check.passed).count();
    session.talk.say(&format!("{} of {} promises are kept", checks.len() - broken, checks.len()));
    // An adapter that breaks the protocol is exit 5.
    Ok(if broken == 0 { ExitCode::Agree } else { ExitCode::NoOracle })
}
