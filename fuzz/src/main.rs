//! The command line. Must never decide anything: it parses, calls the library and turns the outcome into an exit code.

mod cli;
mod record;

fn main() -> std::process::ExitCode {
    cli::main()
}
