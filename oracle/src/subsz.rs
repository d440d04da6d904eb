//! The lane `subsz`: the monitor port's answer to `/subsz?test=SUBJECT`, which comes from different code than delivery.
//!
//! Must never publish: what it reports is what the server says it would deliver.

use std::{
    collections::HashMap,
    io::{self, ErrorKind, Read, Write},
    net::{SocketAddr, TcpStream},
    time::Duration,
};

use serde::Deserialize;
use wildcheck_tables::{Grid, Identity, Matches, Observations, Operand, Outcome};

use crate::{
    Options, Oracle, OracleError, Plan,
    server::NatsServer,
    wire::{ask::Ask, connection::Met, sids::Sids, write, write::Connect},
};

/// A server of ours with a monitor port.
pub struct Subsz {
    server: NatsServer,
    monitor: SocketAddr,
    identity: Identity,
    options: Options,
}

/// The part of `/subsz` that is read.
#[derive(Deserialize)]
struct Listing {
    #[serde(default)]
    subscriptions_list: Vec<Listed>,
}

#[derive(Deserialize)]
struct Listed {
    sid: String,
}

impl Subsz {
    /// The lane on this server.
    ///
    /// # Errors
    /// The server has no monitor port.
    pub fn new(server: NatsServer, identity: Identity, options: &Options) -> Result<Subsz, OracleError> {
        let monitor = server.monitor().ok_or_else(|| OracleError::Unsupported {
            what: identity.to_string(),
            why: "it was started without a monitor port".to_owned(),
        })?;
        Ok(Subsz { server, monitor, identity, options: options.clone() })
    }

    fn ask(&self, grid: &Grid) -> io::Result<Observations> {
        let connect = Connect::default();
        let ask = Ask {
            addr: self.server.addr(),
            publish_at: None,
            connect: &connect,
            plan: Plan::FanOut,
            prefix: b"",
            interrupt: &self.options.interrupt,
        };
        let patterns = ask.patterns(&grid.patterns)?;
        let sids = Sids::new(&grid.patterns);
        let mut connection = ask.open()?;
        for (index, pattern) in grid.patterns.iter().enumerate().filter(|(i, _)| patterns[*i] == Outcome::Accepted) {
            write::sub(connection.out(), &pattern.0, None, sids.of(index));
        }
        write::ping(connection.out());
        // Without its connection no subscription stands, and every answer would be a no.
        if let Met::Closed(words) = connection.exchange(1, &self.options.interrupt, &mut |_| {})? {
            return Err(io::Error::new(ErrorKind::ConnectionReset, format!("the connection was closed: {words}")));
        }
        let mut delivered = Matches::new();
        let mut subjects = Vec::with_capacity(grid.subjects.len());
        // A subject asked twice has one answer; the port forgets nothing between two questions.
        let mut known: HashMap<&Operand, (Outcome, Vec<u32>)> = HashMap::new();
        for subject in &grid.subjects {
            if self.options.interrupt.is_set() {
                return Err(io::Error::new(ErrorKind::Interrupted, "interrupted"));
            }
            if !known.contains_key(subject) {
                let answer = self.subject(&subject.0, &sids)?;
                known.insert(subject, answer);
            }
            let (outcome, hits) = &known[subject];
            subjects.push(outcome.clone());
            delivered.push(hits.iter().copied());
        }
        Ok(Observations { patterns, subjects, delivered, unknown: Vec::new() })
    }

    fn subject(&self, subject: &[u8], sids: &Sids) -> io::Result<(Outcome, Vec<u32>)> {
        if subject.is_empty() {
            return Ok((
                Outcome::Inexpressible("an empty test is no test for the monitor port".to_owned()),
                Vec::new(),
            ));
        }
        let (status, body) = self.get(&format!("/subsz?subs=1&limit=1000000&test={}", percent(subject)))?;
        if status != 200 {
            let words = String::from_utf8_lossy(&body).trim().to_owned();
            return Ok((Outcome::RefusedOpen(words), Vec::new()));
        }
        // An answer that stops in the middle is a server that died over it.
        let kind = |e: &serde_json::Error| if e.is_eof() { ErrorKind::UnexpectedEof } else { ErrorKind::InvalidData };
        let listing: Listing = serde_json::from_slice(&body).map_err(|e| io::Error::new(kind(&e), e))?;
        let told = listing.subscriptions_list.iter().filter_map(|listed| listed.sid.parse().ok());
        let mut hits: Vec<u32> = told.filter_map(|sid| sids.pattern(sid)).collect();
        hits.sort_unstable();
        Ok((Outcome::Accepted, hits))
    }

    /// HTTP/1.0, so that the end of the body is the end of the connection.
    fn get(&self, path: &str) -> io::Result<(u16, Vec<u8>)> {
        let mut stream = TcpStream::connect_timeout(&self.monitor, Duration::from_secs(10))?;
        stream.set_read_timeout(Some(Duration::from_secs(30)))?;
        stream.write_all(format!("GET {path} HTTP/1.0\r\nHost: localhost\r\n\r\n").as_bytes())?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        let bad = || io::Error::new(ErrorKind::InvalidData, "the monitor port did not answer in HTTP");
        let cut = || io::Error::new(ErrorKind::UnexpectedEof, "the monitor port closed before it had answered");
        let end = answer.windows(4).position(|w| w == b"\r\n\r\n").ok_or_else(cut)?;
        let status = std::str::from_utf8(&answer[..end]).ok().and_then(|head| head.split(' ').nth(1)?.parse().ok());
        Ok((status.ok_or_else(bad)?, answer.split_off(end + 4)))
    }
}

impl Oracle for Subsz {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn observe(&mut self, grid: &Grid) -> Result<Observations, OracleError> {
        self.ask(grid).map_err(|error| match error.kind() {
            ErrorKind::Interrupted => OracleError::Interrupted,
            ErrorKind::InvalidData => OracleError::Protocol { what: self.identity.to_string(), why: error.to_string() },
            _ => OracleError::Lost { what: self.identity.to_string(), why: error.to_string(), kept: None },
        })
    }
}

/// Every byte that is not a letter or a digit as `%NN`.
fn percent(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        if byte.is_ascii_alphanumeric() {
            text.push(char::from(*byte));
        } else {
            text.push_str(&format!("%{byte:02X}"));
        }
        text
    })
}
