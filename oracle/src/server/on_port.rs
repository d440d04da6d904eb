//! A program of ours that listens where it is told to: on a free loopback port, ready when it takes a connection, ended
//! with its value.
//!
//! Must never listen beyond loopback and never wait without a bound.

use std::{
    io,
    net::{Ipv4Addr, SocketAddr, TcpStream},
    path::Path,
    process::Command,
    thread,
    time::{Duration, Instant},
};

use super::{
    child::{Guarded, how_it_ended, quoted},
    program,
};
use crate::{
    Interrupt, Options, OracleError,
    broker::{Broker, free_port},
};

/// Somebody else may take the free port first.
const TRIES: usize = 3;

/// The command, given a folder of its own and the port.
pub type Start = Box<dyn Fn(&Path, u16) -> io::Result<Command> + Send>;

/// How to start it, as often as needed.
pub struct Recipe {
    /// Its name, for errors.
    pub what: &'static str,
    /// The sentence that says how to get it.
    pub how: &'static str,
    /// Its command.
    pub command: Start,
    /// How long a start may take.
    pub timeout: Duration,
    /// Ctrl-C while it starts.
    pub interrupt: Interrupt,
}

impl Recipe {
    /// With the bounds of these options.
    pub fn new(what: &'static str, how: &'static str, command: Start, options: &Options) -> Recipe {
        Recipe { what, how, command, timeout: options.start_timeout, interrupt: options.interrupt.clone() }
    }

    fn unavailable(&self, why: String) -> OracleError {
        OracleError::Unavailable { what: self.what.to_owned(), why, how: self.how.to_owned() }
    }
}

/// It runs. Dropping it kills and reaps it.
pub struct OnPort {
    // Before `folder`: the process must be gone when its folder is removed.
    child: Guarded,
    addr: SocketAddr,
    _folder: tempfile::TempDir,
    recipe: Recipe,
}

impl OnPort {
    /// Starts it and waits until it takes a connection.
    ///
    /// # Errors
    /// [`OracleError::Unavailable`] with what it said; [`OracleError::Interrupted`].
    pub fn start(recipe: Recipe) -> Result<OnPort, OracleError> {
        let (child, addr, folder) = start(&recipe)?;
        Ok(OnPort { child, addr, _folder: folder, recipe })
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

impl Broker for OnPort {
    fn addr(&self) -> SocketAddr {
        self.addr
    }
    fn ended(&mut self, patience: Duration) -> Option<String> {
        let status = self.child.ended_within(patience)?;
        Some(format!("{}{}", how_it_ended(status), quoted(&self.child.said_to_the_end())))
    }
    fn again(&mut self) -> Result<(), OracleError> {
        let (child, addr, folder) = start(&self.recipe)?;
        (self.child, self.addr, self._folder) = (child, addr, folder);
        Ok(())
    }
}

type Started = (Guarded, SocketAddr, tempfile::TempDir);

fn start(recipe: &Recipe) -> Result<Started, OracleError> {
    let mut last = recipe.unavailable("no port is free".to_owned());
    for _ in 0..TRIES {
        match once(recipe) {
            Err(error @ OracleError::Unavailable { .. }) => last = error,
            other => return other,
        }
    }
    Err(last)
}

fn once(recipe: &Recipe) -> Result<Started, OracleError> {
    let told = |error: io::Error| recipe.unavailable(error.to_string());
    let folder = program::temp_dir()?;
    let port = free_port().map_err(told)?;
    let command = (recipe.command)(folder.path(), port)
        .map_err(|source| OracleError::Io { path: folder.path().to_owned(), source })?;
    let mut child = Guarded::spawn(command).map_err(told)?;
    let addr = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let deadline = Instant::now() + recipe.timeout;
    loop {
        if let Some(status) = child.ended() {
            return Err(recipe.unavailable(format!("{}{}", how_it_ended(status), quoted(&child.said_to_the_end()))));
        }
        if TcpStream::connect(addr).is_ok() {
            return Ok((child, addr, folder));
        }
        if recipe.interrupt.is_set() {
            return Err(OracleError::Interrupted);
        }
        if Instant::now() > deadline {
            let said = quoted(&child.said());
            return Err(recipe.unavailable(format!("not ready after {:?}{said}", recipe.timeout)));
        }
        thread::sleep(Duration::from_millis(5));
    }
}
