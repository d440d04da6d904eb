//! A nats-server of our own with its MQTT listener: ready when that takes a connection.
//!
//! Must never be asked as a NATS server: its client port is open, on loopback, because it cannot be closed.

use std::{fs, path::Path, process::Command};

use super::{
    find::{Reach, find},
    on_port::{OnPort, Recipe},
};
use crate::{Options, OracleError};

const HOW: &str = "set WILDCHECK_NATS_SERVER to a nats-server that starts";

/// Finds it, starts it and waits until the listener takes a connection. Also tells its version.
///
/// # Errors
/// [`OracleError::Unavailable`] with how to get one; [`OracleError::Interrupted`].
pub fn start(version: Option<&str>, options: &Options) -> Result<(OnPort, String), OracleError> {
    let found = find(version, options, Reach::Download).found?;
    let said = found.version.clone();
    let command = move |folder: &Path, port: u16| {
        let path = folder.join("wildcheck.conf");
        fs::write(&path, config(port))?;
        let mut command = Command::new(&found.binary);
        command.args(["-a", "127.0.0.1", "-p", "-1", "-js", "-sd"]).arg(folder.join("store")).arg("-c").arg(path);
        Ok(command)
    };
    Ok((OnPort::start(Recipe::new("nats-server", HOW, Box::new(command), options))?, said))
}

/// MQTT sessions live in JetStream, and that wants a name.
fn config(port: u16) -> String {
    format!("server_name: wildcheck\nmqtt {{ listen: \"127.0.0.1:{port}\" }}\n")
}
