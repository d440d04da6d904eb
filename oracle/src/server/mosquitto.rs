//! A mosquitto of our own. Must never change its user: that would end the signal by which it dies with us.

use std::{fs, process::Command};

use super::{
    on_port::{OnPort, Recipe},
    program,
};
use crate::{Options, OracleError};

const HOW: &str = "install the package mosquitto (make brokers), or set WILDCHECK_MOSQUITTO to one that starts";

/// Finds it, checks its version, starts it and waits until it takes a connection.
///
/// # Errors
/// [`OracleError::Unavailable`] with what it said; [`OracleError::Interrupted`].
pub fn start(version: Option<&str>, options: &Options) -> Result<OnPort, OracleError> {
    let binary = program::find("mosquitto", "WILDCHECK_MOSQUITTO").map_err(unavailable)?;
    if let Some(wanted) = version {
        let said = program::first_line(&binary, &["-h"]).map_err(unavailable)?;
        if said.strip_prefix("mosquitto version ") != Some(wanted) {
            return Err(unavailable(format!("version {wanted} is not here, this is {said}")));
        }
    }
    let command = move |folder: &std::path::Path, port: u16| {
        let path = folder.join("mosquitto.conf");
        fs::write(&path, config(port))?;
        let mut command = Command::new(&binary);
        command.arg("-c").arg(path);
        Ok(command)
    };
    OnPort::start(Recipe::new("mosquitto", HOW, Box::new(command), options))
}

fn unavailable(why: String) -> OracleError {
    OracleError::Unavailable { what: "mosquitto".to_owned(), why, how: HOW.to_owned() }
}

/// Nothing is kept, nothing is dropped, every matching subscription gets its copy.
fn config(port: u16) -> String {
    let user = if rustix::process::geteuid().is_root() { "user root\n" } else { "" };
    format!(
        "listener {port} 127.0.0.1\nallow_anonymous true\npersistence false\nallow_duplicate_messages true\n\
         max_queued_messages 0\nmax_queued_bytes 0\nlog_dest stderr\nlog_type error\nlog_type warning\n{user}"
    )
}
