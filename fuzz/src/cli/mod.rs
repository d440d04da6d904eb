//! The `wildcheck` command: what can be typed, and which file answers it. Must never hold a command's own logic.

mod adapter;
mod adequacy;
mod args;
mod asked;
mod audit;
mod bisect;
mod bounded;
mod capabilities;
mod certify;
mod check;
mod clock;
mod compare;
mod completions;
mod configured;
mod cost;
mod desk;
mod doctor;
mod explain;
mod failure;
mod fuzz;
mod judge;
mod judge_csv;
mod lint;
mod man;
mod mark;
mod matrix;
mod minimize;
mod outside;
mod referee;
mod regen;
mod render;
mod report;
mod run;
mod session;
mod side;
mod stdin;
mod talk;
mod told;
mod translate;
mod versions;

use std::{
    panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind},
    sync::Arc,
};

use clap::{CommandFactory, Parser, Subcommand};
use wildcheck::exit::ExitCode;

use self::{args::Global, failure::Failure, session::Session};

/// Differential testing and fuzzing of message-broker pattern matching: a reference matcher, a live broker and a naive
/// approximation are asked the same questions.
#[derive(Parser)]
#[command(name = "wildcheck", version, max_term_width = 120, after_help = exit_help())]
pub struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Can I work here? One line for each thing, and what `auto` means here
    Doctor,
    /// Does every row of the tables hold on these oracles, and is a bounded scope free of disagreement?
    Run(run::Args),
    /// Do they agree on this pair, and why: reference, server, naive, clause, a line to paste
    Check(check::Args),
    /// Is there any disagreement in this whole scope? Every pattern x every subject, live
    Certify(certify::Args),
    /// What does random search find beyond a scope?
    Fuzz(fuzz::Args),
    /// The smallest pair with the same disagreement
    Minimize(minimize::Args),
    /// What a cause code means, or which clause decides a pair and at which token
    Explain(explain::Args),
    /// Tell a recorded run, or the change between two
    Report(report::Args),
    /// `operation,left,right` CSV on stdin, the same plus `verdict` on stdout
    Judge(judge::Args),
    /// Rewrite the measured columns of the tables from live answers
    Regen(regen::Args),
    /// Which claims about a backend are true, by which lane, of this version?
    Audit(audit::Args),
    /// Every row and every claim against many releases, and where an answer flips
    Matrix(matrix::Args),
    /// The releases of nats-server that can be had, and those that are here
    Versions,
    /// Do the tables keep their rules?
    Lint,
    /// Which wrong matchers do the rows refute by themselves, and which rows refute nobody?
    Adequacy(adequacy::Args),
    /// A pattern of one dialect said in another: exactly, or with a subject that shows the difference
    Translate(translate::Args),
    /// A pattern in several dialects against one list of subjects: who gets what
    Compare(compare::Args),
    /// What each dialect can express, with the clauses that say so
    Capabilities,
    /// Be an adapter for any oracle, or check somebody's
    Adapter(adapter::Args),
    /// Print a completion script
    Completions(completions::Args),
    /// Print the manual page
    Man,
}

impl Command {
    fn name(&self) -> &'static str {
        match self {
            Command::Doctor => "doctor",
            Command::Audit(_) => "audit",
            Command::Matrix(_) => "matrix",
            Command::Versions => "versions",
            Command::Run(_) => "run",
            Command::Check(_) => "check",
            Command::Certify(_) => "certify",
            Command::Fuzz(_) => "fuzz",
            Command::Minimize(_) => "minimize",
            Command::Explain(_) => "explain",
            Command::Judge(_) => "judge",
            Command::Report(_) => "report",
            Command::Regen(_) => "regen",
            Command::Lint => "lint",
            Command::Adequacy(_) => "adequacy",
            Command::Translate(_) => "translate",
            Command::Compare(_) => "compare",
            Command::Capabilities => "capabilities",
            Command::Adapter(_) => "adapter",
            Command::Completions(_) => "completions",
            Command::Man => "man",
        }
    }
}

/// Parses the process's arguments, runs the command, and answers with its exit code.
pub fn main() -> std::process::ExitCode {
    let code = match Cli::try_parse() {
        Ok(cli) => guarded(|| dispatch(cli)),
        Err(error) => {
            // Help and version are data: a full disk under them is exit 74 like everywhere else.
            let usage = error.use_stderr();
            match error.print() {
                Err(_) if !usage => ExitCode::Output,
                _ if usage => ExitCode::Usage,
                _ => ExitCode::Agree,
            }
        }
    };
    code.into()
}

/// Runs the command; a panic is our bug, said in one sentence. Unwinding drops the servers.
fn guarded(run: impl FnOnce() -> ExitCode) -> ExitCode {
    let hook: Arc<dyn Fn(&PanicHookInfo<'_>) + Sync + Send> = Arc::from(std::panic::take_hook());
    let backtrace = std::env::var_os("RUST_BACKTRACE").map(|_| hook.clone());
    std::panic::set_hook(Box::new(move |info| {
        if let Some(hook) = &backtrace {
            hook(info);
        }
        let text = info.payload_as_str().unwrap_or("no message");
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        talk::complain(&format!("a bug in wildcheck: {text} ({place}); RUST_BACKTRACE=1 shows more"));
    }));
    let outcome = catch_unwind(AssertUnwindSafe(run));
    std::panic::set_hook(Box::new(move |info| hook(info)));
    outcome.unwrap_or(ExitCode::Internal)
}

fn dispatch(cli: Cli) -> ExitCode {
    let name = cli.command.name();
    let outcome = Session::new(cli.global, name).and_then(|mut session| match cli.command {
        Command::Doctor => doctor::run(&mut session),
        Command::Audit(args) => audit::run(&mut session, args),
        Command::Matrix(args) => matrix::run(&mut session, args),
        Command::Versions => versions::run(&mut session),
        Command::Run(args) => run::run(&mut session, args),
        Command::Check(args) => check::run(&mut session, args),
        Command::Certify(args) => certify::run(&mut session, args),
        Command::Fuzz(args) => fuzz::run(&mut session, args),
        Command::Minimize(args) => minimize::run(&mut session, args),
        Command::Explain(args) => explain::run(&mut session, args),
        Command::Report(args) => report::run(&mut session, args),
        Command::Judge(args) => judge::run(&mut session, args),
        Command::Regen(args) => regen::run(&mut session, args),
        Command::Lint => lint::run(&mut session),
        Command::Adequacy(args) => adequacy::run(&mut session, args),
        Command::Translate(args) => translate::run(&mut session, args),
        Command::Compare(args) => compare::run(&mut session, args),
        Command::Capabilities => capabilities::run(&mut session),
        Command::Adapter(args) => adapter::run(&mut session, args),
        Command::Completions(args) => completions::run(Cli::command(), args),
        Command::Man => man::run(Cli::command()),
    });
    outcome.unwrap_or_else(|failure: Failure| {
        talk::complain(&failure.to_string());
        failure.code()
    })
}

fn exit_help() -> String {
    let mut text = String::from("Exit codes:\n");
    let mut codes = ExitCode::PRECEDENCE;
    codes.sort_by_key(|code| *code as u8);
    for code in codes {
        text.push_str(&format!("  {:>3}  {}\n", code as u8, code.meaning()));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definitions_hold_together() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_panic_is_exit_70() {
        assert_eq!(guarded(|| panic!("on purpose")), ExitCode::Internal);
    }
}
