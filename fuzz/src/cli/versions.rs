//! `versions`: the releases of nats-server that can be had, and those that are here. Must never download one.

use std::io::Write;

use wildcheck::exit::ExitCode;
use wildcheck_oracle::server::find::{cached, list_releases};

use super::{failure::Failure, session::Session};

/// Runs it.
pub fn run(session: &mut Session) -> Result<ExitCode, Failure> {
    let options = session.options(None, Default::default());
    let here = cached(&options);
    let (releases, code) = match list_releases(&options) {
        Ok((releases, note)) => {
            if let Some(note) = note {
                session.talk.say(&format!("the list is of an earlier day: {note}"));
            }
            (releases, ExitCode::Agree)
        }
        Err(error) => {
            super::talk::complain(&error.to_string());
            (here.clone(), ExitCode::NoOracle)
        }
    };
    let mut text = String::new();
    for version in &releases {
        text.push_str(version);
        text.push_str(if here.contains(version) { "\tcached\n" } else { "\n" });
    }
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(Failure::stdout)?;
    Ok(code)
}
