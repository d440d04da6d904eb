//! A broker and the one who asks it, as an oracle: what they have in common is what happens when the broker dies.
//!
//! Must never start a second broker silently, and never touch one that is not ours.

use std::{
    hash::{BuildHasher, Hasher, RandomState},
    io::{self, ErrorKind},
    net::{SocketAddr, TcpListener, ToSocketAddrs},
    time::Duration,
};

use wildcheck_tables::{Grid, Identity, Observations};

use crate::{
    Options, Oracle, OracleError,
    again::{keep, lost_once},
};

/// A running broker.
pub trait Broker: Send {
    /// Where clients connect.
    fn addr(&self) -> SocketAddr;
    /// How it ended, if it did, with its last words. Waits that long for it.
    fn ended(&mut self, patience: Duration) -> Option<String>;
    /// Starts it again, where it is ours.
    ///
    /// # Errors
    /// It does not start.
    fn again(&mut self) -> Result<(), OracleError>;
}

/// Puts a grid to a broker.
pub trait Asker: Send {
    /// Asks.
    ///
    /// # Errors
    /// `Interrupted`; `InvalidData` for bytes that are not the protocol; everything else is a lost connection.
    fn ask(&mut self, addr: SocketAddr, grid: &Grid) -> io::Result<Observations>;
}

/// A broker that somebody else started.
pub struct Foreign(pub SocketAddr);

impl Broker for Foreign {
    fn addr(&self) -> SocketAddr {
        self.0
    }
    fn ended(&mut self, _: Duration) -> Option<String> {
        None
    }
    fn again(&mut self) -> Result<(), OracleError> {
        Ok(())
    }
}

/// The oracle.
pub struct BrokerLane {
    broker: Box<dyn Broker>,
    asker: Box<dyn Asker>,
    identity: Identity,
    options: Options,
    restarted: bool,
    findings: Vec<String>,
}

impl BrokerLane {
    /// From what was opened.
    pub fn new(broker: Box<dyn Broker>, asker: Box<dyn Asker>, identity: Identity, options: &Options) -> BrokerLane {
        let options = options.clone();
        BrokerLane { broker, asker, identity, options, restarted: false, findings: Vec::new() }
    }

    /// The same, but lost at once when the broker is lost: whoever holds the lane starts it again.
    #[must_use]
    pub fn once(mut self) -> BrokerLane {
        self.restarted = true;
        self
    }

    /// Adds a sentence to what the oracle says it is.
    pub fn remark(&mut self, words: String) {
        self.identity.remarks.push(words);
    }

    /// After a lost connection: once in a run the broker is started again, or the connection opened anew.
    fn again(&mut self, why: &io::Error, grid: &Grid) -> Result<(), OracleError> {
        let ended = self.broker.ended(Duration::from_millis(500));
        let why = ended.map_or_else(|| why.to_string(), |how| format!("{why}; the server {how}"));
        if self.restarted {
            let kept = keep(grid, self.options.keep.clone())?;
            return Err(OracleError::Lost { what: self.identity.to_string(), why, kept: Some(kept) });
        }
        self.restarted = true;
        self.broker.again()?;
        self.findings.push(lost_once(&self.identity.to_string(), &why));
        Ok(())
    }
}

impl Oracle for BrokerLane {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn observe(&mut self, grid: &Grid) -> Result<Observations, OracleError> {
        loop {
            match self.asker.ask(self.broker.addr(), grid) {
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

/// A loopback port that nobody listens on now.
pub(crate) fn free_port() -> io::Result<u16> {
    Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}

/// The standard library's own source of randomness: enough to keep out of other clients' way.
pub(crate) fn random() -> u32 {
    RandomState::new().build_hasher().finish() as u32
}

/// `SCHEME://[USER[:PASSWORD]@]HOST[:PORT][/…]`: who logs in (what stands alone may be a token), and where.
pub(crate) type Place = (Option<(String, Option<String>)>, SocketAddr);

/// Reads it.
///
/// # Errors
/// [`OracleError::Address`].
pub(crate) fn place(url: &str, scheme: &str, port: u16) -> Result<Place, OracleError> {
    let bad = |why: String| OracleError::Address { address: url.to_owned(), why };
    let rest = url.strip_prefix(scheme).and_then(|rest| rest.strip_prefix("://"));
    let rest = rest.ok_or_else(|| bad(format!("expected {scheme}://HOST:PORT")))?;
    let rest = rest.split('/').next().unwrap_or_default();
    let (login, host) = rest.rsplit_once('@').map_or((None, rest), |(login, host)| (Some(login), host));
    let login = login.map(|login| match login.split_once(':') {
        Some((user, password)) => (user.to_owned(), Some(password.to_owned())),
        None => (login.to_owned(), None),
    });
    let host = if host.contains(':') { host.to_owned() } else { format!("{host}:{port}") };
    let mut addrs = host.to_socket_addrs().map_err(|error| bad(error.to_string()))?;
    Ok((login, addrs.next().ok_or_else(|| bad("the name has no address".to_owned()))?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_names_a_place_and_perhaps_a_login() {
        let (login, addr) = place("amqp://me:se:cret@127.0.0.1/vhost", "amqp", 5672).unwrap();
        assert_eq!(login, Some(("me".to_owned(), Some("se:cret".to_owned()))));
        assert_eq!(addr, "127.0.0.1:5672".parse().unwrap());
        let (login, _) = place("nats://token@127.0.0.1", "nats", 4222).unwrap();
        assert_eq!(login, Some(("token".to_owned(), None)));
        assert!(place("mqtt:127.0.0.1", "mqtt", 1883).is_err());
    }
}
