//! `completions SHELL`: the script of clap_complete on stdout. Must never list what the help does not.

use std::io::Write;

use wildcheck::exit::ExitCode;

use super::failure::Failure;

/// The options of `completions`.
#[derive(clap::Args)]
pub struct Args {
    /// For which shell
    shell: clap_complete::Shell,
}

/// Runs it.
pub fn run(mut command: clap::Command, args: Args) -> Result<ExitCode, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "wildcheck", &mut script);
    let mut out = std::io::stdout().lock();
    out.write_all(&script).and_then(|()| out.flush()).map_err(Failure::stdout)?;
    Ok(ExitCode::Agree)
}
