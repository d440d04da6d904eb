//! The lanes `wire` and `wire-pedantic` as an oracle: a server, the version it tells, and who asks it.
//!
//! Must never start a second server silently, and never touch one that is not ours.

use std::{io, net::SocketAddr, time::Duration};

use wildcheck_tables::{Grid, Identity, Lane, Observations};

use super::{ask::Ask, connection::Connection, write::Connect};
use crate::{
    Interrupt, Options, OracleError, Plan,
    broker::{Asker, Broker, BrokerLane},
    server::{NatsServer, Setup},
};

/// Who answers.
pub enum Host {
    /// A server of ours, and how to start it again.
    Own(Box<NatsServer>, Setup),
    /// A server that runs without us, or whose keeper is in the box (a container).
    Foreign(SocketAddr, Box<dyn Send>),
}

impl Broker for Host {
    fn addr(&self) -> SocketAddr {
        match self {
            Host::Own(server, _) => server.addr(),
            Host::Foreign(addr, _) => *addr,
        }
    }

    fn ended(&mut self, patience: Duration) -> Option<String> {
        match self {
            Host::Own(server, _) => server.ended(patience),
            Host::Foreign(..) => None,
        }
    }

    fn again(&mut self) -> Result<(), OracleError> {
        if let Host::Own(server, setup) = self {
            **server = NatsServer::start(setup)?;
        }
        Ok(())
    }
}

struct WireAsker {
    publish_at: Option<SocketAddr>,
    connect: Connect,
    plan: Plan,
    prefix: Vec<u8>,
    interrupt: Interrupt,
}

impl Asker for WireAsker {
    fn ask(&mut self, addr: SocketAddr, grid: &Grid) -> io::Result<Observations> {
        let WireAsker { publish_at, connect, plan, prefix, interrupt } = self;
        Ask { addr, publish_at: *publish_at, connect, plan: *plan, prefix, interrupt }.grid(grid)
    }
}

/// A NATS server on the wire. Connects once to read the version. `prefix` stands before every operand on the wire.
///
/// # Errors
/// No NATS server answers there.
pub fn open(
    address: &str,
    host: Host,
    connect: Connect,
    prefix: &str,
    options: &Options,
) -> Result<BrokerLane, OracleError> {
    open_across(address, host, None, connect, prefix, options)
}

/// As [`open`], where subjects are published at another server that is joined to the host.
///
/// # Errors
/// As [`open`].
pub fn open_across(
    address: &str,
    host: Host,
    publish_at: Option<SocketAddr>,
    mut connect: Connect,
    prefix: &str,
    options: &Options,
) -> Result<BrokerLane, OracleError> {
    let lane = options.lane.clone().unwrap_or(Lane::WIRE);
    connect.pedantic |= lane == Lane::WIRE_PEDANTIC;
    let mut identity = identify(address, host.addr(), &connect, options)?;
    identity.lane = lane;
    if !prefix.is_empty() {
        identity.remarks.push(format!(
            "asked under the prefix {prefix}: a question about the first token, or a bare wildcard, is asked there"
        ));
    }
    let (plan, interrupt) = (options.plan, options.interrupt.clone());
    let asker = WireAsker { publish_at, connect, plan, prefix: prefix.as_bytes().to_vec(), interrupt };
    Ok(BrokerLane::new(Box::new(host), Box::new(asker), identity, options))
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
