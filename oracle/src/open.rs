//! From an address to something that can be asked. Must never ask it.

use std::{path::PathBuf, time::Duration};

use wildcheck_matcher::Dialect;
use wildcheck_tables::{Identity, Lane};

use crate::{
    Address, Interrupt, Oracle, OracleError, adapter,
    memory::{Memory, Opinion},
    recorded::Recorded,
};

/// How a grid is put to a live broker.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Plan {
    /// All patterns subscribed, all subjects published, one fence.
    #[default]
    FanOut,
    /// One pair a connection.
    Isolated,
}

/// How to open an oracle.
#[derive(Clone)]
pub struct Options {
    /// The language the questions are in.
    pub dialect: &'static dyn Dialect,
    /// The route; `None`: the oracle's usual one (`wire` for a server).
    pub lane: Option<Lane>,
    /// The plan of a live lane.
    pub plan: Plan,
    /// Where downloaded servers are kept; `None`: `WILDCHECK_CACHE`, else the user's cache folder.
    pub cache: Option<PathBuf>,
    /// Where the recorded observations are, for `recorded:`; `None`: those in the binary.
    pub tables: Option<PathBuf>,
    /// How long a start may take.
    pub start_timeout: Duration,
    /// How long an outside program may take for an answer before it counts as hanging.
    pub answer_timeout: Duration,
    /// How often an outside program may be restarted before it counts as lost.
    pub restarts: usize,
    /// Set by Ctrl-C.
    pub interrupt: Interrupt,
}

impl Options {
    /// The usual way to ask in that dialect.
    pub fn new(dialect: &'static dyn Dialect) -> Options {
        Options {
            dialect,
            lane: None,
            plan: Plan::FanOut,
            cache: None,
            tables: None,
            start_timeout: Duration::from_secs(30),
            answer_timeout: Duration::from_secs(10),
            restarts: 64,
            interrupt: Interrupt::new(),
        }
    }
}

/// Opens what the address names: starts the server, connects, reads its version.
///
/// # Errors
/// [`OracleError::Unavailable`] with the sentence that says how to get it; [`OracleError::Unsupported`] when the
/// address cannot speak that dialect or lane.
pub fn open(address: &Address, options: &Options) -> Result<Box<dyn Oracle>, OracleError> {
    let memory = |opinion| Ok(Box::new(Memory::new(options.dialect, opinion)) as Box<dyn Oracle>);
    match address {
        Address::Reference => memory(Opinion::Reference),
        Address::Spec => memory(Opinion::Spec),
        Address::Naive => memory(Opinion::Naive),
        Address::Recorded { program, version } => Ok(Box::new(Recorded::open(program, version, options)?)),
        Address::Exec(line) => Ok(Box::new(adapter::Exec::open(line, options)?)),
        Address::Cmd(line) => Ok(Box::new(adapter::Cmd::open(line, options)?)),
        Address::Tsv(line) => Ok(Box::new(adapter::Tsv::open(line, options)?)),
        Address::Auto => nats(address, None, options),
        Address::Process { program, version } if program == "nats-server" => nats(address, version.as_deref(), options),
        other => Err(OracleError::Unavailable {
            what: other.to_string(),
            why: "not built yet".to_owned(),
            how: "ask `reference`".to_owned(),
        }),
    }
}

fn nats(address: &Address, version: Option<&str>, options: &Options) -> Result<Box<dyn Oracle>, OracleError> {
    let lane = options.lane.clone().unwrap_or(Lane::WIRE);
    let known = [Lane::WIRE, Lane::WIRE_PEDANTIC, Lane::CLIENT];
    if !known.contains(&lane) || (lane == Lane::CLIENT && !cfg!(feature = "client")) {
        return Err(OracleError::Unsupported { what: address.to_string(), why: format!("it has no lane `{lane}`") });
    }
    let found = crate::server::find(version, options, crate::server::Reach::Download).found?;
    let setup = crate::server::Setup {
        interrupt: options.interrupt.clone(),
        timeout: options.start_timeout,
        ..crate::server::Setup::new(found.binary)
    };
    let server = crate::server::NatsServer::start(&setup)?;
    let wire = |lane, server: Option<crate::server::NatsServer>, addr| {
        crate::wire::WireLane::new(
            &address.to_string(),
            addr,
            lane,
            options.dialect.name(),
            options.interrupt.clone(),
            server,
        )
    };
    let addr = server.addr();
    #[cfg(feature = "client")]
    if lane == Lane::CLIENT {
        let identity = Identity { lane, ..wire(Lane::WIRE, None, addr)?.identity().clone() };
        let how = crate::client::ClientOptions {
            isolated: options.plan == Plan::Isolated,
            patience: Duration::from_secs(30),
            interrupt: options.interrupt.clone(),
        };
        return Ok(Box::new(crate::client::ClientLane::new(addr.to_string(), identity, how, Box::new(server))?));
    }
    Ok(Box::new(wire(lane, Some(server), addr)?.restarting(setup)))
}
