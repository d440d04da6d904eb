//! The wire lane of RabbitMQ: AMQP 0-9-1, our own codec over one socket, one exclusive queue a pattern.
//!
//! Must never touch an exchange or a queue that is not its own; those it makes go with their connection.

mod ask;
mod bench;
pub mod codec;
mod connection;
pub mod cost;
mod session;
pub mod write;

use std::net::SocketAddr;

use percent_encoding::percent_decode_str;
use wildcheck_tables::{Identity, Lane};

pub use self::connection::{Connection, Login};
use self::{ask::AmqpAsker, session::Names};
use crate::{
    Address, Options, Oracle, OracleError, Plan,
    broker::{Broker, BrokerLane, Foreign, place, random},
    server::{Rabbitmq, rabbitmq::Door},
};

/// Finds, starts and opens a node of our own.
///
/// # Errors
/// [`OracleError::Unavailable`] with how to get one; [`OracleError::Unsupported`] for a lane it does not have.
pub fn open_own(address: &Address, version: Option<&str>, options: &Options) -> Result<Box<dyn Oracle>, OracleError> {
    supported(address, options)?;
    let node = Rabbitmq::start(version, Door::Amqp, options)?;
    Ok(Box::new(lane(&address.to_string(), Box::new(node), options)?))
}

/// The lane to a node of our own.
///
/// # Errors
/// [`OracleError::Unavailable`] when it does not answer.
pub fn lane(address: &str, node: Box<dyn Broker>, options: &Options) -> Result<BrokerLane, OracleError> {
    let identity = identify(address, node.addr(), &Login::default(), options)?;
    Ok(BrokerLane::new(node, Box::new(asker(Login::default(), options)), identity, options))
}

/// Opens a lane to a broker that somebody else started: `amqp://[USER:PASSWORD@]HOST[:PORT][/VHOST]`.
///
/// # Errors
/// [`OracleError::Address`] for a URL that is none; [`OracleError::Unavailable`] when nothing answers.
pub fn open_url(address: &Address, url: &str, options: &Options) -> Result<Box<dyn Oracle>, OracleError> {
    supported(address, options)?;
    if options.lane == Some(Lane::COST) {
        let why = "the lane cost keeps a broker busy: it is asked of a node of our own".to_owned();
        return Err(OracleError::Unsupported { what: url.to_owned(), why });
    }
    let (login, addr) = login(url)?;
    let mut identity = identify(url, addr, &login, options)?;
    identity.remarks.push("asked on exchanges and queues of our own".to_owned());
    let asker = AmqpAsker { foreign: true, ..asker(login, options) };
    Ok(Box::new(BrokerLane::new(Box::new(Foreign(addr)), Box::new(asker), identity, options)))
}

fn login(url: &str) -> Result<(Login, SocketAddr), OracleError> {
    let bad = |why: &str| OracleError::Address { address: url.to_owned(), why: why.to_owned() };
    let decoded = |text: &str| match percent_decode_str(text).decode_utf8() {
        Ok(text) => Ok(text.into_owned()),
        Err(_) => Err(bad("a percent sign that makes no text")),
    };
    let (user, addr) = place(url, "amqp", 5672)?;
    let mut login = Login::default();
    match user {
        None => {}
        Some((user, Some(password))) => (login.user, login.password) = (decoded(&user)?, decoded(&password)?),
        Some((_, None)) => return Err(bad("expected USER:PASSWORD before the @")),
    }
    let path = url.splitn(4, '/').nth(3).unwrap_or_default();
    if !path.is_empty() {
        login.vhost = decoded(path)?;
    }
    Ok((login, addr))
}

fn asker(login: Login, options: &Options) -> AmqpAsker {
    let names = Names { nonce: random(), made: 0 };
    let budget = if options.lane == Some(Lane::COST) { cost::MEASURED } else { cost::USUAL };
    let interrupt = options.interrupt.clone();
    AmqpAsker { login, plan: options.plan, names, budget, foreign: false, interrupt, open: None }
}

fn supported(address: &Address, options: &Options) -> Result<(), OracleError> {
    let lane = options.lane.clone().unwrap_or(Lane::WIRE);
    let why = if options.dialect.tables() != "rabbitmq" {
        format!("a RabbitMQ broker does not speak {}", options.dialect.name())
    } else if ![Lane::WIRE, Lane::COST].contains(&lane) {
        format!("there is no lane {lane}; there are wire and cost")
    } else if options.plan == Plan::CacheHit {
        "a RabbitMQ broker has no cache of matches that is known".to_owned()
    } else {
        return Ok(());
    };
    Err(OracleError::Unsupported { what: address.to_string(), why })
}

/// What the broker says it is; one that does not call itself RabbitMQ is called `amqp`.
fn identify(address: &str, addr: SocketAddr, login: &Login, options: &Options) -> Result<Identity, OracleError> {
    let connection = Connection::open(addr, login, &options.interrupt).map_err(|error| OracleError::Unavailable {
        what: address.to_owned(),
        why: error.to_string(),
        how: "name an AMQP 0-9-1 broker that runs and lets this user in".to_owned(),
    })?;
    let about = &connection.about;
    Ok(Identity {
        address: address.to_owned(),
        name: if about.product == "RabbitMQ" { "rabbitmq-server" } else { "amqp" }.to_owned(),
        version: Some(about.version.clone()).filter(|version| !version.is_empty()),
        commit: None,
        lane: options.lane.clone().unwrap_or(Lane::WIRE),
        dialect: options.dialect.name().to_owned(),
        remarks: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_may_name_a_virtual_host_and_escape_what_separates() {
        let of = |url: &str| login(url).unwrap().0;
        assert_eq!(of("amqp://127.0.0.1"), Login::default());
        assert_eq!(of("amqp://127.0.0.1:5672/").vhost, "/");
        let all = of("amqp://me:p%40ss@127.0.0.1/a%2fb");
        assert_eq!((&all.user[..], &all.password[..], &all.vhost[..]), ("me", "p@ss", "a/b"));
        assert!(login("amqp://me@127.0.0.1").is_err() && login("amqp://127.0.0.1/%ff").is_err());
    }
}
