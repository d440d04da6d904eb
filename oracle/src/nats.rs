//! From an address to a NATS server and a lane on it. Must never ask it anything but its version.

use std::net::SocketAddr;

use wildcheck_tables::Lane;

use crate::{
    Address, Options, Oracle, OracleError,
    again::Again,
    broker::{place, random},
    configured,
    server::{self, NatsServer, Reach, Setup},
    subsz::Subsz,
    wire::{self, Host, identify, write::Connect},
};

/// Is it a server that [`open_own`] starts?
pub fn is_own(address: &Address, options: &Options) -> bool {
    match address {
        Address::Auto => options.dialect.tables() == "nats",
        Address::Process { program, .. } => program == "nats-server" && options.dialect.tables() != "mqtt",
        _ => false,
    }
}

/// Finds, starts and opens a server of our own.
///
/// # Errors
/// [`OracleError::Unavailable`] with how to get one; [`OracleError::Unsupported`] for a lane it does not have.
pub fn open_own(address: &Address, version: Option<&str>, options: &Options) -> Result<Box<dyn Oracle>, OracleError> {
    let lane = lane(address, options)?;
    let found = server::find(version, options, Reach::Download).found?;
    let setup = Setup {
        monitor: lane == Lane::SUBSZ,
        interrupt: options.interrupt.clone(),
        timeout: options.start_timeout,
        ..Setup::new(found.binary)
    };
    let text = address.to_string();
    if let Some(configuration) = options.config {
        return configured::open(configuration, &text, setup, options);
    }
    if lane == Lane::SUBSZ || lane == Lane::CLIENT {
        let keep = options.keep.clone();
        let options = options.clone();
        let open = move || {
            let server = NatsServer::start(&setup)?;
            let addr = server.addr();
            if lane == Lane::CLIENT {
                return client(&text, addr, &options, Box::new(server));
            }
            let mut identity = identify(&text, addr, &Connect::default(), &options)?;
            identity.lane = lane.clone();
            Ok(Box::new(Subsz::new(server, identity, &options)?) as Box<dyn Oracle>)
        };
        return Ok(Box::new(Again::new(Box::new(open), keep)?));
    }
    let server = NatsServer::start(&setup)?;
    let host = Host::Own(Box::new(server), setup);
    Ok(Box::new(wire::open(&text, host, Connect::default(), "", options)?))
}

/// Opens a lane to a server that somebody else started: nothing is sent outside a random prefix.
///
/// # Errors
/// [`OracleError::Address`] for a URL that is none; [`OracleError::Unavailable`] when nothing answers.
pub fn open_url(address: &Address, url: &str, options: &Options) -> Result<Box<dyn Oracle>, OracleError> {
    let lane = lane(address, options)?;
    let (login, addr) = place(url, "nats", 4222)?;
    let mut connect = Connect::default();
    match login {
        Some((user, Some(password))) => connect.user = Some((user, password)),
        Some((token, None)) => connect.token = Some(token),
        None => {}
    }
    if lane != Lane::WIRE && lane != Lane::WIRE_PEDANTIC {
        let why = format!("a server that is not ours is asked by the wire lanes, not by {lane}");
        return Err(OracleError::Unsupported { what: url.to_owned(), why });
    }
    let prefix = format!("wc{:08x}.", random());
    let host = Host::Foreign(addr, Box::new(()));
    Ok(Box::new(wire::open(&address.to_string(), host, connect, &prefix, options)?))
}

/// A lane to a server at `addr` that `keep` keeps alive (a container), asked without a prefix; lost at once when that
/// server is lost.
///
/// # Errors
/// As [`open_own`].
pub fn open_kept(
    address: &str,
    addr: SocketAddr,
    keep: Box<dyn Send>,
    options: &Options,
) -> Result<Box<dyn Oracle>, OracleError> {
    let lane = options.lane.clone().unwrap_or(Lane::WIRE);
    if lane == Lane::CLIENT {
        return client(address, addr, options, keep);
    }
    if lane != Lane::WIRE && lane != Lane::WIRE_PEDANTIC {
        let why = format!("this address has the lanes wire, wire-pedantic and client, not {lane}");
        return Err(OracleError::Unsupported { what: address.to_owned(), why });
    }
    Ok(Box::new(wire::open(address, Host::Foreign(addr, keep), Connect::default(), "", options)?.once()))
}

fn lane(address: &Address, options: &Options) -> Result<Lane, OracleError> {
    let lane = options.lane.clone().unwrap_or(Lane::WIRE);
    let unsupported = |why: String| Err(OracleError::Unsupported { what: address.to_string(), why });
    if options.dialect.name() != "nats" {
        return unsupported(format!("a NATS server does not speak {}", options.dialect.name()));
    }
    if ![Lane::WIRE, Lane::WIRE_PEDANTIC, Lane::CLIENT, Lane::SUBSZ].contains(&lane) {
        return unsupported(format!("there is no lane {lane}; there are wire, wire-pedantic, client and subsz"));
    }
    Ok(lane)
}

#[cfg(feature = "client")]
fn client(
    address: &str,
    addr: SocketAddr,
    options: &Options,
    keep: Box<dyn Send>,
) -> Result<Box<dyn Oracle>, OracleError> {
    use crate::{
        Plan,
        client::{ClientLane, ClientOptions},
    };
    let mut identity = identify(address, addr, &Connect::default(), options)?;
    identity.lane = Lane::CLIENT;
    let how = ClientOptions {
        isolated: options.plan == Plan::Isolated,
        patience: std::time::Duration::from_secs(30),
        interrupt: options.interrupt.clone(),
    };
    Ok(Box::new(ClientLane::new(addr.to_string(), identity, how, keep)?))
}

#[cfg(not(feature = "client"))]
fn client(
    address: &str,
    _addr: SocketAddr,
    _options: &Options,
    _keep: Box<dyn Send>,
) -> Result<Box<dyn Oracle>, OracleError> {
    let why = "this build has no client lane (cargo feature `client`)".to_owned();
    Err(OracleError::Unsupported { what: address.to_owned(), why })
}
