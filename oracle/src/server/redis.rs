//! A redis-server of our own, which keeps nothing and drops nobody. Must never write outside its folder.

use std::{path::Path, process::Command};

use super::{
    on_port::{OnPort, Recipe},
    program,
};
use crate::{Options, OracleError};

/// The environment variable that names the program.
pub const VARIABLE: &str = "WILDCHECK_REDIS";
const HOW: &str = "install the package redis-server (make brokers), or set WILDCHECK_REDIS to one that starts";

/// What is here: where, and what it says it is.
///
/// # Errors
/// A fragment.
pub fn here() -> Result<String, String> {
    let binary = program::find("redis-server", VARIABLE)?;
    let line = program::first_line(&binary, &["--version"])?;
    Ok(format!("{} at {}", line.split(" sha=").next().unwrap_or(&line), binary.display()))
}

/// Finds it, starts it and waits until it takes a connection.
///
/// # Errors
/// [`OracleError::Unavailable`] with what it said; [`OracleError::Interrupted`].
pub fn start(version: Option<&str>, options: &Options) -> Result<OnPort, OracleError> {
    let unavailable = |why| OracleError::Unavailable { what: "redis-server".to_owned(), why, how: HOW.to_owned() };
    let binary = program::find("redis-server", VARIABLE).map_err(unavailable)?;
    if let Some(wanted) = version {
        let said = program::first_line(&binary, &["--version"]).map_err(unavailable)?;
        if !said.split(' ').any(|word| word.strip_prefix("v=") == Some(wanted)) {
            return Err(unavailable(format!("version {wanted} is not here, this is {said}")));
        }
    }
    let command = move |folder: &Path, port: u16| {
        let mut command = Command::new(&binary);
        command.args(["--bind", "127.0.0.1", "--port", &port.to_string(), "--daemonize", "no"]);
        command.args(["--save", "", "--appendonly", "no", "--dir"]).arg(folder);
        // A reader that lags is not cut off.
        command.args(["--client-output-buffer-limit", "pubsub 0 0 0", "--loglevel", "warning"]);
        Ok(command)
    };
    OnPort::start(Recipe::new("redis-server", HOW, Box::new(command), options))
}
