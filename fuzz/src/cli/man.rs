//! `man`: the manual page (roff) on stdout, every command in it. Must never say more than the help does.

use std::io::{self, Write};

use clap_mangen::Man;
use wildcheck::exit::ExitCode;

use super::failure::Failure;

/// Runs it.
pub fn run(mut command: clap::Command) -> Result<ExitCode, Failure> {
    command.build();
    let page = page(&command).map_err(Failure::stdout)?;
    let mut out = io::stdout().lock();
    out.write_all(&page).and_then(|()| out.flush()).map_err(Failure::stdout)?;
    Ok(ExitCode::Agree)
}

fn page(command: &clap::Command) -> io::Result<Vec<u8>> {
    let main = Man::new(command.clone());
    let mut page = Vec::new();
    main.render_title(&mut page)?;
    main.render_name_section(&mut page)?;
    main.render_synopsis_section(&mut page)?;
    main.render_description_section(&mut page)?;
    main.render_options_section(&mut page)?;
    for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
        writeln!(page, ".SH {}", sub.get_name().to_uppercase())?;
        let mut section = Vec::new();
        let own = Man::new(without_global(sub));
        own.render_synopsis_section(&mut section)?;
        own.render_description_section(&mut section)?;
        own.render_options_section(&mut section)?;
        // One level down: sections of a command are subsections of the page.
        page.extend(String::from_utf8_lossy(&section).replace("\n.SH ", "\n.SS ").bytes());
    }
    main.render_extra_section(&mut page)?;
    Ok(page)
}

/// The options that every command takes are told once.
fn without_global(command: &clap::Command) -> clap::Command {
    command.clone().mut_args(|arg| if arg.is_global_set() { arg.hide(true) } else { arg })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn every_command_has_a_section() {
        let mut command = crate::cli::Cli::command();
        command.build();
        let page = String::from_utf8(super::page(&command).unwrap()).unwrap();
        for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
            assert!(page.contains(&format!("\n.SH {}\n", sub.get_name().to_uppercase())), "{}", sub.get_name());
        }
        assert!(page.contains(".SS SYNOPSIS") && page.contains("130"));
    }
}
