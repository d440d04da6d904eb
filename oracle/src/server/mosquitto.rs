//! A mosquitto of our own: started on a free loopback port, ready when it takes a connection, ended with its value.
//!
//! Must never listen beyond loopback, never wait without a bound, and never change its user: that would end the signal
//! by which it dies with us.

use std::{
    fs,
    net::{Ipv4Addr, SocketAddr, TcpStream},
    path::PathBuf,
    process::Command,
    thread,
    time::{Duration, Instant},
};

use super::{
    child::{Guarded, how_it_ended, quoted},
    program,
};
use crate::{
    Options, OracleError,
    broker::{Broker, free_port},
};

const HOW: &str = "install the package mosquitto (make brokers), or set WILDCHECK_MOSQUITTO to one that starts";
/// Somebody else may take the free port first.
const TRIES: usize = 3;

/// A running broker. Dropping it kills and reaps it.
#[derive(Debug)]
pub struct Mosquitto {
    // Before `folder`: the process must be gone when its folder is removed.
    child: Guarded,
    addr: SocketAddr,
    _folder: tempfile::TempDir,
    binary: PathBuf,
    how: (Duration, crate::Interrupt),
}

impl Mosquitto {
    /// Finds it, checks its version, starts it and waits until it takes a connection.
    ///
    /// # Errors
    /// [`OracleError::Unavailable`] with what it said; [`OracleError::Interrupted`].
    pub fn start(version: Option<&str>, options: &Options) -> Result<Mosquitto, OracleError> {
        let binary = program::find("mosquitto", "WILDCHECK_MOSQUITTO").map_err(unavailable)?;
        if let Some(wanted) = version {
            let said = program::first_line(&binary, &["-h"]).map_err(unavailable)?;
            if said.strip_prefix("mosquitto version ") != Some(wanted) {
                return Err(unavailable(format!("version {wanted} is not here, this is {said}")));
            }
        }
        Mosquitto::run(binary, (options.start_timeout, options.interrupt.clone()))
    }

    fn run(binary: PathBuf, how: (Duration, crate::Interrupt)) -> Result<Mosquitto, OracleError> {
        let mut last = unavailable("no port is free".to_owned());
        for _ in 0..TRIES {
            match Mosquitto::once(&binary, &how) {
                Err(error @ OracleError::Unavailable { .. }) => last = error,
                other => return other,
            }
        }
        Err(last)
    }

    fn once(binary: &PathBuf, how: &(Duration, crate::Interrupt)) -> Result<Mosquitto, OracleError> {
        let folder = program::temp_dir()?;
        let port = free_port().map_err(|error| unavailable(error.to_string()))?;
        let path = folder.path().join("mosquitto.conf");
        fs::write(&path, config(port)).map_err(|source| OracleError::Io { path: path.clone(), source })?;
        let mut command = Command::new(binary);
        command.arg("-c").arg(&path);
        let mut child = Guarded::spawn(command).map_err(|error| unavailable(error.to_string()))?;
        let addr = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let deadline = Instant::now() + how.0;
        loop {
            if let Some(status) = child.ended() {
                return Err(unavailable(format!("{}{}", how_it_ended(status), quoted(&child.said_to_the_end()))));
            }
            if TcpStream::connect(addr).is_ok() {
                return Ok(Mosquitto { child, addr, _folder: folder, binary: binary.clone(), how: how.clone() });
            }
            if how.1.is_set() {
                return Err(OracleError::Interrupted);
            }
            if Instant::now() > deadline {
                return Err(unavailable(format!("not ready after {:?}{}", how.0, quoted(&child.said()))));
            }
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Where clients connect.
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// The process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Broker for Mosquitto {
    fn addr(&self) -> SocketAddr {
        self.addr
    }
    fn ended(&mut self, patience: Duration) -> Option<String> {
        let status = self.child.ended_within(patience)?;
        Some(format!("{}{}", how_it_ended(status), quoted(&self.child.said_to_the_end())))
    }
    fn again(&mut self) -> Result<(), OracleError> {
        *self = Mosquitto::run(self.binary.clone(), self.how.clone())?;
        Ok(())
    }
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
