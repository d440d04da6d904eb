//! Patterns bound on one connection, each to a queue of its own, and the rounds of keys published to them.
//!
//! Must never report a pair as not delivered before that queue has delivered its sentinel of the same round.
//!
//! Why the sentinel is a fence: it is published on the same channel as the keys before it, and a broker keeps the order
//! of what one channel publishes to one queue, whatever exchange it went by; the queue has one consumer, without
//! acknowledgements, so it hands everything on in that order. The sentinel goes by the default exchange to the queue's
//! name: it passes no pattern, so none can take it for a key.

use std::{
    collections::BTreeSet,
    io::{self, ErrorKind},
    net::SocketAddr,
};

use super::{
    codec::{Frame, Request},
    connection::{Connection, Login, Met},
    cost::{self, Budget},
    write,
};
use crate::Interrupt;

/// The index of the sentinel.
const LAST: u32 = u32::MAX;

/// Names and numbers that nobody else uses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Names {
    /// In every name and every body.
    pub nonce: u32,
    /// How many connections were opened under it before.
    pub made: u32,
}

impl Names {
    /// Those of the next connection: what the last one declared may be on its way out.
    #[must_use]
    pub fn next(&mut self) -> Names {
        self.made += 1;
        self.clone()
    }
    /// The exchange of the patterns with that many `#`.
    pub fn exchange(&self, hashes: usize) -> Vec<u8> {
        format!("wildcheck-{:08x}-{}-{hashes}", self.nonce, self.made).into_bytes()
    }
    /// The queue of that pattern.
    pub fn queue(&self, pattern: usize) -> Vec<u8> {
        format!("wildcheck-{:08x}-{}.{pattern}", self.nonce, self.made).into_bytes()
    }
}

/// How to bind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bind {
    /// Bound.
    Once,
    /// Bound, unbound and bound again.
    Again,
}

/// An open session.
pub struct Session {
    connection: Connection,
    names: Names,
    /// How many `#` each pattern has.
    hashes: Vec<usize>,
    /// The kinds of exchanges there are.
    kinds: BTreeSet<usize>,
    round: u32,
}

/// The pattern at that place was refused, and how.
pub type Refused = (usize, Met);

impl Session {
    /// Declares, binds and consumes.
    ///
    /// # Errors
    /// The connection is lost. A pattern that is refused is no error, and the session is gone.
    pub fn open(
        addr: SocketAddr,
        login: &Login,
        names: Names,
        patterns: &[&[u8]],
        how: Bind,
        interrupt: &Interrupt,
    ) -> io::Result<Result<Session, Refused>> {
        let mut connection = Connection::open(addr, login, interrupt)?;
        let hashes: Vec<usize> = patterns.iter().map(|pattern| cost::hashes(pattern)).collect();
        let kinds: BTreeSet<usize> = hashes.iter().copied().collect();
        let out = connection.out();
        kinds.iter().for_each(|kind| write::topic_exchange(out, &names.exchange(*kind)));
        for (at, (pattern, hashes)) in patterns.iter().zip(&hashes).enumerate() {
            let (queue, exchange) = (names.queue(at), names.exchange(*hashes));
            write::queue(out, &queue);
            write::bind(out, &queue, &exchange, pattern);
            if how == Bind::Again {
                // A second queue holds the exchange while the first is unbound: it would go with its last binding.
                let other = names.queue(at + patterns.len());
                write::queue(out, &other);
                write::bind(out, &other, &exchange, pattern);
                write::unbind(out, &queue, &exchange, pattern);
                write::bind(out, &queue, &exchange, pattern);
                write::unbind(out, &other, &exchange, pattern);
            }
            write::consume(out, &queue, at.to_string().as_bytes());
        }
        let each = if how == Bind::Again { 5 } else { 1 };
        let mut answers = 0;
        let all = patterns.len() * each;
        if all > 0 {
            let met = connection.exchange(interrupt, &mut |frame, _| {
                answers += usize::from(matches!(frame, Frame::Done(Request::Bind | Request::Unbind)));
                Ok(answers == all)
            })?;
            if met != Met::Done {
                return Ok(Err((answers / each, met)));
            }
        }
        Ok(Ok(Session { connection, names, hashes, kinds, round: 0 }))
    }

    /// Publishes those keys, each by its number, and appends `(key, pattern)` for each delivery. Where a pair costs too
    /// much the key is not published to the patterns with as many `#`.
    ///
    /// # Errors
    /// The connection is lost or closed; a message behind its fence is `InvalidData`.
    pub fn publish(
        &mut self,
        keys: &[(u32, &[u8])],
        budget: Budget,
        interrupt: &Interrupt,
        seen: &mut Vec<(u32, u32)>,
    ) -> io::Result<()> {
        if self.hashes.is_empty() {
            return Ok(());
        }
        self.round = self.round.wrapping_add(1);
        let exchanges: Vec<_> = self.kinds.iter().map(|kind| (*kind, self.names.exchange(*kind))).collect();
        for (index, key) in keys {
            let (words, body) = (cost::words(key), self.body(*index));
            for (_, exchange) in exchanges.iter().filter(|(kind, _)| budget.affordable(*kind, words)) {
                write::publish(self.connection.out(), exchange, key, &body);
            }
        }
        let sentinel = self.body(LAST);
        for pattern in 0..self.hashes.len() {
            write::publish(self.connection.out(), b"", &self.names.queue(pattern), &sentinel);
        }
        self.until_fenced(interrupt, seen)
    }

    fn until_fenced(&mut self, interrupt: &Interrupt, seen: &mut Vec<(u32, u32)>) -> io::Result<()> {
        let broken = |why: &'static str| io::Error::new(ErrorKind::InvalidData, why);
        let (nonce, round) = (self.names.nonce, self.round);
        let mut fenced = vec![false; self.hashes.len()];
        let mut open = fenced.len();
        let mut pattern = usize::MAX;
        let met = self.connection.exchange(interrupt, &mut |frame, _| {
            match frame {
                Frame::Deliver(tag) => {
                    let number = std::str::from_utf8(tag).ok().and_then(|tag| tag.parse().ok());
                    pattern = number.ok_or_else(|| broken("a delivery to a consumer that is not ours"))?;
                }
                Frame::Body(body) => {
                    let Some((round_of, index)) = read(body, nonce) else { return Ok(false) };
                    let fence = fenced.get_mut(pattern).ok_or_else(|| broken("a consumer that is not ours"))?;
                    if *fence || round_of != round {
                        return Err(broken("a message behind its fence"));
                    }
                    if index == LAST {
                        *fence = true;
                        open -= 1;
                    } else {
                        seen.push((index, pattern as u32));
                    }
                }
                _ => {}
            }
            Ok(open == 0)
        })?;
        match met {
            Met::Done => Ok(()),
            Met::ChannelClosed(words) | Met::Closed(words) => {
                let why = format!("the connection was closed {words}");
                Err(io::Error::new(ErrorKind::ConnectionReset, why.trim_end().to_owned()))
            }
        }
    }

    fn body(&self, index: u32) -> [u8; 12] {
        let mut body = [0; 12];
        for (place, number) in body.chunks_exact_mut(4).zip([self.names.nonce, self.round, index]) {
            place.copy_from_slice(&number.to_be_bytes());
        }
        body
    }
}

/// Round and index of a body of ours.
fn read(body: &[u8], nonce: u32) -> Option<(u32, u32)> {
    let number = |at: usize| Some(u32::from_be_bytes(body.get(at..at + 4)?.try_into().ok()?));
    (body.len() == 12 && number(0)? == nonce).then_some((number(4)?, number(8)?))
}
