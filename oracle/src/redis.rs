//! Redis `PSUBSCRIBE`: the glob over the whole channel name, alive. It speaks no dialect; it is asked with the patterns
//! of any, and what it gets wrong is what a router gets wrong that hands them to a glob.
//!
//! Must never take a silence for an answer: what is reported as not delivered stands before a sentinel on the same
//! connection. Must never send a server that is not ours anything outside a random prefix.

use std::{
    collections::HashMap,
    io::{self, ErrorKind},
    net::SocketAddr,
    time::{Duration, Instant},
};

use redis::{Connection, Msg, PubSub, RedisError};
use wildcheck_tables::{Grid, Identity, Lane, Matches, Observations, Operand, Outcome};

use crate::{
    Address, Interrupt, Options, Oracle, OracleError, Plan,
    broker::{Asker, BrokerLane, Foreign, place, random},
    distinct::Distinct,
    server::redis as server,
};

/// Subjects between two sentinels: a server of ours keeps what is not read, a foreign one may cut us off.
const CHUNK: usize = 256;
/// How long a sentinel may be on its way before the server counts as lost.
const PATIENCE: Duration = Duration::from_secs(20);
/// How often Ctrl-C is looked at.
const TICK: Duration = Duration::from_millis(100);

/// Finds, starts and opens a redis-server of our own.
///
/// # Errors
/// [`OracleError::Unavailable`] with how to get one; [`OracleError::Unsupported`] for a lane or plan it does not have.
pub fn open_own(address: &Address, version: Option<&str>, options: &Options) -> Result<Box<dyn Oracle>, OracleError> {
    supported(address, options)?;
    let server = server::start(version, options)?;
    let asker = RedisAsker::new(None, Vec::new(), options);
    let identity = asker.identify(&address.to_string(), server.addr(), options)?;
    Ok(Box::new(BrokerLane::new(Box::new(server), Box::new(asker), identity, options)))
}

/// Opens a lane to a server that somebody else started.
///
/// # Errors
/// [`OracleError::Address`] for a URL that is none; [`OracleError::Unavailable`] when nothing answers.
pub fn open_url(address: &Address, url: &str, options: &Options) -> Result<Box<dyn Oracle>, OracleError> {
    supported(address, options)?;
    let (login, addr) = place(url, "redis", 6379)?;
    let prefix = format!("wc{:08x}.", random());
    let asker = RedisAsker::new(login, prefix.clone().into_bytes(), options);
    let mut identity = asker.identify(url, addr, options)?;
    identity.remarks.push(format!("asked under the prefix {prefix}: a question about the first token is asked there"));
    Ok(Box::new(BrokerLane::new(Box::new(Foreign(addr)), Box::new(asker), identity, options)))
}

fn supported(address: &Address, options: &Options) -> Result<(), OracleError> {
    let why = match &options.lane {
        Some(lane) if *lane != Lane::CLIENT => format!("there is no lane {lane}; there is client"),
        _ if options.plan != Plan::FanOut => "there is the plan fan-out alone".to_owned(),
        _ => return Ok(()),
    };
    Err(OracleError::Unsupported { what: address.to_string(), why })
}

struct RedisAsker {
    login: Option<(String, Option<String>)>,
    prefix: Vec<u8>,
    sentinel: Vec<u8>,
    interrupt: Interrupt,
}

impl RedisAsker {
    fn new(login: Option<(String, Option<String>)>, prefix: Vec<u8>, options: &Options) -> RedisAsker {
        let sentinel = [&prefix, format!("wildcheck-sentinel-{:08x}", random()).as_bytes()].concat();
        RedisAsker { login, prefix, sentinel, interrupt: options.interrupt.clone() }
    }

    fn connect(&self, addr: SocketAddr) -> io::Result<Connection> {
        let user = match &self.login {
            None => String::new(),
            Some((user, Some(password))) => format!("{user}:{password}@"),
            // What stands alone is the password, as in `redis-cli -a`.
            Some((password, None)) => format!(":{password}@"),
        };
        let connect = || redis::Client::open(format!("redis://{user}{addr}"))?.get_connection_with_timeout(PATIENCE);
        connect().map_err(lost)
    }

