//! The wire lane of MQTT brokers, by our own codec: MQTT 5 over one socket, one subscription identifier a filter; or MQTT
//! 3.1.1, one socket a filter, for brokers of another language that speak MQTT besides.
//!
//! Must never send a broker that is not ours anything outside a random prefix.

mod apart;
mod ask;
pub mod codec;
mod connection;
mod operands;
mod together;

use std::{io, net::SocketAddr};

use wildcheck_tables::{Identity, Lane};

pub use self::connection::Login;
use self::{
    ask::MqttAsker,
    codec::{Frame, Level},
    connection::{Connection, Dial},
    operands::Prefix,
};
use crate::{
    Address, Interrupt, Options, Oracle, OracleError, Plan,
    broker::{Broker, BrokerLane, Foreign, place, random},
    server::{Rabbitmq, mosquitto, nats_mqtt, rabbitmq::Door},
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
    let identity = identify(&address.to_string(), server.addr(), &Dial::default(), options)?;
    let asker = asker(Dial::default(), Prefix::default(), options);
    Ok(Box::new(BrokerLane::new(Box::new(server), Box::new(asker), identity, options)))
}

/// Finds, starts and opens a nats-server of our own at its MQTT listener.
///
/// # Errors
/// As for [`open_own`].
pub fn open_nats(address: &Address, version: Option<&str>, options: &Options) -> Result<Box<dyn Oracle>, OracleError> {
    supported(address, options)?;
    let (server, version) = nats_mqtt::start(version, options)?;
    besides(address, Box::new(server), ("nats-server", Some(version)), None, options)
}

/// Finds, starts and opens a RabbitMQ node of our own at its MQTT plug-in.
///
/// # Errors
/// As for [`open_own`].
pub fn open_rabbitmq(
    address: &Address,
    version: Option<&str>,
    options: &Options,
) -> Result<Box<dyn Oracle>, OracleError> {
    supported(address, options)?;
    let node = Rabbitmq::start(version, Door::Mqtt, options)?;
    let version = node.version().map(str::to_owned);
    besides(address, Box::new(node), ("rabbitmq-server", version), Door::login(), options)
}

/// Does somebody who speaks MQTT 3.1.1 let this user in there?
pub fn answers(addr: SocketAddr, login: &Login, interrupt: &Interrupt) -> bool {
    let dial = Dial { level: Level::Four, login: login.clone() };
    Connection::open(addr, &dial, interrupt).is_ok()
}

/// A broker of another language that speaks MQTT 3.1.1 besides; it tells its name and version elsewhere.
fn besides(
    address: &Address,
    server: Box<dyn Broker>,
    (name, version): (&str, Option<String>),
    login: Login,
    options: &Options,
) -> Result<Box<dyn Oracle>, OracleError> {
    let identity = Identity {
        address: address.to_string(),
        name: name.to_owned(),
        version,
        commit: None,
        lane: Lane::WIRE,
        dialect: options.dialect.name().to_owned(),
        remarks: vec!["by its MQTT 3.1.1 listener, one connection a filter".to_owned()],
    };
    let asker = asker(Dial { level: Level::Four, login }, Prefix::default(), options);
    Ok(Box::new(BrokerLane::new(server, Box::new(asker), identity, options)))
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
    let dial = Dial { level: Level::Five, login };
    let mut identity = identify(url, addr, &dial, options)?;
    identity.remarks.push(format!(
        "asked under the prefix {prefix}: a question about the first level, or a bare wildcard, is asked there; one \
         about a `$` is not asked"
    ));
    let asker = MqttAsker { foreign: true, ..asker(dial, Prefix(prefix.into_bytes()), options) };
    Ok(Box::new(BrokerLane::new(Box::new(Foreign(addr)), Box::new(asker), identity, options)))
}

fn asker(dial: Dial, prefix: Prefix, options: &Options) -> MqttAsker {
    let interrupt = options.interrupt.clone();
    MqttAsker { dial, plan: options.plan, prefix, nonce: random(), foreign: false, interrupt }
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
fn identify(address: &str, addr: SocketAddr, dial: &Dial, options: &Options) -> Result<Identity, OracleError> {
    let said = version(addr, dial, &options.interrupt).map_err(|error| OracleError::Unavailable {
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

fn version(addr: SocketAddr, dial: &Dial, interrupt: &Interrupt) -> io::Result<String> {
    let mut connection = Connection::open(addr, dial, interrupt)?;
    connection.subscribe(1, 1, VERSION, true);
    connection.ping();
    let mut said = String::new();
    connection.exchange(interrupt, &mut |frame| {
        if let Frame::Publish { payload, .. } = frame {
            said = String::from_utf8_lossy(payload).into_owned();
        }
        Ok(frame == Frame::Pong)
    })?;
    Ok(said)
}
