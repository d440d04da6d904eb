//! `report`: tell a recorded run, or the change between two. Must never ask an oracle.

use std::{io::Write, path::PathBuf};

use wildcheck::exit::ExitCode;
use wildcheck_reports::{Difference, Format, Summary};

use super::{failure::Failure, session::Session};

/// The options of `report`.
#[derive(clap::Args)]
pub struct Args {
    /// The folder of a run, or its record; the folder of `--out` when absent
    #[arg(value_name = "RUN")]
    run: Option<PathBuf>,
    /// Tell only what changed since this run; exit 3 when something that held then does not hold any more
    #[arg(long, value_name = "RUN")]
    against: Option<PathBuf>,
    /// md, json, csv, junit, html, sarif, tap, page, badge-json or badge-svg; with --against text or json
    #[arg(long, value_name = "F")]
    format: Option<String>,
}

/// Runs it.
pub fn run(session: &mut Session, args: Args) -> Result<ExitCode, Failure> {
    let run = args.run.unwrap_or_else(|| session.global.out.clone());
    let (text, code) = match args.against {
        None => {
            let format: Format = args.format.as_deref().unwrap_or("md").parse()?;
            (wildcheck_reports::render(&Summary::read(&run)?, format)?, ExitCode::Agree)
        }
        Some(against) => {
            let format = args.format.as_deref().unwrap_or("text");
            let change = Difference::between(&Summary::read(&against)?, &Summary::read(&run)?)?;
            let text = match format {
                "text" => change.text(),
                "json" => {
                    serde_json::to_string_pretty(&change).map_err(|error| Failure::Usage(error.to_string()))? + "\n"
                }
                other => {
                    return Err(Failure::Usage(format!("unknown format `{other}`; known with --against: text, json")));
                }
            };
            (text, if change.is_worse() { ExitCode::Drift } else { ExitCode::Agree })
        }
    };
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(Failure::stdout)?;
    Ok(code)
}
