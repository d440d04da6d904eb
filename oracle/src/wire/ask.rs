//! A grid over connections: what becomes of each operand, then who gets what.
//!
//! Must never know what a matcher says of a pair, and never take a silence for an answer.

use std::{
    io::{self, ErrorKind},
    net::SocketAddr,
};

use wildcheck_tables::{Grid, Matches, Observations, Operand, Outcome};

use super::{
    across,
    codec::{Frame, number},
    connection::{Connection, Met},
    sids::Sids,
    write::{self, Connect},
};
use crate::{Interrupt, Plan};

/// About so many deliveries are asked for between two fences: far below the 64 MiB at which a server drops a client.
const DELIVERIES_A_FENCE: usize = 200_000;
/// Commands whose fate is asked for in one go, each with its own fence.
const COMMANDS_A_BATCH: usize = 2048;

/// Where and how to ask.
pub struct Ask<'a> {
    pub addr: SocketAddr,
    /// Where subjects are published, if not at `addr`.
    pub publish_at: Option<SocketAddr>,
    pub connect: &'a Connect,
    pub plan: Plan,
    /// Stands before every operand on the wire.
    pub prefix: &'a [u8],
    pub interrupt: &'a Interrupt,
}

impl Ask<'_> {
    pub fn open(&self) -> io::Result<Connection> {
        Ok(Connection::open(self.addr, self.connect)?.0)
    }

    pub(super) fn open_to_publish(&self) -> io::Result<Connection> {
        Ok(Connection::open(self.publish_at.unwrap_or(self.addr), self.connect)?.0)
    }

    /// Asks the grid.
    pub fn grid(&self, grid: &Grid) -> io::Result<Observations> {
        let patterns = self.patterns(&grid.patterns)?;
        let subjects = self.subjects(&grid.subjects)?;
        let deliveries = match self.plan {
            _ if self.publish_at.is_some() => across::fan_out(self, grid, &patterns, &subjects)?,
            Plan::Isolated => self.isolated(grid, &patterns, &subjects)?,
            _ => self.fan_out(grid, &patterns, &subjects)?,
        };
        let delivered = Matches::from_deliveries(deliveries, grid.subjects.len());
        Ok(Observations { patterns, subjects, delivered, unknown: Vec::new() })
    }

    /// What becomes of each pattern as a subscription.
    pub fn patterns(&self, patterns: &[Operand]) -> io::Result<Vec<Outcome>> {
        let sids = Sids::new(patterns);
        self.settle(patterns, |line, index, pattern| write::sub(line, pattern, None, sids.of(index)))
    }

    /// What becomes of each subject as a publication.
    pub fn subjects(&self, subjects: &[Operand]) -> io::Result<Vec<Outcome>> {
        let near = Ask { addr: self.publish_at.unwrap_or(self.addr), ..*self };
        near.settle(subjects, |line, _, subject| write::publish(line, subject, None, b""))
    }

    pub(super) fn wired(&self, operand: &Operand) -> Vec<u8> {
        [self.prefix, &operand.0].concat()
    }

    /// Sends each operand's command with a fence behind it: an `-ERR` before that `PONG` is about this command, and so
    /// is a closed connection.
    fn settle(&self, operands: &[Operand], command: impl Fn(&mut Vec<u8>, usize, &[u8])) -> io::Result<Vec<Outcome>> {
        let why = |operand: &Operand| write::cannot_carry(&operand.0);
        let mut outcomes: Vec<Outcome> = operands
            .iter()
            .map(|operand| why(operand).map_or(Outcome::Accepted, |why| Outcome::Inexpressible(why.to_owned())))
            .collect();
        let sendable: Vec<usize> = (0..operands.len()).filter(|i| outcomes[*i] == Outcome::Accepted).collect();
        let mut rest = &sendable[..];
        let mut open: Option<Connection> = None;
        while !rest.is_empty() {
            let batch = &rest[..rest.len().min(COMMANDS_A_BATCH)];
            let (answers, connection) = self.batch(open.take(), operands, batch, &command)?;
            let done = answers.len();
            for (index, answer) in batch.iter().zip(answers) {
                outcomes[*index] = answer;
            }
            open = connection;
            rest = &rest[done..];
        }
        Ok(outcomes)
    }

    /// The answers to the first commands of `batch`: all of them with the connection, or up to and with the one that
    /// closed it.
    fn batch(
        &self,
        open: Option<Connection>,
        operands: &[Operand],
        batch: &[usize],
        command: &impl Fn(&mut Vec<u8>, usize, &[u8]),
    ) -> io::Result<(Vec<Outcome>, Option<Connection>)> {
        let mut connection = open.map_or_else(|| self.open(), Ok)?;
        for index in batch {
            command(connection.out(), *index, &self.wired(&operands[*index]));
            write::ping(connection.out());
        }
        let mut answers = Vec::with_capacity(batch.len());
        let mut refused: Option<String> = None;
        let met = connection.exchange(batch.len(), self.interrupt, &mut |frame| match frame {
            Frame::Err(words) => refused = Some(String::from_utf8_lossy(words).into_owned()),
            Frame::Pong => answers.push(refused.take().map_or(Outcome::Accepted, Outcome::RefusedOpen)),
            _ => {}
        })?;
        match met {
            Met::Fence => Ok((answers, Some(connection))),
            Met::Closed(_) if batch.len() > 1 => {
                // Alone on a new connection it is this command or the server itself; a dead server does not open.
                let suspect = &batch[answers.len().min(batch.len() - 1)..][..1];
                let (answer, connection) = self.batch(None, operands, suspect, command)?;
                answers.truncate(batch.len() - 1);
                answers.extend(answer);
                Ok((answers, connection))
            }
            Met::Closed(words) => {
                self.open()?;
                Ok((vec![Outcome::RefusedClosed(words)], None))
            }
        }
    }

    /// Every pattern subscribed, every subject published, a fence every so many deliveries. `(subject, pattern)`.
    fn fan_out(&self, grid: &Grid, patterns: &[Outcome], subjects: &[Outcome]) -> io::Result<Vec<(u32, u32)>> {
        let mut connection = self.open()?;
        let sids = Sids::new(&grid.patterns);
        let taken: Vec<usize> = (0..grid.patterns.len()).filter(|i| patterns[*i] == Outcome::Accepted).collect();
        let subscribe = |out: &mut Vec<u8>| {
            for index in &taken {
                write::sub(out, &self.wired(&grid.patterns[*index]), None, sids.of(*index));
            }
        };
        subscribe(connection.out());
        if self.plan == Plan::Resubscribed {
            for index in &taken {
                write::unsub(connection.out(), sids.of(*index));
            }
            subscribe(connection.out());
        }
        self.fence(&mut connection, &mut |_| {})?;
        let mut deliveries: Vec<(u32, u32)> = Vec::new();
        let (mut from, mut chunk) = (0, 64);
        while from < grid.subjects.len() {
            let to = (from + chunk).min(grid.subjects.len());
            for at in (from..to).filter(|at| published(&subjects[*at])) {
                let subject = self.wired(&grid.subjects[at]);
                if self.plan == Plan::CacheHit {
                    write::publish(connection.out(), &subject, None, b"");
                }
                write::publish(connection.out(), &subject, None, at.to_string().as_bytes());
            }
            let before = deliveries.len();
            self.fence(&mut connection, &mut |frame| deliveries.extend(delivery(&frame, grid, &sids)))?;
            let each = (deliveries.len() - before) / (to - from) + 1;
            chunk = (DELIVERIES_A_FENCE / each).clamp(16, 65_536);
            from = to;
        }
        Ok(deliveries)
    }

    /// A connection a pair.
    fn isolated(&self, grid: &Grid, patterns: &[Outcome], subjects: &[Outcome]) -> io::Result<Vec<(u32, u32)>> {
        let sids = Sids::new(&grid.patterns);
        let mut deliveries = Vec::new();
        for at in (0..grid.subjects.len()).filter(|at| published(&subjects[*at])) {
            for index in (0..grid.patterns.len()).filter(|index| patterns[*index] == Outcome::Accepted) {
                let mut connection = self.open()?;
                write::sub(connection.out(), &self.wired(&grid.patterns[index]), None, sids.of(index));
                write::publish(connection.out(), &self.wired(&grid.subjects[at]), None, at.to_string().as_bytes());
                self.fence(&mut connection, &mut |frame| deliveries.extend(delivery(&frame, grid, &sids)))?;
            }
        }
        Ok(deliveries)
    }

    /// Sends what is in `out` and a `PING`, and reads to its `PONG`.
    pub(super) fn fence(&self, connection: &mut Connection, each: &mut dyn FnMut(Frame<'_>)) -> io::Result<()> {
        write::ping(connection.out());
        match connection.exchange(1, self.interrupt, each)? {
            Met::Fence => Ok(()),
            Met::Closed(words) => {
                let words = if words.is_empty() { "without a word".to_owned() } else { format!("saying {words}") };
                Err(io::Error::new(ErrorKind::ConnectionReset, format!("the connection was closed {words}")))
            }
        }
    }
}

/// A refused subject is published all the same, unless that costs the connection: "refused and delivered" is an answer.
pub(super) fn published(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Accepted | Outcome::RefusedOpen(_))
}

pub(super) fn delivery(frame: &Frame<'_>, grid: &Grid, sids: &Sids) -> Option<(u32, u32)> {
    let Frame::Msg(msg) = frame else { return None };
    let (pattern, at) = (sids.pattern(number(msg.sid)?)?, number(msg.payload)?);
    (at < grid.subjects.len()).then_some((at as u32, pattern))
}
