//! A nats-server of our own: started on a free loopback port, ready when it says INFO, ended with its value.
//!
//! Must never listen beyond loopback, and never wait without a bound.

use std::{
    fs,
    io::Write,
    net::SocketAddr,
    path::{Path, PathBuf},
    process::Command,
    thread,
    time::{Duration, Instant},
};

use serde::Deserialize;

use super::{
    child::{Guarded, how_it_ended, quoted},
    program::temp_dir,
};
use crate::{Interrupt, OracleError};

/// How to start one.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The program.
    pub binary: PathBuf,
    /// With a monitor port (`/subsz`).
    pub monitor: bool,
    /// With JetStream, its store in a folder that goes with the server. Off, `$JS.API` subjects are quiet.
    pub jetstream: bool,
    /// Lines of a configuration file.
    pub config: String,
    /// How long the start may take.
    pub timeout: Duration,
    /// Ctrl-C while it starts.
    pub interrupt: Interrupt,
}

impl Setup {
    /// The server as it comes.
    pub fn new(binary: impl Into<PathBuf>) -> Setup {
        Setup {
            binary: binary.into(),
            monitor: false,
            jetstream: false,
            config: String::new(),
            timeout: Duration::from_secs(30),
            interrupt: Interrupt::new(),
        }
    }
}

/// A running server. Dropping it kills and reaps it.
#[derive(Debug)]
pub struct NatsServer {
    // Before `store`: the process must be gone when its folder is removed.
    child: Guarded,
    addr: SocketAddr,
    monitor: Option<SocketAddr>,
    cluster: Option<SocketAddr>,
    _store: Option<tempfile::TempDir>,
}

/// What `--ports_file_dir` writes.
#[derive(Deserialize)]
struct Ports {
    nats: Vec<String>,
    #[serde(default)]
    monitoring: Vec<String>,
    #[serde(default)]
    cluster: Vec<String>,
}

impl NatsServer {
    /// Starts it and waits until its port is known and answers.
    ///
    /// # Errors
    /// [`OracleError::Unavailable`] with what the server said when it ended or took too long;
    /// [`OracleError::Interrupted`].
    pub fn start(setup: &Setup) -> Result<NatsServer, OracleError> {
        let what = setup.binary.display().to_string();
        let unavailable = |why: String| OracleError::Unavailable {
            what: what.clone(),
            why,
            how: "set WILDCHECK_NATS_SERVER to a nats-server that starts".to_owned(),
        };
        // The server reads and writes this folder only while it starts.
        let folder = temp_dir()?;
        let mut command = Command::new(&setup.binary);
        command.args(["-a", "127.0.0.1", "-p", "-1", "--ports_file_dir"]).arg(folder.path());
        if setup.monitor {
            command.args(["-m", "-1"]);
        }
        let store = if setup.jetstream { Some(temp_dir()?) } else { None };
        if let Some(store) = &store {
            command.args(["-js", "-sd"]).arg(store.path());
        }
        if !setup.config.is_empty() {
            let path = folder.path().join("wildcheck.conf");
            let written = fs::File::create(&path).and_then(|mut f| f.write_all(setup.config.as_bytes()));
            written.map_err(|source| OracleError::Io { path: path.clone(), source })?;
            command.arg("-c").arg(path);
        }
        let mut child = Guarded::spawn(command).map_err(|error| unavailable(error.to_string()))?;
        let deadline = Instant::now() + setup.timeout;
        loop {
            if let Some(ports) = read_ports(folder.path()) {
                let addr = ports.nats.first().and_then(|url| loopback(url));
                let monitor = ports.monitoring.first().and_then(|url| loopback(url));
                let Some(addr) = addr else {
                    return Err(unavailable(format!("its ports file names no loopback address: {:?}", ports.nats)));
                };
                let cluster = ports.cluster.first().and_then(|url| loopback(url));
                return Ok(NatsServer { child, addr, monitor, cluster, _store: store });
            }
            if let Some(status) = child.ended() {
                return Err(unavailable(format!("{}{}", how_it_ended(status), quoted(&child.said_to_the_end()))));
            }
            if setup.interrupt.is_set() {
                return Err(OracleError::Interrupted);
            }
            if Instant::now() > deadline {
                return Err(unavailable(format!("not ready after {:?}{}", setup.timeout, quoted(&child.said()))));
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Where clients connect.
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// Where the monitor answers, if it was asked for.
    pub fn monitor(&self) -> Option<SocketAddr> {
        self.monitor
    }

    /// Where other servers of its cluster connect, if its configuration lets them.
    pub fn cluster(&self) -> Option<SocketAddr> {
        self.cluster
    }

    /// Where leaf nodes connect, if its configuration lets them. No release tells it but in its log.
    pub fn leafnodes(&self) -> Option<SocketAddr> {
        let said = self.child.said();
        let (_, rest) = said.split_once("Listening for leafnode connections on ")?;
        rest.lines().next()?.trim().parse().ok()
    }

    /// The process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// How it ended, if it did, with its last words. Waits `patience` for that.
    pub fn ended(&mut self, patience: Duration) -> Option<String> {
        let status = self.child.ended_within(patience)?;
        Some(format!("{}{}", how_it_ended(status), quoted(&self.child.said_to_the_end())))
    }
}

/// The file is written in one go under its final name, so a half one fails to parse and is read again.
fn read_ports(folder: &Path) -> Option<Ports> {
    let file = fs::read_dir(folder).ok()?.flatten().find(|f| f.path().extension().is_some_and(|e| e == "ports"))?;
    serde_json::from_slice(&fs::read(file.path()).ok()?).ok()
}

fn loopback(url: &str) -> Option<SocketAddr> {
    let (_, addr) = url.split_once("://")?;
    addr.parse().ok().filter(|addr: &SocketAddr| addr.ip().is_loopback())
}