    fn identify(&self, address: &str, addr: SocketAddr, options: &Options) -> Result<Identity, OracleError> {
        let ask =
            || -> io::Result<String> { redis::cmd("INFO").arg("server").query(&mut self.connect(addr)?).map_err(lost) };
        let said = ask().map_err(|error| OracleError::Unavailable {
            what: address.to_owned(),
            why: error.to_string(),
            how: "name a Redis server that runs and lets this user in".to_owned(),
        })?;
        let field = |name: &str| said.lines().find_map(|line| line.strip_prefix(name)).map(|v| v.trim().to_owned());
        Ok(Identity {
            address: address.to_owned(),
            name: "redis-server".to_owned(),
            version: field("redis_version:"),
            commit: None,
            lane: Lane::CLIENT,
            dialect: options.dialect.name().to_owned(),
            remarks: vec!["a glob over the whole name, asked with the patterns as they are".to_owned()],
        })
    }

    fn wired(&self, operand: &Operand) -> Vec<u8> {
        [&self.prefix, &operand.0[..]].concat()
    }

    /// Publishes a chunk and the sentinel behind it, and reads to it. `(subject, pattern)` of each delivery.
    fn chunk(
        &self,
        (publisher, ears): (&mut Connection, &mut PubSub<'_>),
        subjects: &[Operand],
        from: usize,
        of: &HashMap<Vec<u8>, usize>,
        deliveries: &mut Vec<(u32, usize)>,
    ) -> io::Result<()> {
        let mut pipe = redis::pipe();
        for (at, subject) in subjects.iter().enumerate() {
            pipe.cmd("PUBLISH").arg(self.wired(subject)).arg(from + at).ignore();
        }
        let end = format!("s{from}");
        pipe.cmd("PUBLISH").arg(&self.sentinel).arg(&end).ignore();
        pipe.query::<()>(publisher).map_err(lost)?;
        let started = Instant::now();
        loop {
            let message = match ears.get_message() {
                Ok(message) => message,
                Err(error) if error.is_timeout() && started.elapsed() < PATIENCE => {
                    if self.interrupt.is_set() {
                        return Err(io::Error::new(ErrorKind::Interrupted, "interrupted"));
                    }
                    continue;
                }
                Err(error) => return Err(lost(error)),
            };
            if !message.from_pattern() && message.get_payload_bytes() == end.as_bytes() {
                return Ok(());
            }
            deliveries.extend(delivery(&message, of));
        }
    }
}

impl Asker for RedisAsker {
    fn ask(&mut self, addr: SocketAddr, grid: &Grid) -> io::Result<Observations> {
        let (mut publisher, mut listener) = (self.connect(addr)?, self.connect(addr)?);
        let distinct = Distinct::new(&grid.patterns);
        let mut ears = listener.as_pubsub();
        let mut of = HashMap::new();
        for (at, pattern) in distinct.operands.iter().enumerate() {
            if self.interrupt.is_set() {
                return Err(io::Error::new(ErrorKind::Interrupted, "interrupted"));
            }
            let wired = self.wired(pattern);
            ears.psubscribe(&wired[..]).map_err(lost)?;
            of.insert(wired, at);
        }
        ears.subscribe(&self.sentinel[..]).map_err(lost)?;
        ears.set_read_timeout(Some(TICK)).map_err(lost)?;
        let mut deliveries = Vec::new();
        for (index, subjects) in grid.subjects.chunks(CHUNK).enumerate() {
            self.chunk((&mut publisher, &mut ears), subjects, index * CHUNK, &of, &mut deliveries)?;
        }
        let spread = deliveries
            .into_iter()
            .flat_map(|(subject, at)| distinct.places(at).iter().map(move |place| (subject, *place)));
        let delivered = Matches::from_deliveries(spread.collect(), grid.subjects.len());
        Ok(Observations {
            patterns: vec![Outcome::Accepted; grid.patterns.len()],
            subjects: vec![Outcome::Accepted; grid.subjects.len()],
            delivered,
            unknown: Vec::new(),
        })
    }
}

/// A sentinel reaches a `*` too, and its payload is no number.
fn delivery(message: &Msg, of: &HashMap<Vec<u8>, usize>) -> Option<(u32, usize)> {
    let pattern: Vec<u8> = message.get_pattern().ok()?;
    let subject = std::str::from_utf8(message.get_payload_bytes()).ok()?.parse().ok()?;
    Some((subject, *of.get(&pattern)?))
}

fn lost(error: RedisError) -> io::Error {
    io::Error::other(error.to_string())
}
