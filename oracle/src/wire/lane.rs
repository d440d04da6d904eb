//! The lanes `wire` and `wire-pedantic` as an oracle: a server, the version it tells, and what happens when it dies.
//!
//! Must never start a second server silently, and never touch one that is not ours.

use std::{
    io::{self, ErrorKind},
    net::SocketAddr,
    time::Duration,
};

use wildcheck_tables::{Grid, Identity, Lane, Observations};

use super::{ask::Ask, connection::Connection, write::Connect};
use crate::{
    Options, Oracle, OracleError, Plan,
    again::{keep, lost_once},
    server::{NatsServer, Setup},
};

/// Who answers.
pub enum Host {
    /// A server of ours, and how to start it again.
    Own(Box<NatsServer>, Setup),
    /// A server that runs without us, or whose keeper is in the box (a container).
    Foreign(SocketAddr, Box<dyn Send>),
}

impl Host {
    fn addr(&self) -> SocketAddr {
        match self {
            Host::Own(server, _) => server.addr(),
            Host::Foreign(addr, _) => *addr,
        }
    }
}

/// A NATS server on the wire.
pub struct WireLane {
    host: Host,
    connect: Connect,
    plan: Plan,
    prefix: Vec<u8>,
    identity: Identity,
    options: Options,
    restarted: bool,
    findings: Vec<String>,
}

impl WireLane {
    /// Connects once to read the version. `prefix` stands before every operand on the wire.
    ///
    /// # Errors
    /// No NATS server answers there.
    pub fn new(
        address: &str,
        host: Host,
        mut connect: Connect,
        prefix: &str,
        options: &Options,
    ) -> Result<WireLane, OracleError> {
        let lane = options.lane.clone().unwrap_or(Lane::WIRE);
        connect.pedantic = lane == Lane::WIRE_PEDANTIC;
        let mut identity = identify(address, host.addr(), &connect, options)?;
        identity.lane = lane;
        if !prefix.is_empty() {
            identity.remarks.push(format!(
                "asked under the prefix {prefix}: a question about the first token, or a bare wildcard, is asked there"
            ));
        }
        Ok(WireLane {
            host,
            connect,
            plan: options.plan,
            prefix: prefix.as_bytes().to_vec(),
            identity,
            options: options.clone(),
            restarted: false,
            findings: Vec::new(),
        })
    }

    /// The same, but lost at once when the server is lost: whoever holds the lane starts it again.
    #[must_use]
    pub fn once(mut self) -> WireLane {
        self.restarted = true;
        self
    }

    fn ask(&self, grid: &Grid) -> io::Result<Observations> {
        let ask = Ask {
            addr: self.host.addr(),
            connect: &self.connect,
            plan: self.plan,
            prefix: &self.prefix,
            interrupt: &self.options.interrupt,
        };
        ask.grid(grid)
    }

    /// After a lost connection: once in a run the server is started again, or the connection opened anew.
    fn again(&mut self, why: &io::Error, grid: &Grid) -> Result<(), OracleError> {
        let ended = match &mut self.host {
            Host::Own(server, _) => server.ended(Duration::from_millis(500)),
            Host::Foreign(..) => None,
        };
        let why = ended.map_or_else(|| why.to_string(), |how| format!("{why}; the server {how}"));
        if self.restarted {
            let kept = keep(grid, self.options.keep.clone())?;
            return Err(OracleError::Lost { what: self.identity.to_string(), why, kept: Some(kept) });
        }
        self.restarted = true;
        if let Host::Own(server, setup) = &mut self.host {
            **server = NatsServer::start(setup)?;
        }
        self.findings.push(lost_once(&self.identity.to_string(), &why));
        Ok(())
    }
}

impl Oracle for WireLane {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn observe(&mut self, grid: &Grid) -> Result<Observations, OracleError> {
        loop {
            match self.ask(grid) {
                Ok(observations) => return Ok(observations),
                Err(error) if error.kind() == ErrorKind::Interrupted => return Err(OracleError::Interrupted),
                Err(error) if error.kind() == ErrorKind::InvalidData => {
                    return Err(OracleError::Protocol { what: self.identity.to_string(), why: error.to_string() });
                }
                Err(error) => self.again(&error, grid)?,
            }
        }
    }

    fn findings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.findings)
    }
}

/// What the server says it is.
///
/// # Errors
/// No NATS server answers there.
pub fn identify(
    address: &str,
    addr: SocketAddr,
    connect: &Connect,
    options: &Options,
) -> Result<Identity, OracleError> {
    let (_, info) = Connection::open(addr, connect).map_err(|error| OracleError::Unavailable {
        what: address.to_owned(),
        why: error.to_string(),
        how: "name a NATS server that runs and lets this user in".to_owned(),
    })?;
    let text = |key: &str| info[key].as_str().map(str::to_owned);
    Ok(Identity {
        address: address.to_owned(),
        name: "nats-server".to_owned(),
        version: text("version"),
        commit: text("git_commit"),
        lane: Lane::WIRE,
        dialect: options.dialect.name().to_owned(),
        remarks: Vec::new(),
    })
}
