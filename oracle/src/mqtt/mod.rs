//! The wire lane of MQTT brokers: MQTT 5, our own codec over one socket, one subscription identifier a filter.
//!
//! Must never send a broker that is not ours anything outside a random prefix.

mod ask;
pub mod codec;
mod connection;
mod operands;

use std::{io, net::SocketAddr};

use wildcheck_tables::{Identity, Lane};

use self::{
    ask::MqttAsker,
    codec::Frame,
    connection::{Connection, Login},
    operands::Prefix,
};
use crate::{
    Address, Interrupt, Options, Oracle, OracleError, Plan,
    broker::{BrokerLane, Foreign, place, random},
    server::mosquitto,
};

/// Where a broker tells what it is.
const VERSION: &[u8] = b"$SYS/broker/version";

/// Finds, starts and opens a mosquitto of our own.
///
/// # Errors
/// [`OracleError::Unavailable`] with how to get one; [`OracleError::Unsupported`] for a lane it does not have.
pub fn open_own(address: &Address, version: Option<&str>, options: &Options) -> Result<Box<dyn Oracle>, OracleError> {
    supported(address, options)?;
    let server = mosquitto::start(version, options)?;
    let identity = identify(&address.to_string(), server.addr(), &None, options)?;
    let asker = asker(None, Prefix::default(), options);
    Ok(Box::new(BrokerLane::new(Box::new(server), Box::new(asker), identity, options)))
}

/// Opens a lane to a broker that somebody else started.
///
/// # Errors
/// [`OracleError::Address`] for a URL that is none; [`OracleError::Unavailable`] when nothing answers.
pub fn open_url(address: &Address, url: &str, options: &Options) -> Result<Box<dyn Oracle>, OracleError> {
    supported(address, options)?;
    let (login, addr) = place(url, "mqtt", 1883)?;
    let login = match login {
        Some((user, Some(password))) => Some((user, password)),
        None => None,
        Some((_, None)) => {
            let why = "expected USER:PASSWORD before the @".to_owned();
            return Err(OracleError::Address { address: url.to_owned(), why });
        }
    };
    let prefix = format!("wc{:08x}/", random());
    let mut identity = identify(url, addr, &login, options)?;
    identity.remarks.push(format!(
        "asked under the prefix {prefix}: a question about the first level, or a bare wildcard, is asked there; one \
         about a `$` is not asked"
    ));
    let asker = MqttAsker { foreign: true, ..asker(login, Prefix(prefix.into_bytes()), options) };
    Ok(Box::new(BrokerLane::new(Box::new(Foreign(addr)), Box::new(asker), identity, options)))
}

fn asker(login: Login, prefix: Prefix, options: &Options) -> MqttAsker {
    let interrupt = options.interrupt.clone();
    MqttAsker { login, plan: options.plan, prefix, nonce: random(), foreign: false, interrupt }
}

fn supported(address: &Address, options: &Options) -> Result<(), OracleError> {
    let lane = options.lane.clone().unwrap_or(Lane::WIRE);
    let why = if options.dialect.tables() != "mqtt" {
        format!("an MQTT broker does not speak {}", options.dialect.name())
    } else if lane != Lane::WIRE {
        format!("there is no lane {lane}; there is wire")
    } else if options.plan == Plan::CacheHit {
        "an MQTT broker has no cache of matches that is known".to_owned()
    } else {
        return Ok(());
    };
    Err(OracleError::Unsupported { what: address.to_string(), why })
}

/// What the broker says it is: mosquitto keeps it under `$SYS`; another one is called `mqtt`.
fn identify(address: &str, addr: SocketAddr, login: &Login, options: &Options) -> Result<Identity, OracleError> {
    let said = version(addr, login, &options.interrupt).map_err(|error| OracleError::Unavailable {
        what: address.to_owned(),
        why: error.to_string(),
        how: "name an MQTT 5 broker that runs and lets this user in".to_owned(),
    })?;
    let told = said.strip_prefix("mosquitto version ").map(str::to_owned);
    Ok(Identity {
        address: address.to_owned(),
        name: if told.is_some() { "mosquitto" } else { "mqtt" }.to_owned(),
        version: told.or_else(|| Some(said).filter(|said| !said.is_empty())),
        commit: None,
        lane: Lane::WIRE,
        dialect: options.dialect.name().to_owned(),
        remarks: Vec::new(),
    })
}

fn version(addr: SocketAddr, login: &Login, interrupt: &Interrupt) -> io::Result<String> {
    let mut connection = Connection::open(addr, login, interrupt)?;
    codec::subscribe(connection.out(), 1, 1, VERSION, true);
    codec::ping(connection.out());
    let mut said = String::new();
    connection.exchange(interrupt, &mut |frame| {
        if let Frame::Publish { payload, .. } = frame {
            said = String::from_utf8_lossy(payload).into_owned();
        }
        Ok(frame == Frame::Pong)
    })?;
    Ok(said)
}
