//! Claims about nats-server, whose probes are programs: each on a server of its own. Must never ask a server that runs.

use std::path::PathBuf;

use wildcheck_oracle::{
    Address, OracleError,
    probe::library,
    require,
    server::{self, Reach},
};
use wildcheck_tables::{Lane, row::Claim};

use crate::cli::{failure::Failure, session::Session};

/// The client libraries that these claims speak of and that cannot be had here, and why.
///
/// # Errors
/// [`require::CLIENTS`] is required; or it was interrupted.
pub fn absent(session: &Session, claims: &[Claim]) -> Result<Vec<(Lane, String)>, Failure> {
    let mut absent = Vec::new();
    for lane in library::LANES {
        if !claims.iter().any(|claim| claim.lane == lane) {
            continue;
        }
        match library::driver(&lane, &session.interrupt) {
            Ok(_) => {}
            Err(error @ OracleError::Unavailable { .. }) if !require::requires(require::CLIENTS) => {
                absent.push((lane, error.to_string()));
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(absent)
}

/// The program behind an address, and its version.
pub fn server(session: &Session, address: &Address) -> Result<(PathBuf, String), Failure> {
    let wanted = match address {
        Address::Auto => None,
        Address::Process { program, version } if program == "nats-server" => version.as_deref(),
        other => {
            return Err(Failure::Usage(format!(
                "each probe has a server of its own, so `{other}` cannot be asked; give process:nats-server@VERSION"
            )));
        }
    };
    let found = server::find(wanted, &session.options(None, Default::default()), Reach::Download).found?;
    Ok((found.binary, found.version))
}
