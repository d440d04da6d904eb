//! `man`: the manual page (roff) on stdout, every command in it. Must never say more than the help does.

use std::io::Write;

use wildcheck::exit::ExitCode;

use super::failure::Failure;

/// Runs it.
pub fn run(mut command: clap::Command) -> Result<ExitCode, Failure> {
    command.build();
    let mut page = Vec::new();
    let wrote = clap_mangen::Man::new(command.clone()).render(&mut page);
    let mut out = std::io::stdout().lock();
    wrote.and_then(|()| out.write_all(&page)).and_then(|()| out.flush()).map_err(Failure::stdout)?;
    Ok(ExitCode::Agree)
}
